"""A battle told in plain text, which a person can read and check against the rulebook."""

from __future__ import annotations

import json
from collections.abc import Iterator

from summon import words
from summon.cards import BY_CODE
from summon.events import events
from summon.player import Player
from summon.position import Position, Round, gold_for
from summon.quoting import printable
from summon.record import Record
from summon.rules import changed_to_dict


def transcript(record: Record) -> str:
    """The account of a record: who fights, then each turn with its events and their rules, then the outcome.

    Raises RecordError where a choice is not legal.
    """
    return "\n".join(_lines(record)) + "\n"


def pet_names(players: tuple[Player, Player]) -> tuple[str, str]:
    """What the pets are called in the sentences: by their names, with the player's where both are the same."""
    first, second = (words.PET_NAMES[player.pet_name] for player in players)
    if first != second:
        return (first, second)
    return (f"{printable(players[0].name)}'s {first}", f"{printable(players[1].name)}'s {second}")


def _lines(record: Record) -> Iterator[str]:
    position, names = record.opening(), pet_names(record.players)
    for player in record.players:
        yield _introduced(player)
    if record.changed:
        yield "rules: " + ", ".join(
            f"{name} {json.dumps(value)}" for name, value in changed_to_dict(record.changed).items()
        )
    yield standing(f"turn {position.turn} begins", position, names)
    for round_ in record.play():
        yield ""
        yield from turn_lines(round_, names)
        position = round_.after
    yield ""
    gold = gold_for(position.outcome, (record.players[0].evolved, record.players[1].evolved))
    paid = "" if gold == (0, 0) else f" ({max(gold)} gold: 9.1)"
    yield words.outcome(position.outcome, names) + paid


def _introduced(player: Player) -> str:
    pet = words.PET_NAMES[player.pet_name]
    tiers = ", ".join(f"{words.CARD_NAMES[card]} tier {tier}" for card, tier in player.tiers.items())
    bought = ", ".join(words.CARD_NAMES[card] for card in player.cards) or "nothing bought"
    return f"{printable(player.name)}: {pet}, {tiers}; {bought}"


def turn_lines(round_: Round, names: tuple[str, str]) -> Iterator[str]:
    """A turn in words: what was played, each event with what it is made of, and how both stand then."""
    chosen = []
    for choice, share in zip(round_.choices, round_.shares, strict=True):
        copied = choice.card == "copycat" and BY_CODE[share.effect] != "copycat"
        chosen.append(words.choice(choice) + (f" as {words.CARD_NAMES[BY_CODE[share.effect]]}" if copied else ""))
    yield f"turn {round_.turn}: {chosen[0]} against {chosen[1]}"
    for event in events(round_):
        yield f"  {words.sentence(event, names)} [{words.because(event)}]"
    yield standing("  then", round_.after, names)


def standing(when: str, position: Position, names: tuple[str, str]) -> str:
    """How much health both have, in a line that begins with when that is."""
    told = []
    for name, setup, side in zip(names, position.setups, position.sides, strict=True):
        reserve = f" and {side.reserve} in reserve" if side.reserve else ""
        told.append(f"{name} {side.health} of {setup.top}{reserve}")
    return f"{when}: {', '.join(told)}"
