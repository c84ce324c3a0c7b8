"""All words for people, in one place: names, and sentences for refusals and events."""

from __future__ import annotations

from typing import Any

from summon.cards import CARDS, PETS
from summon.choices import Choice, Reason, Refusal
from summon.events import Event, Kind, Part
from summon.profile import Refused, Why
from summon.quoting import quoted
from summon.turn import Setup

GAME = "Summon"

GAME_MEANING = "A battle game for two, made of interlocking pieces."
"""What the game is, in a line."""

LOADING = "Summoning…"

LOST = "The connection is gone. Nobody has lost. Trying again…"
"""What a page says that has no connection to the game any more."""

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


def turns(number: int) -> str:
    """So many turns, in words."""
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
            return f"You played {card} {turns(number)} running. Play another card this turn, then it is back."
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


TRY_IT = "Play on from here"
"""What a notebook's button says that opens a board."""

RIVAL_FAILED = "The rival could not choose, so nothing has changed: {why}"
"""Said on a notebook's board whose rival is a policy that fails, with what was wrong."""


def allowed(card: str) -> str:
    """That a card may be chosen now."""
    return f"{CARD_NAMES[card]} may be chosen."


def _whose(who: str) -> str:
    """Whose a card is: of `your Ember` it is yours, and of `your friend's Tide` your friend's."""
    if not who.startswith("your "):
        return f"{who}'s"
    owner, owned, _ = who.partition("'s ")
    return f"{owner}'s" if owned else "your"


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
    """A card's name; of a Wild its own, told by the rule of the event or of what its number is made of."""
    if event.card != "wild":
        return CARD_NAMES[event.card]
    rules = (event.rule, *(part.rule for part in event.parts))
    return next((WILD_NAMES[rule] for rule in rules if rule in WILD_NAMES), CARD_NAMES["wild"])


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
            return f"{_whose(actor)} {effect} is stopped."
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
            return f"{_whose(actor)} next card is stronger."
        case Kind.KNOCKOUT:
            return f"{on} falls to zero, but has Revive." if event.rule == "6.5" else f"{on} is beaten."


def _copy(event: Event, actor: str) -> str:
    if event.card != "copycat":
        return f"{_whose(actor)} Copycat copies {CARD_NAMES[event.card]}."
    if event.rule == "6.12":
        return f"{_whose(actor)} Copycat finds nothing to copy."
    return f"{_whose(actor)} Copycat may not copy that now."


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


def event_word(event: Event) -> str:
    """An event in a word or two, to be shown large while it happens."""
    match event.kind:
        case Kind.HIT:
            return "Hit!" if event.number else "Blocked!"
        case Kind.MISS:
            return "No attack!" if event.rule == "3.5" else "Misses!"
        case Kind.HEAL:
            return "Healed!" if event.number else "Full!"
        case Kind.COPY:
            return "Copied!" if event.card != "copycat" else "No copy!"
        case Kind.PROTECT:
            return "Hidden!" if event.card == "hide" else "Protected!"
        case Kind.KNOCKOUT:
            return "Down!" if event.rule == "6.5" else "Knocked out!"
    return {
        Kind.WAIT: "Waits",
        Kind.COST: "Pays!",
        Kind.RETURN: "Back again!",
        Kind.STOP: "Stopped!",
        Kind.RESERVE: "Reserve!",
        Kind.DOSE: "Poisoned!",
        Kind.POISON: "Poison!",
        Kind.BLIND: "Blinded!",
        Kind.BOOST: "Stronger!",
    }[event.kind]


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
            return f"{setup.shield_block + plus} less damage, for {turns(setup.shield_turns)}."
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
        told.append(f"block {setup.wild_block + plus} for {turns(setup.wild_block_turns)}")
    if setup.wild_poison_turns:
        told.append(f"poison for {setup.wild_poison + plus} on {turns(setup.wild_poison_turns)}")
    if setup.wild_blinds:
        told.append("make your rival Wait next turn")
    line = ", ".join(told)
    return f"{line[0].upper()}{line[1:]}. Once a battle."


def card_numbers(card: str, setup: Setup, boosted: bool) -> list[dict[str, str]]:
    """The numbers on a card's face, each with its sign: how much it does now.

    Signs are `hit`, `heal` and `cost` (health back and health paid), `block`, `poison` and `boost`.
    """
    plus = setup.refreshment_bonus if boosted else 0
    hit, poison = setup.evolved_bonus + plus, setup.poison_damage + plus
    numbers = {
        "attack": [("hit", setup.attack_damage + hit)],
        "heal": [("heal", setup.heal_amount + plus)],
        "counter": [("block", setup.counter_block), ("hit", setup.counter_return + hit)],
        "wild": _wild_numbers(setup, plus),
        "poison": [("poison", poison)],
        "revive": [("heal", min(setup.revive_health, setup.top))],
        "shield": [("block", setup.shield_block + plus)],
        "hide": [("cost", setup.hide_cost)],
        "refreshment": [("boost", setup.refreshment_bonus)],
    }
    told = numbers.get(card, [])
    return [{"sign": sign, "text": _signed(number) if sign == "boost" else str(number)} for sign, number in told]


