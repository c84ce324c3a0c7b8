"""What the lab has simulated, in processes of its own: compiling and playing would freeze the one that serves pages.

The first half runs in those processes, the second half in the one that serves. A visitor has one job at a time, and
the newest wish wins.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, NamedTuple

import pandas as pd

from summon import estimates, questions, simulate
from summon.lab import BATTLES
from summon.record import Record

MOST_WAITING = 16
"""So many jobs may be under way or waiting at once, of all visitors together."""

QUICK_WORKERS = 2
"""So many processes play what follows the hand. One more answers what takes longer."""

LOOK = 0.2
"""How many seconds pass between two looks at how far a job is."""

FOLLOWING = ("first_to_last", "card_against_card")
"""The questions whose answers follow the hand."""

ASKED = {
    "card_worth": 20_000,
    "price_worth": 20_000,
    "evolution_and_tiers": 10_000,
    "matchups": 20_000,
    "rules_fired": 1_000,
    "rules_changed": 20_000,
}
"""The questions that are asked by a button, and how many battles of each match-up their answers rest on at most."""


class Job(NamedTuple):
    """What is asked for: each record is played so often from this seed, and the question, if any, answered of each."""

    records: tuple[Record, ...]
    battles: int
    seed: int
    question: str = ""

    @property
    def follows(self) -> bool:
        """Whether this is one of the jobs that follow the hand."""
        return self.question not in ASKED


class Answer(NamedTuple):
    """For each record of a job the totals, by block, and the frame that answers the question, if there is one."""

    totals: tuple[tuple[simulate.Totals, ...], ...]
    frames: tuple[pd.DataFrame, ...]


# In the process that simulates

_signs: Any = None


def _begin(signs: Any) -> None:
    """Get ready: end with the process that serves, however that ends, and leave its interrupts to it."""
    global _signs
    _signs = signs
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(0)

        threading.Thread(target=follow, daemon=True).start()


def _prepare() -> int:
    simulate.prepare()
    return os.getpid()


def _play(job: Job, slot: int) -> Answer:
    """Do a job; how far it is, and whether it is to stop, is told by the signs of its slot."""

    def tell(done: int, total: int) -> None:
        _signs[3 * slot + 1], _signs[3 * slot + 2] = done, total

    def stopped() -> bool:
        return bool(_signs[3 * slot])

    return work(job, tell, stopped)


def work(job: Job, progress: Callable[[int, int], object] | None, stop: Callable[[], bool] | None) -> Answer:
    """Do a job here and now."""
    how: dict[str, Any] = {"progress": progress, "stop": stop}
    if job.question in ASKED:
        battles = min(job.battles, ASKED[job.question])
        return Answer((), tuple(_asked(job.question, record, battles, job.seed, how) for record in job.records))
    totals = played(job.records, job.battles, job.seed, how)
    question = getattr(questions, job.question) if job.question else None
    frames = [question(record, battles=job.battles, seed=job.seed, **how) for record in job.records if question]
    return Answer(totals, tuple(frames))


def _asked(question: str, record: Record, battles: int, seed: int, how: dict[str, Any]) -> pd.DataFrame:
    if question != "matchups":
        frame: pd.DataFrame = getattr(questions, question)(record, battles=battles, seed=seed, **how)
        return frame
    mine = record.players[0]
    entrants = questions.all_pets(mine.cards, mine.evolved)
    return questions.matchups(entrants, rules=record.rules, battles=battles, seed=seed, **how)


def played(
    records: Sequence[Record], battles: int, seed: int, how: dict[str, Any] | None = None
) -> tuple[tuple[simulate.Totals, ...], ...]:
    """The totals of each record: of one alone those of `simulate`, of several in blocks with the same seeds.

    What is compared goes together by the same random numbers, and blocks tell how sure a difference is.
    """
    blocks = questions.blocks(battles, seed) if len(records) > 1 else [(battles, seed)]
    return tuple(
        tuple(simulate.simulate(record, size, from_, **(how or {})) for size, from_ in blocks) for record in records
    )


def more(one: Sequence[simulate.Totals], other: Sequence[simulate.Totals], what: str) -> estimates.Estimate:
    """How much more of a kind of outcome `one` has a battle than `other`; both are totals by the same blocks."""
    counted = [[getattr(totals, what) for totals in side] for side in (one, other)]
    most = 1.0 if what != "turns" else float(simulate.MAX_TURNS)
    return estimates.difference(counted[0], counted[1], [totals.battles for totals in one], most)


# In the process that serves


class CrowdedError(RuntimeError):
    """Too many jobs are under way or waiting."""


class LostError(RuntimeError):
    """A worker died over a job."""


class Ticket(NamedTuple):
    """A job that was handed in."""

    future: Future[Any]
    slot: int


class Workers:
    """Processes that do jobs, started when the first one comes, and anew when one of them has died."""

    def __init__(self, quick: int = QUICK_WORKERS) -> None:
        self._numbers = {True: quick, False: 1}
        self._running: dict[bool, ProcessPoolExecutor] = {}
        self._context = multiprocessing.get_context("spawn")
        self._signs = self._context.Array("q", 3 * MOST_WAITING, lock=False)
        self._free = list(range(MOST_WAITING))
        self._lock = threading.Lock()
        self.ready = False

    def warm(self) -> Future[int]:
        """Have the rules compiled, or loaded, by a process that plays what follows the hand; says which that is."""
        return self._submit(True, _prepare)

    def hand_in(self, job: Job) -> Ticket:
        """Have a job done. Raises CrowdedError where too many are waiting already."""
        if not 0 < job.battles <= max(BATTLES) or len(job.records) > 2:
            raise ValueError("a job has at most two records and a million battles")
        with self._lock:
            if not self._free:
                raise CrowdedError
            slot = self._free.pop()
        self._signs[3 * slot : 3 * slot + 3] = [0, 0, 0]
        try:
            return Ticket(self._submit(job.follows, _play, job, slot), slot)
        except BaseException:
            self._free.append(slot)
            raise

    def stop(self, ticket: Ticket) -> None:
        """Have a job ended early, with what is done so far."""
        self._signs[3 * ticket.slot] = 1

    def how_far(self, ticket: Ticket) -> tuple[int, int]:
        """How many battles of a job are played, of how many; of 0 before it has begun."""
        return self._signs[3 * ticket.slot + 1], self._signs[3 * ticket.slot + 2]

    def close(self) -> None:
        """End all processes."""
        self._signs[:] = [1] * len(self._signs)
        while self._running:
            self._running.popitem()[1].shutdown(cancel_futures=True)

    def _submit(self, quick: bool, do: Callable[..., Any], *given: Any) -> Future[Any]:
        with self._lock:
            for _ in range(2):
                executor = self._running.get(quick)
                if executor is None:
                    executor = self._running[quick] = ProcessPoolExecutor(
                        self._numbers[quick], self._context, _begin, (self._signs,)
                    )
                with suppress(BrokenProcessPool):
                    return executor.submit(do, *given)
                del self._running[quick]
        raise LostError

    def take_back(self, ticket: Ticket) -> None:
        """Say that a job is over, so that its place is free."""
        self._free.append(ticket.slot)


WORKERS = Workers()
"""Those of this process, for all visitors."""


class Errands:
    """What one visitor has simulated: one job at a time, of which the newest is done next and those before it never.

    `answer(job, answer, again)` is called with what came out, `again` if a worker died and the job was done once more;
    `trouble(job, error)` where nothing came out; `progress(job, done, of)` now and then. All are called in the loop of
    asyncio in which `wish` was.
    """

    def __init__(
        self,
        answer: Callable[[Job, Answer, bool], object],
        trouble: Callable[[Job, Exception], object],
        progress: Callable[[Job, int, int], object] = lambda *_: None,
        workers: Workers | None = None,
    ) -> None:
        self._answer, self._trouble, self._progress = answer, trouble, progress
        self._workers = WORKERS if workers is None else workers
        self._next: Job | None = None
        self._ticket: Ticket | None = None
        self.job: Job | None = None
        """The job under way."""
        self.stopped = False
        """Whether the job under way, or the last one, was stopped."""
        self._task: asyncio.Task[None] | None = None
        self._ended = False
        self.jobs = 0
        """How many jobs were handed in."""

    @property
    def ready(self) -> bool:
        """Whether battles were played by these workers before, for anybody."""
        return self._workers.ready

    @property
    def idle(self) -> bool:
        """Whether nothing is under way or to be done."""
        return self._next is None and self._ticket is None

    def wish(self, job: Job) -> Job | None:
        """Have a job done as soon as the one under way is; what takes longer is stopped for it.

        Returns the job that was to be done next until now, if there was one, and never is.
        """
        dropped, self._next = self._next, job
        if self.job is not None and not self.job.follows:
            self.stop()
        if self._task is None and not self._ended:
            self._task = asyncio.get_running_loop().create_task(self._run())
        return dropped

    def stop(self) -> None:
        """End the job under way with what is done so far."""
        if self._ticket is not None:
            self.stopped = True
            self._workers.stop(self._ticket)

    def end(self) -> None:
        """The visitor has gone: nothing more is begun or told."""
        self._ended, self._next = True, None
        self.stop()
        nothing: Callable[..., object] = lambda *_: None  # noqa: E731
        self._answer = self._trouble = self._progress = nothing

    async def _run(self) -> None:
        try:
            while self._next is not None:
                self.job, self._next, self.stopped = self._next, None, False
                await self._do(self.job)
        finally:
            self._task = self.job = None

    async def _do(self, job: Job) -> None:
        for again in (False, True):
            try:
                self._ticket = self._workers.hand_in(job)
                self.jobs += 1
                try:
                    answer = await self._done(job, self._ticket)
                finally:
                    self._workers.take_back(self._ticket)
                    self._ticket = None
            except (BrokenProcessPool, LostError):
                if again:
                    self._trouble(job, LostError())
            except Exception as error:
                self._trouble(job, error)
                return
            else:
                self._workers.ready = True
                self._answer(job, answer, again)
                return

    async def _done(self, job: Job, ticket: Ticket) -> Answer:
        future = asyncio.wrap_future(ticket.future)
        while not (await asyncio.wait([future], timeout=LOOK))[0]:
            self._progress(job, *self._workers.how_far(ticket))
        answer: Answer = future.result()
        return answer
