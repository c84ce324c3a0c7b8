"""The words of the balance charts: titles, axes, and what each picture says in a sentence or two.

The summaries are the text alternative of the pictures. They are plain text, with the names of players as they are.
"""

from __future__ import annotations

from math import floor, log10

import pandas as pd

from summon import estimates
from summon.cards import CARDS
from summon.words import CARD_NAMES, PET_NAMES, WILD_NAMES

NOTHING_TO_TELL = "There is nothing to tell yet."
"""What is said of an answer without battles."""

TAP = "Tap a mark to see its numbers."
"""What stands where a chart tells the numbers of the mark that was tapped."""

TITLES = {
    "matchups": "How often the row beats the column",
    "card_worth": "What each card adds to winning",
    "card_instead": "Row instead of column",
    "price_worth": "What one gold adds to winning",
    "health": "Health of the {side}",
    "length": "On which turn battles end",
    "card_against_card": "Who wins when these cards meet",
    "rules_fired": "Rules: fire and decide",
    "evolution_and_tiers": "Gold spent on evolution and tiers",
    "first": "Changed rules: wins",
    "draw": "Changed rules: draws",
    "turns": "Changed rules: turns",
}
"""What the charts are called."""

AXES = {
    "points": "percentage points\nhollow: not sure",
    "points_a_gold": "percentage points for each gold\nhollow: not sure",
    "battles": "percent of battles",
    "wins": "battles won, percent",
    "gold": "gold spent",
    "turn": "turn",
    "health": "health",
    "turns": "turns\nhollow: not sure",
    "first": "the first side's card",
    "second": "the second side's card",
    "against": "against",
}
"""What the axes say."""

SIDE_NAMES = {"first": "first side", "second": "second side"}
"""What the sides are called in a legend."""

STAGE_NAMES = {False: "unevolved", True: "evolved"}
"""What a pet's stages are called in a legend."""

HEALTH_NAMES = {"mean": "mean", "half": "half", "most": "80 %", "other": "other"}
"""What the lines and bands of health are called in a legend: the mean, half and 8 of 10 battles, the other's mean."""

MEASURE_NAMES = {"fires": "fires", "decides": "decides"}
"""What a rule does, in a legend."""

_RULES = {
    "2.1": "Wait: blinded",
    "2.2": "Wait: hid, at zero",
    "2.3": "Wait: beaten",
    "3.5": "Counter in vain",
    "3.7": "health is full",
    "4.2": "evolution's +1",
    "4.6": "Hide protects",
    "5.2": "poison ticks",
    "5.3": "lethal poison",
    "5.5": "dose lost on Hide",
    "5.6": "poison in vain",
    "6.6": "Revive stopped",
    "6.9": "Refreshment's +1",
    "6.10": "Copycat copies",
    "6.11": "copy not allowed",
    "6.12": "nothing to copy",
    "7.8": "Wild against Heal",
    "7.10": "Wild's block",
    "8.2": "beaten",
    "8.4": "blow at zero",
}


def rule_name(number: str) -> str:
    """A rule in short: `5.3 lethal poison`."""
    cards = {card.rule: CARD_NAMES[card.name] for card in CARDS.values()}
    return f"{number} {(cards | WILD_NAMES | _RULES).get(number, '')}".rstrip()


def entrant_name(name: str) -> str:
    """An entrant as it is shown: a pet by its name, anybody else as they are called."""
    return PET_NAMES.get(name, name)


def card_name(card: str) -> str:
    """A card as it is shown; `nothing` for none."""
    return CARD_NAMES.get(card, card)


def added_name(card: str, in_deck: bool) -> str:
    """A card as it is shown, which says whether it was added to the deck."""
    return card_name(card) if in_deck else f"{card_name(card)} (added)"


def item_name(item: str) -> str:
    """An item of the market in short: `Wild`, `Evolution`, `Attack tier 3`."""
    kind, _, name = item.partition(":")
    if kind == "tier":
        card, _, tier = name.partition(":")
        return f"{CARD_NAMES[card]} tier {tier}"
    return CARD_NAMES[name] if kind == "card" else "Evolution"


def tiers_name(evolved: bool, attack: int, heal: int, counter: int) -> str:
    """Evolution and tiers in short: `evolved, Attack 2, Heal 1, Counter 1`."""
    return f"{STAGE_NAMES[bool(evolved)]}, Attack {attack}, Heal {heal}, Counter {counter}"


def change_name(name: str, change: str) -> str:
    """A changed rule in short: `base health 5 → 6`."""
    return f"{name.replace('_', ' ')} {change}"


