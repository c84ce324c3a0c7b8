"""The notebooks as they are stored: with what their cells show, and with nothing that differs between machines.

    python -m tests.notebooks [FILE…]           run notebooks (all) and store what they show
    python -m tests.notebooks --tidy [FILE…]    put right what can be without running them
    python -m tests.notebooks --check [FILE…]   say what is not as it is stored so; nothing is run

A cell that shows something is tagged. What `COMPARED` ones show is stored, and compared whenever the tests run them;
what `LIVE` ones show is not.
"""

import ast
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

COMPARED, LIVE = "nbval-check-output", "nbval-ignore-output"

MOST_LINES = 6
MOST_LETTERS = 40_000
"""So many letters has what a cell shows at once, at the most."""

STILL = {"text/plain", "text/markdown", "text/html", "image/svg+xml"}
"""What can be read where nothing is live."""

ELSEWHERE = re.compile(r"(?<![\w.])/(?:home|root|tmp|Users|var)/|\b[A-Z]:\\(?!n)|file:/|\b0x[0-9a-f]{6,}")
"""What is so on one machine or in one run only: paths of files, and where something is in memory."""

SECONDS = 600
"""So long may a cell take."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read(path: Path) -> NotebookNode:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def text(book: NotebookNode) -> str:
    """A notebook as the text of its file."""
    return nbformat.writes(book, version=4) + "\n"


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def normal(book: NotebookNode) -> NotebookNode:
    """A notebook as it is stored: without counts, dates and machines, and with what is compared alone."""
    names = _names([cell.source for cell in book.cells])
    cells = [_normal_cell(cell, name) for cell, name in zip(book.cells, names, strict=True)]
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def _names(sources: list[str]) -> Iterator[str]:
    """A name for each cell that stays when cells are put before it: made of what is in it."""
    seen: Counter[str] = Counter()
    for source in sources:
        name = hashlib.sha256(source.encode()).hexdigest()[:8]
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}-{seen[name]}"


def _normal_cell(cell: NotebookNode, name: str) -> dict[str, object]:
    kept = {key: cell[key] for key in ("cell_type", "source", "attachments") if key in cell}
    kept |= {"id": name, "metadata": {"tags": tags(cell)} if tags(cell) else {}}
    if cell.cell_type == "code":
        kept |= {"execution_count": None, "outputs": _normal_outputs(cell) if COMPARED in tags(cell) else []}
    return kept


def _normal_outputs(cell: NotebookNode) -> list[NotebookNode]:
    """What a cell shows; it is chance in how many pieces a kernel prints."""
    kept: list[NotebookNode] = []
    for output in cell.outputs:
        last = kept[-1] if kept else {}
        if output.output_type == "stream" == last.get("output_type") and output.name == last.name:
            last.text += output.text
        else:
            kept.append(NotebookNode(output))
        if output.output_type == "execute_result":
            kept[-1].execution_count = None
        if "metadata" in output:
            kept[-1].metadata = {}
    return kept


def faults(path: Path) -> list[str]:
    """What is not as it should be in a notebook's file, each as a sentence that begins with the place."""
    book = read(path)
    found = [f"cell {number}: {fault}" for number, cell in enumerate(book.cells, 1) for fault in _cell_faults(cell)]
    if path.read_text(encoding="utf-8") != text(normal(book)):
        found.append("not as it is stored: python3 tasks.py chapters")
    return [f"{path.name}, {fault}" for fault in found]


def _cell_faults(cell: NotebookNode) -> Iterator[str]:
    if there := ELSEWHERE.search(cell.source):
        yield f"is of one machine only: {there[0]}"
    if cell.cell_type != "code":
        return
    lines = [line for line in cell.source.split("\n") if line.strip()]
    if len(lines) > MOST_LINES:
        yield f"has {len(lines)} lines, and {MOST_LINES} at the most can be taken in at once"
    if cell.execution_count is not None:
        yield "has a count of when it was run"
    shown = {COMPARED, LIVE} & {*tags(cell)}
    if len(shown) == 2:
        yield f"is tagged both {COMPARED} and {LIVE}"
    if not shown and ends_in_a_value(cell.source):
        yield f"shows something and is tagged neither {COMPARED} nor {LIVE}"
    about = [tag for tag in tags(cell) if tag.startswith(("rule-", "question-"))]
    if about and COMPARED not in shown:
        yield f"is tagged {about[0]} and not {COMPARED}"
    if cell.outputs and COMPARED not in shown:
        yield f"has something stored and is not tagged {COMPARED}"
    if not cell.outputs and COMPARED in shown:
        yield f"is tagged {COMPARED} and has nothing stored"
    for output in cell.outputs:
        yield from _output_faults(output)


def ends_in_a_value(source: str) -> bool:
    """Whether a cell ends in an expression, which a notebook shows; of a method only running it tells what it gives."""
    body = ast.parse(source).body
    if not body or not isinstance(body[-1], ast.Expr) or source.rstrip().endswith(";"):
        return False
    value = body[-1].value
    return not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute))


def _output_faults(output: NotebookNode) -> Iterator[str]:
    told = output.get("data", {"text/plain": output.get("text", "")})
    if output.output_type not in ("stream", "execute_result", "display_data"):
        yield f"has a stored {output.output_type}"
    if output.get("name") == "stderr":
        yield "has a stored warning"
    if others := sorted({*told} - STILL):
        yield f"has something stored that is not still: {', '.join(others)}"
    if len(json.dumps(output)) >= MOST_LETTERS:
        yield f"has more than {MOST_LETTERS} letters stored at once"
    for each in told.values():
        if there := ELSEWHERE.search(str(each)):
            yield f"has something stored that is of one machine only: {there[0]}"


def run(path: Path) -> list[str]:
    """Run a notebook in a kernel of its own and store what it shows; returns the faults that are left.

    A notebook of which a cell fails stays as it is.
    """
    book = read(path)
    client = NotebookClient(book, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}})
    try:
        client.execute()
    except CellExecutionError as error:
        return [f"{path.name}: {error}"]
    silent = [number for number, cell in enumerate(book.cells, 1) if cell.get("outputs") and not _is_tagged(cell)]
    _store(path, book)
    told = f"shows something and is tagged neither {COMPARED} nor {LIVE}"
    return list(dict.fromkeys([*(f"{path.name}, cell {number}: {told}" for number in silent), *faults(path)]))


def _is_tagged(cell: NotebookNode) -> bool:
    return bool({COMPARED, LIVE} & {*tags(cell)})


def tidy(path: Path) -> list[str]:
    """Store a notebook anew with what it holds; returns the faults that are left."""
    _store(path, read(path))
    return faults(path)


def _store(path: Path, book: NotebookNode) -> None:
    path.write_text(text(normal(book)), encoding="utf-8", newline="\n")


def timed_run(path: Path) -> list[str]:
    """`run`, and say how long it took."""
    begun = time.monotonic()
    left = run(path)
    print(f"{path.name}: {time.monotonic() - begun:.1f} s", flush=True)
    return left


WAYS = {"--check": faults, "--tidy": tidy}


def main(arguments: list[str]) -> int:
    way = next((WAYS[name] for name in WAYS if name in arguments), timed_run)
    paths = [Path(name) for name in arguments if name not in WAYS] or NOTEBOOKS
    found = [fault for path in paths for fault in way(path)]
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
