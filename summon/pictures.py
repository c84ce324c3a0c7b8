"""What a battle looks like where nothing is live: SVG pictures of a moment, of a reveal, of a fighter and of a card.

Each is a file of its own on a light plate, so that it can be read on white and on dark pages. The same battle always
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from summon import turn, words
from summon.art import render
from summon.art.grid import read
from summon.art.library import picture, size, text
from summon.art.sheet import HEALTH, Sheet, number, plain, sprite
from summon.cards import BY_CODE
from summon.events import Event, Kind, events
from summon.player import Player
from summon.position import SIDES, Position, Round, ahead
from summon.statuses import statuses
from summon.transcript import pet_names
from summon.turn import Setup, Side

Players = tuple[Player, Player]

PAGE, PANEL, LINE, INK, SOFT, BAD, GOOD = "#eaf4ff", "#ffffff", "#a9bcda", "#1a1f45", "#474e7a", "#c02418", "#147a3d"

FAMILIES = {
    "moss": ("#3f9a35", "#d9f2c8", "#3b7f3a"),
    "ember": ("#d8321f", "#ffdcc0", "#a8482a"),
    "bloom": ("#d93b80", "#fff0bf", "#4d9147"),
    "tide": ("#2277d4", "#c6e9ff", "#1c7fa6"),
    "pebble": ("#6f7988", "#cdeee6", "#75695f"),
    "spark": ("#e0a400", "#e4daff", "#6a55b5"),
}
"""The colours of each family: its bricks of health, its sky and its ground, as on the board by day."""

FACES = {
    "wait": ("#5a6285", "#ffffff"),
    "attack": ("#c42a1c", "#ffffff"),
    "heal": ("#167a3f", "#ffffff"),
    "counter": ("#b4500a", "#ffffff"),
    "wild": ("#b8236f", "#ffffff"),
    "poison": ("#6a2ea3", "#ffffff"),
    "blind": ("#3a46b0", "#ffffff"),
    "revive": ("#ffd24a", "#1a1f45"),
    "sacrifice": ("#23222c", "#ffffff"),
    "shield": ("#1767b0", "#ffffff"),
    "hide": ("#0b6e6a", "#ffffff"),
    "refreshment": ("#8fe0ee", "#1a1f45"),
    "copycat": ("#ecc99a", "#1a1f45"),
}
"""The face of each card and the ink on it, as on the board by day."""

POISONED = ("#efe3fb", "#4a1a7a")
"""Behind a drop of poison, so that it is seen."""

WHITE_HEART = "#5a6285"

NEW = f'stroke="{GOOD}" stroke-width="3"'
WHITE = f'stroke="{WHITE_HEART}"'
LOST = f'stroke="{BAD}" stroke-width="2" stroke-dasharray="4 3"'
EMPTY = 'stroke="#67789f" stroke-width="2" stroke-dasharray="4 3"'
"""How the place of a brick is drawn: new, of the white reserve, just lost, and empty."""

WIDTH = 480
EDGE = 12
CELL = 172
CARD = 96
SCENE = 116
GROUND = 16
ONWARD = "M170 13l6 6-6 6M304 13l6 6-6 6"
"""What leads from before to after."""

STUDS = "M-32-5h16v5h-16zM-8-5h16v5h-16zM16-5h16v5h-16z"
STEP, ROW, IN_ROW = 27, 24, 5
LONGEST_NAME = 28
MOST_BRICKS = 20
"""More health than this is a brick and a number."""

LETTER = 60
"""How wide a letter is at most, of most texts, in hundredths of its size."""

FONT = "ui-rounded,'SF Pro Rounded',system-ui,'Segoe UI',Roboto,Arial,sans-serif"

_DROPS = ((3, 48), (97, 22), (25, 3))
_SPARKLES = ((-2, 62, 90), (97, 70, 100), (14, 95, 60), (86, 24, 70), (6, 20, 55))
_PERCENT = 100
_BIG_EYE = 30
_WIDE_PET = 175
_MOST_GUARDS = 6
_GUARDS_IN_ROW = 3
_FEET = 3
_MARGIN, _STUD = 1, 6


class _Stand(NamedTuple):
    """One side at a moment, with all that its cell shows."""

    player: Player
    setup: Setup
    side: Side
    name: str
    face: str = "open"
    hides: bool = False
    """Whether it is in its box: it hid in the reveal that has just been."""
    was: Side | None = None
    """The side before the reveal, where what has changed is shown."""
    chips: tuple[tuple[str, str], ...] = ()
    """What happened to it: pictures by name, each with its number."""

    @property
    def family(self) -> tuple[str, str, str]:
        return FAMILIES[self.player.pet]

    @property
    def fallen(self) -> bool:
        return self.side.health == 0

    @property
    def reserve(self) -> int:
        """How many places for white bricks are shown."""
        return max(self.side.reserve, self.was.reserve if self.was else 0)

    @property
    def counted(self) -> str:
        """Its health as a number, and the white reserve beside it."""
        return f"{self.side.health}+{self.side.reserve}" if self.side.reserve else str(self.side.health)

    @property
    def rows(self) -> int:
        """How many rows its bricks of health stand in."""
        places = self.setup.top + self.reserve
        return 1 if places > MOST_BRICKS else -(-places // IN_ROW)


def moment(position: Position, players: Players) -> str:
    """Both pets at the start of a turn, side by side: their health, and what is on them."""
    names = _names(players)
    stands = [_stand(position, players, names, side) for side in (0, 1)]
    sheet, wide = Sheet(), (WIDTH - 3 * EDGE) // 2
    rows, scale = max(stand.rows for stand in stands), _scale(stands, wide)
    out = [_title(WIDTH // 2, _turn(position.turn))]
    high = _plaque_height(rows) + SCENE
    for side, stand in enumerate(stands):
        out.append(_cell(sheet, EDGE + side * (wide + EDGE), 36, wide, rows, scale, stand))
    return _finish(sheet, 36 + high, out, position, names, _turn(position.turn))


def fighter(player: Player, setup: Setup, side: Side) -> str:
    """One pet: its health, and what is on it."""
    name = words.PET_NAMES[player.pet_name]
    stand = _Stand(player, setup, side, name)
    sheet, wide = Sheet(), 228
    body = _cell(sheet, EDGE, EDGE, wide, stand.rows, _scale([stand], wide), stand)
    width, height = wide + 2 * EDGE, _plaque_height(stand.rows) + SCENE + 2 * EDGE
    says = words.standing(name, side.health, setup.top, side.reserve)
    return sheet.svg(width, height, _plate(width, height, body), name, says)


def card(name: str, line: str, title: str | None = None) -> str:
    """A card: its picture on its face, and beside it what it is called (by default its own name) and what it does."""
    called = words.CARD_NAMES[name] if title is None else title
    sheet, width = Sheet(), 380
    lines = list(_wrapped(line, 26))
    high = max(CARD + 12, 54 + 22 * len(lines))
    body = _face(sheet, EDGE, EDGE + 4, CARD, name, "", name)
    x = 2 * EDGE + CARD
    body += _text(x, 42, called, 20, INK, anchor="start")
    body += "".join(
        _text(x, 68 + 22 * place, part, 16, SOFT, anchor="start", bold=False) for place, part in enumerate(lines)
    )
    height = high + 2 * EDGE
    return sheet.svg(width, height, _plate(width, height, body), called, line)


def reveal(round_: Round, players: Players) -> str:
    """A turn that was revealed: each pet before and after it, and the card that it played between."""
    names, told = _names(players), events(round_)
    before = [_stand(round_.before, players, names, side) for side in (0, 1)]
    after = [_after(round_, told, players, names, side) for side in (0, 1)]
    sheet, scale = Sheet(), _scale(before, CELL)
    middle, right = EDGE + CELL + 8, WIDTH - EDGE - CELL
    out = [
        _title(EDGE + CELL // 2, words.PICTURE["before"]),
        _title(WIDTH // 2, _turn(round_.turn)),
        _title(right + CELL // 2, words.PICTURE["after"]),
        f'<path d="{ONWARD}" fill="none" stroke="{SOFT}" stroke-width="3" stroke-linecap="round"/>',
    ]
    y = 36
    for side in (0, 1):
        rows = max(before[side].rows, after[side].rows)
        high = _plaque_height(rows) + SCENE
        out.append(_cell(sheet, EDGE, y, CELL, rows, scale, before[side]))
        out.append(_cell(sheet, right, y, CELL, rows, scale, after[side]))
        out.append(_played(sheet, middle, y + (high - CARD - 12) // 2, WIDTH - 2 * middle, round_, side, players[side]))
        y += high + 10
    says = [words.sentence(event, names) for event in told]
    title = f"{_turn(round_.turn)}. {_plays(round_, names)}"
    return _finish(sheet, y - 10, out, round_.after, names, title, says)


# What is said


def _names(players: Players) -> tuple[str, str]:
    """What the pets are called; a player's own name that is very long is cut."""
    first, second = pet_names(players)
    return (shorten(first), shorten(second))


