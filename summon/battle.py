"""Fighters and battles as Param objects: sealed choices, the reveal, and what follows from it.

A turn is published in one batch, so that whoever watches sees either the turn before or the turn after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import RLock
from typing import Any, Self

import param
from param.parameterized import batch_call_watchers

from summon import words
from summon.cards import BY_CODE, PETS, STARTERS
from summon.choices import Choice, Reason, Refusal
from summon.events import Event, events
from summon.player import Player, check_bought, check_pet, check_tiers
from summon.position import OUTCOMES, RESTING, SIDES, Position, Round, ahead, gold_for
from summon.quoting import quoted
from summon.record import Record, RecordError, fork
from summon.rules import Rules
from summon.shown import Shown
from summon.turn import Setup, Side


class IllegalChoice(ValueError):
    """A choice that was refused; nothing has changed (2.12).

    The message is a sentence for the player; `refusal` has the reason, and `rule` its number.
    """

    def __init__(self, refused: Refusal, amount: int = 0) -> None:
        self.refusal, self.rule = refused, refused.rule
        super().__init__(f"{words.refusal(refused, amount)} (rule {refused.rule})")


class BattleError(RuntimeError):
    """Something was asked of a battle that its state does not allow, such as a reveal before both have chosen.

    `rule` is the number of the rule behind it.
    """

    def __init__(self, says: str, rule: str = "1.5") -> None:
        self.rule = rule
        super().__init__(says)


def side_number(side: int | str) -> int:
    """0 for the first side and 1 for the second, by number or name; ValueError for anything else."""
    if side in SIDES:
        return SIDES.index(str(side))
    if type(side) is int and side in (0, 1):
        return side
    raise ValueError(f"a side is 'first' or 'second' (or 0 or 1), not {side!r}")


_editing_lock = RLock()


def _update(shown: param.Parameterized, **values: object) -> None:
    """Set those of an object's constant parameters that are not so yet.

    Param lifts the constancy for all objects of the class at once, so it is done for as little as there is to set.
    """
    new = {name: value for name, value in values.items() if getattr(shown, name) != value}
    if new:
        with _editing_lock, param.edit_constant(shown):
            shown.param.update(**new)


class Fighter(Shown, param.Parameterized):
    """One side of a battle: what it brought, and how it stands at the start of the turn.

    `Fighter(pet="ember", evolved=True, tiers={"attack": 2}, cards=["shield"], name="left")`. What it brought, a
    friend's fighter its own (1.8), is fixed when it is made (1.6); what changes is set by the battle alone. Healths are
    in health pieces; `poison`, `shield` and `block` say what comes on this turn and the ones after it.
    """

    pet: param.Selector[str] = param.Selector(
        default="moss", objects=list(PETS), constant=True, doc="1.1: the unevolved name."
    )
    evolved = param.Boolean(default=False, constant=True, doc="10.2: whether it has evolved.")
    tiers = param.Dict(default={}, constant=True, doc="3.1 to 3.3: the tier (1 to 3) of each starter.")
    cards = param.ClassSelector(class_=tuple, default=(), constant=True, doc="1.4: the bought cards of its deck.")

    max_health = param.Integer(default=0, constant=True, doc="1.2: the most health it can have.")
    health = param.Integer(default=0, constant=True, doc="The health it has.")
    reserve = param.Integer(default=0, constant=True, doc="Section 12: white reserve health.")
    boosted = param.Boolean(default=False, constant=True, doc="6.7: whether the next card is stronger.")
    blinded = param.Boolean(default=False, constant=True, doc="6.2: whether it must Wait this turn.")
    restricted = param.Boolean(default=False, constant=True, doc="6.4: whether it hid last turn.")
    wild_used = param.Boolean(default=False, constant=True, doc="2.8: whether its Wild is used up.")
    revive_used = param.Boolean(default=False, constant=True, doc="6.5: whether its revival attempt is used up.")
    streak = param.Parameter(default=None, constant=True, doc="2.5: the last card and its turns running, or None.")
    ready = param.Dict(default={}, constant=True, doc="2.6, 2.7: the turn from which a resting card is ready.")
    poison = param.Parameter(default=(), constant=True, doc="5.1: what will tick, from this turn on.")
    shield = param.Parameter(default=(), constant=True, doc="4.3: what Shield takes off, from this turn on.")
    block = param.Parameter(default=(), constant=True, doc="7.1, 7.5: what a Wild takes off, from this turn on.")

    def __init__(
        self,
        pet: str = "moss",
        *,
        evolved: bool = False,
        tiers: Mapping[str, int] | None = None,
        cards: tuple[str, ...] | list[str] = (),
        name: str | None = None,
    ) -> None:
        named = {} if name is None else {"name": name}
        brought = {"tiers": check_tiers(tiers or {}), "cards": check_bought(cards)}
        super().__init__(pet=check_pet(pet), evolved=evolved, **brought, **named)
        self._named = name

    @classmethod
    def of(cls, player: Player) -> Self:
        """The fighter of a record's player."""
        return cls(player.pet, evolved=player.evolved, tiers=player.tiers, cards=player.cards, name=player.name)

    def player(self, default_name: str = "fighter") -> Player:
        """What it brought, as a record has it."""
        return Player(
            default_name if self._named is None else self._named,
            self.pet,
            self.evolved,
            dict(self.tiers),
            tuple(self.cards),
        )

    @property
    def deck(self) -> tuple[str, ...]:
        """1.3, 1.4: the starters, then the bought cards."""
        return (*STARTERS, *self.cards)

    def __repr__(self) -> str:
        pet = words.PET_NAMES[PETS[self.pet].called(self.evolved)]
        return f"<{pet}, {self.health} of {self.max_health} health>"

    __str__ = __repr__


