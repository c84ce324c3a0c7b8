"""The game on a home screen: its manifest and icons, and that every server of the game serves them and all else."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import struct
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from bokeh.document import Document

from summon.views import assets, install
from summon.views.assets import FRESH, STATIC, Shelf, slim
from summon.views.play import PAGE
from tests.views.conftest import Clock
from tests.views.test_server import SUMMON, Served, serving

__all__ = ["serving"]

BARE = ["-m", "panel", "serve", "app/play.py", "--address", "127.0.0.1"]
"""Panel's own command, without anything that would have the game loaded before its first page is asked for."""

COMMANDS = pytest.mark.parametrize(
    ("command", "prefix"),
    [(SUMMON, ""), (BARE, ""), ([*BARE, "--prefix", "/games/summon"], "/games/summon")],
    ids=["summon play", "panel serve", "below a path"],
)


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def purposes() -> dict[str, list[str]]:
    """The sizes of the manifest's icons by purpose."""
    found: dict[str, list[str]] = {}
    for icon in install.manifest()["icons"]:
        found.setdefault(icon["purpose"], []).append(icon["sizes"])
    return found


# The manifest and the icons


def test_the_manifest_says_what_a_phone_wants_to_know() -> None:
    told = install.manifest()
    assert told["name"] and len(told["short_name"]) <= 12 and told["description"]
    assert told["display"] == "standalone"
    assert purposes() == {"any": ["192x192", "512x512"], "maskable": ["192x192", "512x512"]}
    assert told == json.loads(json.dumps(told))
    addresses = [told["start_url"], told["scope"], *(icon["src"] for icon in told["icons"])]
    assert not [it for it in addresses if it.startswith("/") or ":" in it], "they hold at any path"


def test_every_icon_is_there_in_its_size_and_small() -> None:
    names = {Path(icon["src"]).name: icon["sizes"] for icon in install.manifest()["icons"]}
    drawings = install.drawings()
    assert names.keys() <= drawings.keys()
    for name, (size, _) in drawings.items():
        png = (STATIC / "icons" / name).read_bytes()
        assert size_of(png) == (size, size)
        assert names.get(name, f"{size}x{size}") == f"{size}x{size}"
        assert len(png) < 20_000
    assert {path.name for path in (STATIC / "icons").iterdir()} == drawings.keys()


def test_an_icon_that_is_cut_to_a_circle_keeps_the_whole_pet() -> None:
    _, svg = install.drawings()["icon-maskable-512.png"]
    placed = re.search(r'<svg x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', svg)
    assert placed
    left, top, wide, high = map(int, placed.groups())
    assert (left, wide) == (top, high) and abs(left + wide / 2 - install.SIZE / 2) <= 1
    # Its corners are empty, and what is drawn lies in the circle of four fifths.
    assert wide * 2**0.5 <= 0.84 * install.SIZE
    assert 'rx="0"' in svg, "the plate fills it all"


def test_the_page_has_the_colours_of_the_tokens() -> None:
    colours = install.page_colours()
    assert colours.keys() == {"light", "dark"}
    for colour in colours.values():
        assert f"background: {colour}" in PAGE
    assert install.manifest()["background_color"] == colours["light"]


# What is served, and for how long


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "icons").mkdir()
    (tmp_path / "one.js").write_text('import { two } from "./two.js";\nimport {\n  three,\n} from "./three.js";\n')
    (tmp_path / "two.js").write_text('import { three } from "./three.js";\n')
    (tmp_path / "three.js").write_text('import { one } from "./one.js";\n')
    (tmp_path / "look.css").write_text("p {}")
    (tmp_path / "icons" / "icon.png").write_bytes(b"png")
    (tmp_path / "notes.txt").write_text("not to be served")
    return tmp_path


def test_what_is_in_the_folder_is_on_the_shelf_and_nothing_else(folder: Path, clock: Clock) -> None:
    shelf = Shelf(folder, clock)
    shelf.add("said.json", lambda: "{}")
    assert shelf.content("look.css") == b"p {}"
    assert shelf.content("icon.png") == b"png"
    assert shelf.content("said.json") == b"{}"
    assert shelf.content("notes.txt") is shelf.content("../assets.py") is None


def test_a_script_needs_what_it_imports_each_once(folder: Path, clock: Clock) -> None:
    shelf = Shelf(folder, clock)
    assert shelf.scripts("one.js") == ["one.js", "two.js", "three.js"]
    assert shelf.scripts("three.js") == ["three.js", "one.js", "two.js"]


def test_the_version_changes_with_what_is_there(folder: Path, clock: Clock) -> None:
    shelf = Shelf(folder, clock)
    first = shelf.version
    assert re.fullmatch("[0-9a-f]{12}", first)
    assert Shelf(folder, clock).version == first
    (folder / "look.css").write_text("p { color: red }")
    assert (shelf.version, shelf.content("look.css")) == (first, b"p {}"), "it is not looked at all the time"
    clock.now = FRESH
    assert shelf.content("look.css") == b"p { color: red }"
    second = shelf.version
    shelf.add("said.json", lambda: "{}")
    assert len({first, second, shelf.version}) == 3


