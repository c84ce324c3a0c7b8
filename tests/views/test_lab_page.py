"""The lab's page and its jobs: the newest wish wins, what may be asked is bounded, and a lost worker is replaced."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from summon import questions, simulate, words
from summon.battle import Battle
from summon.lab import Lab
from summon.rules import Rules
from summon.simulate import Totals
from summon.views import lab as page_module
from summon.views import lab_jobs
from summon.views.lab import LabPage, difference_told, kept_told, outcomes_html
from summon.views.lab_jobs import ASKED, FOLLOWING, Answer, CrowdedError, Errands, Job, LostError, Workers, played, work
from summon.views.lab_rules import RuleRow, RulesView

FEW = 2_000


def job(health: int = 5, question: str = "", battles: int = FEW) -> Job:
    made = Lab()
    made.rules.base_health = health
    return Job(made.records(), battles, 0, question)


class Slow(Workers):
    """Workers whose jobs are ended by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[Job, Future[Any]]] = []

    def _submit(self, quick: bool, do: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given.append((given[0], future))
        return future


class Heard:
    """What a visitor was told."""

    def __init__(self, workers: Workers) -> None:
        self.answers: list[tuple[Job, Answer, bool]] = []
        self.troubles: list[tuple[Job, Exception]] = []
        self.errands = Errands(
            lambda *told: self.answers.append(told), lambda *told: self.troubles.append(told), workers=workers
        )

    async def rest(self) -> None:
        while not self.errands.idle:
            await asyncio.sleep(0.01)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers(1)
    yield made
    made.close()


# Jobs


def test_one_job_at_a_time_and_the_newest_wish_wins() -> None:
    async def run() -> None:
        slow = Slow()
        heard = Heard(slow)
        heard.errands.wish(job(1))
        await asyncio.sleep(0)
        assert heard.errands.wish(job(2)) is None
        for health in range(3, 21):
            assert heard.errands.wish(job(health)) == job(health - 1)
        assert [given for given, _ in slow.given] == [job(1)]
        slow.given[0][1].set_result(Answer((), ()))
        while len(slow.given) < 2:
            await asyncio.sleep(0.01)
        slow.given[1][1].set_result(Answer((), ()))
        await heard.rest()
        assert [told[0] for told in heard.answers] == [job(1), job(20)]
        assert heard.errands.jobs == 2

    asyncio.run(run())


def test_a_question_is_stopped_for_a_newer_wish_and_what_follows_the_hand_is_not() -> None:
    async def run() -> None:
        slow = Slow()
        heard = Heard(slow)
        for first, stops in ((job(5, "price_worth"), True), (job(5), False)):
            heard.errands.wish(first)
            await asyncio.sleep(0)
            heard.errands.wish(job(6))
            assert heard.errands.stopped is stops
            for _ in range(2):
                slow.given[-1][1].set_result(Answer((), ()))
                await asyncio.sleep(0.05)
            await heard.rest()

    asyncio.run(run())


def test_who_has_gone_is_told_nothing_and_leaves_no_place_taken() -> None:
    async def run() -> None:
        slow = Slow()
        heard = Heard(slow)
        heard.errands.wish(job(1))
        await asyncio.sleep(0)
        heard.errands.wish(job(2))
        heard.errands.end()
        slow.given[0][1].set_result(Answer((), ()))
        await heard.rest()
        await asyncio.sleep(0.05)
        heard.errands.wish(job(3))
        assert len(slow.given) == 1
        assert not heard.answers
        assert len(slow._free) == lab_jobs.MOST_WAITING

    asyncio.run(run())


def test_too_many_at_once_are_refused_and_let_in_again() -> None:
    slow = Slow()
    tickets = [slow.hand_in(job()) for _ in range(lab_jobs.MOST_WAITING)]
    with pytest.raises(CrowdedError):
        slow.hand_in(job())
    slow.take_back(tickets[0])
    slow.hand_in(job())


@pytest.mark.parametrize("asked", [job(battles=1_000_001), job(battles=0), job()._replace(records=job().records * 3)])
def test_what_may_be_asked_for_is_bounded(asked: Job) -> None:
    with pytest.raises(ValueError, match="at most"):
        Slow().hand_in(asked)


def test_another_process_gives_what_simulate_gives(workers: Workers) -> None:
    ticket = workers.hand_in(job(7, "first_to_last"))
    answer = ticket.future.result()
    workers.take_back(ticket)
    assert answer.totals == ((simulate.simulate(job(7).records[0], FEW, 0),),)
    assert answer.frames[0].equals(questions.first_to_last(job(7).records[0], battles=FEW, seed=0))
    assert workers.how_far(ticket)[1] == FEW
    assert workers.warm().result() != os.getpid()


def test_a_worker_that_dies_is_replaced_and_the_job_done_again(workers: Workers) -> None:
    async def run() -> None:
        heard = Heard(workers)
        os.kill(workers.warm().result(), signal.SIGKILL)
        heard.errands.wish(job(6))
        await asyncio.sleep(0)
        await heard.rest()
        heard.errands.wish(job(6))
        await asyncio.sleep(0)
        await heard.rest()
        assert not heard.troubles
        assert [told[1].totals for told in heard.answers] == [((simulate.simulate(job(6).records[0], FEW, 0),),)] * 2

    asyncio.run(run())


def test_workers_that_always_die_are_told_of() -> None:
    class Dying(Workers):
        def _submit(self, *_: Any) -> Future[Any]:
            raise LostError

    async def run() -> None:
        dying = Dying()
        heard = Heard(dying)
        heard.errands.wish(job())
        await asyncio.sleep(0.05)
        assert [type(error) for _, error in heard.troubles] == [LostError]
        assert len(dying._free) == lab_jobs.MOST_WAITING

    asyncio.run(run())


# What comes out


def test_what_is_compared_is_played_in_blocks_by_the_same_seeds() -> None:
    record = job().records[0]
    one, other = played((record, record), 10_000, 3)
    assert one == other
    assert len(one) > 1
    assert sum(totals.battles for totals in one) == 10_000
    assert "not sure" in difference_told((one, other))
    changed = played(job(9).records, 10_000, 3)
    assert len(changed[0]) == 1


def test_a_difference_that_is_sure_is_told() -> None:
    made = Lab(compared=True)
    made.second.evolved = True
    made.rules.evolved_health = 30
    told = difference_told(played(made.records(), 10_000, 0))
    assert "less often" in told
    assert "−" in told


@pytest.mark.parametrize("question", [*FOLLOWING, *ASKED])
def test_every_question_is_answered_and_drawn(question: str) -> None:
    view = page_module.QuestionView(question, lambda _: None, lambda: None)
    asked = job(question=question, battles=50)
    view.show(asked, work(asked, None, None).frames)
    assert view._charts[0].object is not None
    assert "battles" in view._words[0].object


def test_the_table_tells_the_counts() -> None:
    told = outcomes_html([[Totals(10, 5, 3, 1, 1, 70), Totals(10, 5, 3, 2, 0, 30)]])
    assert 'data-count="10"' in told
    assert "unfinished" in told
    assert "<b>5.00</b>" in told


# The page


@pytest.fixture
def page() -> LabPage:
    made = LabPage(workers=Slow())
    made._can_play = False
    return made


def test_a_row_sets_its_rule_and_goes_back() -> None:
    rules = Rules()
    row = RuleRow(rules, "attack_damage")
    row.parts[1].slider.value = 5
    assert rules.attack_damage == (1, 5, 3)
    assert row.parts[1].field.value == "5"
    assert "lab-changed" in row.view.css_classes
    row.back.clicks += 1
    assert rules.attack_damage == (1, 2, 3)
    assert "lab-changed" not in row.view.css_classes
    assert row.parts[1].slider.value == 2


def test_any_allowed_number_is_typed_and_nonsense_changes_nothing() -> None:
    rules = Rules()
    number = RuleRow(rules, "base_health").parts[0]
    number.field.value = "999"
    assert (rules.base_health, number.slider.value, number.slider.end) == (999, 999, 999)
    for text in ("lots", "", "1000", "<b>7</b>", "0"):
        number.field.value = text
        assert rules.base_health == 999
        assert number._word.visible
        assert "<b>" not in number._word.object
        assert "whole number from 1 to 999" in number._word.object
    number.field.value = "8"
    assert (rules.base_health, number.slider.value, number._word.visible) == (8, 8, False)


def test_all_rules_are_there_once_their_groups_are_open() -> None:
    rules = Rules()
    view = RulesView(rules)
    for card in view.groups.values():
        card.collapsed = False
    assert sorted(view.rows) == sorted(Rules.names())
    view.rows["shields_add_up"].parts[0].box.value = [True]
    assert rules.shields_add_up
    view._all_back.clicks += 1
    assert rules == Rules()


def test_eight_cards_are_one_too_many(page: LabPage) -> None:
    corner = page_module.CornerView(page.lab.first, "First")
    corner._cards.value = list(corner._cards.options.values())[:7]
    assert len(page.lab.first.cards) == 7
    corner._cards.value = list(corner._cards.options.values())[:8]
    assert len(page.lab.first.cards) == len(corner._cards.value) == 7
    assert "at most 7" in corner._word.object


def test_a_seed_is_typed_or_told(page: LabPage) -> None:
    page._seed.value = "17"
    assert page.lab.seed == 17
    page._seed.value = "seventeen"
    assert page.lab.seed == 17
    assert "Seed is a whole number from 0 to" in page._seed_word.object
    page._seed.value = "18"
    assert (page.lab.seed, page._seed_word.visible) == (18, False)


def test_rules_in_the_field_are_tried_or_told(page: LabPage) -> None:
    page._as_rules.value = '{"poison_damage": 3}'
    page._take_rules()
    assert page.lab.rules == Rules(poison_damage=3)
    page._as_rules.value = '{"poison_damage": "<i>"}'
    page._take_rules()
    assert page.lab.rules == Rules(poison_damage=3)
    assert "poison_damage is a whole number" in page._rules_word.object
    assert "<i>" not in page._rules_word.object


def test_the_kept_rules_are_compared_with_and_tried_again(page: LabPage) -> None:
    page.lab.rules.base_health = 9
    page._keep(dict(page.lab.rules.changed()))
    assert page.lab.compared
    assert kept_told(page.lab.others) == "Compared with: Base health 9."
    page._keep({})
    assert kept_told(page.lab.others) == "Compared with: the rulebook."


def test_a_battle_has_the_first_pet_and_the_tried_rules_and_ends_without_a_trace(page: LabPage) -> None:
    page.lab.rules.base_health = 7
    page.lab.second.pet = "tide"
    page.battle()
    battle: Battle = page._seated.battle
    assert [player.pet for player in battle.players] == ["moss", "tide"]
    assert battle.rules == Rules(base_health=7)
    assert battle.committed == (False, True)
    page.battle()
    assert len(page.view) == 3
    page.come_back()
    assert page._seated is None
    assert list(page.view) == [page._grid]
    assert not any(
        watcher.precedence > 0 for by in battle.param.watchers.values() for ones in by.values() for watcher in ones
    )


def test_without_numba_the_page_says_how_to_get_it(page: LabPage) -> None:
    page.start()
    assert "needs numba" in page._trouble.object
    page.lab.rules.base_health = 9
    assert "base_health" in page._link.value


def test_twenty_moves_end_in_the_right_state() -> None:
    async def run() -> None:
        slow = Slow()
        page = LabPage(Lab(battles=10_000), workers=slow)
        page.start()
        await asyncio.sleep(0)
        for health in range(1, 21):
            page.lab.rules.base_health = health
        slow.given[0][1].set_result(work(slow.given[0][0], None, None))
        while len(slow.given) < 2:
            await asyncio.sleep(0.01)
        slow.given[1][1].set_result(work(slow.given[1][0], None, None))
        while not page.errands.idle:
            await asyncio.sleep(0.01)
        totals = simulate.simulate(Lab().record().__class__(Lab().record().players, (("base_health", 20),)), 10_000, 0)
        assert f'data-count="{totals.first}"' in page._outcomes.object
        assert len(slow.given) == 2

    asyncio.run(run())


def test_what_fails_is_told_in_words(page: LabPage) -> None:
    for error, told in (
        (CrowdedError(), "Many people"),
        (LostError(), "lost again"),
        (simulate.NoLab(words.NO_LAB), "numba"),
        (RuntimeError("secret"), "could not be played"),
    ):
        page._failed(job(), error)
        assert told in page._status.object
        assert "secret" not in page._status.object
