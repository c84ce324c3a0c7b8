"""The balance lab without its page: who meets whom, two sets of rules, and how both are told in a link.

The rules of a battle are a `Rules` object as everywhere; the second set is there to be compared with the first, under
the same seeds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import param

from summon.cards import MARKET, MAX_BOUGHT, MAX_TIER, PETS, STARTERS
from summon.player import Player, check_bought
from summon.position import SIDES
from summon.quoting import quoted
from summon.record import FORMAT, Record, parse_json
from summon.rules import Rules, Switch, WholeNumbers

BATTLES = (10_000, 50_000, 200_000, 1_000_000)
"""How many battles one look at a match-up may rest on."""

LARGEST_SEED = 2**31 - 1
"""The largest seed that the lab takes."""

LONGEST_LINK = 6_000
"""So many characters of a link are read; the longest that the lab makes has fewer."""

GROUPS = {
    "health": ("base_health", "evolved_health", "evolved_bonus", "reserve_health"),
    "starters": (
        *("streak_limit", "attack_damage", "attack_bonus_against_heal", "heal_amount"),
        *("counter_block", "counter_return"),
    ),
    "protection": ("shield_block", "shield_turns", "shields_add_up", "shield_and_wild_add_up", "hide_cost"),
    "poison": ("poison_damage", "poison_turns", "healing_saves_from_poison"),
    "sacrifice": (
        *("sacrifice_first_turn", "sacrifice_interval", "counter_answers_sacrifice", "sacrifice_stops_heal"),
        "sacrifice_may_spend_last_health",
    ),
    "others": (
        *("blind_interval", "copycat_interval", "refreshment_bonus", "revive_health"),
        "pending_revival_decides",
    ),
    "wilds": (
        *("moss_heal", "moss_block", "ember_damage", "bloom_damage", "bloom_turns", "tide_heal"),
        *("pebble_block", "pebble_turns", "spark_damage"),
    ),
}
"""All names of section 12, by what they belong to."""


class LinkError(ValueError):
    """A link that tells no match-up; the message says what is wrong with it."""


class Bought(param.ListSelector):
    """The bought cards of a deck; ValueError for what 1.4 does not allow."""

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        check_bought(val)


class Corner(param.Parameterized):
    """What one side of a match-up brings (section 1), each part to be changed by itself."""

    pet: param.Selector = param.Selector(default="moss", objects=list(PETS), doc="1.1: the unevolved name.")
    evolved = param.Boolean(default=False, doc="10.2: whether it has evolved.")
    attack = param.Integer(default=1, bounds=(1, MAX_TIER), doc="3.1: the tier of Attack.")
    heal = param.Integer(default=1, bounds=(1, MAX_TIER), doc="3.2: the tier of Heal.")
    counter = param.Integer(default=1, bounds=(1, MAX_TIER), doc="3.3: the tier of Counter.")
    cards = Bought(default=[], objects=list(MARKET), doc=f"1.4: at most {MAX_BOUGHT} bought cards.")

    def player(self, name: str) -> Player:
        """The same as a record has it."""
        tiers = {starter: getattr(self, starter) for starter in STARTERS}
        return Player(name, self.pet, self.evolved, tiers, tuple(self.cards))

    def take(self, player: Player) -> None:
        """Bring what a record's player brings, in one change."""
        self.param.update(pet=player.pet, evolved=player.evolved, cards=list(player.cards), **player.tiers)


