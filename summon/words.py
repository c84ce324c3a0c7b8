"""All words for people, in one place: names, and sentences for refusals and events."""

from __future__ import annotations

from typing import Any

from summon.cards import CARDS, PETS
from summon.choices import Reason, Refusal
from summon.events import Event, Kind, Part
from summon.quoting import quoted
from summon.turn import Setup

CARD_NAMES = {"wait": "Wait", **{name: name.capitalize() for name in CARDS}}
"""What the cards are called."""

PET_NAMES = {name: name.capitalize() for pet in PETS.values() for name in (pet.name, pet.evolved)}
"""What the pets are called, evolved ones included."""

WILD_NAMES = {pet.rule: pet.wild for pet in PETS.values()}
"""What the Wilds are called, by their rules."""

ANSWERS = {
    "first": "{first} wins.",
    "second": "{second} wins.",
    "draw": "Nobody wins: it is a draw.",
    "unfinished": "The battle goes on.",
}
"""What an outcome means, in a sentence."""

_PARTS = {
    "evolved": "evolution",
    "boost": "Refreshment",
    "against heal": "against Heal",
    "counter": "by Counter",
    "shield": "by Shield",
    "block": "by a Wild's block",
    "hide": "by Hide",
}


def _turns(number: int) -> str:
    return "1 turn" if number == 1 else f"{number} turns"


def refusal(refused: Refusal, amount: int = 0) -> str:
    """Why a choice is refused, in a sentence that a child understands; `amount` is what Sacrifice was to cost."""
    card, until, number = CARD_NAMES[refused.card], refused.until, refused.number
    match refused.reason:
        case Reason.BLINDED:
            return "You cannot see this turn, so you can only Wait."
        case Reason.DOWN:
            return "Your pet is at zero health, so it can only play Revive."
        case Reason.DOWN_RESTRICTED:
            return "Your pet is at zero health and hid last turn, so it can only Wait. It may play Revive next turn."
        case Reason.BEATEN:
            return "Your pet is beaten. You can only Wait and see whether the other one gets up again."
        case Reason.WAIT:
            return "Nobody may Wait freely. Choose a card."
        case Reason.NOT_IN_DECK:
            return f"{card} is not in your deck."
        case Reason.STREAK:
            return f"You played {card} {_turns(number)} running. Play another card this turn, then it is back."
        case Reason.SACRIFICE_FIRST_TURN:
            return f"It is too early for Sacrifice. It opens on turn {until}."
        case Reason.SACRIFICE_INTERVAL | Reason.INTERVAL:
            return f"{card} needs a rest. It is ready again on turn {until}."
        case Reason.SACRIFICE_HEALTH:
            return f"Sacrifice may not take your last health. You need at least {number}."
        case Reason.SACRIFICE_AMOUNT:
            return f"Sacrifice can cost from 1 to {number} health now, not {quoted(amount)}."
        case Reason.WILD_USED:
            return "Your Wild is used up. It works once a battle."
        case Reason.RESTRICTED:
            return f"You hid last turn, so no {card} now. It is back on turn {until}."
        case Reason.HIDE_HEALTH:
            return f"Hide needs at least {number} health."
        case Reason.REVIVE_STANDING:
            return "Revive is only for a pet at zero health."
        case Reason.OVER:
            return "The battle is over."


def sentence(event: Event, names: tuple[str, str]) -> str:
    """An event in a sentence; `names` are what the two pets are called in the middle of one, as `your Ember`."""
    told = _sentence(event, names[event.side], names[event.on])
    return told[0].upper() + told[1:]


def explained(event: Event, names: tuple[str, str]) -> str:
    """An event in a sentence, with what its number is made of: `Attack hits Tide for 2 (+1 against Heal).`"""
    added = ", ".join(f"{_signed(part.number)} {_PARTS[part.why]}" for part in event.parts if part.why != "base")
    told = sentence(event, names)
    return f"{told[:-1]} ({added})." if added else told


def _signed(number: int) -> str:
    return f"+{number}" if number >= 0 else f"−{-number}"


def _effect_name(event: Event) -> str:
    return WILD_NAMES.get(event.rule, "Wild") if event.card == "wild" else CARD_NAMES[event.card]


