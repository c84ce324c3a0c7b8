"""Battle records: reading and writing them, situations to start from, and replay.

A record is one JSON object, as `docs/records.md` describes it. Nothing is guessed: what is unknown, repeated, out of
range or of the wrong type is a `RecordError` that says where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from summon import turn, words
from summon.cards import BY_CODE, STARTERS
from summon.choices import MOST_DIGITS, Choice
from summon.player import Player
from summon.position import AHEAD, RESTING, SIDES, Position, Round, ahead, gold_for
from summon.quoting import quoted
from summon.rules import LARGEST, Changed, Rules, changed_from_dict, changed_to_dict, setup_of
from summon.shown import Shown
from summon.turn import Setup, Side

FORMAT = "summon-battle/1"
"""What a record's `format` says."""

LAST_TURN = 9999
"""The largest turn that a start may name."""

LONGEST_OBJECT = 2**24
"""How many bytes an object may have that is spread over lines; a battle has far fewer."""

_FLAGS = ("boosted", "wild_used", "revive_used", "blinded", "restricted")
_LISTS = ("poison", "shield", "block")
_BROUGHT = ("name", "pet", "evolved", "tiers", "cards")


class RecordError(ValueError):
    """A record that cannot be read or played.

    `turn` (a number), `player` (`first` or `second`) and `rule` (a number of the rulebook) tell where, as far as they
    apply; the message says them too.
    """

    def __init__(self, says: str, *, turn: int | None = None, player: str | None = None, rule: str | None = None):
        self.says, self.turn, self.player, self.rule = says, turn, player, rule
        where = ", ".join(filter(None, (f"turn {turn}" if turn is not None else "", player or "")))
        super().__init__((f"{where}: " if where else "") + says + (f" (rule {rule})" if rule else ""))


