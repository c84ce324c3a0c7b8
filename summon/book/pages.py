"""The pages of the book, as Sphinx reads them: the cover, the sections, and a page for each rule."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path

from summon import art, rulebook
from summon.book import cases, look, page_of
from summon.book.notebooks import Chapters
from summon.cards import CARDS, PETS
from summon.rulebook import Place, Rule
from summon.words import BOOK, CARD_NAMES, PET_NAMES

NOTEBOOKS = rulebook.PROJECT / "notebooks"

EXTRA = "extra"
"""The folder beside what Sphinx reads, of which all comes into the book as it is."""

PICTURES = f"{EXTRA}/pictures"

STATIC = "static"
"""The folder beside what Sphinx reads with stylesheets that are made."""

MOST_CASES = 5
"""So many cases are seen at once on a rule's page, the rest is folded."""

MOST_CODE = 4
"""So many places of the code are shown on a rule's page, the rest is named."""

MOST_LINES = 28
"""What is longer is shown in extracts: its first lines, and those around each that names the rule."""

AROUND = 5

_LONGEST_TITLE = 76

_FIRST = ("turn", "choices", "cards", "rules", "position", "battle", "market", "profile", "record", "rivals", "events")
"""The modules that play the rules, in the order in which somebody who asks wants to see them."""

_KINDS = {"scenarios": 0, "sections": 1, "starts": 2, "numbers": 3, "questions": 4}
"""The files of cases, the plainest battles first."""

_SENTENCE = re.compile(r"(.+?[.!?])(?: |$)")
_PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\* (.+?) \*\((.+)\)\*$", re.DOTALL)


def write(folder: Path) -> None:
    """Write all pages and pictures into a folder, for Sphinx."""
    chapters = Chapters(folder / PICTURES)
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        chapters.add(notebook, folder / "chapters")
    _write(folder / PICTURES / "logo.svg", art.picture("summon", standalone=True))
    _write(folder / PICTURES / "icon.svg", art.picture("moss", standalone=True))
    _write(folder / STATIC / "colours.css", look.stylesheet())
    _write(folder / "index.md", _cover(chapters))
    _write(folder / "playing.md", (Path(__file__).parent / "playing.md").read_text(encoding="utf-8"))
    for title, text in _sections().items():
        _write(folder / f"sections/{section_page(title)}.md", _section(title, text))
    for rule in rulebook.rules().values():
        _write(folder / f"rules/{rule.number}.md", _rule(rule, chapters))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def section_page(title: str) -> str:
    """The name of a section's page: `6-the-other-market-cards`."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def title_of(rule: Rule) -> str:
    """A rule's number with its first sentence, cut short where that is long."""
    found = _SENTENCE.match(rule.text)
    told = (found[1] if found else rule.text).rstrip(".")
    if len(told) > _LONGEST_TITLE:
        told = told[:_LONGEST_TITLE].rpartition(" ")[0].rstrip(",;:") + "…"
    return f"{rule.number} {told}"


# The cover and the sections


@cache
def _sections() -> dict[str, str]:
    """The rulebook's text by the titles of its sections; what stands before the first is under ""."""
    preface, *parts = re.split(r"^## ", rulebook.text(), flags=re.MULTILINE)
    told = {"": preface.partition("\n")[2].strip()}
    for part in parts:
        title, _, text = part.partition("\n")
        told[title.strip()] = text.strip()
    return {title: text for title, text in told.items() if title}


def _preface() -> str:
    return rulebook.text().partition("\n")[2].partition("\n## ")[0].strip()


def _cover(chapters: Chapters) -> str:
    sections = list(_sections())
    pets = "".join(_decoration(chapters, pet, "index", "pet") for pet in PETS)
    logo = chapters.picture(art.picture("summon", standalone=True), "index", "logo")
    first, *rest = _preface().split("\n\n")
    doors = [
        (f"sections/{section_page(sections[0])}.html", "door-rulebook", "read"),
        (f"{next(iter(chapters.titles), 'playing')}.html", "door-practice", "play"),
        ("#every-rule-by-its-number", "coach", "look_up"),
    ]
    ways = "".join(
        f'<a class="door" href="{href}">{_decoration(chapters, sign, "index", "sign")}<b>{BOOK[name]}</b>'
        f"<span>{BOOK[f'{name}_line'].format(count=len(sections))}</span></a>"
        for href, sign, name in doors
    )
    find = (
        f'<form class="find" method="get" action="search.html" role="search"><label for="find">{BOOK["find"]}</label>'
        f'<input id="find" name="q" type="search" autocomplete="off"><button type="submit">{BOOK["find_go"]}</button>'
        f"<p>{BOOK['find_line'].format(number=_example())}</p></form>"
    )
    return "\n\n".join(
        [
            f"# {BOOK['title']}",
            f'<div class="hero">{logo}<div class="pets">{pets}</div></div>',
            first,
            f'<div class="doors">{ways}</div>',
            find,
            f"## {BOOK['all_rules']}",
            *(_numbers(title) for title in sections),
            f"## {BOOK['before']}",
            *rest,
            _toctree((f"sections/{section_page(title)}" for title in sections), BOOK["sections"]),
            _toctree(chapters.titles, BOOK["chapters"]),
            _toctree(["playing"]),
        ]
    )


