"""The pictures that come with the game, by name. Each is read and drawn once, when it is first asked for."""

from functools import cache, lru_cache
from pathlib import Path

from summon.art.grid import read
from summon.art.svg import Frame, frame, render

KINDS = ("pets", "cards", "letters", "signs", "states")
_HERE = Path(__file__).parent


@cache
def names(kind: str) -> tuple[str, ...]:
    """The names of all pictures of a kind ("pets", "cards", "letters", "signs" or "states"), by the alphabet.

    Raises ValueError for any other kind.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind of picture called {kind!r}. There are: {', '.join(KINDS)}")
    return tuple(sorted(path.stem for path in (_HERE / kind).glob("*.txt")))


@lru_cache(maxsize=256)
def picture(name: str, *, shadow: bool | None = None, standalone: bool = False, title: str | None = None) -> str:
    """The SVG of a picture by its name, such as "ember", "attack" or "you-win".

    Pets stand on a shadow, other pictures do not, unless shadow says so. A title names the picture for those who cannot
    see it; a standalone picture has a title made of its name if none is given, and others count as decoration. A
    standalone picture is a file of its own, others need `shapes()` once in the same document or shadow root.

    Raises KeyError if there is no such picture.
    """
    if title is None and standalone:
        title = name.replace("-", " ").title()
    shadow = _kind(name) == "pets" if shadow is None else shadow
    return render(text(name), title, shadow=shadow, standalone=standalone, source=_source(name))


def bundle(*kinds: str) -> dict[str, str]:
    """Every picture of these kinds, or of all, by its name, to be put into a page that holds `shapes()`.

    The dict is the caller's own. Raises ValueError for a kind that there is not.
    """
    return {name: picture(name) for kind in kinds or KINDS for name in names(kind)}


@cache
def size(name: str) -> Frame:
    """The (width, height) of a picture as `picture` draws it, in its own measure: a brick of one stud is 10 by 12.

    Pictures shown at the same scale are built of bricks of the same size. Raises KeyError if there is no such picture.
    """
    return frame(read(text(name), _source(name)), _kind(name) == "pets")


@cache
def _kinds() -> dict[str, str]:
    return {name: kind for kind in KINDS for name in names(kind)}


def _kind(name: str) -> str:
    if name not in _kinds():
        raise KeyError(f"there is no picture called {name!r}")
    return _kinds()[name]


def _source(name: str) -> str:
    return f"{_kind(name)}/{name}.txt"


def text(name: str) -> str:
    """The grid text of a picture by its name; raises KeyError if there is no such picture."""
    return (_HERE / _source(name)).read_text(encoding="utf-8")