def battles_name(number: float) -> str:
    """How many battles: `20,000 battles`."""
    return "1 battle" if number == 1 else f"{number:,.0f} battles"


def percent(value: float, low: float, high: float) -> str:
    """A rate in per cent, and its interval in parentheses."""
    digits = _digits(100 * low, 100 * high, 1)
    return _with_interval(f"{100 * value:.{digits}f} %", f"{100 * low:.{digits}f}", f"{100 * high:.{digits}f}", low)


def points(value: float, low: float, high: float, least: int = 1) -> str:
    """A difference of rates in percentage points, with its interval: `+2.1 (+1.4 to +2.8)`."""
    return number(100 * value, 100 * low, 100 * high, signed=True, least=least)


def number(value: float, low: float, high: float, signed: bool = False, least: int = 2) -> str:
    """A number with at least so many decimals, and its interval in parentheses."""
    digits = _digits(low, high, least)
    told, from_, to = (_signed(part, digits) if signed else f"{part:.{digits}f}" for part in (value, low, high))
    return _with_interval(told, from_, to, low)


def _digits(low: float, high: float, least: int) -> int:
    """So many decimals that the ends of an interval do not look the same."""
    width = high - low
    return least if not width > 0 else min(max(least, 1 - floor(log10(width))), 6)


def span(low: float, high: float) -> str:
    """Whole numbers from one to another: `2 to 4`."""
    return f"{low:.0f} to {high:.0f}"


def _signed(value: float, digits: int) -> str:
    told = f"{abs(value):.{digits}f}"
    sign = "" if float(told) == 0 else "+" if value > 0 else "−"
    return sign + told


def _with_interval(value: str, low: str, high: str, known: float) -> str:
    return f"{value} (how sure is not known)" if pd.isna(known) else f"{value} ({low} to {high})"


def _percent(row: pd.Series) -> str:
    return percent(row["value"], row["low"], row["high"])


def _points(row: pd.Series) -> str:
    return points(row["value"], row["low"], row["high"])


def _number(row: pd.Series, signed: bool = False) -> str:
    return number(row["value"], row["low"], row["high"], signed)


def _unclear(frame: pd.DataFrame) -> int:
    """How many differences may as well be none."""
    return int((~((frame["low"] > 0) | (frame["high"] < 0))).sum())


def _told(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["value"].notna()]


def _most(frame: pd.DataFrame, by: str = "value") -> pd.Series:
    return frame.loc[frame[by].idxmax()]


# What the pictures say


def matchups(frame: pd.DataFrame) -> str:
    """What the table of match-ups says."""
    told = _told(frame)
    others = told[told["first"].astype(str) != told["second"].astype(str)]
    if others.empty:
        return NOTHING_TO_TELL
    wins = others[others["outcome"] == "first"]
    each = wins.groupby("first", observed=True)[["count", "battles"]].sum()
    best = each.index[(each["count"] / each["battles"]).argmax()]
    rate = estimates.rate(each.loc[best, "count"], each.loc[best, "battles"])
    rate_told = percent(float(rate.value), float(rate.low), float(rate.high))
    surest = _most(wins)
    pair = f"{entrant_name(surest['first'])} against {entrant_name(surest['second'])}"
    return (
        f"Of {told['first'].nunique()}, {entrant_name(best)} wins most against the others: {rate_told}. "
        f"The most one-sided pair is {pair}, won {_percent(surest)}. "
        f"It rests on {battles_name(surest['battles'])} a pair."
    )


def card_worth(frame: pd.DataFrame) -> str:
    """What the worth of the cards says."""
    told = _told(frame[frame["instead"] == "nothing"])
    if told.empty:
        return NOTHING_TO_TELL
    best, worst = _most(told), told.loc[told["value"].idxmin()]
    return (
        f"{card_name(best['card'])} is worth most to the first side: {_points(best)} percentage points of battles won; "
        f"{card_name(worst['card'])} least: {_points(worst)}. "
        f"{_unclear(told)} of {len(told)} cards make no difference that is sure. "
        f"It rests on {battles_name(best['battles'])} with each deck."
    )


def price_worth(frame: pd.DataFrame) -> str:
    """What the worth of gold says."""
    told = _told(frame)
    if told.empty:
        return NOTHING_TO_TELL
    cheap, strong = _most(told, "per_gold"), _most(told)
    each = points(cheap["per_gold"], cheap["per_gold_low"], cheap["per_gold_high"], 2)
    return (
        f"For its price {item_name(cheap['item'])} ({cheap['gold']} gold) brings most to the first side: {each} "
        f"percentage points of battles won for each gold. {item_name(strong['item'])} ({strong['gold']} gold) brings "
        f"most in all: {_points(strong)}. It rests on {battles_name(cheap['battles'])} with each."
    )


