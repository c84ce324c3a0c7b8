"""The easel, as `panel serve app/draw.py` serves it."""

from summon.views.easel import easel_page

easel_page().servable(title="Summon", location=False)
