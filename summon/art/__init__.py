"""Pictures built of toy bricks: brick grids (plain text) in, SVG text out.

The pets, the pictures on the cards, the brick letters, the signs on the doors and what shows a pet's state are grid
files beside this module. The same grid always gives the same bytes. Files are read when they are first asked for, and
every picture is kept once drawn.

A page holds `shapes()` once, in the same document or shadow root as the pictures of `picture()` and `bundle()`.
"""

from summon.art.grid import MAX_TEXT, GridError
from summon.art.library import KINDS, bundle, names, picture, size
from summon.art.sketch import Sketch
from summon.art.svg import render, shapes

__all__ = ["KINDS", "MAX_TEXT", "GridError", "Sketch", "bundle", "names", "picture", "render", "shapes", "size"]
