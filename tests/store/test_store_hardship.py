"""Programs killed at any moment and programs that race; `python -m tests.store.soak` does the same at full size."""

import pytest

from tests.store import hardship


@pytest.mark.rule("11.1")
def test_a_program_killed_at_any_moment_has_lost_nothing_confirmed_and_done_nothing_by_halves(empty_place):
    times = 6 if empty_place.startswith("postgresql") else 12
    asked = hardship.kill_rounds(empty_place, times, seed=1)
    assert sum(asked.values()) == times
    assert len(asked) > 1, "the kills all came at the same kind of moment"


@pytest.mark.rule("9.1", "10.5")
def test_programs_that_race_neither_lose_nor_double_anything(place):
    done = hardship.race(place, programs=3, threads=4, each=20, profiles=3)
    assert done["wins"] > 5
    assert done["bought"] > 2
