"""Programs that race; `python -m tests.store.soak races` does the same at full size."""

import pytest

from tests.store import hardship


@pytest.mark.rule("9.1", "10.5")
def test_programs_that_race_neither_lose_nor_double_anything(place):
    done = hardship.race(place, programs=3, threads=4, each=20, profiles=3)
    assert done["wins"] > 5
    assert done["bought"] > 2
