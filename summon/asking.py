"""A question to the rules: a situation that is built by hand, and the lines of choices that are tried from it.

None of it needs a page: `summon.views.ask` shows it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import param

from summon.battle import Battle, BattleError
from summon.cards import CARDS
from summon.choices import Choice
from summon.lab import LONGEST_LINK, Corner, LinkError, set_rules, whole
from summon.lines import Line, what_if
from summon.player import Player
from summon.position import AHEAD, RESTING, SIDES, Position
from summon.record import LAST_TURN, Record, parse_json, situation, start_to_dict
from summon.rules import LARGEST, Rules

Turns = tuple[tuple[Choice, Choice], ...]
"""What both sides chose, turn by turn."""

LONGEST_RECORD = 100_000
"""So many characters of a record are read; a battle has far fewer."""

FLAGS = ("blinded", "boosted", "restricted", "wild_used", "revive_used")
"""What is or is not so of a side, by the keys of a record's `start`."""

LISTS = ("poison", "shield", "block")
"""What comes on this turn and on the ones after it, by the keys of a record's `start`."""


def _ahead(doc: str) -> Any:
    return param.ClassSelector(class_=tuple, default=(), doc=f"{doc}, from this turn on.")


def _ready(doc: str) -> Any:
    return param.Integer(default=0, bounds=(0, LAST_TURN), doc=f"{doc}: the turn from which it is ready; 0: now.")


class Standing(Corner):
    """One side of a situation: what it brings, and how it stands; in the words of a record's player and `start`."""

    called = param.String(default="", doc="The player's name in a record; empty for `first` or `second`.")
    health = param.Integer(default=None, allow_None=True, bounds=(0, LARGEST), doc="1.2: None is full health.")
    reserve = param.Integer(default=0, bounds=(0, LARGEST), doc="3.7: white reserve, where the rules keep one.")
    blinded = param.Boolean(default=False, doc="2.1: whether it must Wait this turn.")
    boosted = param.Boolean(default=False, doc="6.7: whether its next card is stronger.")
    restricted = param.Boolean(default=False, doc="6.4: whether it hid last turn.")
    wild_used = param.Boolean(default=False, doc="2.8: whether its Wild is used up.")
    revive_used = param.Boolean(default=False, doc="6.5: whether its revival attempt is used up.")
    streak: param.Selector = param.Selector(default="", objects=["", *CARDS], doc="2.5: its last card, if that counts.")
    streak_turns = param.Integer(default=1, bounds=(1, LARGEST), doc="2.5: on how many turns running it was chosen.")
    sacrifice_ready = _ready("2.6")
    blind_ready = _ready("2.7")
    copycat_ready = _ready("2.7")
    poison = _ahead("5.1: what will tick")
    shield = _ahead("4.3: what Shield takes off")
    block = _ahead("7.1, 7.5: what a Wild takes off")

    @classmethod
    def names(cls) -> list[str]:
        """The names of all that can be set."""
        return [name for name in cls.param if name != "name"]

    def told(self, side: str) -> dict[str, object]:
        """The side as `summon.situation` takes it; `side` is what the player is called without a name."""
        out = self.player(self.called or side).to_dict()
        if self.health is not None:
            out["health"] = self.health
        if self.reserve:
            out["reserve"] = self.reserve
        out |= {flag: True for flag in FLAGS if getattr(self, flag)}
        if self.streak:
            out["streak"] = [self.streak, self.streak_turns]
        ready = {card: getattr(self, f"{card}_ready") for card in RESTING}
        out["ready"] = {card: turn for card, turn in ready.items() if turn}
        return out | {kind: list(getattr(self, kind)) for kind in LISTS}

    def stand(self, player: Player, start: Mapping[str, Any]) -> None:
        """Be a record's player as its `start` has that side, in one change."""
        streak, turns = start.get("streak", ("", 1))
        ready = start.get("ready", {})
        values = {name: start.get(name, self.param[name].default) for name in ("health", "reserve", *FLAGS)}
        values |= {kind: tuple(start.get(kind, ())) for kind in LISTS}
        values |= {f"{card}_ready": ready.get(card, 0) for card in RESTING}
        values |= {"pet": player.pet, "evolved": player.evolved, "cards": list(player.cards), **player.tiers}
        self.param.update(called=player.name, streak=streak, streak_turns=turns, **values)


class Question(param.Parameterized):
    """A situation that can be changed part by part: the turn, both sides, and the rules.

    `first`, `second` and `rules` are objects of their own and stay the same; what changes is what they hold.
    """

    turn = param.Integer(default=1, bounds=(1, LAST_TURN), doc="1.5: the number of the turn in play.")

    def __init__(self, record: Record | None = None) -> None:
        super().__init__()
        self.first, self.second, self.rules = Standing(), Standing(pet="spark"), Rules()
        if record is not None:
            self.take(record)

    @property
    def sides(self) -> tuple[Standing, Standing]:
        """Both sides."""
        return (self.first, self.second)

    def record(self) -> Record:
        """The situation as a record without turns; RecordError where there can be no such situation."""
        first, second = (side.told(name) for side, name in zip(self.sides, SIDES, strict=True))
        return situation(first, second, turn=self.turn, rules=self.rules)

    def take(self, record: Record) -> None:
        """Be the situation that a record begins from."""
        start: dict[str, Any] = start_to_dict(record.opening())
        set_rules(self.rules, dict(record.changed))
        for side, player, name in zip(self.sides, record.players, SIDES, strict=True):
            side.stand(player, start.get(name, {}))
        self.turn = start["turn"]