@dataclass(frozen=True)
class Record(Shown):
    """A battle as it was set up and chosen: two players, rules, perhaps a start, and the turns."""

    players: tuple[Player, Player]
    changed: Changed = ()
    """The rules that differ from the defaults."""
    start: Position | None = None
    turns: tuple[tuple[Choice, Choice], ...] = ()

    def __post_init__(self) -> None:
        if self.start is not None and self.start.setups != self.setups:
            raise RecordError("start belongs to other players or rules")

    @classmethod
    def from_dict(cls, data: object) -> Record:
        """The record of a JSON object; RecordError says what is wrong with it and where."""
        data = _object(data, "the record", ("format", "players", "rules", "start", "turns"))
        if "format" not in data:
            raise RecordError("format is missing")
        if data["format"] != FORMAT:
            raise RecordError(f"format is {quoted(data['format'])}, not {FORMAT!r}")
        if "players" not in data:
            raise RecordError("players is missing")
        players = data["players"]
        if not isinstance(players, list) or len(players) != 2:
            raise RecordError("players is not a list of exactly two")
        first, second = (_player(player, name) for player, name in zip(players, SIDES, strict=True))
        rules = _rules(data.get("rules", {}))
        setups = (setup_of(rules, first), setup_of(rules, second))
        start = _start(data["start"], setups, (first, second)) if "start" in data else None
        turns = _turns(data.get("turns", []), 1 if start is None else start.turn)
        return cls((first, second), rules, start, turns)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record of a JSON text; RecordError says what is wrong with it and where."""
        return cls.from_dict(parse_json(text))

    @property
    def rules(self) -> Rules:
        """The rules, as an object of their own."""
        return Rules(**dict(self.changed))

    @property
    def setups(self) -> tuple[Setup, Setup]:
        """What is fixed for each side."""
        return (setup_of(self.changed, self.players[0]), setup_of(self.changed, self.players[1]))

    def opening(self) -> Position:
        """The moment that the battle begins from: its start, or turn 1 at full health."""
        return Position.opening(self.setups) if self.start is None else self.start

    def to_dict(self) -> dict[str, object]:
        """The record as a JSON object, without what is the default."""
        out: dict[str, object] = {"format": FORMAT, "players": [player.to_dict() for player in self.players]}
        if self.changed:
            out["rules"] = changed_to_dict(self.changed)
        if self.start is not None:
            out["start"] = start_to_dict(self.start)
        out["turns"] = [[str(first), str(second)] for first, second in self.turns]
        return out

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(self.to_dict())

    def play(self) -> Iterator[Round]:
        """Each round in turn; RecordError where a choice breaks a rule or comes after the end."""
        position = self.opening()
        for first, second in self.turns:
            for side, choice in enumerate((first, second)):
                refused = position.refusal(side, choice)
                if refused is not None:
                    raise RecordError(
                        words.refusal(refused, choice.amount),
                        turn=position.turn,
                        player=SIDES[side],
                        rule=refused.rule,
                    )
            played = position.reveal(first, second)
            yield played
            position = played.after

    def seen_by(self, side: int) -> Record:
        """1.9: the battle as a side (0 or 1) may know it: without the other's cards that were not revealed in it.

        Of the other's deck the bought cards stay that were played, and Revive once its attempt was pending (8.3), which
        everybody sees. The card that a Copycat copied need not be in its deck (6.10). A starter's tier stays where its
        effect, played or copied, was revealed, and is 1 otherwise. The record is played as before, event by event.
        """
        other = 1 - side
        player = self.players[other]
        shown = _revealed(self, other)
        tiers = {card: tier if card in shown else 1 for card, tier in player.tiers.items()}
        cards = tuple(card for card in player.cards if card in shown)
        known = replace(player, tiers=tiers, cards=cards)
        players = (self.players[0], known) if side == 0 else (known, self.players[1])
        setups = (setup_of(self.changed, players[0]), setup_of(self.changed, players[1]))
        start = None if self.start is None else self.start._replace(setups=setups)
        return replace(self, players=players, start=start)


def _revealed(record: Record, side: int) -> set[str]:
    """1.9: the bought cards that a side has shown to be in its deck, and the starters whose numbers it has shown.

    It does not ask whether the choices are legal, as of an old record they may not be any more.
    """
    moments = [record.opening()]
    shown = {BY_CODE[moments[0].sides[side].last]}
    for pair in record.turns:
        played = moments[-1].reveal(*pair)
        moments.append(played.after)
        shown |= {pair[side].card} | ({BY_CODE[played.shares[side].effect]} & set(STARTERS))
    if any(at.sides[side].health == 0 and turn.has_attempt(at.setups[side], at.sides[side]) for at in moments):
        shown.add("revive")
    return shown


class _Object(dict[str, Any]):
    """An object of JSON that remembers a key which is there twice."""

    repeated: str | None = None


class _LongNumber:
    """A number of JSON with more digits than any record has use for."""

    def __repr__(self) -> str:
        return "a number with very many digits"


def _json_object(pairs: list[tuple[str, object]]) -> _Object:
    out = _Object()
    for key, value in pairs:
        if key in out:
            out.repeated = key
        out[key] = value
    return out


def _json_number(digits: str) -> int | _LongNumber:
    return int(digits) if len(digits) <= MOST_DIGITS else _LongNumber()


def _json_constant(name: str) -> object:
    raise RecordError(f"not JSON: {name} is no number of JSON")


def parse_json(text: str) -> object:
    """The value of a JSON text; RecordError where it is not JSON.

    An object that repeats a key, and a number with thousands of digits, are told by those who know where they stand.
    """
    if text.startswith("\N{BYTE ORDER MARK}"):
        raise RecordError("not JSON: it begins with a byte order mark, and has to be saved without one")
    try:
        return json.loads(text, object_pairs_hook=_json_object, parse_int=_json_number, parse_constant=_json_constant)
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} at place {error.pos + 1}") from error
    except RecursionError as error:
        raise RecordError("not a record: nested too deeply") from error


def _check_unique(data: object, what: str, player: str | None = None) -> None:
    repeated = getattr(data, "repeated", None)
    if repeated is not None:
        raise RecordError(f"{what} has the key {quoted(repeated)} twice", player=player)


def _object(data: object, what: str, keys: tuple[str, ...], player: str | None = None) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise RecordError(f"{what} is not an object", player=player)
    _check_unique(data, what, player)
    for key in data:
        if key not in keys:
            # A side's name stands in an error only to say where it is.
            known = "a turn and the two sides" if SIDES[0] in keys else ", ".join(keys)
            raise RecordError(f"{what} has an unknown key {quoted(key)}; there may be {known}", player=player)
    return data


def _player(data: object, default_name: str) -> Player:
    data = _object(data, "the player", _BROUGHT, default_name)
    if "pet" not in data:
        raise RecordError("pet is missing", player=default_name)
    _check_unique(data.get("tiers"), "tiers", default_name)
    try:
        return Player(
            data.get("name", default_name),
            data["pet"],
            data.get("evolved", False),
            data.get("tiers", {}),
            data.get("cards", []),
        )
    except ValueError as error:
        raise RecordError(str(error), player=default_name) from error


def _rules(data: object) -> Changed:
    if not isinstance(data, dict):
        raise RecordError("rules is not an object")
    _check_unique(data, "rules")
    try:
        return changed_from_dict(data)
    except ValueError as error:
        raise RecordError(f"rules: {error}") from error


def _turns(data: object, start: int) -> tuple[tuple[Choice, Choice], ...]:
    if not isinstance(data, list):
        raise RecordError("turns is not a list")
    return tuple(_turn(pair, start + place) for place, pair in enumerate(data))


def _turn(pair: object, number: int) -> tuple[Choice, Choice]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise RecordError("a turn is a list of two choices", turn=number)
    return (_choice(pair[0], number, SIDES[0]), _choice(pair[1], number, SIDES[1]))


def _choice(text: object, number: int, player: str) -> Choice:
    try:
        return Choice.parse(text)
    except ValueError as error:
        raise RecordError(str(error), turn=number, player=player) from error


# Situations


def _start(data: object, setups: tuple[Setup, Setup], players: tuple[Player, Player]) -> Position:
    data = _object(data, "start", ("turn", *SIDES))
    number = _number(data.get("turn", 1), "start: turn", 1, LAST_TURN)
    sides = tuple(
        side_from_dict(data.get(name, {}), setup, player, name)
        for name, setup, player in zip(SIDES, setups, players, strict=True)
    )
    position = Position.at(setups, (sides[0], sides[1]), number)
    if position.outcome != "unfinished":
        raise RecordError("start: the battle is already over", turn=number, rule="8.2")
    return position


def _number(value: object, what: str, low: int, high: int, player: str | None = None) -> int:
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{what} is a whole number from {low} to {high}, not {quoted(value)}", player=player)
    return value


def side_from_dict(data: object, setup: Setup, player: Player, name: str) -> Side:
    """One side of a record's `start`; RecordError, naming the side, for what cannot be."""
    keys = ("health", "reserve", *_FLAGS, "streak", "ready", *_LISTS)
    data = _object(data, "start", keys, name)
    values = turn.start(setup)._asdict()
    if "health" in data:
        values["health"] = _number(data["health"], "start: health", 0, setup.top, name)
    if "reserve" in data:
        values["reserve"] = _number(data["reserve"], "start: reserve", 0, setup.reserve_health, name)
    for flag in _FLAGS:
        if type(data.get(flag, False)) is not bool:
            raise RecordError(f"start: {flag} is true or false, not {quoted(data[flag])}", player=name)
        values[flag] = int(data.get(flag, False))
    if "streak" in data:
        values["last"], values["streak"] = _streak(data["streak"], setup, player, name)
    for card, ready in _object(data.get("ready", {}), "start: ready", RESTING, name).items():
        values[f"{card}_ready"] = _number(ready, f"start: ready of {card}", 1, LAST_TURN, name)
    for key in _LISTS:
        amounts = data.get(key, [])
        if not isinstance(amounts, list) or len(amounts) > AHEAD:
            raise RecordError(f"start: {key} is a list of at most {AHEAD} numbers", player=name)
        for place, amount in enumerate(amounts, 1):
            values[f"{key}_{place}"] = _number(amount, f"start: {key}", 0, LARGEST, name)
    return Side(**values)