def _sentence(event: Event, actor: str, on: str) -> str:
    number, effect = event.number, _effect_name(event)
    match event.kind:
        case Kind.WAIT:
            why = {"2.1": "cannot see and waits", "2.2": "is at zero and waits", "2.3": "is beaten and waits"}
            return f"{actor} {why[event.rule]}."
        case Kind.COPY:
            return _copy(event, actor)
        case Kind.COST:
            return f"{actor} pays {number} health for {effect}."
        case Kind.RETURN:
            return f"{actor} returns with {number} health."
        case Kind.STOP:
            return f"{actor}'s {effect} is stopped."
        case Kind.HEAL:
            if event.rule == "3.7":
                return f"{actor} is at full health already."
            return f"{actor} gets {number or 'no'} health back."
        case Kind.RESERVE:
            return f"{actor} keeps {number} more as white reserve."
        case Kind.PROTECT:
            return f"{actor} hides: no blow reaches it." if event.card == "hide" else f"{effect} protects {actor}."
        case Kind.HIT:
            return f"{effect} hits {on} for {number}." if number else f"{effect} does not hurt {on}."
        case Kind.MISS:
            return _miss(event, effect, on)
        case Kind.DOSE:
            return f"{effect} poisons {on}."
        case Kind.POISON:
            return _poison(event, on)
        case Kind.BLIND:
            return f"{on} cannot see next turn."
        case Kind.BOOST:
            return f"{actor}'s next card is stronger."
        case Kind.KNOCKOUT:
            return f"{on} falls to zero, but has Revive." if event.rule == "6.5" else f"{on} is beaten."


def _copy(event: Event, actor: str) -> str:
    if event.card != "copycat":
        return f"{actor}'s Copycat copies {CARD_NAMES[event.card]}."
    if event.rule == "6.12":
        return f"{actor}'s Copycat finds nothing to copy."
    return f"{actor}'s Copycat may not copy that now."


def _miss(event: Event, effect: str, on: str) -> str:
    if event.rule == "3.5":
        return "Counter waits for an attack, but none comes."
    if event.rule == "8.4":
        return f"{effect} finds {on} at zero and hurts nobody."
    return f"{on} hides: the poison is lost."


def _poison(event: Event, on: str) -> str:
    if event.rule == "5.6":
        return f"poison drips on {on}, which is at zero and loses nothing."
    if event.rule == "5.3":
        return f"poison takes {event.number}: no healing can save {on} from that."
    return f"poison takes {event.number} from {on}."


def because(event: Event) -> str:
    """What an event's number is made of, by rule: `3.1, +1 against Heal`."""
    added = (_part(part, event.rule) for part in event.parts if part.why != "base")
    return ", ".join((event.rule, *added))


def _part(part: Part, rule: str) -> str:
    where = "" if part.rule == rule else f" ({part.rule})"
    return f"{part.number:+d} {_PARTS[part.why]}{where}"


def outcome(result: str, names: tuple[str, str]) -> str:
    """An outcome in a sentence; `names` as for `sentence`."""
    told = ANSWERS[result].format(first=names[0], second=names[1])
    return told[0].upper() + told[1:]


def card_line(card: str, setup: Setup, boosted: bool) -> str:
    """What a card does now, in a line for its player: with tier, evolution and, where it counts, the boost."""
    plus = setup.refreshment_bonus if boosted else 0
    hit = setup.attack_damage + setup.evolved_bonus + plus
    match card:
        case "attack":
            more = setup.attack_bonus_against_heal
            return f"Hit for {hit}. Stops Heal" + (f", and hits it for {hit + more}." if more else ".")
        case "heal":
            return f"Get {setup.heal_amount + plus} health back, if no attack comes."
        case "counter":
            back = setup.counter_return + setup.evolved_bonus + plus
            return f"If they attack: block {setup.counter_block} and hit back for {back}."
        case "wild":
            return _wild_line(setup, plus)
        case "poison":
            tick = setup.poison_damage + plus
            later = {1: "", 2: f" and {tick} next turn"}.get(
                setup.poison_turns, f" and on each of the next {setup.poison_turns - 1} turns"
            )
            return f"{tick} damage now{later}. Shields don't stop it."
        case "blind":
            return "Your rival has to Wait next turn."
        case "revive":
            return f"Back from 0 with {min(setup.revive_health, setup.top)} health. An attack stops it."
        case "sacrifice":
            extra = setup.evolved_bonus + plus
            return "Pay some health. Hit for as much" + (f", and {extra} more." if extra else ".")
        case "shield":
            return f"{setup.shield_block + plus} less damage, for {_turns(setup.shield_turns)}."
        case "hide":
            return f"Pay {setup.hide_cost} health. No blow and no new poison this turn."
        case "refreshment":
            return f"Makes your next card {setup.refreshment_bonus} stronger."
        case "copycat":
            return "Does what your rival's card does."
    raise ValueError(f"there is no card {card!r}")


