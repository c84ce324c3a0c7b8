"""Many friends at once: pairs of visitors who play random legal battles against each other, on a server of their own.

    python -m benchmarks.pairs [--pairs 50] [--seconds 20] [--pace 0]
    python -m benchmarks.pairs --ramp [10 25 50 ...]
    python -m benchmarks.pairs --check [--pairs 50] [--waves 3]

Prints turns a second, the time from the second lock to the reveal's arrival at the other player, and what a pair costs
the server. With --ramp pairs are added until the 95th percentile of that time passes a second. With --check it is a
soak, which comes in waves and fails where anything is wrong: a message without an answer, players of one battle who saw
different rounds, gold that is not what was won, or sessions and memory that stay.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import serving
from benchmarks.figures import percentile
from benchmarks.serving import Server, Usage
from benchmarks.visitors import Visitor, make_profiles
from summon.position import SIDES, gold_for
from summon.record import Record
from summon.store import SavedBattle, Store
from summon.views import identity
from summon.views.component import RATE

RAMP = (10, 25, 50, 100, 150, 200)
SLOW = 1.0
"""A reveal that takes longer, in seconds, is too slow."""

HERE_EVERY = 5.0
"""A page that is looked at says so this often, in seconds."""

LEAST_TURN = 2.5 / RATE
"""Nobody plays faster than this, in seconds a turn, so that no message is one too many."""

AT_ONCE = 6
"""So many pages are opened at once."""

EMPTY_SECONDS = 60.0
"""By then the server has let go of sessions that are closed."""

CLEANING = ["--unused-session-lifetime", "1000", "--check-unused-sessions", "1000"]
PLUGINS = ["--plugins", "summon.views.health", "--plugins", "benchmarks.leftovers"]

MOST_GROWTH = 0.03
"""So much may the server's memory grow from the second wave on, a wave, as a share of what it has while all play."""

Seen = tuple[int, str, str, int, int]
"""What a player saw of a round: the turn, and each side's choice and health afterwards, the first side's first."""


class Player:
    """A visitor who plays. `rounds` has what they saw, by battle, and `revealed` when, by battle and turn."""

    def __init__(self, url: str, cookie: str) -> None:
        self.visitor = Visitor(url, cookie, self._hear)
        self.rounds: dict[str, list[Seen]] = {}
        self.revealed: dict[tuple[str, int], float] = {}
        self.first = True
        """Whether it is the first side, which the one that invites is."""

    @property
    def board(self) -> dict[str, Any]:
        return self.visitor.states.get("Board", {})

    @property
    def here(self) -> tuple[str, int]:
        """The battle and turn in play."""
        return self.board.get("battle", ""), self.board.get("turn", 0)

    def told(self) -> str:
        """What the board shows, for whoever looks for what went wrong."""
        names = ("battle", "turn", "locked", "rival_ready", "over")
        return ", ".join(f"{name}: {self.board.get(name)}" for name in names)

    def saw(self, battle: str, turn: int) -> bool:
        return (battle, turn) in self.revealed

    def _hear(self, component: str, state: dict[str, Any], at: float) -> None:
        if component != "Board" or not state or state["last"] is None:
            return
        battle, last = state["battle"], state["last"]
        if self.saw(battle, last["turn"]):
            return
        self.revealed[battle, last["turn"]] = at
        played = [f"{last[seat]['card']} {last[seat]['amount'] or 0}" for seat in ("you", "rival")]
        health = [state[seat]["health"] for seat in ("you", "rival")]
        if not self.first:
            played.reverse()
            health.reverse()
        self.rounds.setdefault(battle, []).append((last["turn"], *played, *health))

    async def lock(self, rng: random.Random) -> float:
        """Lock any legal card; returns when it was sent."""
        state = self.board
        choices: list[tuple[str, int | None]] = [("wait", None)] if state["wait"] else []
        for card in [] if choices else state["hand"]:
            if card["off"] is None:
                amounts = card["amounts"]
                choices.append((card["card"], rng.randint(*amounts) if amounts else None))
        card, amount = rng.choice(choices)
        return await self.visitor.send("Board", type="lock", turn=state["turn"], card=card, amount=amount)