def _streak(data: object, setup: Setup, player: Player, name: str) -> tuple[int, int]:
    if not isinstance(data, list) or len(data) != 2:
        raise RecordError("start: streak is a card and a number of turns", player=name)
    card, times = data
    if not isinstance(card, str) or card not in player.deck:
        raise RecordError(f"start: streak names {quoted(card)}, which is not in the deck", player=name)
    return BY_CODE.index(card), _number(times, "start: streak's number of turns", 1, setup.streak_limit, name)


def start_to_dict(position: Position) -> dict[str, object]:
    """A moment of a battle as a record's `start`, without what is the default.

    Raises RecordError where a number is larger than a start can hold, which only unusual rules and very long battles
    bring about.
    """
    out: dict[str, object] = {"turn": _number(position.turn, "start: turn", 1, LAST_TURN)}
    for name, setup, side in zip(SIDES, position.setups, position.sides, strict=True):
        told = _side_to_dict(setup, side, name)
        if told:
            out[name] = told
    return out


def _side_to_dict(setup: Setup, side: Side, name: str) -> dict[str, object]:
    out: dict[str, object] = {}
    if side.health != setup.top:
        out["health"] = side.health
    if side.reserve:
        out["reserve"] = side.reserve
    out |= {flag: True for flag in _FLAGS if getattr(side, flag)}
    if side.streak:
        out["streak"] = [BY_CODE[side.last], side.streak]
    ready = {card: getattr(side, f"{card}_ready") for card in RESTING}
    told = {card: _number(at, f"start: ready of {card}", 1, LAST_TURN, name) for card, at in ready.items() if at}
    if told:
        out["ready"] = told
    for key in _LISTS:
        amounts = ahead(side, key)
        if amounts:
            out[key] = [_number(amount, f"start: {key}", 0, LARGEST, name) for amount in amounts]
    return out