def _wild_line(setup: Setup, plus: int) -> str:
    told = []
    if setup.wild_attacks:
        told.append(f"hit for {setup.wild_damage + setup.evolved_bonus + plus}")
    if setup.wild_heals:
        told.append(f"get {setup.wild_heal + plus} health back")
    if setup.wild_block_turns:
        told.append(f"block {setup.wild_block + plus} for {_turns(setup.wild_block_turns)}")
    if setup.wild_poison_turns:
        told.append(f"poison for {setup.wild_poison + plus} on {_turns(setup.wild_poison_turns)}")
    if setup.wild_blinds:
        told.append("make your rival Wait next turn")
    line = ", ".join(told)
    return f"{line[0].upper()}{line[1:]}. Once a battle."


def card_number(card: str, setup: Setup, boosted: bool) -> str:
    """The number on a card's face: how much it does now; empty where it has none."""
    plus = setup.refreshment_bonus if boosted else 0
    wild = setup.wild_damage + setup.evolved_bonus if setup.wild_attacks else setup.wild_heal or setup.wild_block
    numbers = {
        "attack": setup.attack_damage + setup.evolved_bonus + plus,
        "heal": setup.heal_amount + plus,
        "counter": setup.counter_return + setup.evolved_bonus + plus,
        "wild": (wild or setup.wild_poison) + plus,
        "poison": setup.poison_damage + plus,
        "shield": setup.shield_block + plus,
    }
    return str(numbers.get(card, ""))


def badge(refused: Refusal, now: int) -> tuple[str, str]:
    """Why a card is off, in two or three words for its face, and the icon beside them: `clock` or `lock`."""
    match refused.reason:
        case Reason.SACRIFICE_FIRST_TURN:
            return (f"Turn {refused.until}", "clock")
        case Reason.WILD_USED:
            return ("Used", "lock")
        case Reason.STREAK:
            return ("Play another", "lock")
        case Reason.SACRIFICE_HEALTH | Reason.HIDE_HEALTH:
            return (f"Needs {refused.number}", "lock")
        case Reason.REVIVE_STANDING:
            return ("Only at 0", "lock")
        case Reason.BLINDED:
            return ("Blinded", "lock")
        case Reason.DOWN | Reason.DOWN_RESTRICTED:
            return ("At 0", "lock")
        case Reason.BEATEN:
            return ("Beaten", "lock")
        case Reason.OVER:
            return ("Over", "lock")
    wait = (refused.until or now + 1) - now
    return ("Next turn" if wait == 1 else f"In {_turns(wait)}", "clock")


STATUS = {
    "blinded": ("6.2", "Blinded: {who} must Wait this turn."),
    "boosted": ("6.7", "Refreshed: {whose} next card that hits, heals or protects is {number} stronger."),
    "restricted": ("6.4", "Hid last turn: no Hide, Heal, healing Wild or Revive for {who} this turn."),
    "poison": ("5.1", "Poison on {who}: {amounts}."),
    "shield": ("4.3", "Shield: {amounts} less damage for {who}."),
    "block": ("7.10", "The Wild blocks {amounts} of what hits {who}."),
    "sacrifice": ("2.6", "{whose} Sacrifice rests until turn {number}."),
    "blind": ("2.7", "{whose} Blind rests until turn {number}."),
    "copycat": ("2.7", "{whose} Copycat rests until turn {number}."),
    "wild_used": ("2.8", "{whose} Wild is used up."),
    "revive_used": ("6.5", "{whose} Revive is used up."),
}
"""What each status of a pet means: its rule and its sentence."""


def status(kind: str, who: str, *, number: int = 0, amounts: tuple[int, ...] = ()) -> tuple[str, str]:
    """A status in a sentence, and its rule. `who` is the pet as for `sentence`, `amounts` go from this turn on."""
    rule, template = STATUS[kind]
    whose = "your" if who.startswith("your ") and "'" not in who else f"{who}'s"
    ahead = [
        f"{amount} this turn" if not place else f"{amount} next turn" if place == 1 else f"{amount} after that"
        for place, amount in enumerate(amounts)
    ]
    told = template.format(who=who, whose=whose, number=number, amounts=", ".join(ahead))
    return rule, told[0].upper() + told[1:]


def result_title(result: str, mine: str, other: str) -> str:
    """The headline of a battle's end, for one side: `win`, `loss`, `draw` or `ended`; pets by their bare names."""
    told = {
        "win": f"{mine} beats {other}!",
        "loss": f"{other} wins this time.",
        "draw": "Both fell. It's a draw!",
        "ended": "The battle has ended.",
    }[result]
    return told[0].upper() + told[1:]