class Pair:
    """Two friends, who play battle after battle until `end`, a moment of `time.monotonic`."""

    def __init__(self, url: str, cookies: tuple[str, str], rng: random.Random) -> None:
        self.players = (Player(url, cookies[0]), Player(url, cookies[1]))
        self.players[1].first = False
        self.delays: list[float] = []
        self.turns = 0
        self.failed: list[str] = []
        self._url, self._rng = url, rng

    async def open(self) -> None:
        for player in self.players:
            await player.visitor.open()

    async def meet(self) -> None:
        """1.8: begin a battle by an invitation."""
        host, guest = self.players
        await host.visitor.send("Pages", type="go", page="friend")
        await host.visitor.send("Pages", type="invite", base=self._url, sure=False)
        await host.visitor.until(lambda: host.visitor.states["Pages"].get("invite"))
        invitation = host.visitor.states["Pages"]["invite"]["id"]
        before = host.here[0]
        await guest.visitor.send("Pages", type="accept", invite=invitation, sure=False)
        await self._both(lambda player: player.here[0] not in ("", before))

    async def _both(self, test: Callable[[Player], object]) -> None:
        await asyncio.gather(*(player.visitor.until(partial(test, player)) for player in self.players))

    async def play(self, end: float, pace: float, mixed: bool) -> None:
        """Play until then, with a pause of `pace` seconds before each turn.

        With `mixed`, both lock in the same moment every second time, and battles begin anew in both ways.
        """
        staying = [asyncio.create_task(self._stay(player)) for player in self.players]
        try:
            await asyncio.sleep(self._rng.uniform(0, max(pace, LEAST_TURN)))
            while time.monotonic() < end:
                if self.players[0].board["over"]:
                    await self._go_on(mixed and self._rng.random() < 0.5)
                begun = time.monotonic()
                await self._turn(together=mixed and self._rng.random() < 0.5)
                await asyncio.sleep(max(pace, LEAST_TURN - (time.monotonic() - begun)))
        except (TimeoutError, ConnectionError) as error:
            self.failed.append(f"a pair cannot play on ({error!r}): {[player.told() for player in self.players]}")
        finally:
            for task in staying:
                task.cancel()
            await asyncio.gather(*staying, return_exceptions=True)

    async def _stay(self, player: Player) -> None:
        """Say every few seconds that the page is looked at."""
        while True:
            await player.visitor.send("Board", type="here", here=True)
            await asyncio.sleep(HERE_EVERY)

    async def _turn(self, together: bool) -> None:
        one, other = self._rng.sample(self.players, 2)
        battle, turn = one.here
        await one.lock(self._rng)
        if not together:
            await other.visitor.until(lambda: other.board["rival_ready"])
        sent = await other.lock(self._rng)
        await self._both(lambda player: player.saw(battle, turn))
        self.turns += 1
        if not together:
            self.delays.append(one.revealed[battle, turn] - sent)

    async def _go_on(self, by_invitation: bool) -> None:
        before = self.players[0].here[0]
        await self._both(lambda player: player.board["over"])
        if by_invitation:
            for player in self.players:
                await player.visitor.send("Board", type="home")
            await self._both(lambda player: player.visitor.states["Pages"].get("page") == "home")
            await self.meet()
            return
        for player in self.players:
            await player.visitor.send("Board", type="rematch")
        await self._both(lambda player: player.here[0] != before)

    async def part(self) -> None:
        """9.2: end the battle that is under way, and wait until everything that was sent has its answer."""
        try:
            if not self.players[0].board["over"]:
                await self._rng.choice(self.players).visitor.send("Board", type="leave")
                await self._both(lambda player: player.board["over"])
            for player in self.players:
                await player.visitor.answered()
        except (TimeoutError, ConnectionError) as error:
            self.failed.append(f"a pair cannot part ({error!r}): {[player.told() for player in self.players]}")

    async def close(self) -> None:
        for player in self.players:
            await player.visitor.close()

    def problems(self) -> list[str]:
        """What was wrong: what either was told, and where they saw different rounds."""
        one, other = self.players
        told = [*self.failed, *one.visitor.problems, *other.visitor.problems]
        return told + ([] if one.rounds == other.rounds else ["the two players of a pair saw different rounds"])


class Measured(NamedTuple):
    """What was measured of some pairs in some seconds. `ours` is the CPU time of the visitors themselves."""

    pairs: int
    seconds: float
    turns: int
    delays: list[float]
    before: Usage
    after: Usage
    ours: float

    @property
    def p95(self) -> float:
        return percentile(self.delays, 95)

    def row(self) -> str:
        busy = (self.after.cpu - self.before.cpu) / self.seconds
        each = (self.after.cpu - self.before.cpu) * 1000 / max(1, self.turns)
        return (
            f"{self.pairs:6}{self.turns / self.seconds:10.1f}{percentile(self.delays, 50) * 1000:9.0f}"
            f"{self.p95 * 1000:9.0f}{each:12.1f}{busy:10.0%}{self.ours / self.seconds:10.0%}{self.after.memory:9.0f}"
        )


