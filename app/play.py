"""The game, as `panel serve app/play.py` serves it."""

from summon.views.play import play_page

play_page().servable(title="Summon", location=False)
