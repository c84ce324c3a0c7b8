"""The board of a first battle: the coach says which card to play, and why that was good (`summon.lesson`)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from summon import lesson, words
from summon.battle import Battle
from summon.cards import STARTERS
from summon.lobby import Seat
from summon.views.component import Action
from summon.views.seated import SeatedBoard


class CoachedBoard(SeatedBoard):
    """A first battle on a board, for the first side; it may be left at any time by `on_home`, which loses nothing."""

    def __init__(self, battle: Battle, *, on_home: Callable[[], object], **shown: Any) -> None:
        super().__init__(
            Seat(battle, "first"), battle_id=f"lesson-{secrets.token_urlsafe(8)}", on_home=on_home, **shown
        )
        self._leave = on_home

    def _around(self) -> dict[str, Any]:
        return {"lesson": coaching(self.battle)}

    def _deeds(self) -> dict[str, Callable[[Action], None]]:
        return super()._deeds() | {"home": self._go, "leave": self._go}

    def _go(self, _: Action) -> None:
        self._leave()

    def _lock(self, action: Action) -> None:
        """A lesson is played with its own card; another one is refused kindly, and nothing is lost."""
        taught = lesson.lesson_of(self.battle.turn)
        if taught is None or action["turn"] != self.battle.turn or action["card"] in (taught.card, "wait"):
            super()._lock(action)
        else:
            self.board.refuse(words.lesson_soon(action["card"], taught.card), "")


def coaching(battle: Battle) -> dict[str, Any]:
    """What the coach says and points at on the turn in play, and about the turn that was revealed last."""
    now, before = lesson.lesson_of(battle.turn), lesson.lesson_of(battle.turn - 1)
    return {
        "card": None if now is None else now.card,
        "pick": words.LESSON["free" if now is None else now.card],
        "others": {} if now is None else {card: words.lesson_soon(card, now.card) for card in STARTERS},
        "lock": words.LESSON["lock"],
        "shown": None if before is None else _shown(before, battle.turn - 1),
        "all": _beats(*_in_a_circle()),
        "end": words.LESSON["end"],
        "next": words.LESSON["next"],
        "skip": words.LESSON["skip"],
        "skip_lesson": words.LESSON["skip_lesson"],
    }


def _shown(taught: lesson.Lesson, turn: int) -> dict[str, Any]:
    return {"turn": turn, "text": words.LESSON[f"{taught.card}_shown"], "beats": _beats(taught)}


def _in_a_circle() -> list[lesson.Lesson]:
    """The lessons, each about what the one before it beats."""
    by_card = {taught.card: taught for taught in lesson.LESSONS}
    circle = [lesson.LESSONS[0]]
    while len(circle) < len(by_card):
        circle.append(by_card[circle[-1].beats])
    return circle


def _beats(*lessons: lesson.Lesson) -> dict[str, Any]:
    """Cards of which each is good against the next one, for a picture, and that in words."""
    told = (
        words.LESSON["beats"].format(card=words.CARD_NAMES[one.card], other=words.CARD_NAMES[one.beats])
        for one in lessons
    )
    return {"cards": [lessons[0].card, *(one.beats for one in lessons)], "label": " ".join(told)}