def _wild_numbers(setup: Setup, plus: int) -> list[tuple[str, int]]:
    told = []
    if setup.wild_attacks:
        told.append(("hit", setup.wild_damage + setup.evolved_bonus + plus))
    if setup.wild_heals:
        told.append(("heal", setup.wild_heal + plus))
    if setup.wild_block_turns:
        told.append(("block", setup.wild_block + plus))
    if setup.wild_poison_turns:
        told.append(("poison", setup.wild_poison + plus))
    return told


def badge(refused: Refusal, now: int) -> tuple[str, str]:
    """Why a card is off, in two or three words for its face, and the icon beside them: `clock` or `lock`."""
    match refused.reason:
        case Reason.SACRIFICE_FIRST_TURN:
            return (f"Turn {refused.until}", "clock")
        case Reason.WILD_USED:
            return ("Used", "lock")
        case Reason.STREAK:
            return ("Too often", "lock")
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
    return ("Next turn" if wait == 1 else f"In {turns(wait)}", "clock")


STATUS = {
    "blinded": ("6.2", "Blinded: {who} must Wait this turn."),
    "boosted": ("6.7", "Refreshed: {whose} next card that hits, heals or protects is {number} stronger."),
    "restricted": ("6.4", "Hid last turn: no Hide, Heal, healing Wild or Revive for {who} this turn."),
    "poison": ("5.1", "Poison on {who}: {amounts}."),
    "shield": ("4.3", "Shield: what hits {who} is less by {amounts}."),
    "block": ("7.10", "Wild: what hits {who} is less by {amounts}."),
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
    ahead = [
        f"{amount} this turn" if not place else f"{amount} next turn" if place == 1 else f"{amount} after that"
        for place, amount in enumerate(amounts)
    ]
    told = template.format(who=who, whose=_whose(who), number=number, amounts=", ".join(ahead))
    return rule, told[0].upper() + told[1:]


PICTURE = {"before": "before", "after": "after", "turn": "Turn {turn}"}
"""The words in a picture of a battle."""

SHOWN = {
    "player": "Player",
    "pet": "Pet",
    "health": "Health",
    "reserve": "white reserve",
    "on_it": "What is on it",
    "may": "May play",
    "may_not": "May not play, and why",
    "most": " (1 to {number})",
    "deck": "Cards",
    "before": "It is in no battle yet.",
    "changed": "Changed rule",
    "value": "Now",
    "rule": "Rule",
    "turn": "Turn",
    "left": "The other side left the battle (9.2).",
    "price": "Price",
    "gold": "{number} gold (10.1)",
    "starter": "Everybody has it (1.3).",
    "nobody": "Nobody owns it.",
    "wait": "What a pet does that can do nothing else.",
}
"""The words beside a picture, where a battle, a fighter, a record or a card is shown in a notebook."""


def has_chosen(who: str) -> str:
    """That a side has committed its choice, not what it is (1.9)."""
    return f"{who} has chosen."


def begins(turn: int) -> str:
    """That a record begins in the middle of a battle."""
    return f"It begins from a situation on turn {turn}."


def more_turns(number: int) -> str:
    """How much of a long battle is not told."""
    return f"And {turns(number)} more."


def standing(who: str, health: int, most: int, reserve: int = 0) -> str:
    """How much health a pet has, in a sentence: `Moss has 4 of 5 health, and 1 white reserve.`"""
    kept = f", and {reserve} white reserve" if reserve else ""
    return f"{who[0].upper()}{who[1:]} has {health} of {most} health{kept}."


def result_title(result: str, mine: str, other: str) -> str:
    """The headline of a battle's end, for one side: `win`, `loss`, `draw` or `ended`; pets by their bare names."""
    told = {
        "win": f"{mine} beats {other}!",
        "loss": f"{other} wins this time.",
        "draw": "Both fell. It's a draw!",
        "ended": "The battle has ended.",
    }[result]
    return told[0].upper() + told[1:]


def choice(chosen: Choice) -> str:
    """A choice in words: `Attack`, `Sacrifice 2`."""
    return CARD_NAMES[chosen.card] + (f" {chosen.amount}" if chosen.card == "sacrifice" else "")


def played(choices: list[dict[str, Any]], names: tuple[str, str]) -> str:
    """What both sides played, for the heading of a turn: `Moss: Attack. Tide: Sacrifice 2.`"""
    told = []
    for choice, name in zip(choices, names, strict=True):
        amount = f" {choice['amount']}" if choice["amount"] else ""
        told.append(f"{name[0].upper()}{name[1:]}: {choice['name']}{amount}.")
    return " ".join(told)


def result_text(result: str, ended: str, friend: bool = False, upset: bool = False) -> str:
    """A second line for a battle's end, against a friend or the computer.

    An `upset` is an unevolved pet's win over an evolved one (9.1).
    """
    if ended == "left":
        who = "friend" if friend else "rival"
        return {"win": f"Your {who} left the battle.", "loss": "You left the battle."}.get(result, "Nobody wins.")
    if ended == "idle":
        return "Nobody chose for too long, so nobody wins."
    if ended == "broken":
        return "Something broke in this battle, so nobody wins. It is kept, so that somebody can mend it."
    return {
        "win": "A small pet has beaten a grown one!" if upset else "What a battle!",
        "loss": "Every piece can be built again.",
        "draw": "Nobody wins, and both get up again.",
    }[result]


TOO_FAST = "That was very fast! Take a short breath, then go on."
"""Said to a browser that sends more than anybody could tap."""

FAILED = "Something went wrong here. Nothing is lost: please try again."
"""Said when the program itself failed."""


def stale(meant: int, now: int) -> str:
    """Said when a choice comes for a turn that is not in play."""
    return f"That was meant for turn {meant}. Now it is turn {now}: please choose again."


SETTINGS = {
    "title": "Settings",
    "sound": "Sound",
    "sound_line": "Clicks, knocks and a little music.",
    "speed": "How fast a turn is shown",
    "speed_calm": "Slow",
    "speed_normal": "Normal",
    "speed_fast": "Fast",
    "still": "Calm motion",
    "still_line": "Nothing flies, shakes or spins.",
    "still_device": "Your device asks for this already.",
    "close": "Close",
}
"""The words of the settings, which the board and the pages share."""

LESSON = {
    "attack": "Tap Attack!",
    "counter": "Now tap Counter!",
    "heal": "Now tap Heal!",
    "lock": "Now lock it in!",
    "attack_shown": "Attack stops Heal, and hits harder!",
    "counter_shown": "Counter blocks the Attack and hits back!",
    "heal_shown": "Counter waits for an Attack. So Heal is safe!",
    "free": "Now you choose!",
    "end": "That is how it goes. A real battle pays gold!",
    "next": "A real battle!",
    "badge": "Soon",
    "skip": "Skip",
    "skip_lesson": "Skip the lesson",
    "beats": "{card} is good against {other}.",
}
"""What the coach says in the first battle; each lesson goes by its card."""


def lesson_soon(card: str, wanted: str) -> str:
    """Said to who takes another card than the one that is taught just now."""
    return f"{CARD_NAMES[card]} comes soon. Tap {CARD_NAMES[wanted]} now!"


CARD_MEANINGS = {
    "attack": "Hits your rival, and stops Heal.",
    "heal": "Gives your pet health back.",
    "counter": "Catches an attack and hits back.",
    "wild": "The special power of your own pet.",
    "poison": "Makes your rival lose health, turn by turn.",
    "blind": "Your rival cannot see, and misses a turn.",
    "revive": "Brings your pet back when it is knocked out.",
    "sacrifice": "Give some of your health for a big hit.",
    "shield": "Takes something off every hit.",
    "hide": "Nothing can hit your pet this turn.",
    "refreshment": "A cool drink: your next card is stronger.",
    "copycat": "Does the same as your rival.",
}
"""What each card is for, in a line without numbers."""

CARD_PAGE = {
    "about": "What does {name} do?",
    "now": "Now",
    "tiers": "Tiers",
    "tier": "Tier {tier}",
    "rule": "Rule {rule}",
    "again": "Play it again",
    "replay": "How it goes",
    "close": "Close",
}
"""The words of a card's own page, which the board and the pages share; `{…}` are filled in by the browser."""

BOARD: dict[str, Any] = {
    "settings": SETTINGS,
    "card_page": CARD_PAGE,
    "turn": "Turn {turn}",
    "state": "{who}, {name}: {health} of {max} health.",
    "pick": "Pick a card, then lock it in.",
    "pick_keys": "Press the number of a card, then Enter.",
    "pick_revive": "Your pet is at zero. Play Revive!",
    "key_go": "Enter",
    "key_skip": "Esc",
    "pick_go": "Pick a card",
    "lock": "Lock it in",
    "locking": "Locking…",
    "locked": "Locked in",
    "locked_rival": "Your rival is still choosing.",
    "locked_both": "Your rival is ready, too.",
    "locked_friend": "Your friend is still choosing.",
    "locked_both_friend": "Your friend is ready, too.",
    "here": "Here",
    "away": "Away",
    "friend_away": "Your friend is away. Nobody has lost: the battle waits.",
    "friend_back": "Your friend is back.",
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
    "rematch": "Rematch",
    "rematch_wait": "Waiting for your friend…",
    "rematch_wanted": "Your friend wants a rematch!",
    "friend_left": "Your friend has left",
    "starting": "One moment…",
    "record": "Download the battle",
    "log": "Round log",
    "log_empty": "No turn has been revealed yet.",
    "log_loading": "One moment…",
    "copy": "Copy",
    "copied": "Copied",
    "close": "Close",
    "leave": "Leave the battle",
    "home": "Back",
    "watch": "Next turn",
    "leave_ask": "Leave the battle?",
    "leave_early": "No turn has been revealed yet, so nobody wins.",
    "leave_late": "If you leave now, your rival wins.",
    "leave_late_friend": "If you leave now, your friend wins.",
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
    "amount_all": "That is all {name} has: it falls!",
    "less": "Less",
    "more": "More",
    "tier": "Tier {tier}.",
    "rule": "Rule {rule}",
    "statuses": "{name}: what counts now",
    "statuses_more": "Show {count} more",
    "gold": "{gold} gold",
}
"""The fixed words of the board, in English; `{…}` are filled in by the browser."""

SETUP: dict[str, Any] = {
    "settings": SETTINGS,
    "back": "Back to the start",
    "title": "Practice",
    "close": "Close",
    "leaving": "Leave your battle?",
    "leaving_yes": "Leave it",
    "leaving_no": "Go back",
    "practice": "This is practice: any pet, any cards, and no gold.",
    "lesson": "Show me how to play",
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

EASEL = {
    "easel": "Draw your own pet",
    "untitled": "My pet",
    "like": "My {pet}",
    "name": "Your pet’s name",
    "paper": "The sheet, {width} places wide and {height} high",
    "paper_help": "Tap to build. With the keyboard: arrows move, Space builds, Backspace takes away.",
    "place": "Row {row}, place {place}: {what}.",
    "nothing": "nothing",
    "slope": "slope",
    "first_brick": "Tap here to put down your first brick.",
    "small": "Small",
    "shadow": "Shape",
    "tools": "What do you build with?",
    "colours": "Bricks",
    "prints": "Faces",
    "rubber": "Take away",
    "slope_up": "Slope /",
    "slope_down": "Slope \\",
    "with": "You build with: {what}.",
    "mirror": "Mirror",
    "undo": "Undo",
    "roomier": "More room",
    "tighter": "Less room",
    "start": "Start from",
    "start_ask": "What do you want to start from?",
    "start_line": "Undo brings back what you have drawn.",
    "empty": "Empty sheet",
    "save": "Save",
    "try": "Try it in a battle",
    "try_ask": "Which pet’s powers does it get?",
    "text": "The drawing as text",
    "text_line": "One letter is one brick. Change a letter and look!",
    "line_place": "Line {line}, place {place}:",
    "line": "Line {line}:",
    "look": "Show me",
    "close": "Close",
    "mend_first": "There is a mistake in the text. Mend it first, or press Undo.",
    "cannot": "That does not go: {why}.",
    "bare": "There is no brick on the sheet yet.",
}
"""The words of the easel, in English; `{…}` are filled in."""


WATCHED = "This battle was played before. Watch it turn by turn."
"""Said over a battle of the history."""

WATCHED_ALL = "That is all that was played."
"""Said at the end of a battle of the history that was not played to its end."""

LATER = "You are in a battle. What you buy now serves from your next one."
"""10.4, for the market while a battle is under way."""

SIGNED_OUT = "This browser was signed out. With your recovery code you can load your pet again."
"""Said where a browser had a profile and has none any more."""

NO_CODE = "That is not a code that works here. Look at the six words again, or wait ten minutes and try once more."
"""The one answer to every recovery code that is not right, known, or allowed just now."""

NO_CODES = "Recovery codes do not work here just now. Please tell whoever runs the game."
"""Said where the server's key cannot be read."""

ONLY_PRACTICE = "The saved pets cannot be opened just now, so this is practice: nothing is won and nothing is lost."
"""Said where the store cannot be opened."""

CHANGED = "Something had changed in another window. This is how it is now."
"""Said to who acted on a page that was out of date."""

SAVED = "Everything is saved."
"""Said when the player has saved."""


WITHDRAWN = "Your invitation is taken back. Nobody can use its link now."
"""Said when a player has taken an invitation back."""


def anew(rival: str, loses: bool) -> str:
    """What starting another battle means for the one under way (9.2, 11.5)."""
    return f"You are in a battle against {rival}. {leaving(rival, loses)}"


def leaving(rival: str, loses: bool) -> str:
    """What leaving the battle under way means (9.2)."""
    return f"If you leave it now, {rival if loses else 'nobody'} wins."


def chosen(pet: str) -> str:
    """Said when a pet has been chosen for good (1.1)."""
    return f"{pet} is yours. Have fun!"


def bought(name: str, tier: int = 0) -> str:
    """Said when something was bought: a card or the evolved pet, or the tier of a starter."""
    return f"{name} is at tier {tier} now!" if tier else f"{name} is yours!"


def loaded(pet: str) -> str:
    """Said when a profile was loaded by its code."""
    return f"{pet} is back!"


def load_ask(pet: str, gold: int) -> str:
    """What loading another profile means for the one that this browser has."""
    return f"This browser has {pet} with {gold} gold. Write its recovery code down first, or you cannot get it back."


def signed_out(count: int) -> str:
    """Said when other browsers were signed out."""
    return f"Signed out {count} other {'browser' if count == 1 else 'browsers'}."


def not_sold(refused: Refused) -> str:
    """Why something is not sold now, in a sentence."""
    match refused.why:
        case Why.GOLD:
            return f"You need {refused.number} more gold."
        case Why.TIER_FIRST:
            return f"Tier {refused.number} comes first."
        case Why.OWNED:
            return "You have that already."
        case Why.IN_BATTLE:
            return "A battle is still going on. Finish it first, or start a new one."
        case Why.HAS_PROFILE:
            return "This browser has a pet already, and it is for good."
        case Why.DECK_FULL:
            return f"A deck holds {refused.number} cards besides the starters."
        case Why.NOT_OWNED:
            return "That card is not yours yet."
        case Why.TWICE:
            return "A card can be in the deck once."
        case Why.FRIEND_BUSY:
            return "Your friend is in another battle just now. Try again when it is over."
        case Why.NOT_INVITED:
            return "This invitation is not open: it was used, taken back or too old. Ask for a new one."
        case Why.OWN_INVITATION:
            return "This is your own invitation. Send it to a friend, who opens it on another device."
    return "That does not go now."


def not_sold_short(refused: Refused) -> str:
    """The same in two or three words."""
    if refused.why is Why.GOLD:
        return f"{refused.number} more gold"
    return f"Tier {refused.number} first" if refused.why is Why.TIER_FIRST else "Not now"


def evolution_line(grown: str | None) -> str:
    """What evolution is, for the market (10.2): into what a pet grows, or None for one that is grown."""
    becomes = "Grown for good" if grown is None else f"Becomes {grown} for good"
    return f"{becomes}: 10 health, every hit 1 stronger, and a better Wild."


PAGES: dict[str, Any] = {
    "settings": SETTINGS,
    "card_page": CARD_PAGE,
    "locale": "en",
    "logo": "Summon",
    "back": "Back to the start",
    "gold": "{gold} gold",
    "health": "{health} health",
    "close": "Close",
    "rule": "Rule {rule}",
    "tier": "tier {tier}",
    "tiers": "I II III",
    "lost": "That did not get through. Please try again.",
    "just_now": "just now",
    # The first visit
    "welcome": "Choose your pet",
    "welcome_line": "It stays with you, and one day it grows.",
    "welcome_code": "I have a code",
    "wild_card": "Wild card",
    "grows": "One day it grows into {evolved}.",
    "pick": "Pick a pet",
    "pick_line": "Tap the pet you like best.",
    "summon": "Summon {pet}",
    "summoning": "Summoning {pet}…",
    "choose_ask": "Summon {pet}?",
    "choose_line": "{pet} will be your pet in every battle. You cannot change it later.",
    "choose_yes": "Yes, {pet}!",
    "choose_no": "Look again",
    # Home
    "home": "{name} is ready!",
    "home_battle": "{name} is waiting for you!",
    "pat": "Pat {name}",
    "patted": "{name} likes that.",
    "what_next": "What next?",
    "battle": "Battle!",
    "lesson": "Show me!",
    "lesson_line": "Shall I show you how to play?",
    "resume": "Back to your battle",
    "resuming": "One moment…",
    "resume_line": "Turn {turn}, against {rival}.",
    "anew": "New battle",
    "anew_ask": "Start a new battle?",
    "anew_yes": "New battle",
    "anew_no": "Keep playing",
    "practice": "Practice",
    "practice_line": "Try any pet and card",
    "market": "Market",
    "market_line": "New cards and more",
    "can_buy_one": "1 card you can buy",
    "can_buy": "{count} cards you can buy",
    "deck": "My deck",
    "deck_line": "Choose your cards",
    "battles": "My battles",
    "battles_line": "Watch them again",
    "save": "Save",
    "save_line": "Your recovery code",
    "rulebook": "Rulebook",
    "rulebook_line": "Every rule of the game",
    # A battle against the computer
    "fight": "Choose your rival",
    "fight_line": "Which pet comes? A surprise! It has the same cards as you.",
    "pays": "A win pays {gold} gold",
    "start": "Start the battle",
    "starting": "Here it comes…",
    # Playing with a friend
    "friend": "Play with a friend",
    "friend_line": "Each on your own device",
    "you": "You",
    "your_friend": "Friend",
    "invite": "New invitation",
    "invite_anyway": "Invite all the same",
    "invite_ask": "Leave your battle?",
    "invite_yes": "Leave and invite",
    "link_line": "Your friend scans this with a camera, or opens the link.",
    "qr": "The link as a picture, for the camera of another device.",
    "link_copied": "Copied",
    "link_not_copied": "Copying does not work here. Please type the link on the other device.",
    "share": "Send",
    "share_text": "Play Summon with me!",
    "only_here": "Just now only this device can open the link. A grown-up can open the game to your home network with",
    "only_here_command": "python3 tasks.py play --lan",
    "friend_wait": "Waiting for your friend…",
    "friend_stay": "Stay here. The battle begins as soon as your friend comes.",
    "friend_until": "The link works until {time}.",
    "withdraw": "Take it back",
    "withdrawn": "The invitation is taken back",
    "expired": "The invitation is too old",
    "closed_line": "Its link does not work any more.",
    "join": "Play with a friend",
    "join_wants": "{name} wants to play with you!",
    "join_first": "{name} wants to play with you! First, find a pet of your own.",
    "own": "This is your own invitation",
    "own_line": "Send it to a friend, who opens it on another device.",
    "own_go": "To my invitation",
    "not_open": "This invitation is not open",
    "not_open_line": "It was used, taken back or too old. Ask your friend for a new one.",
    # The market
    "tabs": "What there is",
    "tab_cards": "Cards",
    "tab_starters": "Starters",
    "tab_evolve": "Evolve",
    "yours": "Yours",
    "top_tier": "Top tier",
    "evolved": "Grown up",
    "price": "Buy {name} for {price} gold",
    "growing": "{name} is growing…",
    "grown": "{name} has grown into {grown}!",
    "hooray": "Hooray!",
    "skip": "Skip",
    "now": "Now",
    "then": "Then",
    "ask_cards": "Buy {name} for {price} gold?",
    "ask_starters": "Raise {name} to tier {tier} for {price} gold?",
    "ask_evolve": "Let {name} evolve for {price} gold?",
    "buy_yes": "Yes, for {price} gold",
    "buy_no": "Not now",
    "gold_left": "You have {gold} gold. Then {left} gold is left.",
    # The deck
    "your_deck": "In your deck",
    "count": "{count} of {most} cards",
    "spare": "Not in your deck",
    "spare_none": "All your cards are in the deck.",
    "spare_nothing": "Win gold in battles and buy cards in the market. They come to live here.",
    "deck_hint": "Tap a card to put it in or to take it out.",
    "deck_fixed": "{name} is a starter. It is always in your deck.",
    "deck_full": "{most} cards are in. Take one out to make room for {name}.",
    "full": "{most} are in",
    "in_deck": "In your deck, place {place}. Press to take it out.",
    "in_spare": "Not in your deck. Press to put it in.",
    "put_in": "{name} is in your deck, at place {place}.",
    "taken_out": "{name} is out of your deck.",
    "moved": "{name} is at place {place} of {count} now.",
    "at_end": "{name} cannot go further.",
    "move": "Move cards",
    "deck_hint_none": "Your three starters are always in. Seven more cards fit beside them.",
    "move_hint": "Tap a card, then move it with the arrows.",
    "move_keys": "Pick a card, then move it with the arrow keys. Shift and an arrow key move a card at any time.",
    "picked_up": "{name} is picked up. Move it with the arrows.",
    "in_move": "Place {place}. Press to pick it up.",
    "left": "Move left",
    "right": "Move right",
    "done": "Done",
    "saving": "Saving…",
    "saved": "Saved",
    # Saving
    "saved_when": "Saved {when}",
    "saved_line": "The game saves by itself whenever something changes.",
    "save_now": "Save now",
    "code": "Your recovery code",
    "code_line": "With these six words you can play on in another browser. Keep them secret: whoever has them can use "
    "your pet.",
    "code_show": "Show my code",
    "code_hide": "Hide",
    "code_copy": "Copy",
    "code_copied": "Copied. Keep it somewhere safe.",
    "code_not_copied": "Copying does not work here. Please write the words down.",
    "code_replace": "Make a new code",
    "code_replace_ask": "Make a new code?",
    "code_replace_line": "The old code stops working at once. Write the new one down.",
    "code_replace_yes": "Make a new code",
    "code_replace_no": "Keep the old one",
    "load": "Load with a code",
    "load_line": "Type your six words. Capitals, spaces and dashes do not matter.",
    "load_go": "Load",
    "load_empty": "Type your six words first.",
    "load_ask": "Load the other pet?",
    "load_yes": "Yes, load it",
    "load_no": "Keep this pet",
    "sign_out": "Other browsers",
    "sign_out_line": "Did you play on another computer? You can sign out everywhere but here.",
    "sign_out_go": "Sign out all others",
    "sign_out_ask": "Sign out all other browsers?",
    "sign_out_text": "They can come back only with your recovery code.",
    "sign_out_yes": "Sign them out",
    "sign_out_no": "Leave them",
    # Finished battles
    "none": "No battles yet",
    "none_line": "When a battle is over, you find it here and can watch it again.",
    "win": "Won",
    "loss": "Lost",
    "draw": "Draw",
    "ended": "Ended",
    "versus": "{you} against {rival}",
    "turns_one": "1 turn",
    "turns": "{turns} turns",
    "watch": "Watch",
    "record": "Download",
    "older": "Show older battles",
    # The rulebook
    "search": "Find a rule by its number or a word",
    "search_short": "poison or 5",
    "found_one": "1 rule",
    "found": "{count} rules",
    "found_none": "No rule says that. Try another word.",
    "sections": "Sections",
    "sources": "Which rules are sure?",
    "book": "The whole book",
    "rule_page": "Rule {rule} in the whole book",
    "confirmed": "Confirmed",
    "assumption": "Assumption",
    "ruling": "Ruling",
}
"""The fixed words of the pages, in English; `{…}` are filled in by the browser."""

COMPILING = "Compiling the rules, once: this takes some ten seconds."
"""What a person reads who waits for the simulator the first time."""

NO_LAB = (
    "Simulating needs numba, which the extra `lab` brings. "
    "Install it in the project's folder with: python -m pip install -e '.[lab]'"
)
"""What a person reads who has no simulator."""

NO_CLUSTER = (
    "A sweep needs Dask, which the extra `cluster` brings. "
    "Install it in the project's folder with: python -m pip install -e '.[cluster]'"
)
"""What a person reads who has nothing to spread a sweep over workers."""

LAB = {
    "title": "The balance lab",
    "lead": "Change a rule and see what hundreds of thousands of new battles come to. Both sides choose as the "
    "computer does (1.7).",
    "bad_link": "This link cannot be read: {why}. Here is the lab as it is without it.",
    "first_look": "The first battles are on their way. " + COMPILING,
    "playing": "{battles} battles are being played …",
    "under_way": "{done} of {of} battles",
    "waiting": "Waiting for its turn …",
    "crowded": "Many people are asking just now. Please change something again in a moment.",
    "again": "A process that played battles was lost. Another one took its place, and this was played again.",
    "lost": "The processes that play battles are lost again and again. Please try fewer battles.",
    "failed": "That could not be played. The lab's log says more.",
    "match_up": "Match-up",
    "sides": ("First side", "Second side"),
    "pet": "Pet",
    "evolved": "evolved",
    "tier": "{card} tier",
    "cards": "Bought cards, at most {most}",
    "too_many": "A deck holds at most {most} bought cards (1.4), so it stays as it was.",
    "battles": "Battles",
    "seed": "Seed",
    "rules": "Rules that are tried",
    "groups": {
        "health": "Health and evolution",
        "starters": "Starters",
        "protection": "Shield, Hide and blocks",
        "poison": "Poison",
        "sacrifice": "Sacrifice",
        "others": "Blind, Copycat, Refreshment, Revive",
        "wilds": "Wilds",
    },
    "some_changed": "{group} · {number} changed",
    "place_tier": "tier {number}",
    "place_stage": ("unevolved", "evolved"),
    "field": "{name} as a number",
    "back": "Back to {value}",
    "all_back": "All back to the rulebook",
    "none_changed": "These are the rules of the rulebook.",
    "n_changed": "{number} of {all} rules are changed.",
    "compare": "Compare",
    "compare_on": "Compare with other rules, by the same seeds",
    "keep": "Keep the tried rules to compare with",
    "take_kept": "Try the kept rules",
    "forget": "Compare with the rulebook",
    "kept_rulebook": "Compared with: the rulebook.",
    "kept": "Compared with: {changes}.",
    "tried": "tried",
    "other": "compared with",
    "outcomes": {"first": "first wins", "second": "second wins", "draw": "draw", "unfinished": "unfinished"},
    "turns": "turns",
    "rests": "Of {battles} battles{each}; in brackets the ends of the interval that holds the truth 95 times in 100.",
    "each": " each",
    "difference": "Under the tried rules the first side wins {change} percentage points {more}: {points}. "
    "Draws: {draws}.",
    "more": "more often",
    "less": "less often",
    "no_difference": "Whether the first side wins more or less often under the tried rules is not sure: {points} "
    "percentage points. Draws: {draws}.",
    "questions": {
        "first_to_last": "Turn by turn",
        "card_against_card": "Card against card",
        "card_worth": "Cards",
        "price_worth": "Gold",
        "evolution_and_tiers": "Evolution and tiers",
        "matchups": "All pets",
        "rules_fired": "Rules that fire",
        "rules_changed": "Each rule changed",
    },
    "asked": {
        "card_worth": "What is each card worth to the first side?",
        "price_worth": "What does the first side's gold buy?",
        "evolution_and_tiers": "How far do evolution and tiers bring the first side?",
        "matchups": "How do all pets do against each other, with the first side's evolution and cards?",
        "rules_fired": "How often does each rule fire, and how often does it decide?",
        "rules_changed": "Which rule changes how much, if it alone is changed a little?",
    },
    "start": "Play for it",
    "stop": "Stop",
    "stale": "The match-up or the rules were changed since.",
    "stopped": "Stopped: it rests on what was played until then.",
    "share": "Share, or play",
    "link": "A link to all of this",
    "as_rules": "As a record's rules",
    "take_rules": "Try the rules in this field",
    "rules_unread": "This cannot be read: {why}.",
    "download": "Download the record",
    "battle": "Play it: {first} against {second}",
    "battle_line": "You are the first side, and the computer plays the second under the rules that are tried.",
    "back_to_lab": "Back to the lab",
}
"""The words of the balance lab, in English."""

ASK: dict[str, Any] = {
    "title": "Ask the rules",
    "lead": "Build a situation, choose a card for both sides, and read what happens. Each number is a rule: press it.",
    "situation": "The situation",
    "rules": "Rules",
    "some_rules": "Rules · {number} changed",
    "turn": "Turn",
    "health": "Health, of {top}",
    "reserve": "White reserve, of {top}",
    "poison": "Poison, such as 1, 1",
    "shield": "Shield takes off",
    "block": "A Wild takes off",
    "ahead": "On this turn and the ones after it, such as 2, 2",
    "flags": {
        "blinded": "blinded now",
        "boosted": "boosted",
        "restricted": "hid last turn",
        "wild_used": "Wild is used up",
        "revive_used": "Revive is used up",
    },
    "streak": "Last card",
    "streak_none": "(does not count)",
    "streak_turns": "Turns running",
    "resting": "Resting cards; an empty field means ready now",
    "ready": "{card}: ready on turn",
    "more": "More about {pet}",
    "some_more": "More about {pet} · {number} set",
    "cannot_be": "{why} Until this is mended, what you see below is the situation before.",
    "record": "As a record",
    "paste": "Paste a battle record",
    "take": "Show this record",
    "unread": "{why} Nothing has changed.",
    "taken": "This is the record now.",
    "this_record": "What you see as a record",
    "copy": "Copy it",
    "copied": "Copied",
    "download": "Download it",
    "link": "A link to it; the address of this page is the same",
    "link_too_long": "It is too long for a link: copy or download the record to keep it.",
    "bad_link": "This link cannot be read: {why}. Here is the page as it is without it.",
    "now": "Turn {turn}: what do both play?",
    "over": "Turn {turn}: the battle is over.",
    "nobody": "Nobody wins.",
    "standing": "{pet}: {health} of {top} health",
    "standing_reserve": "{pet}: {health} of {top} health and {reserve} white",
    "costs": "Sacrifice costs, from 1 to {most}",
    "reveal": "Reveal",
    "choose_both": "Choose a card for {pets}.",
    "both": " and for ",
    "chosen_both": "{first} against {second}",
    "back": "Step back",
    "revealed": "Turn {turn} is revealed.",
    "happened": "What happened",
    "nothing_yet": "Nothing has been played yet.",
    "before_split": "All lines begin so",
    "line": "Line {letter}",
    "here": "you are here",
    "another": "Another choice in turn {turn}",
    "go": "Go on from its end",
    "forget": "Take line {letter} away",
    "turn_heading": "Turn {turn}: {played}",
    "as_copy": "{card} as {effect}",
    "against": "{first} against {second}",
    "then": "Then: {standing}",
    "forbidden": "It stops at turn {turn}, because of what {pet} was to play. {why}",
    "earlier": "{turns} before these",
    "rule": "Rule {number}",
}
"""The words of "ask the rules", in English."""

NO_BOOK_PAGE = "The rulebook has no such page."
"""What the server answers where somebody follows a link that leads nowhere."""

BOOK = {
    "title": "The rulebook of Summon",
    "sections": "The rules",
    "chapters": "Chapters to play through",
    "all_rules": "Every rule by its number",
    "find": "Find a rule",
    "find_go": "Find",
    "find_line": "Look for a word such as poison, or for a number such as {number}.",
    "doors": "Where to?",
    "read": "Read the rules",
    "read_line": "All of them in order, on {count} pages.",
    "play": "Play through a chapter",
    "play_line": "Each rule shown by a small battle, with pictures, step by step.",
    "look_up": "Look up one rule",
    "look_up_line": "What it says, and how the game really does it.",
    "before": "Before you begin",
    # A rule's page
    "confirmed": "Charlie said so.",
    "assumption": "The first version on the web did so. Charlie has not confirmed it.",
    "ruling": "Nobody had said anything, so we decided.",
    "sides": "The book",
    "on_page": "On this page",
    "cell": "In the notebook",
    "cell_line": "Here the rule is shown by a small battle:",
    "cell_link": "In chapter {title}",
    "cell_none": "No chapter shows this rule yet.",
    "cases": "Cases",
    "cases_line": "Small battles that check the rule each time the game is changed, worked out by hand.",
    "cases_rest": "{count} more cases",
    "cases_more": "Cases of other rules that show this one too ({count})",
    "tests": "Checked by these tests as well ({count})",
    "code": "How the game does it",
    "code_line": "The part of the program that plays the rule.",
    "code_more": "It is also named here ({count})",
    "names": "It speaks of",
    "named_by": "Spoken of in",
    "in_section": "In its section",
    # A case
    "against": "{first} against {second}",
    "tier": "tier",
    "changed": "Other rules: {rules}",
    "yes": "yes",
    "no": "no",
    "starts": "{name} begins with: {state}",
    "turn": "turn",
    "start": "start",
    "expected": "what must be true",
    "exactly": "{name} may choose: {cards}",
    "has": "{name} may choose {cards}, among others",
    "lacks": "{name} may not choose {cards}",
    "effects": "takes effect",
    "healed": "healed",
    "cost": "paid",
    "damage": "damage taken",
    "poison": "poison ticks",
    "health": "health then",
    "reserve": "white reserve",
    "refused": "On turn {turn} the choice is refused{who}, by rule {rule}.",
    "wins": "{name} wins.",
    "draw": "It is a draw.",
    "unfinished": "The battle goes on.",
    "gold": "Gold: {gold}.",
    "record": "The record, to play it yourself:",
    # A chapter
    "live": "Here a board to play on stands in the notebook.",
    "live_how": "How to open it",
}
"""The words of the book, in English; `{…}` are filled in when it is built."""