def _example() -> str:
    """A number of a rule that everybody asks about: the lethal poison."""
    return next(rule.number for rule in rulebook.rules().values() if "lethal poison" in rule.text)


def _decoration(chapters: Chapters, name: str, page: str, kind: str) -> str:
    """A picture of the game that says nothing by itself."""
    shown = chapters.picture(art.picture(name, standalone=True), page, kind)
    return re.sub(r' alt="[^"]*"', ' alt=""', shown)


def _toctree(pages: Iterable[str], caption: str = "") -> str:
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return f"```{{toctree}}\n{options}\n" + "\n".join(pages) + "\n```"


def _numbers(title: str) -> str:
    """The numbers of a section's rules, to press."""
    rules = [rule for rule in rulebook.rules().values() if rule.section == title]
    chips = "".join(
        f'<li><a class="chip" href="{page_of(rule.number)}" title="{escape(title_of(rule))}">{rule.number}</a></li>'
        for rule in rules
    )
    page = f"sections/{section_page(title)}.html"
    return f'<div class="numbers"><h3><a href="{page}">{escape(title)}</a></h3><ul>{chips}</ul></div>' if rules else ""


def _section(title: str, text: str) -> str:
    told = [f"# {title}"]
    for paragraph in re.split(r"\n\s*\n", text):
        found = _PARAGRAPH.match(" ".join(paragraph.split()))
        if found is None:
            told.append(paragraph)
            continue
        number, says, status = found[1], found[2], found[3]
        told += [
            f'<div class="anchor" id="rule-{number}"></div>',
            f"{{.numbered}}\n{number} {says} *({status})*",
        ]
    rules = [rule.number for rule in rulebook.rules().values() if rule.section == title]
    if rules:
        told.append(_toctree(f"{number} <../rules/{number}>" for number in rules))
    return "\n\n".join(told)


# A rule's page


def _rule(rule: Rule, chapters: Chapters) -> str:
    page = f"rules/{rule.number}"
    kind, _, other = rule.status.partition(";")
    marks = "".join(_decoration(chapters, name, page, "mark") for name in _spoken_of(rule))
    section = f"../sections/{section_page(rule.section)}.html#rule-{rule.number}"
    here = (f'<a href="#{_slug(BOOK[name])}">{BOOK[name]}</a>' for name in ("cell", "cases", "code"))
    ways = " ".join([*here, f'<a href="{section}">{BOOK["in_section"]}</a>'])
    return "\n\n".join(
        [
            f"```{{index}} ! single: {rule.number}\n```\n```{{index}} ! single: rule {rule.number}\n```",
            f"# {title_of(rule)}",
            f'<div class="marks">{marks}</div>' if marks else "",
            "{.sentence}\n" + rule.text,
            f"{{.status .{kind}}}\n**{kind.capitalize()}** {BOOK[kind]}" + (f" But{other}." if other else ""),
            f'<nav class="ways" aria-label="{BOOK["on_page"]}">{ways}</nav>',
            *_related(rule),
            f"## {BOOK['cell']}",
            *_cells(rule, chapters),
            f"## {BOOK['cases']}",
            *_cases(rule),
            f"## {BOOK['code']}",
            *_code(rule),
        ]
    )


def _slug(title: str) -> str:
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _spoken_of(rule: Rule) -> list[str]:
    """The pictures of the first cards and pets that a rule names, in their order."""
    pets = {PET_NAMES[name]: name for pet in PETS.values() for name in (pet.name, pet.evolved)}
    pictures = {CARD_NAMES[card]: card for card in CARDS} | pets
    found = (pictures[word] for word in re.findall(r"\w+", rule.text) if word in pictures)
    return list(dict.fromkeys(found))[:3]