def _player(brought: Fighter | Player | None, name: str) -> Player:
    if brought is None:
        return Player(name, "moss")
    return brought.player(name) if isinstance(brought, Fighter) else brought


def _standing(setup: Setup, side: Side, now: int) -> dict[str, Any]:
    """The parameters of a fighter that follow from its state."""
    ready = {card: getattr(side, f"{card}_ready") for card in RESTING}
    return {
        "max_health": setup.top,
        "health": side.health,
        "reserve": side.reserve,
        "boosted": bool(side.boosted),
        "blinded": bool(side.blinded),
        "restricted": bool(side.restricted),
        "wild_used": bool(side.wild_used),
        "revive_used": bool(side.revive_used),
        "streak": (BY_CODE[side.last], side.streak) if side.streak else None,
        "ready": {card: turn for card, turn in ready.items() if turn > now},
        "poison": ahead(side, "poison"),
        "shield": ahead(side, "shield"),
        "block": ahead(side, "block"),
    }


class _Sealed:
    """The choices of the turn in play, which nothing shows before the reveal; copies and pickles of it are empty."""

    __slots__ = ("_choices",)

    def __init__(self) -> None:
        self._choices: list[Choice | None] = [None, None]

    def __repr__(self) -> str:
        return "<sealed>"

    def __reduce__(self) -> tuple[type[_Sealed], tuple[()]]:
        return (_Sealed, ())

    def __setitem__(self, side: int, choice: Choice | None) -> None:
        self._choices[side] = choice

    def __getitem__(self, side: int) -> Choice | None:
        return self._choices[side]

    @property
    def committed(self) -> tuple[bool, bool]:
        return (self._choices[0] is not None, self._choices[1] is not None)


_ENDED_BY = {"beaten": "8.2", "left": "9.2", "idle": "11.4", "broken": "9.2"}


