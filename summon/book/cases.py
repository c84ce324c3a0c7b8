"""A case of the tests, as a person reads it: who stands where, what both play, and what must be true then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from summon.cards import PETS
from summon.position import SIDES
from summon.words import BOOK, CARD_NAMES, PET_NAMES

Case = dict[str, Any]
"""A line of `tests/cases`, as `tests/test_cases.py` describes it."""

_OVER_TIME = ("effects", "healed", "cost", "damage", "poison", "health", "reserve")
"""What a case may expect of a turn, a pair of both sides each, in the order in which it is told."""


def shown(case: Case) -> str:
    """A case as HTML: what it says, its battle as a table, and its record to play it oneself."""
    record, names = case["record"], _names(case["record"])
    told = [
        f'<article class="case" id="{anchor(case)}">',
        f'<p class="says">{escape(case["says"])}</p>',
        f'<p class="who">{escape(_who(record))}</p>',
    ]
    told += [f'<p class="who">{escape(line)}</p>' for line in (*_changed(record), *_start(record, names))]
    told += _table(case, names)
    told += [f'<p class="then">{escape(line)}</p>' for line in _end(case, names)]
    told.append(
        f"<details><summary>{BOOK['record']} <code>{escape(case['id'])}</code></summary>"
        f'<pre class="record">{escape(json.dumps(record, ensure_ascii=False))}</pre></details></article>'
    )
    return "".join(told)


def anchor(case: Case) -> str:
    """The name of a case in its page."""
    return f"case-{case['id']}"


def _names(record: dict[str, Any]) -> tuple[str, str]:
    first, second = (_pet(player) for player in record["players"])
    return (first, second) if first != second else (f"{first} 1", f"{second} 2")


def _pet(player: dict[str, Any]) -> str:
    pet = PETS[player["pet"]]
    return PET_NAMES[pet.called(bool(player.get("evolved", False)))]


def _who(record: dict[str, Any]) -> str:
    """Both sides with what they have beyond a pet and starters of tier 1."""
    told = []
    for name, player in zip(_names(record), record["players"], strict=True):
        own = [
            f"{CARD_NAMES[card]} {BOOK['tier']} {tier}" for card, tier in player.get("tiers", {}).items() if tier > 1
        ]
        own += [CARD_NAMES[card] for card in player.get("cards", [])]
        told.append(f"{name} ({', '.join(own)})" if own else name)
    return BOOK["against"].format(first=told[0], second=told[1])


def _changed(record: dict[str, Any]) -> Iterator[str]:
    if changed := record.get("rules"):
        told = ", ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in changed.items())
        yield BOOK["changed"].format(rules=told)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return BOOK["yes"] if value else BOOK["no"]
    return " / ".join(map(str, value)) if isinstance(value, list) else str(value)


def _start(record: dict[str, Any], names: tuple[str, str]) -> Iterator[str]:
    start = record.get("start", {})
    for side, name in zip(SIDES, names, strict=True):
        if has := start.get(side):
            told = ", ".join(_state(kind, value) for kind, value in has.items())
            yield BOOK["starts"].format(name=name, state=told)


def _state(kind: str, value: Any) -> str:
    told = kind.replace("_", " ")
    if value is True:
        return told
    if isinstance(value, dict):
        return f"{told} {', '.join(f'{CARD_NAMES.get(key, key)} {_value(number)}' for key, number in value.items())}"
    return f"{told} {_value(value)}"


def _choice(choice: str) -> str:
    card, _, amount = choice.partition(":")
    return f"{CARD_NAMES.get(card, card)} {amount}".rstrip()


def _table(case: Case, names: tuple[str, str]) -> Iterator[str]:
    record, expect = case["record"], case["expect"]
    first = record.get("start", {}).get("turn", 1)
    rows = {first + place: turn for place, turn in enumerate(record.get("turns", []))}
    legal = {int(turn): sides for turn, sides in expect.get("legal", {}).items()}
    over_time = {int(turn) for kind in _OVER_TIME for turn in expect.get(kind, {})}
    heads = (BOOK["turn"], *names, BOOK["expected"])
    yield '<div class="wide"><table><thead><tr>'
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for turn in sorted({*rows, *legal, *over_time}):
        played = [_choice(choice) for choice in rows.get(turn, ("", ""))]
        then = [*_legal(legal.get(turn, {}), names), *_then(expect, turn, names)]
        number = BOOK["start"] if turn == 0 else str(turn)
        cells = "".join(f"<td>{escape(choice)}</td>" for choice in played)
        yield f'<tr><th scope="row">{number}</th>{cells}<td>{"<br>".join(map(escape, then))}</td></tr>'
    yield "</tbody></table></div>"


def _legal(sides: dict[str, dict[str, list[str]]], names: tuple[str, str]) -> Iterator[str]:
    for side, name in zip(SIDES, names, strict=True):
        for kind, cards in sides.get(side, {}).items():
            yield BOOK[kind].format(name=name, cards=", ".join(CARD_NAMES[card] for card in cards))


def _then(expect: dict[str, Any], turn: int, names: tuple[str, str]) -> Iterator[str]:
    for kind in _OVER_TIME:
        pair = expect.get(kind, {}).get(str(turn))
        if pair is not None:
            told = (CARD_NAMES[value] if kind == "effects" else str(value) for value in pair if value is not None)
            whose = (name for name, value in zip(names, pair, strict=True) if value is not None)
            both = ", ".join(f"{name} {value}" for name, value in zip(whose, told, strict=True))
            yield f"{BOOK[kind]}: {both}"


def _end(case: Case, names: tuple[str, str]) -> Iterator[str]:
    expect = case["expect"]
    if refused := expect.get("refused"):
        who = names[SIDES.index(refused["player"])] if "player" in refused else ""
        yield BOOK["refused"].format(**{"turn": "?", "rule": "?"} | refused, who=f" ({who})" if who else "")
    if "outcome" in expect:
        won = dict(zip(SIDES, (BOOK["wins"].format(name=name) for name in names), strict=True))
        yield won.get(expect["outcome"]) or BOOK[expect["outcome"]]
    if "gold" in expect:
        pairs = zip(names, expect["gold"], strict=True)
        yield BOOK["gold"].format(gold=", ".join(f"{name} {gold}" for name, gold in pairs))
