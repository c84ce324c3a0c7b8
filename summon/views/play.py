"""The page of one visitor: the game with its saved pets, or practice alone where nothing can be saved."""

from __future__ import annotations

import random
from typing import Any

import panel as pn
from panel.io.resources import parse_template

from summon import words
from summon.player import Player
from summon.views import identity, install, sockets
from summon.views.board import Board
from summon.views.component import Stack
from summon.views.game import Game
from summon.views.seated import SeatedBoard, practice_board
from summon.views.setup import SetUp
from summon.views.world import world

PAGE = """\
{% block preamble %}
<link rel="icon" href="{{ app_favicon }}">
{% if game %}
<link rel="apple-touch-icon" href="{{ apple_icon }}">
<meta name="description" content="{{ game.meaning }}">
<meta name="application-name" content="{{ game.name }}">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="{{ game.name }}">
{% endif %}
{% for scheme, colour in (page_colours or {}).items() %}
<meta name="theme-color" content="{{ colour }}" media="(prefers-color-scheme: {{ scheme }})">
{% endfor %}
{% endblock %}
{% block css_resources %}
{% endblock %}
{% block js_resources %}
{% for line in bokeh_js.splitlines() if "/bokeh-gl." not in line and "/datatabulator/" not in line %}
{# What Panel gives no version a browser would ask for again every time. #}
{{ line.replace('.js">', '.js?v=' ~ panel_version ~ '">') if game else line }}
{% endfor %}
{% endblock %}
{% block postamble %}
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
{% if game %}
{% set sheets = stylesheets() %}
{% for file in sheets %}
<link rel="preload" href="{{ file }}" as="style" fetchpriority="low">
{% endfor %}
{% for file in fetched %}
<link rel="preload" href="{{ file }}" as="fetch" crossorigin fetchpriority="low">
{% endfor %}
{% for file in fetched_later if file not in sheets %}
<link rel="prefetch" href="{{ file }}">
{% endfor %}
{% endif %}
<style>
html, body { margin: 0; min-height: 100%; background: #eaf4ff; color: #1a1f45; overscroll-behavior-y: none; }
@media (prefers-color-scheme: dark) { html, body { background: #11142b; color: #f5f7ff; } }
.note { position: fixed; inset: 0; display: grid; place-content: center; padding: 24px; text-align: center;
  font: 800 22px/1.3 ui-rounded, "SF Pro Rounded", "Arial Rounded MT Bold", Nunito, "Segoe UI", Roboto, sans-serif; }
.note[hidden] { display: none; }
#lost { z-index: 99; background: #10082bf5; color: #fff; }
</style>
{% endblock %}
{% block contents %}
<div id="loading" class="note" role="status">{loading}</div>
<div id="lost" class="note" role="alert" hidden>{lost}</div>
<script>
// A page whose connection is lost says so, and comes back by itself as soon as the game answers again.
const again = async () => {
  try {
    const script = document.querySelector("script[src]").src;
    const answer = await fetch(script, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(8000) });
    if (answer.status < 500) return location.reload();
  } catch {}
  setTimeout(again, 1500);
};
const lost = () => {
  if (!document.getElementById("lost").hidden) return;
  document.getElementById("lost").hidden = false;
  setTimeout(again, 500);
};
addEventListener("summon:lost", lost);
addEventListener("pageshow", (event) => event.persisted && location.reload());
const opened = Date.now();
const listen = () => {
  const page = window.Bokeh?.documents?.[0];
  if (!page || !Bokeh.index.roots.length) return setTimeout(Date.now() - opened < 30000 ? listen : again, 100);
  document.getElementById("loading").hidden = true;
  page.on_event("connection_lost", lost);
};
listen();
</script>
{{ super() }}
{% endblock %}
""".replace("{loading}", words.LOADING).replace("{lost}", words.LOST)
"""What is around the components. It leaves away what they do not use: what Panel's own command has fetched for tables
on every page, and of Bokeh's scripts the one that draws plots by the graphics card."""


class PlayPage:
    """Practice alone, where there is no store or no browser to know again: a set-up, and the board (1.7)."""

    def __init__(self, note: str = "", rng: random.Random | None = None) -> None:
        self._rng = rng
        self._seated: SeatedBoard | None = None
        # Both are in the page from the start: what comes into it later, a browser sends back whole with its next word.
        self._setup = SetUp(on_start=self.start, note=note)
        self._board = Board(visible=False)
        self.view = Stack(self._setup, self._board, sizing_mode="stretch_width", margin=0)

    def set_up(self) -> None:
        """Show the set-up, with what was chosen last time."""
        if self._seated is not None:
            self._seated.end()
            self._seated = None
        self._setup.ready()
        self._board.visible, self._setup.visible = False, True

    def start(self, pet: str, rival_evolved: bool, cards: tuple[str, ...]) -> None:
        """Begin a battle against the computer, which commits before the human may choose (1.7)."""
        if self._seated is not None:
            return
        human = Player("you", pet, cards=tuple(cards))
        self._seated = practice_board(human, rival_evolved, rng=self._rng, board=self._board, on_again=self.set_up)
        self._setup.visible, self._board.visible = False, True


sockets.install()


def play_page() -> pn.viewable.Viewable:
    """The play page for the visitor of this session."""
    browser, shared = identity.token_hash(), world()
    if shared.store is None or browser is None:
        view = PlayPage(words.ONLY_PRACTICE if shared.store is None else "").view
    else:
        view = Game(shared, shared.store, browser).view
    document: Any = pn.state.curdoc
    if document is not None:
        document.template = parse_template("{% extends base %}\n" + PAGE)
        document.template_variables.update(install.head(document, view, later=(Board, SetUp)))
    return view