HEADER = (
    f"{'pairs':>6}{'turns/s':>10}{'p50 ms':>9}{'p95 ms':>9}{'CPU ms/turn':>12}{'server':>10}{'visitors':>10}{'MB':>9}"
)


async def few_at_once(deeds: Iterable[Awaitable[object]]) -> None:
    allowed = asyncio.Semaphore(AT_ONCE)

    async def do(deed: Awaitable[object]) -> None:
        async with allowed:
            await deed

    await asyncio.gather(*map(do, deeds))


async def play(server: Server, pairs: list[Pair], seconds: float, pace: float, mixed: bool = False) -> Measured:
    """Let all pairs play for some seconds."""
    for pair in pairs:
        pair.delays, pair.turns = [], 0
    before, ours, begun = server.usage(), time.process_time(), time.monotonic()
    await asyncio.gather(*(pair.play(begun + seconds, pace, mixed) for pair in pairs))
    took = time.monotonic() - begun
    delays = [delay for pair in pairs for delay in pair.delays]
    turns = sum(pair.turns for pair in pairs)
    return Measured(len(pairs), took, turns, delays, before, server.usage(), time.process_time() - ours)


def make_pairs(server: Server, cookies: list[str], rng: random.Random) -> list[Pair]:
    two_by_two = zip(cookies[::2], cookies[1::2], strict=True)
    return [Pair(f"{server.base}/play", two, random.Random(rng.random())) for two in two_by_two]


async def begin(pairs: list[Pair]) -> None:
    await few_at_once(pair.open() for pair in pairs)
    await few_at_once(pair.meet() for pair in pairs)


async def measure(server: Server, cookies: list[str], sizes: list[int], seconds: float, pace: float) -> list[str]:
    """Play with so many pairs, then with more, until reveals take too long; returns what was wrong."""
    pairs = make_pairs(server, cookies, random.Random(1))
    await open_and_close(server, pairs[0])
    empty = server.usage().memory
    print(HEADER)
    for size, before in zip(sizes, [0, *sizes], strict=False):
        await begin(pairs[before:size])
        done = await play(server, pairs[:size], seconds, pace)
        print(done.row(), flush=True)
        if done.p95 > SLOW:
            break
    each = (done.after.memory - empty) / size
    print(f"{each:.2f} MB a pair ({empty:.0f} MB without any, {done.after.memory:.0f} MB with {size})")
    if len(sizes) > 1:
        reached = f"passes {SLOW:.0f} s with {size} pairs" if done.p95 > SLOW else f"stays below {SLOW:.0f} s"
        print(f"The 95th percentile {reached}.")
    await few_at_once(pair.part() for pair in pairs[:size])
    await few_at_once(pair.close() for pair in pairs[:size])
    return [problem for pair in pairs[:size] for problem in pair.problems()]


async def open_and_close(server: Server, pair: Pair) -> None:
    """The first visitors make a server load what all of them share."""
    extra = Pair(
        f"{server.base}/play", (pair.players[0].visitor.cookie, pair.players[1].visitor.cookie), random.Random()
    )
    await extra.open()
    await extra.close()


async def soak(server: Server, cookies: list[str], waves: int, seconds: float, pace: float) -> list[str]:
    """Let the same players come, play and go, several times; returns what was wrong."""
    rng, problems, left = random.Random(1), [], []
    played: dict[str, list[Seen]] = {}
    idle = await asyncio.to_thread(at_rest, server)
    print(HEADER + f"{'MB after':>10}")
    for _ in range(waves):
        pairs = make_pairs(server, cookies, rng)
        await begin(pairs)
        done = await play(server, pairs, seconds, pace, mixed=True)
        await few_at_once(pair.part() for pair in pairs)
        await few_at_once(pair.close() for pair in pairs)
        problems += [problem for pair in pairs for problem in pair.problems()]
        for pair in pairs:
            played |= pair.players[0].rounds
        problems += await asyncio.to_thread(emptied, server, idle)
        left.append(server.usage().memory)
        print(f"{done.row()}{left[-1]:10.0f}", flush=True)
    problems += grown(left, done.after.memory)
    problems += [line for line in server.log.read_text(errors="replace").splitlines() if is_bad(line)]
    place = serving.store_in(server.log.parent)
    return problems + kept(place, cookies, played)


def held(server: Server) -> dict[str, int]:
    """What the server holds now: sessions and battles, and what belongs to sessions."""
    health, left = server.ask("/health"), server.ask("/leftovers")
    return {name: health[name] for name in ("sessions", "battles", "invitations")} | left


