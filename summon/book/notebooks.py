"""The notebooks as chapters of the book: with what is stored in them, and a way to each rule's cell."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from pathlib import Path
from typing import Any

from summon.book.linking import linked, root_of
from summon.words import BOOK

Cell = dict[str, Any]

_LIVE = "nbval-ignore-output"
"""The tag of a cell that shows something live, of which nothing is stored."""

_RULE = "rule-"

_HTML, _MARKDOWN = "text/html", "text/markdown"

_VIEW = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
_TOLD = re.compile(r"<desc[^>]*>(.*?)</desc>", re.DOTALL), re.compile(r'aria-label="([^"]*)"')
_FILE_LINK = re.compile(r"\[([^\]]+)\]\((?!#|https?:)([^)]*)\)")
"""A link to a file of the project, which may be none of the book."""

_COLUMNS = re.compile(r"\S {2,}\S")
"""What is between the columns of a printed table, whose lines are not to be broken."""

_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """A cell that shows a rule: where it is in the book, and the first picture that it shows, as HTML, if any."""

    chapter: str
    title: str
    anchor: str
    picture: str = ""

    @property
    def page(self) -> str:
        """The cell's place in the book."""
        return f"{self.chapter}.html#{self.anchor}"


@dataclass
class Chapters:
    """All chapters by the names of their pages, with their titles and the cells that show each rule.

    `pictures` is the folder that the pictures are written to.
    """

    pictures: Path
    titles: dict[str, str] = field(default_factory=dict)
    cells: dict[str, list[Shown]] = field(default_factory=dict)

    def add(self, notebook: Path, folder: Path) -> None:
        """Prepare a notebook for Sphinx and write it into the folder of the chapters."""
        read = json.loads(notebook.read_text(encoding="utf-8"))
        page = f"chapters/{notebook.stem}"
        sources = ["".join(cell["source"]) for cell in read["cells"] if cell["cell_type"] == "markdown"]
        title = next((found[1] for source in sources if (found := _TITLE.search(source))), notebook.stem)
        self.titles[page] = title
        named: Counter[str] = Counter()
        cells: list[Cell] = []
        for cell in read["cells"]:
            tags = cell["metadata"].get("tags", [])
            outputs = [self._output(output, page) for output in cell.get("outputs", [])]
            for number in (tag.removeprefix(_RULE) for tag in tags if tag.startswith(_RULE)):
                named[number] += 1
                anchor = f"{_RULE}{number}" + (f"-{named[number]}" if named[number] > 1 else "")
                picture = next((told for kind, told in outputs if kind == _HTML and told.startswith("<img ")), "")
                self.cells.setdefault(number, []).append(Shown(page, title, anchor, picture))
                cells.append(_prose(f'<div class="anchor" id="{anchor}"></div>', len(cells)))
            if cell["cell_type"] == "code" and _LIVE in tags and not outputs and not _brings_in(cell):
                outputs = [
                    (_HTML, f'<p class="live">{BOOK["live"]} <a href="../playing.html">{BOOK["live_how"]}</a></p>')
                ]
            if _brings_in(cell) and cells and _brings_in(cells[-1]):
                cells[-1]["source"] += "\n\n" + "".join(cell["source"])
                continue
            cells.append(_prepared(cell, outputs, len(cells), notebook.parent))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / notebook.name).write_text(json.dumps(_notebook(cells)), encoding="utf-8")

    def _output(self, output: dict[str, Any], page: str) -> tuple[str, str]:
        """What is stored of a cell's output, as HTML or Markdown, which is told first."""
        data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
        if "image/svg+xml" in data:
            return _HTML, self.picture(data["image/svg+xml"], page)
        if _HTML in data:
            return _HTML, f'<div class="wide">{data[_HTML]}</div>'
        if _MARKDOWN in data:
            return _MARKDOWN, data[_MARKDOWN]
        text = "".join(output["text"]) if output["output_type"] == "stream" else data.get("text/plain", "")
        kind = 'class="told table" tabindex="0"' if _COLUMNS.search(text) else 'class="told"'
        return _HTML, f"<pre {kind}>{linked(text.rstrip(), page)}</pre>"

    def picture(self, svg: str, page: str, kind: str = "shown") -> str:
        """Write a picture beside the pages; returns the HTML that shows it on a page."""
        name = f"{sha256(svg.encode()).hexdigest()[:16]}.svg"
        self.pictures.mkdir(parents=True, exist_ok=True)
        (self.pictures / name).write_text(svg, encoding="utf-8")
        alt = next((unescape(found[1]) for pattern in _TOLD if (found := pattern.search(svg))), "")
        told = escape(" ".join(alt.split()))
        view = _VIEW.search(svg)
        size = "" if view is None else f' width="{round(float(view[1]))}" height="{round(float(view[2]))}"'
        place = f"{root_of(page)}pictures/{name}"
        return f'<img class="{kind}" src="{place}" alt="{told}"{size} loading="lazy">'


def _prose(text: str, place: int) -> Cell:
    return {"cell_type": "markdown", "id": f"cell-{place}", "metadata": {}, "source": text}


def _prepared(cell: Cell, outputs: list[tuple[str, str]], place: int, folder: Path) -> Cell:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return _prose(_FILE_LINK.sub(lambda link: link[0] if _is_chapter(folder, link[2]) else link[1], source), place)
    shown = [{"output_type": "display_data", "metadata": {}, "data": {kind: told}} for kind, told in outputs]
    return {
        "cell_type": "code",
        "id": f"cell-{place}",
        "metadata": {"tags": ["hide-input"]} if _brings_in(cell) else {},
        "execution_count": None,
        "source": source,
        "outputs": shown,
    }


def _is_chapter(folder: Path, link: str) -> bool:
    name = link.partition("#")[0]
    return name.endswith(".ipynb") and "/" not in name and (folder / name).is_file()


def _brings_in(cell: Cell) -> bool:
    """Whether a cell does nothing but bring in what the others need."""
    if cell["cell_type"] != "code":
        return False
    statements = ast.parse("".join(cell["source"])).body
    return all(
        isinstance(each, ast.Import | ast.ImportFrom) or ast.unparse(each).startswith("pn.extension(")
        for each in statements
    )


def _notebook(cells: list[Cell]) -> dict[str, Any]:
    language = {"name": "python", "pygments_lexer": "ipython3"}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"language_info": language, "kernelspec": kernel},
        "cells": cells,
    }
