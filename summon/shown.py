"""How objects show themselves in a notebook and in Panel.

What draws them is far above them. So it is imported here alone, and only when something is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from panel.viewable import Viewable


class Shown:
    """What has a picture with words where nothing is live, and a view in Panel."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """A picture and plain words, as HTML that needs nothing else."""
        from summon.reprs import html

        return html(self)

    def __panel__(self) -> Viewable:
        """The view that Panel shows for it."""
        from summon.views.panes import pane

        return pane(self)
