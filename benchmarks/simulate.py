"""How fast battles are simulated, beside OpenSpiel's rollouts and a loop that does next to nothing, in the same run.

    python -m benchmarks.simulate [--battles 1000000] [--rounds 7]

Full rules, two pets with ten cards each, both sides choosing as 1.7 says. What is compared is measured in turns, one
after the other, round after round; of each the quickest round counts. OpenSpiel (`pip install open_spiel`) is left out
where it is not installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numba
import numpy as np

from summon.record import Record, situation
from summon.simulate import Policy, observe, simulate

DECK = ["poison", "blind", "sacrifice", "shield", "hide", "copycat", "revive"]
WEIGHTS = Policy(dict.fromkeys(("attack", "heal", "counter", *DECK), 1))
LANES = 128

TIMES_OPENSPIEL = 20
TIMES_TWO_CORES = 1.7
SECONDS_TO_FIRST_RESULT = 4.0


@numba.njit(nogil=True)
def floor(turns: int, numbers: np.ndarray, table: np.ndarray, masks: np.ndarray) -> None:
    """Draw two numbers a turn, look up a table and carry a mask, in lanes as the simulator does."""
    for _ in range(turns):
        for lane in range(LANES):
            for side in range(2):
                x = numbers[side, lane]
                x ^= np.uint32(x << np.uint32(13))
                x ^= np.uint32(x >> np.uint32(17))
                numbers[side, lane] = np.uint32(x ^ np.uint32(x << np.uint32(5)))
            one, two = numbers[0, lane] >> np.uint32(28), numbers[1, lane] >> np.uint32(28)
            masks[lane] = np.uint32(masks[lane] << np.uint32(1)) ^ table[one, two]


def match_up() -> Record:
    started = situation({"pet": "moss", "cards": DECK}, {"pet": "spark", "cards": DECK})
    return Record(started.players)


def floor_turns(turns: int, cores: int = 1) -> Callable[[], int]:
    steps = turns // LANES // cores

    def work() -> None:
        numbers = np.arange(1, 2 * LANES + 1, dtype=np.uint32).reshape(2, LANES)
        table, masks = np.arange(256, dtype=np.uint32).reshape(16, 16), np.zeros(LANES, np.uint32)
        floor(steps, numbers, table, masks)

    def run() -> int:
        with ThreadPoolExecutor(cores) as pool:
            for part in [pool.submit(work) for _ in range(cores)]:
                part.result()
        return steps * LANES * cores

    run()
    return run


def openspiel_turns(rollouts: int) -> Callable[[], int] | None:
    """Random rollouts of goofspiel with 13 cards in C++; a turn is a card of both, as here."""
    try:
        import pyspiel
    except ImportError:
        return None
    goofspiel = "goofspiel(num_cards=13,imp_info=False,points_order=descending,returns_type=total_points)"
    game = pyspiel.load_game(f"turn_based_simultaneous_game(game={goofspiel})")
    state = game.new_initial_state()

    def run() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, rollouts, 1000, False, 1, False)
        bot.step(state)
        return rollouts * 13

    return run


def best(runs: dict[str, Callable[[], int]], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    """The turns a second of each run, in its quickest round."""
    speeds = dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, run in runs.items():
            begun = clock()
            turns = run()
            speeds[name] = max(speeds[name], turns / (clock() - begun))
    return speeds


def seconds_to_first_result() -> tuple[float, float]:
    """From the start of `summon simulate` to its end, with the rules compiled before; and its processor time."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "match-up.json"
        file.write_text(match_up().to_json())
        command = "import sys; from summon.cli import main; sys.exit(main(sys.argv[1:]))"
        begun, used = time.perf_counter(), sum(os.times()[2:4])
        subprocess.run(
            [sys.executable, "-c", command, "simulate", str(file), "--battles", "1000", "--json"],
            check=True,
            capture_output=True,
        )
        return time.perf_counter() - begun, sum(os.times()[2:4]) - used


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--battles", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    battles, rounds, played = arguments.battles, arguments.rounds, match_up()
    turns = simulate(played, battles).turns

    one_core: dict[str, Callable[[], int]] = {
        "simulate": lambda: simulate(played, battles, cores=1).turns,
        "simulate, by weights": lambda: simulate(played, battles, cores=1, policies=(WEIGHTS, WEIGHTS)).turns,
        "observe": lambda: observe(played, battles, cores=1).totals.turns,
        "floor": floor_turns(turns),
    }
    openspiel = openspiel_turns(max(1, turns // 13 // 50))
    if openspiel is not None:
        one_core["OpenSpiel"] = openspiel
    speeds = best(one_core, rounds, time.process_time)
    print(f"{battles:,} battles of {turns / battles:.1f} turns. On one core, in processor time:")
    for name, speed in speeds.items():
        print(f"  {name:22} {speed / 1e6:8.1f} M turns/s   {speed / speeds['simulate']:6.3f} of simulate")
    holds = []
    if openspiel is None:
        print("OpenSpiel is not installed: nothing to compare with. pip install open_spiel")
    else:
        ratio = speeds["simulate"] / speeds["OpenSpiel"]
        holds.append(ratio >= TIMES_OPENSPIEL)
        print(f"simulate: {ratio:.1f} times OpenSpiel (bound: at least {TIMES_OPENSPIEL})")

    def on(cores: int) -> Callable[[], int]:
        return lambda: simulate(played, battles, cores=cores).turns

    two_cores = {
        "one": on(1),
        "two": on(2),
        "floor, one": floor_turns(5 * turns),
        "floor, two": floor_turns(5 * turns, 2),
    }
    speeds = best(two_cores, 3 * rounds, time.perf_counter)
    ratio, given = speeds["two"] / speeds["one"], speeds["floor, two"] / speeds["floor, one"]
    holds.append(ratio >= TIMES_TWO_CORES)
    print(f"two cores: {ratio:.2f} times one (bound: at least {TIMES_TWO_CORES}); the floor, {given:.2f} times")
    spent = best({"one": on(1), "two": on(2)}, rounds, time.process_time)
    print(f"both together take {spent['one'] / spent['two']:.2f} of the processor time of one alone")

    quickest = 1 / best({"observe": lambda: observe(played, 200_000) and 1}, rounds, time.perf_counter)["observe"]
    print(f"200,000 battles observed, on all cores: {quickest * 1000:.0f} ms")

    seconds, processor = min(seconds_to_first_result() for _ in range(rounds))
    holds.append(seconds <= SECONDS_TO_FIRST_RESULT)
    print(
        f"from starting the command to its result: {seconds:.2f} s (bound: at most {SECONDS_TO_FIRST_RESULT}), "
        f"{processor:.2f} s of processor time"
    )
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