def first_to_last(frame: pd.DataFrame) -> str:
    """What health over the turns, and the length of battles, say."""
    lengths, health = frame[frame["measure"] == "length"], frame[frame["measure"] == "health"]
    if health.empty:
        return NOTHING_TO_TELL
    over = lengths.set_index("turn")["value"].cumsum()

    def ended(part: float) -> str:
        turns = over.index[over >= part - 1e-9]
        return f"by turn {turns[0]}" if len(turns) else "later than was played"

    turn = min(5, int(health["turn"].max()))
    at = health[health["turn"] == turn].set_index("side")
    means = " and ".join(f"{SIDE_NAMES[side]} {_number(at.loc[side])}" for side in SIDE_NAMES if side in at.index)
    total = health["battles"].max()
    return (
        f"Half of the battles are over {ended(0.5)}, and 9 of 10 {ended(0.9)}. At the end of turn {turn} the mean "
        f"health is: {means}. It rests on {battles_name(total)}, of which {at['battles'].max():,} had that turn."
    )


def card_against_card(frame: pd.DataFrame) -> str:
    """What the table of cards against cards says."""
    told = _told(frame)
    if told.empty:
        return NOTHING_TO_TELL
    # Of what is sure, so that a pair that met once is not the talk of the day.
    best, worst = _most(told, "low"), told.loc[told["high"].idxmin()]

    def pair(row: pd.Series) -> str:
        return f"{card_name(row['first'])} against {card_name(row['second'])}, {_points(row)} in {row['turns']:,} turns"

    return (
        f"Battles won less battles lost, in percentage points, is surest for the first side with {pair(best)}; "
        f"and for the second with {pair(worst)}. It rests on {battles_name(told['battles'].max())}. "
        "It says what went together, not what brought it about."
    )


def rules_fired(frame: pd.DataFrame) -> str:
    """What the rules that fire and decide say."""
    told = _told(frame)
    fires, decides = (told[told["measure"] == measure] for measure in ("fires", "decides"))
    # That somebody is beaten ends nearly every battle, and is no news.
    fires = fires[fires["rule"] != "8.2"]
    if fires.empty:
        return NOTHING_TO_TELL
    most = _most(fires)
    first = f"Rule {rule_name(most['rule'])} fires in most battles: {_percent(most)}."
    rests = f"It rests on {battles_name(most['battles'])}."
    if decides.empty:
        return f"{first} {rests}"
    last = _most(decides)
    return f"{first} Rule {rule_name(last['rule'])} decides most of those that ended: {_percent(last)}. {rests}"


def evolution_and_tiers(frame: pd.DataFrame) -> str:
    """What evolution and tiers bring for their gold."""
    told = _told(frame)
    if told.empty:
        return NOTHING_TO_TELL
    least, top = told.loc[told["gold"].idxmin()], _most(told)
    name = tiers_name(top["evolved"], top["attack"], top["heal"], top["counter"])
    grown, young = (told[(told["gold"] == 25) & (told["evolved"] == stage)] for stage in (True, False))
    between = ""
    if len(grown) and len(young):
        between = f"For 25 gold evolution gives {_percent(_most(grown))}, and tiers at best {_percent(_most(young))}. "
    return (
        f"Without gold the first side wins {_percent(least)}. {between}"
        f"The most is {_percent(top)}, for {top['gold']} gold: {name}. "
        f"It rests on {battles_name(top['battles'])} with each."
    )


def rules_changed(frame: pd.DataFrame) -> str:
    """What the changed rules say."""
    told = _told(frame)
    if told.empty:
        return NOTHING_TO_TELL
    measures = {measure: told[told["measure"] == measure] for measure in ("first", "draw", "turns")}
    most = {measure: rows.loc[rows["value"].abs().idxmax()] for measure, rows in measures.items()}

    def change(measure: str) -> str:
        return change_name(most[measure]["name"], most[measure]["change"])

    rows = measures["first"]
    return (
        f"What the first side wins changes most with {change('first')}: {_points(most['first'])} percentage points. "
        f"Draws change most with {change('draw')}: {_points(most['draw'])}; and the length of battles with "
        f"{change('turns')}: {_number(most['turns'], signed=True)} turns. {_unclear(rows)} of {len(rows)} changes make "
        f"no difference to who wins that is sure. It rests on {battles_name(rows['battles'].max())} with each."
    )