def _related(rule: Rule) -> Iterator[str]:
    names = [number for number in dict.fromkeys(rulebook.numbers_in(rule.text)) if number != rule.number]
    named = [
        other.number
        for other in rulebook.rules().values()
        if rule.number in rulebook.numbers_in(other.text) and other.number != rule.number
    ]
    for title, numbers in ((BOOK["names"], names), (BOOK["named_by"], named)):
        if numbers:
            yield f"{{.related}}\n{title}: {', '.join(numbers)}"


def _cells(rule: Rule, chapters: Chapters) -> Iterator[str]:
    cells = chapters.cells.get(rule.number, [])
    if not cells:
        yield BOOK["cell_none"]
        return
    yield BOOK["cell_line"]
    pages = dict.fromkeys(cell.chapter for cell in cells)
    first = [next(cell for cell in cells if cell.chapter == chapter) for chapter in pages]
    yield "".join(
        f'<a class="to-cell" href="../{cell.page}">{escape(BOOK["cell_link"].format(title=cell.title))}</a>'
        for cell in first
    )
    if picture := next((cell.picture for cell in cells if cell.picture), ""):
        yield f'<div class="wide">{picture}</div>'


def _cases(rule: Rule) -> Iterator[str]:
    places = rulebook.cases().get(rule.number, ())
    files = [place for place in places if place.path.suffix == ".jsonl"]
    found = [_case(place) for place in sorted(files, key=lambda place: _KINDS[place.path.stem])]
    own = [case for case in found if case["rules"][0] == rule.number]
    others = [case for case in found if case["rules"][0] != rule.number]
    yield BOOK["cases_line"]
    shown = [cases.shown(case) for case in own]
    yield from shown[:MOST_CASES]
    if rest := shown[MOST_CASES:]:
        yield _folded(BOOK["cases_rest"].format(count=len(rest)), "".join(rest))
    if others:
        links = "".join(
            f'<li><a href="{case["rules"][0]}.html#{cases.anchor(case)}">{escape(case["says"])}</a></li>'
            for case in others
        )
        yield _folded(BOOK["cases_more"].format(count=len(others)), f"<ul>{links}</ul>", open_=not own)
    tests = [place for place in places if place.path.suffix != ".jsonl"]
    if tests:
        yield _folded(BOOK["tests"].format(count=len(tests)), _named(tests), open_=not found)


def _folded(title: str, inside: str, open_: bool = False) -> str:
    return f"<details{' open' if open_ else ''}><summary>{escape(title)}</summary>{inside}</details>"


def _named(places: list[Place]) -> str:
    """Places of the code or of the tests by their names, without the lines, which change with every change."""
    told = (f"<li><code>{escape(_file(place))}</code> {escape(place.what)}</li>" for place in places)
    return f"<ul>{''.join(dict.fromkeys(told))}</ul>"


def _file(place: Place) -> str:
    return place.path.relative_to(rulebook.PROJECT).as_posix()


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _case(place: Place) -> cases.Case:
    return dict(json.loads(_lines(place.path)[place.line - 1]))


def _code(rule: Rule) -> Iterator[str]:
    places = sorted(rulebook.code().get(rule.number, ()), key=_rank)
    yield BOOK["code_line"]
    for place in places[:MOST_CODE]:
        yield f"``````{{code-block}} python\n:caption: {_file(place)} · {place.what}\n:class: no-search\n\n" + (
            f"{extract(place.source(), rule.number)}\n``````"
        )
    if rest := places[MOST_CODE:]:
        yield _folded(BOOK["code_more"].format(count=len(rest)), _named(rest))


def _rank(place: Place) -> int:
    name = place.path.stem
    return _FIRST.index(name) if name in _FIRST and place.path.parent == rulebook.PACKAGE else len(_FIRST)


def extract(source: str, number: str) -> str:
    """A piece of code as it is shown for a rule: without indent, and what is long only where it names the rule."""
    lines = source.splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    lines = [line[indent:] for line in lines]
    if len(lines) <= MOST_LINES:
        return "\n".join(lines)
    wanted = set(range(_begins(lines)))
    for place, line in enumerate(lines):
        if number in rulebook.numbers_in(line):
            wanted |= set(range(place - AROUND, place + AROUND + 1))
    told: list[str] = []
    last = -1
    for place in sorted(wanted & set(range(len(lines)))):
        if place != last + 1:
            told.append("# …")
        told.append(lines[place])
        last = place
    return "\n".join([*told, "# …"] if last < len(lines) - 1 else told)


def _begins(lines: list[str]) -> int:
    """How many lines a definition has up to the end of its docstring; 2 of anything else."""
    found = ast.parse("\n".join(lines)).body[0]
    if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(found):
        return found.body[0].end_lineno or 2
    return 2