def test_what_is_served_has_no_comments_and_the_same_lines() -> None:
    script = (
        b"/**\n * Say.\n */\nexport const say = () => {\n  // Aloud.\n  call('// no /* comment */');   // here\n};\n"
    )
    slimmed = b"\n\n\nexport const say = () => {\n\ncall('// no /* comment */');   // here\n};\n"
    assert slim("say.js", script) == slimmed
    assert slim("say.css", b"/* Red. */\np {\n  color: red; /* and\n  more */ }\n") == b"\np {\ncolor: red;\n}\n"
    assert slim("say.json", b"  /* */") == b"  /* */"


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.*")), ids=lambda path: path.name)
def test_nothing_but_comments_and_indents_is_left_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        lines = [line for line in text.splitlines() if line.replace("\\`", "").count("`") % 2]
        assert lines == [], "a text over several lines would lose its indents"
    else:
        assert not re.findall(r"""["'][^"'\n]*/\*""", text)
    slimmed = slim(path.name, path.read_bytes()).decode()
    assert len(slimmed.splitlines()) == len(text.splitlines())
    left = [line.strip() for line in slimmed.splitlines()]
    kept = [line.strip() for line in text.splitlines()]
    assert all(line in ("", whole) or path.suffix == ".css" for line, whole in zip(left, kept, strict=True))


def test_where_nothing_is_served_everything_is_in_the_page() -> None:
    assert assets.place() is assets.address("board.js") is None
    assert install.head(Document()) == {}


# As processes


class Answer:
    """What a server sends to a browser that takes compressed texts."""

    def __init__(self, served: Served, path: str, **headers: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"} | headers)
        answer = connection.getresponse()
        self.status, self.headers, self.sent = answer.status, answer.headers, answer.read()
        connection.close()

    @property
    def compressed(self) -> bool:
        return self.headers["Content-Encoding"] == "gzip"

    @property
    def body(self) -> bytes:
        return gzip.decompress(self.sent) if self.compressed else self.sent


def linked(html: str) -> dict[str, list[str]]:
    """The addresses in the head of a page by what they are."""
    found: dict[str, list[str]] = {}
    for kind, address in re.findall(r'<link rel="([\w-]+)" href="([^"]+)"', html):
        found.setdefault(kind, []).append(address)
    return found


@COMMANDS
def test_all_that_the_page_names_is_there(serving: Any, command: list[str], prefix: str) -> None:
    served = serving(*command, up=f"{prefix}/play")
    page = Answer(served, f"{prefix}/play")
    html, base = page.body.decode(), served.at(f"{prefix}/play")
    assert page.compressed and not re.findall("bokeh-gl|tabulator", html)
    links = linked(html)
    assert {"manifest", "icon", "apple-touch-icon", "preload", "prefetch"} <= links.keys()

    found = {
        address: Answer(served, urlsplit(urljoin(base, address)).path) for one in links.values() for address in one
    }
    assert {address: it.status for address, it in found.items() if it.status != 200} == {}
    kept = {address: it for address, it in found.items() if "summon/" in address}
    assert {address for address, it in kept.items() if it.headers["Cache-Control"] != assets.FOREVER} == set()
    plain = {Path(address).suffix for address, it in found.items() if not it.compressed}
    assert plain <= {".png", ".webmanifest", ".js"}, "and of the scripts only what is tiny"

    manifest = links["manifest"][0]
    told = json.loads(found[manifest].body)
    place = urljoin(base, manifest)
    assert found[manifest].headers["Content-Type"] == "application/manifest+json"
    assert urljoin(place, told["start_url"]) == base
    assert base.startswith(urljoin(place, told["scope"]))
    for icon in told["icons"]:
        png = Answer(served, urlsplit(urljoin(place, icon["src"])).path)
        assert (png.status, png.headers["Content-Type"]) == (200, "image/png")
        assert "x".join(map(str, size_of(png.body))) == icon["sizes"]


@COMMANDS
def test_everything_that_can_be_is_compressed(serving: Any, command: list[str], prefix: str) -> None:
    served = serving(*command, up=f"{prefix}/play")
    html = Answer(served, f"{prefix}/play").body.decode()
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', html)
    assert any("bokeh.min.js" in it for it in scripts) and any("panel.min.js" in it for it in scripts)
    for address in scripts:
        parts = urlsplit(urljoin(served.at(f"{prefix}/play"), address))
        answer = Answer(served, f"{parts.path}?{parts.query}")
        assert (answer.status, answer.compressed) == (200, True)


def test_a_browser_that_has_an_older_version_gets_the_one_there_is(serving: Any) -> None:
    served = serving(*SUMMON)
    Answer(served, "/play")
    answer = Answer(served, "/summon/000000000000/tokens.css")
    assert answer.body == assets.shelf.content("tokens.css")
    assert answer.headers["Cache-Control"] == "no-cache"
    again = Answer(served, "/summon/000000000000/tokens.css", **{"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.sent) == (304, b"")
    assert Answer(served, "/summon/000000000000/nothing.css").status == 404
    assert Answer(served, "/favicon.ico").body == (STATIC / "icons" / install.SMALL).read_bytes()