class Lines:
    """What is tried from a situation: lines of choices, and the battle that stands in one of them.

    Going back loses nothing: who chooses something else then begins another line, which lies beside the first one. The
    battle may be played and taken back by others as well; `follow` is told afterwards.
    """

    def __init__(self, record: Record) -> None:
        self.battle = Battle.from_record(record)
        self._start = replace(record, turns=())
        self._all: list[Turns] = [record.turns]
        self._at = 0
        self._going = False
        # Nobody waits at every press until all lines are played anew.
        self._told: dict[Turns, Line] = {}

    @property
    def at(self) -> int:
        """The place of the line in which the battle stands."""
        return self._at

    @property
    def going(self) -> bool:
        """Whether the battle is on its way from one place to another."""
        return self._going

    @property
    def depth(self) -> int:
        """How many turns of that line were played."""
        return len(self.battle.rounds)

    @property
    def opening(self) -> Position:
        """The moment that all lines begin from."""
        return self._start.opening()

    @property
    def shared(self) -> int:
        """With how many same turns all lines begin."""
        return min(_shared(self._all[0], line) for line in self._all)

    def played(self) -> tuple[Line, ...]:
        """Every line, in the order in which they were begun; what a rule forbids in it is told in `refused`."""
        lines = tuple(map(self._line, range(len(self._all))))
        self._told = dict(zip(self._all, lines, strict=True))
        return lines

    def _line(self, place: int) -> Line:
        turns = self._all[place]
        if turns not in self._told:
            [self._told[turns]] = what_if(self._start, [(str(first), str(second)) for first, second in turns])
        return self._told[turns]

    def play(self, first: str, second: str) -> None:
        """Choose for both sides where the battle stands; raises as `Battle.play`, and then nothing has changed."""
        self.battle.play(first, second)
        self.follow()

    def follow(self) -> None:
        """Take note of where the battle stands now: in a line that there is, further on in it, or in a new one."""
        if self._going:
            return
        turns = self.battle.to_record().turns
        places = [self._at, *(place for place in range(len(self._all)) if place != self._at)]
        holding = [place for place in places if self._all[place][: len(turns)] == turns]
        ending = [place for place in places if self._all[place] == turns[: len(self._all[place])]]
        if holding:
            self._at = holding[0]
        elif ending:
            self._at = ending[0]
            self._all[self._at] = turns
        else:
            self._at = len(self._all)
            self._all.append(turns)

    def go(self, place: int, depth: int) -> None:
        """Stand in a line after so many of its turns, or as many as can be played; IndexError where there is none."""
        wanted, now = self._all[place][: max(0, depth)], self.battle.to_record().turns
        shared = _shared(now, wanted)
        self._at, self._going = place, True
        try:
            if len(now) > shared:
                self.battle.undo(len(now) - shared)
            # Where Python has sealed a choice or ended the battle, it stays where it is.
            with suppress(BattleError):
                self.battle.play_on(wanted[shared : len(self._line(place).rounds)])
        finally:
            self._going = False

    def forget(self, place: int) -> None:
        """Take a line away; who stands in it stands then where it leaves another one. IndexError for the only one."""
        if len(self._all) == 1:
            raise IndexError("the only line stays")
        gone = self._all.pop(place)
        if place != self._at:
            self._at -= place < self._at
            return
        near = max(range(len(self._all)), key=lambda other: _shared(self._all[other], gone))
        self.go(near, min(self.depth, _shared(self._all[near], gone)))

    def under(self, record: Record) -> Lines:
        """The same lines from another situation, standing where they stood, or as near to it as can be played."""
        moved = Lines(replace(record, turns=()))
        moved._all = list(self._all)
        moved.go(self._at, self.depth)
        return moved


def _shared(one: Turns, other: Turns) -> int:
    """How many turns two lines begin with that are the same."""
    most = min(len(one), len(other))
    return next((place for place in range(most) if one[place] != other[place]), most)


def record_from(text: str) -> Record:
    """The record that somebody wrote or pasted, played once; RecordError says what is wrong with it and where.

    Raises ValueError where it is far too long.
    """
    if len(text) > LONGEST_RECORD:
        raise ValueError(f"a record has at most {LONGEST_RECORD} characters here, not {len(text)}")
    return played(Record.from_dict(parse_json(text)))


def played(record: Record) -> Record:
    """The record, played once; RecordError says what cannot be in it."""
    for _ in record.play():
        pass
    return record


def link_to(record: Record) -> dict[str, str]:
    """What a link has to tell, by its keys, so that whoever opens it sees this record; empty where it is too long."""
    told = {"record": json.dumps(record.to_dict(), separators=(",", ":"))}
    return told if len(urlencode(told)) <= LONGEST_LINK else {}


def record_of_link(told: Mapping[str, str]) -> Record | None:
    """The record of a link, or None where it tells of none; LinkError says what cannot be read in it."""
    if "record" not in told:
        return None
    if len(told["record"]) > LONGEST_LINK:
        raise LinkError("the link is too long")
    try:
        return record_from(told["record"])
    except ValueError as error:
        raise LinkError(str(error)) from error


def amounts_from(text: str, what: str) -> tuple[int, ...]:
    """Numbers for this turn and the ones after it, from what somebody typed: `1, 1`; ValueError for anything else."""
    told = [part.strip() for part in text.replace(",", " ").split()]
    if len(told) > AHEAD:
        raise ValueError(f"{what} is told for at most {AHEAD} turns, not {len(told)}")
    return tuple(whole(what, part, 0, LARGEST) for part in told)