def fork(position: Position) -> Position:
    """A moment of a battle as a start: the same, without what is past (a card that is ready again)."""

    def forget(side: Side) -> Side:
        past = {f"{card}_ready": 0 for card in RESTING if getattr(side, f"{card}_ready") <= position.turn}
        return side._replace(**past)

    return position._replace(sides=(forget(position.sides[0]), forget(position.sides[1])))


def situation(
    first: str | Mapping[str, object],
    second: str | Mapping[str, object],
    *,
    turn: int = 1,
    rules: Rules | Mapping[str, object] | None = None,
) -> Record:
    """A record that starts from a situation, told in a line.

    `situation(dict(pet="moss", health=1, poison=[1]), dict(pet="ember", cards=["revive"], health=0), turn=6)`. A side
    has the keys of a record's player and of its `start` together; a pet's name alone stands for one at full health.
    Raises RecordError where a record that said the same would.
    """
    told = {name: _told(side, name) for name, side in zip(SIDES, (first, second), strict=True)}
    brought = [{key: value for key, value in told[name].items() if key in _BROUGHT} for name in SIDES]
    standing = {name: {key: value for key, value in told[name].items() if key not in _BROUGHT} for name in SIDES}
    changed = rules.to_dict() if isinstance(rules, Rules) else {} if rules is None else rules
    return Record.from_dict(
        plain({"format": FORMAT, "players": brought, "rules": changed, "start": {"turn": turn, **standing}})
    )


def _told(side: object, name: str) -> dict[str, Any]:
    """One side of a situation by its keys."""
    if isinstance(side, Mapping):
        return dict(side)
    if not isinstance(side, str):
        raise RecordError(f"a side is a pet's name or an object with its keys, not {quoted(side)}", player=name)
    return {"pet": side}


