"""The balance lab, as `panel serve app/lab.py` serves it."""

from summon.views.lab import lab_page

lab_page().servable(title="Summon lab", location=False)
