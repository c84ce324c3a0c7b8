"""The rulebook's site: it is what its sources say, whole, and needs nothing from elsewhere."""

import json
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from summon import book, rulebook
from summon.book import cases, look, notebooks, pages
from summon.words import BOOK

ANEW = "the book is not what its sources say: build it with `python3 tasks.py site` and commit summon/book/built"

MOST_BYTES = 11_000_000
"""Half of it are the pictures of the chapters. Packed, as in a wheel, it is less than a fifth."""

LOADS = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "use": "href",
}


class Read(HTMLParser):
    """What a page names: its anchors, where its links lead, what it loads, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told["id"]} if "id" in told else set()
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        elif tag == "form":
            self.links.append(told["action"])
        elif tag in LOADS and LOADS[tag] in told:
            self.loads.append(told[LOADS[tag]])

    handle_startendtag = handle_starttag


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book") / "built"
    book.build(folder)
    return folder


@pytest.fixture(scope="module")
def read(built: Path) -> dict[str, Read]:
    files = sorted(built.rglob("*.html"))
    return {file.relative_to(built).as_posix(): Read(file.read_text(encoding="utf-8")) for file in files}


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_book_that_is_kept_is_what_its_sources_say(built: Path) -> None:
    kept, anew = files_of(book.BUILT), files_of(built)
    assert sorted(kept) == sorted(anew), ANEW
    assert [name for name in anew if kept[name] != anew[name]] == [], ANEW


def test_the_book_is_not_too_large_and_holds_only_what_is_read(built: Path) -> None:
    files = files_of(built)
    assert sum(map(len, files.values())) < MOST_BYTES
    assert {Path(name).suffix for name in files} <= {".html", ".css", ".js", ".svg", ".txt"}
    assert [name for name in files if name.startswith(".") or "_sources" in name] == []


def test_nothing_tells_of_the_machine_that_built_it(built: Path) -> None:
    told = re.compile(rb"(/home/|/tmp/|/root/|[A-Z]:\\\\Users|" + re.escape(str(rulebook.PROJECT)).encode() + rb")")
    assert [name for name, content in files_of(built).items() if told.search(content)] == []


def test_nothing_is_loaded_from_elsewhere(built: Path, read: dict[str, Read]) -> None:
    foreign = re.compile(r"^(?:[a-z]+:)?//")
    assert [(page, load) for page, it in read.items() for load in it.loads if foreign.match(load)] == []
    for name, content in files_of(built).items():
        text = content.decode()
        if name.endswith(".css"):
            assert not re.findall(r"""(?:url\(|@import )\s*["']?(?:https?:)?//""", text), name
        elif name.endswith(".js"):
            assert not re.findall(r"""(?:import|fetch|src\s*=|importScripts)\s*\(?\s*["'`]https?:""", text), name
        elif name.endswith(".html"):
            assert not re.findall(r"mathjax|require(?:\.min)?\.js|fonts\.googleapis|cdn\.", text, re.IGNORECASE), name


def test_every_link_leads_somewhere(built: Path, read: dict[str, Read]) -> None:
    broken = []
    for page, it in read.items():
        for link in [*it.links, *it.loads]:
            parts = urlsplit(link)
            if parts.scheme or link.startswith("#svg-"):
                continue
            target = (built / page).parent.joinpath(unquote(parts.path)).resolve() if parts.path else built / page
            if not target.is_file():
                broken.append((page, link))
            elif parts.fragment and target.suffix == ".html":
                anchors = read[target.relative_to(built.resolve()).as_posix()].anchors if parts.path else it.anchors
                if unquote(parts.fragment) not in anchors:
                    broken.append((page, link))
    assert broken == []


@pytest.mark.parametrize("number", rulebook.rules())
def test_a_rule_has_its_page_with_sentence_cell_cases_and_code(built: Path, number: str) -> None:
    page = (built / book.page_of(number)).read_text(encoding="utf-8")
    rule = rulebook.rule(number)
    text = " ".join(
        unescape(re.sub(r"<[^>]+>", "", page)).replace("’", "'").replace("“", '"').replace("”", '"').split()
    )
    assert rule.text in text
    kind, _, other = rule.status.partition(";")
    assert BOOK[kind] in text and other in text
    for place in ("cell", "cases", "code"):
        slug = BOOK[place].lower().replace(" ", "-")
        assert f'href="#{slug}"' in page and f'id="{slug}"' in page
    for place in rulebook.cells().get(number, ()):
        assert f"../chapters/{place.path.stem}.html#rule-{number}" in page
    for place in rulebook.cases()[number]:
        assert place.what.partition(": ")[2] in text or place.what in text
    places = rulebook.code()[number]
    shown = [place for place in places if f"summon/{inside(place)} · {place.what}" in text]
    assert shown
    assert not any(place.path.name == "turn.py" for place in places) or shown[0].path.name == "turn.py"


def inside(place: rulebook.Place) -> str:
    return place.path.relative_to(rulebook.PACKAGE).as_posix()


def test_every_cell_of_a_rule_has_an_anchor_in_its_chapter(read: dict[str, Read]) -> None:
    for number, places in rulebook.cells().items():
        for place in places:
            assert f"rule-{number}" in read[f"chapters/{place.path.stem}.html"].anchors


def test_every_chapter_is_in_the_book(read: dict[str, Read]) -> None:
    assert {f"chapters/{path.stem}.html" for path in pages.NOTEBOOKS.glob("*.ipynb")} <= set(read)


def test_a_chapter_leads_only_to_chapters_that_there_are() -> None:
    for path in pages.NOTEBOOKS.glob("*.ipynb"):
        for other in re.findall(r"\]\(([\w-]+\.ipynb)", path.read_text(encoding="utf-8")):
            assert (path.parent / other).is_file(), (path.name, other)


def test_every_number_in_the_rulebooks_text_is_a_link(built: Path) -> None:
    for file in (built / "sections").glob("*.html"):
        body = re.search(r"<article.*?</article>", file.read_text(encoding="utf-8"), re.DOTALL)[0]
        unlinked = re.sub(r"<a .*?</a>|<code.*?</code>|<[^>]+>", "", body, flags=re.DOTALL)
        assert [number for number in re.findall(r"\d+\.\d+", unlinked) if number in rulebook.rules()] == []


def test_the_search_knows_the_words_and_numbers_of_the_rules(built: Path) -> None:
    text = (built / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    pages_of = {word: index["terms"].get(word, []) for word in ("poison", "copycat", "streak")}
    for word, found in pages_of.items():
        names = [index["docnames"][place] for place in ([found] if isinstance(found, int) else found)]
        assert any(name.startswith("rules/") for name in names), word
    assert {number for number in rulebook.rules() if number not in index["indexentries"]} == set()
    # The program's own words would drown those of the rules.
    assert "namedtupl" not in index["terms"]


# How it is made


def test_a_case_is_told_with_what_is_on_the_table() -> None:
    case = {
        "id": "6.3-x",
        "rules": ["6.3"],
        "says": "Fire & <water>",
        "record": {
            "players": [
                {"pet": "moss", "cards": ["sacrifice"], "tiers": {"heal": 2}},
                {"pet": "moss", "evolved": True},
            ],
            "rules": {"counter_answers_sacrifice": True},
            "start": {"turn": 5, "second": {"blinded": True, "poison": [1, 1], "ready": {"blind": 6}}},
            "turns": [["sacrifice:2", "wait"]],
        },
        "expect": {
            "health": {"5": [3, None]},
            "effects": {"5": ["sacrifice", None]},
            "legal": {"6": {"first": {"lacks": ["sacrifice"]}}},
            "outcome": "first",
            "gold": [5, 0],
        },
    }
    told = cases.shown(case)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", told.partition("<details>")[0]))
    for words in (
        "Fire &amp; &lt;water&gt;",
        "Moss (Heal tier 2, Sacrifice) against Mosswood",
        "counter answers sacrifice yes",
        "Mosswood begins with: blinded, poison 1 / 1, ready Blind 6",
        "5 Sacrifice 2 Wait",
        "takes effect: Moss Sacrifice",
        "health then: Moss 3",
        "Moss may not choose Sacrifice",
        "Moss wins.",
        "Gold: Moss 5, Mosswood 0.",
    ):
        assert words in text
    assert 'id="case-6.3-x"' in told


def test_a_long_function_is_shown_in_extracts() -> None:
    lines = ["    def long(self):", '        """Says what it is."""', *[f"        line_{n} = {n}" for n in range(60)]]
    lines[40] += "  # 5.3 is why"
    shown = pages.extract("\n".join(lines), "5.3")
    assert shown.startswith('def long(self):\n    """Says what it is."""\n# …\n')
    assert "5.3 is why" in shown
    assert shown.endswith("# …")
    assert len(shown.splitlines()) < 20
    assert pages.extract("a = 1", "5.3") == "a = 1"


def notebook(tmp_path: Path, *cells: dict) -> Path:
    file = tmp_path / "07-wilds.ipynb"
    file.write_text(json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return file


def cell(source: str, *outputs: dict, tags: tuple[str, ...] = ()) -> dict:
    return {
        "cell_type": "code",
        "metadata": {"tags": list(tags)},
        "source": source,
        "outputs": list(outputs),
        "execution_count": None,
    }


def test_a_chapter_has_its_pictures_its_anchors_and_a_word_where_something_is_live(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30.4 20"><desc>Moss &amp; Tide</desc></svg>'
    (tmp_path / "08-end.ipynb").touch()
    made = notebooks.Chapters(tmp_path / "pictures")
    made.add(
        notebook(
            tmp_path,
            {
                "cell_type": "markdown",
                "metadata": {},
                "source": "# Wilds\n\nSee [there](../docs/x.md), [next](08-end.ipynb).",
            },
            cell("import panel as pn\n\npn.extension()", tags=("nbval-ignore-output",)),
            cell(
                "show(battle)",
                {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": [svg]}},
                {"output_type": "stream", "name": "stdout", "text": ["  Moss <heals>. [7.1]\n"]},
                tags=("rule-7.1", "nbval-check-output"),
            ),
            cell("board(battle)", tags=("rule-7.1", "nbval-ignore-output")),
        ),
        tmp_path / "out",
    )
    prose, set_up, anchor, shown, second, live = json.loads((tmp_path / "out" / "07-wilds.ipynb").read_text())["cells"]
    assert prose["source"] == "# Wilds\n\nSee there, [next](08-end.ipynb)."
    assert set_up["outputs"] == []
    assert set_up["metadata"]["tags"] == ["hide-input"]
    assert 'id="rule-7.1"' in anchor["source"]
    assert 'id="rule-7.1-2"' in second["source"]
    picture, told = (output["data"]["text/html"] for output in shown["outputs"])
    (file,) = (tmp_path / "pictures").iterdir()
    assert picture == (
        f'<img class="shown" src="../pictures/{file.name}" alt="Moss &amp; Tide" width="30" height="20" loading="lazy">'
    )
    assert told == '<pre class="told">  Moss &lt;heals&gt;. [<a class="rule" href="../rules/7.1.html">7.1</a>]</pre>'
    assert BOOK["live"] in live["outputs"][0]["data"]["text/html"]
    first = made.cells["7.1"][0]
    assert (first.title, first.page, first.picture) == ("Wilds", "chapters/07-wilds.html#rule-7.1", picture)


def test_the_colours_are_those_of_the_game() -> None:
    light, dark = look.colours()
    assert (light["page"], dark["page"]) == ("#eaf4ff", "#11142b")
    assert light["action"] == dark["action"] == "#ffc926"
    sheet = look.stylesheet()
    assert light["ink"] in sheet and dark["ink"] in sheet


def test_a_page_is_slim_but_for_what_is_shown_as_it_is_written() -> None:
    page = "<div>\n\n    <p>One\n    two</p>\n  <pre>  a\n\n    b</pre>\n  </div>\n"
    assert book.slim(page) == "<div>\n<p>One\ntwo</p>\n<pre>  a\n\n    b</pre>\n</div>\n"


def test_a_book_that_is_not_whole_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "notebooks"
    shutil.copytree(pages.NOTEBOOKS, folder)
    broken = {"cell_type": "markdown", "metadata": {}, "source": "# Broken\n\n[nowhere](#no-such-heading)"}
    notebook(folder, broken)
    monkeypatch.setattr(pages, "NOTEBOOKS", folder)
    kept = tmp_path / "built"
    kept.mkdir()
    (kept / "index.html").write_text("as it was")
    with pytest.raises(book.BookError, match="no-such-heading"):
        book.build(kept)
    assert (kept / "index.html").read_text() == "as it was"