def played(choices: list[dict[str, Any]], names: tuple[str, str]) -> str:
    """What both sides played, for the heading of a turn: `Moss: Attack. Tide: Sacrifice 2.`"""
    told = []
    for choice, name in zip(choices, names, strict=True):
        amount = f" {choice['amount']}" if choice["amount"] else ""
        told.append(f"{name[0].upper()}{name[1:]}: {choice['name']}{amount}.")
    return " ".join(told)


def result_text(result: str, ended: str) -> str:
    """A second line for a battle's end."""
    if ended == "left":
        return {"win": "Your rival left the battle.", "loss": "You left the battle."}.get(result, "Nobody wins.")
    if ended == "idle":
        return "Nobody chose for too long, so nobody wins."
    return {"win": "What a battle!", "loss": "Every piece can be built again.", "draw": "Nobody wins."}[result]


FAILED = "Something went wrong here. Nothing is lost: please try again."
"""Said when the program itself failed."""


def stale(meant: int, now: int) -> str:
    """Said when a choice comes for a turn that is not in play."""
    return f"That was meant for turn {meant}. Now it is turn {now}: please choose again."


BOARD = {
    "turn": "Turn {turn}",
    "start": "Turn {turn}. Pick a card.",
    "pick": "Pick a card, then lock it in.",
    "pick_go": "Pick a card",
    "lock": "Lock it in",
    "locking": "Locking…",
    "locked": "Locked in",
    "locked_rival": "Your rival is still choosing.",
    "locked_both": "Your rival is ready, too.",
    "swap": "Swap card",
    "swapping": "One moment…",
    "wait": "Wait",
    "off": "Not now.",
    "both": "Both locked in!",
    "ready_go": "Get ready",
    "skip": "Skip",
    "next": "Next turn",
    "result": "See the result",
    "again": "Play again",
    "starting": "One moment…",
    "record": "Download the battle",
    "log": "Round log",
    "log_empty": "No turn has been revealed yet.",
    "log_loading": "One moment…",
    "copy": "Copy",
    "copied": "Copied",
    "close": "Close",
    "leave": "Leave the battle",
    "leave_ask": "Leave the battle?",
    "leave_early": "No turn has been revealed yet, so nobody wins.",
    "leave_late": "If you leave now, your rival wins.",
    "leave_rule": "9.2",
    "leave_yes": "Leave",
    "leave_no": "Stay",
    "your_slot": "Your card",
    "rival_slot": "Still choosing",
    "ready": "Ready",
    "hidden": "A hidden card",
    "hand": "Your cards",
    "story": "What happened",
    "played": "{who}: {name}.",
    "health": "{health} of {max} health",
    "reserve": "{reserve} in reserve",
    "amount": "How much health do you pay?",
    "amount_now": "{amount} health",
    "less": "Less",
    "more": "More",
    "tier": "Tier {tier}.",
    "rule": "Rule {rule}",
    "statuses": "{name}: what counts now",
    "statuses_more": "Show {count} more",
    "gold": "{gold} gold",
}
"""The fixed words of the board, in English; `{…}` are filled in by the browser."""

SETUP = {
    "logo": "Summon",
    "pets": "Choose your pet",
    "grows": "One day it grows into {evolved}.",
    "wild_card": "Wild card",
    "moss": "heals {moss_heal}, blocks {moss_block}",
    "ember": "a fiery hit for {ember_damage}",
    "bloom": "poison for {bloom_turns} turns",
    "tide": "heals {tide_heal}",
    "pebble": "blocks {pebble_block}, for {pebble_turns} turns",
    "spark": "hits for {spark_damage}, blinds",
    "rival": "Choose your rival",
    "rival_note": "Which pet comes? A surprise!",
    "plain": "Not evolved",
    "plain_line": "{base_health} health",
    "evolved": "Evolved",
    "evolved_line": "{evolved_health} health and hits harder",
    "cards": "Try some cards",
    "cards_note": "You always have Attack, Heal and Counter. Your rival gets the same cards as you.",
    "count": "{count} of {most}",
    "wild": "{pet}’s {wild}: {does}. Once a battle.",
    "wild_any": "Your pet’s own power. Once a battle.",
    "surprise": "Surprise me",
    "none": "Take none",
    "full": "{most} are in",
    "full_line": "{most} cards are in. Take one out to make room for {name}.",
    "pick": "Pick a pet",
    "pick_line": "Tap the pet you like best.",
    "go": "Summon {pet}",
    "going": "Summoning {pet}…",
}
"""The words of the page, in English. Names of rules in `{…}` are filled in here, everything else by the browser."""
