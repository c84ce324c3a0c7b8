"""The notebooks as they are stored and read, and what holds them so; running them is nbval's work."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, v4

from summon import Rules, rulebook
from tests import notebooks
from tests.notebooks import COMPARED, LIVE, NOTEBOOKS, read

EVERY = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_are_notebooks() -> None:
    assert "draw-your-own-pet" in [path.stem for path in NOTEBOOKS]


@EVERY
def test_a_notebook_is_as_it_is_stored(path: Path) -> None:
    assert notebooks.faults(path) == []


@EVERY
def test_a_picture_is_stored(path: Path) -> None:
    outputs = [output for cell in read(path).cells for output in cell.get("outputs", ())]
    assert any("image/svg+xml" in output.get("data", ()) for output in outputs)


@cache
def everything() -> dict[str, list[tuple[list[str], str]]]:
    """The tags and source of each cell, by its notebook."""
    return {path.name: [(notebooks.tags(cell), cell.source) for cell in read(path).cells] for path in NOTEBOOKS}


def about(tag: str) -> dict[str, list[str]]:
    """The cells that carry a tag, by their notebook."""
    found = {name: [source for tags, source in cells if tag in tags] for name, cells in everything().items()}
    return {name: cells for name, cells in found.items() if cells}


@pytest.mark.parametrize("number", rulebook.rules())
def test_a_rule_is_said_and_shown_in_the_chapter_of_its_section(number: str) -> None:
    ((chapter, cells),) = about(f"rule-{number}").items()
    assert chapter.startswith(f"{int(number.partition('.')[0]):02}-")
    assert f'rule("{number}")' in cells
    assert len(cells) > 1


@pytest.mark.parametrize("name", Rules.names())
def test_a_question_of_section_12_is_said_and_its_answers_compared(name: str) -> None:
    ((chapter, cells),) = about(f"question-{name}").items()
    assert chapter.startswith("12-")
    assert f'question("{name}")' in cells
    assert len(cells) > 1


def test_no_cell_is_about_what_the_rulebook_does_not_have() -> None:
    told = {tag for cells in everything().values() for tags, _ in cells for tag in tags}
    known = {f"rule-{number}" for number in rulebook.rules()} | {f"question-{name}" for name in Rules.names()}
    assert {tag for tag in told if tag.startswith(("rule-", "question-"))} == known


def code(source: str, *tags: str, outputs: tuple[NotebookNode, ...] = (), **more: Any) -> NotebookNode:
    return v4.new_code_cell(source, metadata={"tags": list(tags)}, outputs=list(outputs), **more)


def printed(told: str, name: str = "stdout") -> NotebookNode:
    return v4.new_output("stream", name=name, text=told)


def shown(**data: str) -> NotebookNode:
    kinds = {"plain": "text/plain", "svg": "image/svg+xml", "script": "application/javascript"}
    return v4.new_output("display_data", data={kinds[name]: text for name, text in data.items()})


def stored(folder: Path, *cells: NotebookNode) -> Path:
    path = folder / "trial.ipynb"
    path.write_text(notebooks.text(notebooks.normal(v4.new_notebook(cells=list(cells)))), encoding="utf-8")
    return path


GOOD = code("1 + 1", COMPARED, outputs=(shown(plain="2"),))


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        (code("x = 1\n" * 7), "has 7 lines"),
        (code("battle"), "tagged neither"),
        (code("pass", COMPARED, LIVE, outputs=(printed("hm"),)), "tagged both"),
        (code("pass", "rule-5.3"), "is tagged rule-5.3 and not nbval-check-output"),
        (code("pass", "question-luck", LIVE), "is tagged question-luck and not nbval-check-output"),
        (code("pass", COMPARED), "has nothing stored"),
        (code("1", COMPARED, outputs=(printed("hm", "stderr"),)), "a stored warning"),
        (code("1", COMPARED, outputs=(shown(plain="1", script="1"),)), "not still: application/javascript"),
        (code("1", COMPARED, outputs=(shown(svg="<svg>" + 40_000 * " "),)), "more than 40000 letters"),
        (code("1", COMPARED, outputs=(printed("in /home/me/x"),)), "one machine only: /home/"),
        (code("1", COMPARED, outputs=(printed("a <Thing at 0x7f12ab34cd>"),)), "one machine only: 0x7f12ab34cd"),
        (code(r'x = open("C:\\games")'), "one machine only: C:\\"),
        (v4.new_markdown_cell("see file:///x"), "one machine only: file:/"),
        (code("1", COMPARED, outputs=(v4.new_output("error", ename="E", evalue="", traceback=[]),)), "stored error"),
    ],
)
def test_a_fault_is_told_with_its_cell(tmp_path: Path, cell: NotebookNode, fault: str) -> None:
    assert notebooks.faults(stored(tmp_path, GOOD)) == []
    (found,) = notebooks.faults(stored(tmp_path, GOOD, cell))
    assert found.startswith("trial.ipynb, cell 2: ")
    assert fault in found


def raw(folder: Path, *cells: NotebookNode) -> Path:
    """A notebook as Jupyter leaves it."""
    path = folder / "raw.ipynb"
    book = v4.new_notebook(cells=list(cells), metadata={"language_info": {"name": "python", "version": "3.99.1"}})
    path.write_text(notebooks.text(book), encoding="utf-8")
    return path


def test_what_jupyter_leaves_is_told_and_put_right(tmp_path: Path) -> None:
    live = code("pass", LIVE, outputs=(shown(plain="a view"),), execution_count=2)
    pieces = code("print()", COMPARED, outputs=(printed("one\n"), printed("two\n")), execution_count=1)
    path = raw(tmp_path, live, pieces)
    told = notebooks.faults(path)
    assert told == [
        "raw.ipynb, cell 1: has a count of when it was run",
        f"raw.ipynb, cell 1: has something stored and is not tagged {COMPARED}",
        "raw.ipynb, cell 2: has a count of when it was run",
        "raw.ipynb, not as it is stored: python3 tasks.py chapters",
    ]
    assert notebooks.main(["--check", str(path)]) == 1
    assert notebooks.main(["--tidy", str(path)]) == 0
    book = read(path)
    assert [cell.outputs for cell in book.cells] == [[], [printed("one\ntwo\n")]]
    assert book.metadata == notebooks.METADATA
    text = path.read_text(encoding="utf-8")
    assert notebooks.main(["--tidy", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == text


def test_a_cell_keeps_its_name_when_one_is_put_before_it(tmp_path: Path) -> None:
    first = [cell.id for cell in read(stored(tmp_path, code("x = 2"), code("x = 2"))).cells]
    later = [cell.id for cell in read(stored(tmp_path, code("x = 1"), code("x = 2"), code("x = 2"))).cells]
    assert len({*later}) == 3
    assert later[1:] == first


def test_a_notebook_is_run_and_what_it_shows_is_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = raw(
        tmp_path, code("x = 20", LIVE), code("print(x)\nx + 1", COMPARED), code("x", LIVE), code("str(x).lower()")
    )
    assert notebooks.main([str(path)]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("raw.ipynb: ")
    assert told.err.startswith("raw.ipynb, cell 4: shows something and is tagged neither")
    book = read(path)
    assert [cell.outputs for cell in (book.cells[0], *book.cells[2:])] == [[], [], []]
    assert book.cells[1].outputs[0] == printed("20\n")
    assert book.cells[1].outputs[1].data == {"text/plain": "21"}
    assert notebooks.faults(path) == []


def test_a_notebook_of_which_a_cell_fails_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = raw(tmp_path, code("print(1)", COMPARED), code("1 / 0"))
    before = path.read_text(encoding="utf-8")
    assert notebooks.main([str(path)]) == 1
    assert "raw.ipynb: " in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == before
