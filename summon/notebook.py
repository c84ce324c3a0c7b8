"""What a notebook of the rulebook imports: a rule's sentence and code, pictures of what happens, and the live board."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from IPython.display import HTML, display

from summon import pictures, rulebook, words
from summon.art.sheet import title
from summon.battle import Battle
from summon.lines import Line, battle_of, set_up, what_if
from summon.player import Player
from summon.position import Position, Round
from summon.quoting import quoted
from summon.record import Record
from summon.rulebook import question, rule
from summon.transcript import pet_names, standing, turn_lines

if TYPE_CHECKING:
    from panel.viewable import Viewable

    from summon.rivals import Policy

__all__ = ["board", "code", "question", "rule", "set_up", "show", "try_it", "what_if", "why_not"]


def show(*shown: Battle | Record | Line | Sequence[Line], picture: bool = True) -> None:
    """Put out what happened as a picture, and below it in words, each event with its rule; or in words alone.

    Of a battle that is its last reveal, or how both pets stand where there was none; of a line and of a record every
    turn. Lines beside each other (`what_if`) come each under its label. TypeError for anything else.
    """
    for each in shown:
        if isinstance(each, tuple | list) and all(isinstance(line, Line) for line in each):
            for place, line in enumerate(each):
                print(f"\n{line.label}:" if place else f"{line.label}:")
                _show_line(line, picture)
        elif isinstance(each, Line):
            _show_line(each, picture)
        elif isinstance(each, Record):
            _show_rounds(each.players, each.opening(), tuple(each.play()), picture)
        elif not isinstance(each, Battle):
            raise TypeError(f"show has pictures of a battle, a record, a line and lines, not of {quoted(each)}")
        else:
            _show_rounds(each.players, each.position, each.rounds[-1:], picture)
            if each.over and each.ended != "beaten":
                print(words.outcome(each.outcome, pet_names(each.players)))


def _show_line(line: Line, picture: bool) -> None:
    _show_rounds(line.players, line.before, line.rounds, picture)
    if line.refused is not None:
        print(line.refused)


def _show_rounds(players: tuple[Player, Player], position: Position, rounds: tuple[Round, ...], picture: bool) -> None:
    names = pet_names(players)
    if not rounds:
        if picture:
            _draw(pictures.moment(position, players))
        print(standing(f"turn {position.turn} begins", position, names))
    for round_ in rounds:
        if picture:
            _draw(pictures.reveal(round_, players))
        print("\n".join(turn_lines(round_, names)))
    if rounds and rounds[-1].after.outcome != "unfinished":
        print(words.outcome(rounds[-1].after.outcome, names))


def _draw(svg: str) -> None:
    """Put out a picture, and its title for where no picture is shown."""
    display({"image/svg+xml": svg, "text/plain": f"({title(svg)})"}, raw=True)


def why_not(begun: Battle | Record, side: str, card: str, amount: int | None = None) -> None:
    """Say why a side may not choose a card now, with the rule (2.12), or that it may.

    Raises ValueError for a side or card that there is not.
    """
    refused = battle_of(begun).refusal(side, card, amount)
    if refused is None:
        print(words.allowed(card))
    else:
        print(f"{words.refusal(refused, amount or 0)} (rule {refused.rule})")


def code(number: str, *names: str) -> None:
    """Put out, folded, the functions and tables of `summon/turn.py` that play a rule, or the first that name it.

    With `names` those, by module and name, as `code("1.7", "rivals.uniform")`. Raises NoSuchRule for a number that the
    rulebook does not have, and LookupError for a name that says nothing of the rule.
    """
    rulebook.rule(number)
    places = rulebook.code()[number]
    told = {f"{place.path.stem}.{place.what}": place for place in places}
    unknown = [name for name in names if name not in told]
    if unknown:
        raise LookupError(f"{unknown[0]} says nothing of rule {number}; there are {', '.join(told)}")
    playing = [place for place in places if place.path.name == "turn.py"] or list(places[:1])
    for place in [told[name] for name in names] or playing:
        said = f"{place.path.name}, {place.what}"
        source = f"<pre>{escape(place.source())}</pre>"
        display(HTML(f"<details><summary>{escape(said)}</summary>{source}</details>"))


def board(begun: Battle | Record, side: str = "first", rival: Policy | str | None = None) -> Viewable:
    """The board of the game, to play on from where a battle stands, on that very battle; of a record a new one.

    The rival answers as soon as the player has locked in: chance chooses for it (1.7), or a policy; a card's name has
    it always play that card where it may; `"board"` gives it a board of its own below. The battle may be played on in
    Python as well, and the board follows. Raises ValueError for a side or card that there is not.
    """
    from summon.views.notebook import boards  # Panel is loaded where it is needed alone

    return boards(battle_of(begun), side, rival)


def try_it(begun: Battle | Record, side: str = "first", rival: Policy | str | None = None) -> Viewable:
    """A button that turns into the board of where a battle stands: a battle of its own, and otherwise as `board`.

    A page of many situations is so no heavier than those that are played. Raises as `board` does, and RecordError where
    the battle is over.
    """
    from summon.views.notebook import opener

    return opener(battle_of(begun).moment(), side, rival)
