"""Ask the rules, as `panel serve app/ask.py` serves it."""

from summon.views.ask import ask_page

ask_page().servable(title="Summon: ask the rules", location=False)
