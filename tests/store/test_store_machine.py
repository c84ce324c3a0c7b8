"""Whatever browsers do, and whenever the program is killed; `python -m tests.store.soak kills` does it at length."""

import pytest

from summon.store import Store
from tests.store.clerk import Clerk
from tests.store.shop import keep_shop


@pytest.fixture
def settled(request):
    """Give a function that waits until a killed program's last wish is done or undone, by the place of the store."""

    def settle(place):
        if place.startswith("postgresql"):
            request.getfixturevalue("server").settle(place)

    return settle


@pytest.mark.rule("9.1", "9.2", "9.3", "10.1", "10.2", "10.3", "10.5", "11.1", "11.4", "11.5")
def test_whatever_browsers_do_and_whenever_it_is_killed_the_store_says_what_a_model_says(place, settled):
    kills = keep_shop(place, lambda: settled(place), stories=6, steps=40, anew=False)
    assert kills["undone"], "no kill came before the end of its call"
    assert kills["done"] + kills["answered"], "no kill came after it"


@pytest.mark.rule("11.1")
def test_a_program_killed_while_it_makes_the_store_leaves_one_that_can_be_made(empty_place, settled):
    for seconds in (0.0, 0.01, 0.02, 0.04, 0.08, 0.16):
        Clerk(empty_place).kill(seconds)
        settled(empty_place)
    with Store.open(empty_place) as store:
        assert store.create("me", "moss").gold == 0
        assert store.check().problems == ()
