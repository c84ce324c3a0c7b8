"""The play page of one visitor: setting up a battle against the computer, the battle, and again."""

from __future__ import annotations

import random
import secrets
from typing import Any

import panel as pn

from summon.battle import Battle
from summon.player import Player
from summon.rivals import computer_player, seat
from summon.views.seated import SeatedBoard
from summon.views.setup import SetUp

PAGE = """\
{% block postamble %}
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<style>html, body { margin: 0; min-height: 100%; background: #eaf4ff; }
@media (prefers-color-scheme: dark) { html, body { background: #11142b; } }</style>
{% endblock %}
"""


class PlayPage:
    """One visitor's page: `view` holds the set-up, and the board once a battle has begun (1.7)."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = random.SystemRandom() if rng is None else rng
        self._initial: dict[str, Any] | None = None
        self._seated: SeatedBoard | None = None
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)
        self.set_up()

    def set_up(self) -> None:
        """Show the set-up, with what was chosen last time."""
        if self._seated is not None:
            self._seated.end()
            self._seated = None
        self.view[:] = [SetUp(on_start=self.start, initial=self._initial)]

    def start(self, pet: str, rival_evolved: bool, cards: tuple[str, ...]) -> None:
        """Begin a battle against the computer, which commits before the human may choose (1.7)."""
        if self._seated is not None:
            return
        self._initial = {"pet": pet, "rival_evolved": rival_evolved, "cards": list(cards)}
        human = Player("you", pet, cards=tuple(cards))
        battle = Battle(human, computer_player(human, rival_evolved, self._rng))
        seat(battle, "second", rng=self._rng)
        self._seated = SeatedBoard(battle, "first", battle_id=secrets.token_urlsafe(8), on_again=self.set_up)
        self.view[:] = [self._seated.board]


def play_page() -> pn.viewable.Viewable:
    """The play page for the visitor of this session."""
    document: Any = pn.state.curdoc
    if document is not None:
        document.template = PAGE
    return PlayPage().view
