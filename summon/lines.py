"""What if? Lines of choices that are played from one situation, under one rule set or several, to lie side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from summon import words
from summon.battle import Battle
from summon.choices import Choice
from summon.events import Event, events
from summon.player import Player
from summon.position import Position, Round
from summon.quoting import quoted
from summon.record import Record, RecordError, plain, situation
from summon.rules import Rules

Turn = tuple[str, str]
"""What both sides choose in a turn, as a record writes it: `("attack", "sacrifice:2")`."""


@dataclass(frozen=True)
class Line:
    """A line of choices that was played: the situation it began from, and what happened."""

    label: str
    """What sets it apart from the lines beside it."""
    record: Record
    """The situation with the turns that could be played."""
    rounds: tuple[Round, ...]
    refused: RecordError | None = None
    """Why the rest could not be played, with the rule that says so (2.12); None where all was."""

    @property
    def players(self) -> tuple[Player, Player]:
        """What both sides brought."""
        return self.record.players

    @property
    def before(self) -> Position:
        """The moment it began from."""
        return self.record.opening()

    @property
    def after(self) -> Position:
        """The moment that it came to."""
        return self.rounds[-1].after if self.rounds else self.before

    @property
    def health(self) -> tuple[int, int]:
        """The health that both have then."""
        return (self.after.sides[0].health, self.after.sides[1].health)

    @property
    def outcome(self) -> str:
        """8.2, 8.3: `first`, `second`, `draw` or `unfinished`."""
        return self.after.outcome

    @property
    def events(self) -> list[Event]:
        """Everything that happened, in the order of 8.1 within each turn."""
        return [event for round_ in self.rounds for event in events(round_)]

    def battle(self) -> Battle:
        """A battle that stands where the line came to, to be played on; `undo` goes back in it."""
        return Battle.from_record(self.record)


def set_up(
    first: str | Mapping[str, object],
    second: str | Mapping[str, object],
    turn: int = 1,
    rules: Rules | Mapping[str, object] | None = None,
) -> Battle:
    """A battle that stands in a situation, told as in a record: `set_up({"pet": "moss", "health": 3}, "spark")`.

    Raises RecordError for what cannot be, as `situation` does.
    """
    return Battle.from_record(situation(first, second, turn=turn, rules=rules))


def battle_of(begun: Battle | Record) -> Battle:
    """The battle itself, or a new one that stands where a record ends."""
    return begun if isinstance(begun, Battle) else Battle.from_record(begun)


def what_if(
    begun: Battle | Record,
    *lines: Turn | Sequence[Turn],
    rules: Mapping[str, Rules | Mapping[str, object]] | None = None,
) -> tuple[Line, ...]:
    """Play lines of choices from where a battle stands, which stays as it is.

    A line is a turn, `("attack", "heal")`, or a list of turns. With `rules`, each line is played under each of these
    rule sets: by a name, what changes in the battle's own. A choice that a rule forbids ends its line there, which is
    told in `refused`. Raises RecordError where the battle is over or the situation cannot be under these rules, and
    ValueError for something that is no choice or no rule set.
    """
    start = battle_of(begun).moment()
    told = [(_label(turns), turns) for turns in map(_turns, lines)]
    if rules is None:
        return tuple(_played(label, start, turns) for label, turns in told)
    if not isinstance(rules, Mapping) or not all(isinstance(changed, Rules | Mapping) for changed in rules.values()):
        example = '{"as now": {}, "other": {"heal_amount": 3}}'
        raise ValueError(f"rules are rule sets, each by a name, such as {example}, not {quoted(rules)}")
    return tuple(
        _played(name if len(told) == 1 else f"{name}: {label}", _under(start, changed), turns)
        for label, turns in told
        for name, changed in rules.items()
    )


def _turns(line: Turn | Sequence[Turn]) -> tuple[tuple[Choice, Choice], ...]:
    one = not isinstance(line, list | tuple) or (line and isinstance(line[0], str))
    pairs: Iterable[object] = [line] if one else line
    turns = []
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError(f'a turn is what both sides choose, such as ("attack", "heal"), not {quoted(pair)}')
        turns.append((Choice.parse(pair[0]), Choice.parse(pair[1])))
    return tuple(turns)


def _label(turns: Iterable[tuple[Choice, Choice]]) -> str:
    return ", then ".join(f"{words.choice(first)} against {words.choice(second)}" for first, second in turns)


def _under(start: Record, changed: Rules | Mapping[str, object]) -> Record:
    """The same situation under changed rules; RecordError where it cannot be under them."""
    new = changed.to_dict() if isinstance(changed, Rules) else dict(changed)
    return Record.from_dict(plain(start.to_dict() | {"rules": start.rules.to_dict() | new}))


def _played(label: str, start: Record, turns: tuple[tuple[Choice, Choice], ...]) -> Line:
    rounds: list[Round] = []
    refused = None
    try:
        rounds.extend(replace(start, turns=turns).play())
    except RecordError as error:
        refused = error
    # `extend` keeps what was played before a line was refused.
    return Line(label, replace(start, turns=turns[: len(rounds)]), tuple(rounds), refused)