def at_rest(server: Server) -> dict[str, int]:
    """What the server holds while nobody is there, once it has forgotten who asked whether it is up."""
    end = time.monotonic() + EMPTY_SECONDS
    while (now := held(server))["sessions"] and time.monotonic() < end:
        time.sleep(0.5)
    return now


def emptied(server: Server, idle: dict[str, int]) -> list[str]:
    """Wait until the server holds no more than it did before anybody came; what is left where that takes too long."""
    end = time.monotonic() + EMPTY_SECONDS
    while more := {name: number for name, number in held(server).items() if number > idle[name]}:
        if time.monotonic() > end:
            return [f"{EMPTY_SECONDS:.0f} s after everybody has gone the server still holds {more}"]
        time.sleep(1)
    return []


def grown(left: list[float], full: float) -> list[str]:
    """What memory says that stays from wave to wave; the first wave is not judged, as much is loaded in it."""
    if len(left) < 3:
        return []
    growth = (left[-1] - left[1]) / (len(left) - 2)
    print(f"After the second wave the memory that stays grows by {growth:+.1f} MB a wave.")
    return [f"memory grows by {growth:.1f} MB a wave"] if growth > MOST_GROWTH * full else []


def is_bad(line: str) -> bool:
    return any(word in line for word in ("ERROR", "CRITICAL", "Traceback", "Exception"))


def kept(place: Path, cookies: list[str], played: dict[str, list[Seen]]) -> list[str]:
    """Whether the store has what was played: the rounds, the ends, and the gold for them (9.1)."""
    with Store.open(place) as store:
        report = store.check()
        problems = list(report.problems)
        saved: dict[str, SavedBattle] = {}
        for cookie in cookies:
            state = store.profile_of(identity.hash_of(cookie))
            assert state is not None
            # Far more than anybody plays here.
            mine = store.history(state.id, 100_000)
            saved |= {one.id: one for one in mine}
            problems += [f"battle {one.id} paid what it does not pay" for one in mine if dict(one.gold) != due(one)]
    friends = {battle_id: one for battle_id, one in saved.items() if one.kind == "friend"}
    turns = sum(len(one.record.turns) for one in friends.values())
    print(f"{len(friends)} battles of friends with {turns} turns are saved.")
    for battle_id, one in friends.items():
        if rounds_of(one.record) != played.get(battle_id, []):
            problems.append(f"the players of battle {battle_id} saw other rounds than it has in the store")
    problems += [f"battle {battle_id} is not saved" for battle_id in played.keys() - friends.keys()]
    return problems


def due(saved: SavedBattle) -> dict[str, int]:
    """9.1: what a battle pays to each profile in it."""
    first, second = saved.record.players
    gold = gold_for(saved.outcome, (first.evolved, second.evolved))
    return {profile_id: gold[SIDES.index(side)] for profile_id, side in saved.seats.items()}


def rounds_of(record: Record) -> list[Seen]:
    """The rounds of a record, as players see them."""
    told: list[Seen] = []
    for round_ in record.play():
        played = [f"{choice.card} {choice.amount}" for choice in round_.choices]
        health = [side.health for side in round_.after.sides]
        told.append((round_.turn, played[0], played[1], health[0], health[1]))
    return told


async def run(arguments: argparse.Namespace, folder: Path) -> list[str]:
    sizes = arguments.ramp if arguments.ramp else [arguments.pairs]
    cookies = make_profiles(serving.store_in(folder), 2 * max(sizes), random.Random(1))
    with serving.game(folder, *PLUGINS, *(CLEANING if arguments.check else [])) as server:
        if arguments.check:
            return await soak(server, cookies, arguments.waves, arguments.seconds, arguments.pace)
        return await measure(server, cookies, sizes, arguments.seconds, arguments.pace)


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.pairs")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long is played: in all, a step, or a wave")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds that a pair waits before each turn")
    parser.add_argument("--ramp", type=int, nargs="*", metavar="PAIRS", help="more and more pairs")
    parser.add_argument("--check", action="store_true", help="the soak: fail where anything is wrong")
    parser.add_argument("--waves", type=int, default=3, help="how often the soak's players come and go")
    arguments = parser.parse_args(given)
    if arguments.ramp == []:
        arguments.ramp = list(RAMP)
    with tempfile.TemporaryDirectory() as folder:
        problems = asyncio.run(run(arguments, Path(folder)))
    for problem in problems:
        print(f"WRONG: {problem}")
    if not problems:
        print("Nothing was wrong.")
    return min(1, len(problems))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
