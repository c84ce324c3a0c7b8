"""From a changed rule to new chart data at the lab's server, beside the bare `observe` of as many battles.

    python -m benchmarks.lab [--battles 200000] [--samples 15]

Once compiled, a rule is changed and the job handed to the lab's workers, as a slider does; the time runs until the
figures of the charts are made. In turns with it a process of its own runs `observe` alone. Prints the percentiles of
both, the ratio of the medians, and whether the slowest median is within the bound.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.figures import percentile
from summon import charts
from summon.lab import Lab
from summon.record import Record
from summon.simulate import observe, prepare
from summon.views.lab import outcomes_html
from summon.views.lab_jobs import WORKERS, Answer, Errands, Job

MOST_MS = 300.0
"""So many milliseconds may pass, in the median."""


def bare(record: Record, battles: int) -> float:
    """How many seconds `observe` takes in this process."""
    prepare()
    began = time.perf_counter()
    observe(record, battles)
    return time.perf_counter() - began


def drawn(job: Job, answer: Answer) -> None:
    """What the page makes of an answer."""
    outcomes_html(answer.totals)
    for frame in answer.frames:
        getattr(charts, job.question)(frame)


async def followed(job: Job) -> float:
    """How many seconds pass until the charts of a job are made."""
    done = asyncio.Event()

    def show(asked: Job, answer: Answer, _: bool) -> None:
        drawn(asked, answer)
        done.set()

    def fail(_: Job, error: Exception) -> None:
        raise error

    began = time.perf_counter()
    Errands(show, fail).wish(job)
    await done.wait()
    return time.perf_counter() - began


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.lab")
    parser.add_argument("--battles", type=int, default=200_000, help="how many battles each look rests on")
    parser.add_argument("--samples", type=int, default=15, help="how many changes are measured")
    arguments = parser.parse_args(given)
    lab = Lab()
    times: dict[str, list[float]] = {"observe": [], "turn by turn": [], "card against card": []}
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        for number in range(-1, arguments.samples):
            lab.rules.base_health = 5 + number % 7
            record = lab.record()
            measured = [alone.submit(bare, record, arguments.battles).result()]
            for question in ("first_to_last", "card_against_card"):
                measured.append(asyncio.run(followed(Job((record,), arguments.battles, 0, question))))
            if number >= 0:
                for name, seconds in zip(times, measured, strict=True):
                    times[name].append(1000 * seconds)
    WORKERS.close()
    medians = {name: percentile(taken, 50) for name, taken in times.items()}
    print(f"{arguments.battles:,} battles{'':6}{'p50 ms':>9}{'p95 ms':>9}{'of observe':>12}")
    for name, taken in times.items():
        print(f"{name:21}{medians[name]:9.0f}{percentile(taken, 95):9.0f}{medians[name] / medians['observe']:12.2f}")
    slowest = max(medians.values())
    print(f"{slowest:.0f} ms, {'within' if slowest <= MOST_MS else 'MORE THAN'} {MOST_MS:.0f} ms")
    return 0 if slowest <= MOST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