def plain(value: Any) -> Any:
    """The same value with lists for tuples, as JSON has them."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


# Replay


def replay(record: Record) -> dict[str, object]:
    """Play a record and tell what happened, as `summon replay --json` prints it (`docs/records.md`).

    Raises RecordError where a choice is not legal.
    """
    position = record.opening()
    keeps_reserve = position.setups[0].reserve_health > 0
    start = _state(position, keeps_reserve)
    rounds = []
    for played in record.play():
        position = played.after
        rounds.append(_round(played, keeps_reserve))
    outcome = position.outcome
    evolved = (record.players[0].evolved, record.players[1].evolved)
    return {"outcome": outcome, "gold": list(gold_for(outcome, evolved)), "start": start, "rounds": rounds}


def _state(position: Position, keeps_reserve: bool) -> dict[str, object]:
    first, second = position.sides
    out: dict[str, object] = {"health": [first.health, second.health]}
    if keeps_reserve:
        out["reserve"] = [first.reserve, second.reserve]
    out["legal"] = [position.legal(0), position.legal(1)]
    return out


def _round(played: Round, keeps_reserve: bool) -> dict[str, object]:
    one, two = played.shares
    return {
        "turn": played.turn,
        "cards": [str(choice) for choice in played.choices],
        "effects": [BY_CODE[one.effect], BY_CODE[two.effect]],
        "cost": [one.cost, two.cost],
        "healed": [one.healed + one.returned, two.healed + two.returned],
        "damage": [one.taken, two.taken],
        "poison": [one.tick, two.tick],
    } | _state(played.after, keeps_reserve)


def read_records(lines: Iterable[bytes]) -> Iterator[tuple[int, Record | RecordError]]:
    """The records of a file, one after the other, each with the line it begins on; blank lines are skipped.

    The file has a record a line, or holds a single object that is spread over lines. What is not a record comes as the
    RecordError that says so. Memory does not grow with the file.
    """
    source = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    held: list[tuple[int, bytes]] = []
    if _is_single_object(source, held):
        yield held[0][0], _record(_joined(held))
        return
    for number, line in chain(held, source):
        yield number, _record(line)


def read_one(lines: Iterable[bytes]) -> tuple[int, Record]:
    """The one record of a file, with the line it begins on.

    RecordError names the line of what is wrong with it or of a second one, or says that there is none.
    """
    found = None
    for line, read in read_records(lines):
        if isinstance(read, RecordError):
            raise RecordError(f"line {line}: {read}")
        if found is not None:
            raise RecordError(f"line {line}: a second record, and only one is asked for")
        found = line, read
    if found is None:
        raise RecordError("there is no record in the file")
    return found


def _joined(held: list[tuple[int, bytes]]) -> bytes:
    return b"".join(line for _, line in held)


def _record(text: bytes) -> Record | RecordError:
    try:
        return Record.from_json(text.decode())
    except UnicodeDecodeError:
        return RecordError("not JSON: the text is not UTF-8")
    except RecordError as error:
        return error


def _is_single_object(source: Iterator[tuple[int, bytes]], held: list[tuple[int, bytes]]) -> bool:
    """Whether the file is one object over several lines; `held` keeps what was read to find out.

    It looks whenever the lines have doubled, and gives up as soon as they cannot become one object any more: for a file
    of records that is at its first line, or at the second where the first is cut off.
    """
    size = 0
    for line in source:
        held.append(line)
        size += len(line[1])
        if size > LONGEST_OBJECT:
            return False
        if len(held) & (len(held) - 1) == 0:
            state = _object_so_far(_joined(held))
            if state == "broken" or (state == "whole" and len(held) == 1):
                return False
    return len(held) > 1 and _object_so_far(_joined(held)) == "whole"


def _object_so_far(text: bytes) -> str:
    """Whether a text is a `whole` object, a `part` that could become one, or `broken`."""
    try:
        decoded = text.decode().strip()
        if not decoded.startswith("{"):
            return "broken"
        json.loads(decoded, parse_int=float)
    except json.JSONDecodeError as error:
        return "part" if error.pos >= len(decoded) else "broken"
    except (ValueError, RecursionError):
        return "broken"
    return "whole"