class Lab(param.Parameterized):
    """A match-up, the rules that are tried, and those that they are compared with.

    `first`, `second`, `rules` and `others` are objects of their own and stay the same; what changes is what they hold.
    """

    compared = param.Boolean(default=False, doc="Whether the second set of rules is played as well.")
    battles: param.Selector = param.Selector(default=200_000, objects=list(BATTLES), doc="How many are played.")
    seed = param.Integer(default=0, bounds=(0, LARGEST_SEED), doc="What the chance of all battles follows from.")

    def __init__(self, record: Record | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.first, self.second, self.rules, self.others = Corner(), Corner(pet="spark"), Rules(), Rules()
        if record is not None:
            self.take(record)

    def take(self, record: Record) -> None:
        """Try a record's players under its rules."""
        for corner, player in zip((self.first, self.second), record.players, strict=True):
            corner.take(player)
        set_rules(self.rules, dict(record.changed))

    def record(self, others: bool = False) -> Record:
        """The match-up under the rules that are tried, or under the `others`, as a record without turns."""
        players = [corner.player(name) for name, corner in zip(SIDES, (self.first, self.second), strict=True)]
        return Record((players[0], players[1]), (self.others if others else self.rules).changed())

    def records(self) -> tuple[Record, ...]:
        """What is played: the match-up under the rules that are tried, and if `compared` under the others."""
        return (self.record(), self.record(others=True)) if self.compared else (self.record(),)

    def query(self) -> dict[str, str]:
        """What a link has to tell, by its keys, so that whoever opens it sees the same."""
        told = {"record": _short(self.record()), "battles": str(self.battles), "seed": str(self.seed)}
        others = json.dumps(self.others.to_dict(), separators=(",", ":"))
        return told | ({"others": others} if self.compared else {})

    @classmethod
    def from_query(cls, told: Mapping[str, str]) -> Lab:
        """The lab of a link; LinkError says what cannot be read in it."""
        if sum(map(len, told.values())) > LONGEST_LINK:
            raise LinkError("the link is too long")
        try:
            lab = cls(_match_up(told["record"]) if "record" in told else None)
            if "others" in told:
                set_rules(lab.others, rules_from_json(told["others"]))
                lab.compared = True
            if "seed" in told:
                lab.seed = seed_from(told["seed"])
            if "battles" in told:
                asked = whole("battles", told["battles"], 1, max(BATTLES))
                lab.battles = min(BATTLES, key=lambda one: abs(one - asked))
        except ValueError as error:
            raise LinkError(str(error)) from error
        return lab


def set_rules(rules: Rules, changed: Mapping[str, Any]) -> None:
    """Make rules those that differ from the defaults in what is `changed` alone, in one change."""
    defaults = {name: Rules.param[name].default for name in Rules.names()}
    rules.param.update(**(defaults | dict(changed)))


def rules_from_json(text: str) -> dict[str, Any]:
    """What a record's `rules` change, from their JSON; RecordError where that is none."""
    told = {"format": FORMAT, "players": [{"pet": "moss"}] * 2, "rules": parse_json(text)}
    return dict(Record.from_dict(told).changed)


def places(name: str) -> int:
    """Of how many numbers a rule consists: 0 for a switch."""
    rule = Rules.param[name]
    return 0 if isinstance(rule, Switch) else len(rule.default) if isinstance(rule, WholeNumbers) else 1


def number_at(rules: Rules, name: str, place: int) -> int:
    """One of the numbers of a rule."""
    value = getattr(rules, name)
    return int(value[place] if isinstance(value, tuple) else value)


def with_number(rules: Rules, name: str, place: int, number: int) -> Any:
    """The value of a rule with one of its numbers changed."""
    value = getattr(rules, name)
    return (*value[:place], number, *value[place + 1 :]) if isinstance(value, tuple) else number


def number_from(text: str, name: str) -> int:
    """A number of a rule from what somebody typed; ValueError says which are allowed."""
    return whole(name.replace("_", " "), text.strip(), *Rules.param[name].bounds)


def seed_from(text: str) -> int:
    """A seed from what somebody typed; ValueError says which are allowed."""
    return whole("seed", text.strip(), 0, LARGEST_SEED)


def usual_range(name: str) -> tuple[int, int]:
    """From where to where a rule's numbers are moved by hand; more is allowed (section 12)."""
    rule = Rules.param[name]
    low, high = rule.bounds
    default = max(rule.default) if isinstance(rule, WholeNumbers) else rule.default
    return low, min(high, max(8, 3 * default))


def whole(what: str, text: str, least: int, most: int) -> int:
    """The whole number that a text is; ValueError, with the name of `what` it should be, says which are allowed."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise ValueError(f"{what} is a whole number from {least} to {most}, not {quoted(text)}")
    return int(text)


def _match_up(text: str) -> Record:
    record = Record.from_json(text)
    if record.turns or record.start is not None:
        raise ValueError("record: a match-up has neither turns nor a start")
    return record


def _short(record: Record) -> str:
    told = record.to_dict()
    del told["turns"]
    return json.dumps(told, separators=(",", ":"))