class Battle(Shown, param.Parameterized):
    """A battle of two fighters (sections 1 to 8), played a turn at a time.

    `Battle(Fighter("moss"), Fighter("spark", evolved=True), rules=Rules(base_health=7))`. Each side commits with
    `choose`; when both have, `reveal` resolves the turn (1.5). All parameters are set by the battle alone, and until
    the reveal none of them tells what was chosen (1.9).
    """

    first = param.ClassSelector(class_=Fighter, constant=True, doc="The first side.")
    second = param.ClassSelector(class_=Fighter, constant=True, doc="The second side.")
    turn = param.Integer(default=1, constant=True, doc="1.5: the number of the turn in play.")
    committed = param.Tuple(default=(False, False), constant=True, doc="1.5: which side has chosen, not what.")
    outcome: param.Selector[str] = param.Selector(
        default="unfinished", objects=list(OUTCOMES), constant=True, doc="8.2, 8.3, 9.2: who has won."
    )
    ended: param.Selector[str] = param.Selector(
        default="",
        objects=["", "beaten", "left", "idle", "broken"],
        constant=True,
        doc="How it ended: not yet, by the rules (8.2), by a side that left (9.2), by idle time (11.4), or by a fault.",
    )
    last = param.ClassSelector(class_=Round, default=None, allow_None=True, constant=True, doc="The last reveal.")

    def __init__(
        self,
        first: Fighter | Player | None = None,
        second: Fighter | Player | None = None,
        *,
        rules: Rules | None = None,
        start: Position | None = None,
    ) -> None:
        players = (_player(first, SIDES[0]), _player(second, SIDES[1]))
        self._begun = Record(players, () if rules is None else rules.changed(), start)
        self._rounds: list[Round] = []
        self._position = self._begun.opening()
        self._sealed = _Sealed()
        self._fighters = (Fighter.of(players[0]), Fighter.of(players[1]))
        super().__init__(first=self._fighters[0], second=self._fighters[1])
        self._publish(self._position)

    # What it is

    @classmethod
    def from_record(cls, record: Record | Mapping[str, object] | str) -> Self:
        """The battle of a record (an object, a dict or JSON), with all its turns played.

        Raises RecordError where the record cannot be read or played.
        """
        if isinstance(record, str):
            record = Record.from_json(record)
        elif not isinstance(record, Record):
            record = Record.from_dict(record)
        battle = cls(*record.players, rules=record.rules, start=record.start)
        rounds = list(record.play())
        if rounds:
            battle._rounds = rounds
            battle._publish(rounds[-1].after)
        return battle

    def to_record(self) -> Record:
        """The battle so far as a record, which plays again to the same events. The turn in play is not in it."""
        return Record(
            self._begun.players,
            self._begun.changed,
            self._begun.start,
            tuple(round_.choices for round_ in self._rounds),
        )

    def moment(self, turn: int | None = None) -> Record:
        """The start of a turn (by default the one in play) as a record with a `start` and no turns yet.

        Raises ValueError for a turn that this battle has not reached, and RecordError where the battle is over then.
        """
        position = self.position_at(self.turn if turn is None else turn)
        if position.outcome != "unfinished":
            raise RecordError("the battle is over here, so there is nothing to go on from", turn=position.turn)
        return Record(self._begun.players, self._begun.changed, fork(position))

    def fork(self, turn: int | None = None) -> Battle:
        """Another battle that goes on from the start of a turn, by default of the one in play; raises as `moment`."""
        return type(self).from_record(self.moment(turn))

    def position_at(self, turn: int) -> Position:
        """The moment at the start of a turn; ValueError for one that this battle has not reached."""
        begun = self._begun.opening()
        reached = [begun, *(round_.after for round_ in self._rounds)]
        if type(turn) is not int or not begun.turn <= turn < begun.turn + len(reached):
            raise ValueError(f"this battle has the turns {begun.turn} to {self._position.turn}, not {quoted(turn)}")
        return reached[turn - begun.turn]

    @property
    def rules(self) -> Rules:
        """The rules it is played by, as an object of their own (1.6)."""
        return self._begun.rules

    @property
    def position(self) -> Position:
        """The moment at the start of the turn in play."""
        return self._position

    @property
    def fighters(self) -> tuple[Fighter, Fighter]:
        """Both sides."""
        return self._fighters

    @property
    def players(self) -> tuple[Player, Player]:
        """What both sides brought."""
        return self._begun.players

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Every turn that was revealed, in order."""
        return tuple(self._rounds)

    @property
    def events(self) -> list[Event]:
        """Everything that happened so far, in the order of 8.1 within each turn."""
        return [event for round_ in self._rounds for event in events(round_)]

    @property
    def over(self) -> bool:
        """Whether the battle has ended, with or without a winner."""
        return self.ended != ""

    @property
    def gold(self) -> tuple[int, int]:
        """9.1: the gold of each side for this outcome; whether a battle is paid at all is for 9.3."""
        return gold_for(self.outcome, (self.players[0].evolved, self.players[1].evolved))

    # What may be chosen

    def legal(self, side: int | str) -> list[str]:
        """2.1 to 2.10: what a side may choose this turn, names sorted; nothing once the battle is over."""
        return [] if self.over else self._position.legal(side_number(side))

    def most(self, side: int | str) -> int:
        """2.6: the most health that Sacrifice may cost a side now."""
        return self._position.most(side_number(side))

    def refusal(self, side: int | str, card: str, amount: int | None = None) -> Refusal | None:
        """2.12: why a side may not choose this now, or None where it may; Sacrifice is asked with 1 if not told."""
        number = side_number(side)
        choice = self._choice(card, 1 if card == "sacrifice" and amount is None else amount)
        return self._refusal(number, choice)

    def _refusal(self, side: int, choice: Choice) -> Refusal | None:
        if self.over:
            return Refusal(choice.card, Reason.OVER, _ENDED_BY[self.ended])
        return self._position.refusal(side, choice)

    # Playing

    def choose(self, side: int | str, card: str, amount: int | None = None) -> None:
        """1.5: commit a side's choice, sealed until the reveal. For Sacrifice, `amount` is the health it is to cost.

        `card` is a name in lower case, `wait` where that is all that is left, or as in a record `sacrifice:2`. Raises
        IllegalChoice for a choice that section 2 rules out, BattleError where the side has chosen already, and
        ValueError for something that is no choice; nothing has changed then.
        """
        number = side_number(side)
        choice = self._choice(card, amount)
        if self.committed[number]:
            raise BattleError("This choice is locked already. Take it back first.")
        self._check(number, choice)
        self._sealed[number] = choice
        self._set(committed=self._sealed.committed)

    def _check(self, side: int, choice: Choice) -> None:
        refused = self._refusal(side, choice)
        if refused is not None:
            raise IllegalChoice(refused, choice.amount)

    @staticmethod
    def _choice(card: str, amount: int | None) -> Choice:
        if card == "sacrifice" and amount is not None:
            if type(amount) is not int:
                raise ValueError(f"the amount of Sacrifice is a whole number, not {amount!r}")
            return Choice(card, amount)
        if amount is not None:
            raise ValueError(f"{card} takes no amount")
        return Choice.parse(card)

    def complete(self, side: int | str, card: str, amount: int | None = None) -> list[Event]:
        """1.5: choose for a side when the other is in, and reveal; watchers are told of both at once.

        Raises as `choose` does, changing nothing, and BattleError where the other side has not chosen.
        """
        with self._batch():
            self.choose(side, card, amount)
            return self.reveal()

    def take_back(self, side: int | str) -> None:
        """Open a side's own choice again; BattleError where it has none, or where the other is in too."""
        number = side_number(side)
        if not self.committed[number]:
            raise BattleError("There is no choice to take back.")
        if self.committed[1 - number]:
            raise BattleError("Both are locked in now, so nothing can be taken back.")
        self._sealed[number] = None
        self._set(committed=self._sealed.committed)

    def reveal(self) -> list[Event]:
        """1.5, 8.1: resolve the turn when both have chosen, and return its events; BattleError before that."""
        first, second = self._sealed[0], self._sealed[1]
        if first is None or second is None:
            raise BattleError("A turn is revealed only when both have chosen.")
        return self._resolve(first, second)

    def _resolve(self, first: Choice, second: Choice) -> list[Event]:
        played = self._position.reveal(first, second)
        self._rounds.append(played)
        self._sealed = _Sealed()
        self._publish(played.after)
        return events(played)

    def play(self, first: str, second: str) -> list[Event]:
        """Choose for both sides and reveal, as `battle.play("attack", "sacrifice:2")`; returns the events.

        Raises as `choose` does, and then nothing has changed.
        """
        if any(self.committed):
            raise BattleError("Somebody has chosen already; use choose and reveal.")
        choices = (Choice.parse(first), Choice.parse(second))
        for side, choice in enumerate(choices):
            self._check(side, choice)
        return self._resolve(*choices)

    def play_on(self, turns: Iterable[tuple[Choice, Choice]]) -> Self:
        """Play several turns, of which watchers are told once; gives the battle itself.

        Raises RecordError for a turn that breaks a rule and BattleError where somebody has chosen already or the battle
        was ended, and then nothing has changed.
        """
        if any(self.committed):
            raise BattleError("Somebody has chosen already; use choose and reveal.")
        if self.over and self.ended != "beaten":
            raise BattleError("The battle is over.", _ENDED_BY[self.ended])
        rounds = list(replace(self._begun, start=self._position, turns=tuple(turns)).play())
        if rounds:
            self._rounds += rounds
            self._publish(rounds[-1].after)
        return self

    def undo(self, turns: int = 1) -> Self:
        """Take back the last revealed turns, and choices of the turn in play with them; gives the battle itself.

        Not for a battle between people, where a turn that was revealed stays (1.5). Raises ValueError for more turns
        than were revealed, or fewer than one.
        """
        if type(turns) is not int or not 1 <= turns <= len(self._rounds):
            told = words.turns(len(self._rounds))
            raise ValueError(f"{told} can be taken back here, not {turns!r}")
        back_to = self._rounds[-turns].before
        del self._rounds[-turns:]
        self._sealed = _Sealed()
        self._publish(back_to)
        return self

    def leave(self, side: int | str) -> None:
        """9.2: end the battle because a side leaves it on purpose; after the first reveal the other side has won."""
        number = side_number(side)
        if self.over:
            raise BattleError("The battle is over.", _ENDED_BY[self.ended])
        self._sealed = _Sealed()
        outcome = SIDES[1 - number] if self._rounds else "unfinished"
        self._set(outcome=outcome, ended="left", committed=(False, False))

    def end_idle(self) -> None:
        """9.2, 11.4: end the battle without a winner because nobody has chosen for too long."""
        self._end_undecided("idle")

    def end_broken(self) -> None:
        """End the battle without a winner because the program failed in it; nobody has left (9.2)."""
        self._end_undecided("broken")

    def _end_undecided(self, how: str) -> None:
        if self.over:
            raise BattleError("The battle is over.", _ENDED_BY[self.ended])
        self._sealed = _Sealed()
        self._set(ended=how, committed=(False, False))

    def _publish(self, position: Position) -> None:
        """Show a moment: every parameter of the battle and of both fighters changes before anybody is told."""
        self._position = position
        with self._batch():
            for fighter, setup, side in zip(self.fighters, position.setups, position.sides, strict=True):
                _update(fighter, **_standing(setup, side, position.turn))
            self._set(
                turn=position.turn,
                committed=(False, False),
                outcome=position.outcome,
                ended="" if position.outcome == "unfinished" else "beaten",
                last=self._rounds[-1] if self._rounds else None,
            )

    @contextmanager
    def _batch(self) -> Iterator[None]:
        with ExitStack() as stack:
            for shown in (self, *self.fighters):
                stack.enter_context(batch_call_watchers(shown))
            yield

    def _set(self, **values: object) -> None:
        # The batch is outside: when watchers are told, the parameters are constant again.
        with self._batch():
            _update(self, **values)

    def __repr__(self) -> str:
        return f"<Battle, turn {self.turn}: {self.first!r} against {self.second!r}, {self.outcome}>"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Callable[..., Battle], tuple[object, ...]]:
        return (_restored, (type(self), self.to_record(), self.outcome, self.ended))


def _restored(cls: type[Battle], record: Record, outcome: str, ended: str) -> Battle:
    """A battle from its pickle: all that was revealed, and nothing of the turn in play."""
    battle = cls.from_record(record)
    battle._set(outcome=outcome, ended=ended)
    return battle