def shorten(name: str) -> str:
    """A name that finds room beside others."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _turn(number_: int) -> str:
    return words.PICTURE["turn"].format(turn=number_)


def _plays(round_: Round, names: tuple[str, str]) -> str:
    told = []
    for choice, share in zip(round_.choices, round_.shares, strict=True):
        effect = BY_CODE[share.effect]
        copied = choice.card == "copycat" and effect != "copycat"
        told.append(words.choice(choice) + (f" as {words.CARD_NAMES[effect]}" if copied else ""))
    return " ".join(f"{name}: {played}." for name, played in zip(names, told, strict=True))


def _finish(
    sheet: Sheet,
    bottom: int,
    out: list[str],
    position: Position,
    names: tuple[str, str],
    title: str,
    says: list[str] | None = None,
) -> str:
    """The plate under a picture, with the outcome of a battle that is over, and its words."""
    says = list(says or [])
    sides = list(zip(names, position.setups, position.sides, strict=True))
    says += [words.standing(name, side.health, setup.top, side.reserve) for name, setup, side in sides]
    says += [status.text for name, setup, side in sides for status in statuses(setup, side, position.turn, name)]
    height = bottom + EDGE
    if position.outcome != "unfinished":
        won = words.outcome(position.outcome, names)
        out.append(_text(WIDTH // 2, bottom + 26, won, 18, INK, within=WIDTH - 2 * EDGE))
        says.append(won)
        height += 26
    return sheet.svg(WIDTH, height, _plate(WIDTH, height, "".join(out)), title, " ".join(says))


# What is drawn


def _stand(position: Position, players: Players, names: tuple[str, str], side: int) -> _Stand:
    return _Stand(players[side], position.setups[side], position.sides[side], names[side])


def _after(round_: Round, told: list[Event], players: Players, names: tuple[str, str], side: int) -> _Stand:
    """A side after a reveal: glad where it has gained or won, hurt where something has reached it."""
    now, was = round_.after.sides[side], round_.before.sides[side]
    hurt = any(event.on == side and event.kind in (Kind.HIT, Kind.POISON) and event.number for event in told)
    glad = now.health > was.health or round_.after.outcome == SIDES[side]
    face = "shut" if glad else "hurt" if hurt else "open"
    hides = round_.shares[side].effect == turn.HIDE
    chips = tuple(chip for event in told if event.on == side for chip in _chips(event))
    stand = _stand(round_.after, players, names, side)
    return stand._replace(face=face, hides=hides, was=was, chips=chips)


_LOSSES = {Kind.COST, Kind.HIT, Kind.POISON}
_GAINS = {Kind.RETURN, Kind.HEAL, Kind.RESERVE}


def _chips(event: Event) -> Iterator[tuple[str, str]]:
    """What happened to a pet, as a picture and a number; nothing where its health has no part in it."""
    shown = "poison-drop" if event.kind == Kind.POISON else event.card
    if event.kind == Kind.STOP or (event.kind in _LOSSES | _GAINS and (not event.number or event.rule == "5.6")):
        yield (shown, "0")
    elif event.kind in _LOSSES:
        yield (shown, f"−{event.number}")
    elif event.kind in _GAINS:
        yield (shown, f"+{event.number}")


def _scale(stands: list[_Stand], wide: int) -> float:
    """The largest at which every pet finds room: all are built of bricks of one size."""
    frames = [size(stand.player.pet_name) for stand in stands]
    return min(min((wide - 40) / frame.width, (SCENE - 10) / frame.height) for frame in frames)


def _plaque_height(rows: int) -> int:
    return 32 + rows * ROW + 6


def _cell(sheet: Sheet, x: float, y: float, wide: int, rows: int, scale: float, stand: _Stand) -> str:
    """One side: the plaque with its name and health, and its pet under it."""
    fill, sky, ground = stand.family
    top = _plaque_height(rows)
    high = top + SCENE
    floor = high - GROUND
    studs = "".join(f"M{8 + 16 * place} {floor}v-4h8v4z" for place in range((wide - 8) // 16))
    earth = f"M0 {floor}h{wide}v{GROUND - 12}q0 12-12 12h-{wide - 24}q-12 0-12-12z"
    room = (
        f'<rect width="{wide}" height="{high}" rx="12" fill="{sky}"/><path d="{earth}{studs}" fill="{ground}"/>'
        f'<rect x="5" y="5" width="{wide - 10}" height="{top - 5}" rx="8" fill="{PANEL}"/>'
        + _text(13, 24, stand.name, 16, INK, anchor="start", within=wide - 60)
    )
    return (
        f'<use {sheet.part(f"room of {stand.player.pet} {stand.name}", room)} x="{number(x)}" y="{number(y)}"/>'
        + _text(x + wide - 13, y + 24, stand.counted, 17, INK, anchor="end")
        + _health(sheet, x + 14, y + 36, fill, stand)
        + _pet(sheet, x + wide / 2, y + floor + 5, scale, stand)
        + _all_chips(sheet, x + wide - 4, y + top + 6, stand)
    )


def _health(sheet: Sheet, x: float, y: float, fill: str, stand: _Stand) -> str:
    """The bricks of health, then those of the white reserve; what is lost is an outline, and what is new is marked."""
    side, was = stand.side, stand.was or stand.side
    brick = sheet.part("health", HEALTH)
    if stand.setup.top + stand.reserve > MOST_BRICKS:
        told = f"{side.health} / {stand.setup.top}" + (f" + {side.reserve}" if side.reserve else "")
        one = f'<use {brick} x="{number(x)}" y="{number(y)}" fill="{fill}" color="#fff"/>'
        return one + _text(x + 32, y + 15, told, 16, INK, anchor="start")
    bricks: dict[str, list[str]] = {f'fill="{fill}" color="#fff"': [], f'fill="#fff" color="{WHITE_HEART}"': []}
    lines: dict[str, list[str]] = {}
    red, white = bricks.values()
    places = [(red, place, was.health, side.health) for place in range(stand.setup.top)]
    places += [(white, place, was.reserve, side.reserve) for place in range(stand.reserve)]
    for at, (kind, place, had, has) in enumerate(places):
        left, down = x + STEP * (at % IN_ROW), y + ROW * (at // IN_ROW)
        outline = ""
        if place < has:
            kind.append(f'<use {brick} x="{number(left)}" y="{number(down)}"/>')
            outline = NEW if place >= had else WHITE if kind is white else ""
        else:
            outline = LOST if place < had else EMPTY
        if outline:
            box = (
                f"M{number(left - 1)} {number(down - 1)}h26v19h-26z"
                if outline == NEW
                else (f"M{number(left + 1)} {number(down + 1)}h22v15h-22z")
            )
            lines.setdefault(outline, []).append(box)
    drawn = [f"<g {look}>{''.join(same)}</g>" for look, same in bricks.items() if same]
    drawn += [f'<path fill="none" {look} d="{"".join(same)}"/>' for look, same in lines.items()]
    return "".join(drawn)


class _Ground:
    """Where a pet stands: places measured in its picture, from the lower left corner, as places of the sheet."""

    def __init__(self, sheet: Sheet, middle: float, floor: float, scale: float, frame: tuple[int, int]) -> None:
        self.sheet, self.scale, (self.wide, self.high) = sheet, scale, frame
        self.left, self.top = middle - self.wide * scale / 2, floor - self.high * scale

    def at(self, name: str, middle: float, foot: float, part: float = 1, svg: str | None = None) -> str:
        """A picture by the middle of its foot, at a part of its size; one of other colours is handed as SVG."""
        wide, high = size(name)
        x = self.left + (middle - wide * part / 2) * self.scale
        y = self.top + (self.high - foot - high * part) * self.scale
        # What is used twice is drawn once by its name, and two heaps have one name.
        return self.sheet.use(svg or name, x, y, self.scale * part, svg=svg)


def _pet(sheet: Sheet, middle: float, floor: float, scale: float, stand: _Stand) -> str:
    """A pet with all that is on it, or the heap of its bricks."""
    side, setup = stand.side, stand.setup
    name = stand.player.pet_name
    ground = _Ground(sheet, middle, floor, scale, size(name))
    if stand.fallen:
        return _heap(ground, stand)
    out = []
    wide, high = ground.wide, ground.high
    if side.boosted:
        out.append(_glow(ground))
    out.append(sheet.use(name, ground.left, ground.top, scale, face=stand.face))
    if side.blinded:
        out.append(_blindfold(ground, name))
    if stand.hides:
        out.append(ground.at("hiding-box-big" if wide > _WIDE_PET else "hiding-box", wide / 2, _FEET - 1))
    elif side.restricted:
        out.append(ground.at("hiding-rest", wide / 2, _FEET - 1))
    out.append(_guards(ground, ahead(side, "shield"), ahead(side, "block")))
    out.append(_poison(ground, ahead(side, "poison")))
    if side.boosted:
        out += [
            ground.at("glow", x * wide / _PERCENT, y * high / _PERCENT, part / _PERCENT) for x, y, part in _SPARKLES
        ]
        out.append(_badge(middle, floor - 13, f"+{setup.refreshment_bonus}", *FACES["refreshment"]))
    return "".join(out)


def _heap(ground: _Ground, stand: _Stand) -> str:
    """A fallen pet: a heap of its own bricks, and its Revive over it as long as that is to come (6.5)."""
    out = ground.at("fallen", ground.wide / 2, _FEET, part=1.2, svg=_own_bricks(stand.player.pet_name))
    if turn.has_attempt(stand.setup, stand.side):
        _, high = size("fallen")
        out += ground.at("revive", ground.wide / 2, _FEET + high + 16, part=0.8)
    return out


def _own_bricks(pet: str) -> str:
    """The picture of a heap, in the colours that a pet is built of most."""
    grid, heap = read(text(pet)), text("fallen")
    counted: dict[str, int] = {}
    for letter, paint in grid.legend.items():
        counted[paint.colour] = counted.get(paint.colour, 0) + sum(row.count(letter) for row in grid.rows)
    most = sorted(counted, key=lambda colour: (-counted[colour], colour))
    for place, colour in enumerate(paint.colour for paint in read(heap).legend.values()):
        heap = heap.replace(f"= {colour}\n", f"= {most[place % len(most)]}\n", 1)
    return render(heap)


def _glow(ground: _Ground) -> str:
    """Light behind a refreshed pet, down to its feet."""
    x, floor = ground.left + ground.wide * ground.scale / 2, ground.top + ground.high * ground.scale - 5
    out = []
    for more in (16, 10, 4):
        across, down = ground.wide * ground.scale / 2 + more, ground.high * ground.scale / 2 + more / 2 - 4
        out.append(f'<ellipse cx="{number(x)}" cy="{number(floor - down)}" rx="{number(across)}" ry="{number(down)}"/>')
    return f'<g fill="#ffd84d66">{"".join(out)}</g>'


def _blindfold(ground: _Ground, name: str) -> str:
    eyes = sprite(picture(name)).eyes
    cloth = "blindfold-big" if eyes[0].high >= _BIG_EYE else "blindfold"
    wide, high = size(cloth)
    x = sum(eye.x + eye.wide / 2 for eye in eyes) / len(eyes) + _MARGIN - wide / 2
    y = sum(eye.y + eye.high / 2 for eye in eyes) / len(eyes) - (high - _STUD) / 2
    return ground.sheet.use(cloth, ground.left + x * ground.scale, ground.top + y * ground.scale, ground.scale)


def _guards(ground: _Ground, shield: tuple[int, ...], block: tuple[int, ...]) -> str:
    """The bricks of Shield and of a Wild in rows before the feet, as many as they take off this turn."""
    counts = [("shield-brick", shield, "shield"), ("wild-brick", block, "wild")]
    all_ = [name for name, amounts, _ in counts if amounts for _ in range(min(amounts[0], _MOST_GUARDS))]
    wide, high = size("shield-brick")
    out = []
    for place, name in enumerate(all_):
        row = place // _GUARDS_IN_ROW
        in_row = min(_GUARDS_IN_ROW, len(all_) - row * _GUARDS_IN_ROW)
        x = ground.wide / 2 + (place % _GUARDS_IN_ROW - (in_row - 1) / 2) * (wide + 2)
        out.append(ground.at(name, x, _FEET - 2 + row * (high - _STUD)))
    x = ground.left + 8
    for _, amounts, card_ in counts:
        if amounts:
            out.append(_badge(x, ground.top + ground.high * ground.scale - 12, str(amounts[0]), *FACES[card_]))
            x = ground.left + ground.wide * ground.scale - 8
    return "".join(out)


def _poison(ground: _Ground, amounts: tuple[int, ...]) -> str:
    """A drop for each poison that ticks this turn, and its number."""
    if not amounts:
        return ""
    drops = _DROPS[: max(amounts[0], 1)]
    out = [ground.at("poison-drop", ground.wide * x / _PERCENT, ground.high * y / _PERCENT) for x, y in drops]
    wide, _ = size("poison-drop")
    x = ground.left + (ground.wide * _DROPS[0][0] / _PERCENT - wide / 2) * ground.scale
    y = ground.top + ground.high * ground.scale * (_PERCENT - _DROPS[0][1]) / _PERCENT
    return "".join(out) + _badge(x - 2, y - 4, str(amounts[0]), *FACES["poison"])


def _badge(x: float, y: float, told: str, fill: str, ink: str) -> str:
    wide = 12 + 8 * len(told)
    return (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - 9)}" width="{wide}" height="18" rx="9" fill="{fill}"'
        f' stroke="#fff" stroke-width="2"/>' + _text(x, y + 5, told, 14, ink)
    )


def _all_chips(sheet: Sheet, right: float, y: float, stand: _Stand) -> str:
    out = []
    for place, (name, told) in enumerate(stand.chips):
        fill, ink = POISONED if name == "poison-drop" else FACES[name]
        wide, down = 36 + 9 * len(told), y + 27 * place
        out.append(
            f'<rect x="{number(right - wide)}" y="{number(down)}" width="{wide}" height="24" rx="6" fill="{fill}"'
            ' stroke="#fff" stroke-width="2"/>'
            + _fitted(sheet, name, right - wide + 4, down + 3, 20, 18)
            + _text(right - 5, down + 17, told, 16, ink, anchor="end")
        )
    return "".join(out)


def _fitted(sheet: Sheet, name: str, x: float, y: float, wide: float, high: float) -> str:
    """A picture in the middle of a place, as large as fits."""
    frame = size(name)
    scale = min(wide / frame.width, high / frame.height)
    return sheet.use(name, x + (wide - frame.width * scale) / 2, y + (high - frame.height * scale) / 2, scale)


def _played(sheet: Sheet, x: float, y: float, wide: int, round_: Round, side: int, player: Player) -> str:
    choice, effect = round_.choices[side], BY_CODE[round_.shares[side].effect]
    called = player.kind.wild if choice.card == "wild" else words.choice(choice)
    return _face(sheet, x, y, wide, choice.card, called, effect)


def _face(sheet: Sheet, x: float, y: float, wide: int, name: str, called: str, effect: str) -> str:
    """A card; of Copycat the mirror, with what it copies in it."""
    fill, ink = FACES[name]
    room = CARD - (26 if called else 8)
    out = [
        f'<g transform="translate({number(x + wide / 2)} {number(y)})"><path d="{STUDS}" fill="{fill}"/>'
        f'<path d="{STUDS}" fill="#fff" fill-opacity=".4"/></g>'
        f'<rect x="{x:g}" y="{y:g}" width="{wide}" height="{CARD}" rx="10" fill="{fill}"/>'
        f'<path d="M{x + 3:g} {y + CARD - 10:g}V{y + 9:g}q0-6 6-6H{x + wide - 10:g}" fill="none" stroke="#fff"'
        ' stroke-opacity=".45" stroke-width="2"/>',
    ]
    if name == "copycat" and called:
        out.append(_mirror(sheet, x, y + 6, wide, room - 4, effect))
    elif name == "wait":
        out.append(
            "".join(
                f'<circle cx="{x + wide / 2 + at:g}" cy="{y + room / 2 + 4:g}" r="7" fill="{ink}"/>'
                for at in (-22, 0, 22)
            )
        )
    else:
        out.append(_fitted(sheet, name, x + 8, y + 7, wide - 16, room - 6))
    if called:
        out.append(_text(x + wide / 2, y + CARD - 9, called, 15, ink, within=wide - 12))
    return "".join(out)


def _mirror(sheet: Sheet, x: float, y: float, wide: int, high: int, effect: str) -> str:
    frame = size("mirror")
    scale = high / frame.height
    left, across = x + (wide - frame.width * scale) / 2, frame.width * scale
    glass = (
        f'<ellipse cx="{x + wide / 2:g}" cy="{number(y + high * 42 / _PERCENT)}" rx="{number(across * 43 / _PERCENT)}"'
        f' ry="{number(high * 36 / _PERCENT)}" fill="#d8effb"/>'
    )
    shown = (
        ""
        if effect == "copycat"
        else _fitted(sheet, effect, left + across / 5, y + high * 18 / _PERCENT, across * 3 / 5, high * 48 / _PERCENT)
    )
    return glass + shown + sheet.use("mirror", left, y, scale)


def _plate(width: int, height: int, body: str) -> str:
    return (
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="16" fill="{PAGE}" stroke="{LINE}"'
        f' stroke-width="2"/><g font-family="{FONT}" font-weight="800">{body}</g>'
    )


def _title(x: float, told: str) -> str:
    return _text(x, 25, told, 16, SOFT)


def _text(
    x: float,
    y: float,
    told: str,
    tall: int,
    ink: str,
    *,
    anchor: str = "middle",
    bold: bool = True,
    within: float | None = None,
) -> str:
    """A line of text; one that would be wider than its room is pressed into it."""
    weight = "" if bold else ' font-weight="400"'
    pressed = ""
    if within is not None and len(told) * tall * LETTER > within * _PERCENT:
        pressed = f' textLength="{number(within)}" lengthAdjust="spacingAndGlyphs"'
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{tall}"{weight} fill="{ink}"{where}{pressed}>'
        f"{plain(told)}</text>"
    )


def _wrapped(line: str, most: int) -> Iterator[str]:
    """The lines of a text, broken between words."""
    held = ""
    for word in line.split():
        if held and len(held) + 1 + len(word) > most:
            yield held
            held = word
        else:
            held = f"{held} {word}".strip()
    yield held
