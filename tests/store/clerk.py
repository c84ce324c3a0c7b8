"""A program of its own that does what it is asked to a store, and may be killed at any moment."""

import multiprocessing
import os
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from summon.profile import ProfileState, Refused
from summon.store import SavedBattle, Stale, Store
from tests.store.model import said

# A fork of a program that has loaded everything begins in an instant, and has no threads or connections of ours.
CONTEXT = multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")
if os.name != "nt":
    CONTEXT.set_forkserver_preload(["summon.store", "psycopg", "tests.store.clerk"])

LOST = object()
"""What a program that was killed before it answered has answered."""


class Clerk:
    """The program, as who asks it sees it: one question at a time, then the answer."""

    def __init__(self, place: str) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        self.program = CONTEXT.Process(target=serve, args=(place, theirs), daemon=True)
        self.program.start()
        theirs.close()

    def ask(self, name: str, *arguments: Any) -> None:
        """Ask for a call of the store by its name, or to `look`."""
        self.pipe.send((name, arguments))

    def answer(self) -> Any:
        """What the call returned, the Refused or Stale that it raised, or LOST where the program is no more."""
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            return LOST
        assert not isinstance(answer, Fault), answer
        return answer

    def opened(self) -> None:
        """Wait until the store is open."""
        assert self.answer() == "opened", "the store does not open"

    def kill(self, seconds: float = 0) -> Any:
        """Kill it after so long; what it had answered before, or LOST."""
        time.sleep(seconds)
        self.program.kill()
        self.program.join()
        answer = self.answer()
        self.pipe.close()
        return answer

    def end(self) -> None:
        """Let it close the store and end by itself."""
        self.pipe.close()
        self.program.join()
        assert self.program.exitcode == 0


class Fault(str):
    """How a call failed in a way that none should."""


def serve(place: str, pipe: Connection) -> None:
    """Open a store, and do what is asked until nobody asks any more."""
    try:
        with Store.open(place) as store:
            pipe.send("opened")
            while True:
                name, arguments = pipe.recv()
                pipe.send(done(store, name, arguments))
    except EOFError:
        pass


def done(store: Store, name: str, arguments: tuple[Any, ...]) -> Any:
    """What a call returns or raises, as it can be sent."""
    try:
        answer = look(store, *arguments) if name == "look" else getattr(store, name)(*arguments)
    except (Refused, Stale) as error:
        return error
    except Exception:
        return Fault(traceback.format_exc())
    return answer._replace(seats=dict(answer.seats), gold=dict(answer.gold)) if type(answer) is SavedBattle else answer


def look(store: Store, tokens: list[str], profile_ids: list[str]) -> dict[str, Any]:
    """All that a store says of some browsers, by their tokens, and profiles; to be compared with `World.told`."""
    owners = {token: store.profile_of(token) for token in tokens}
    states = {state.id: state for state in owners.values() if state is not None}
    states |= {profile_id: store.get(profile_id) for profile_id in profile_ids if profile_id not in states}
    return {
        "browsers": {token: owner and owner.id for token, owner in owners.items()},
        "profiles": {state.id: looked_at(store, state) for state in states.values()},
    }


def looked_at(store: Store, state: ProfileState) -> dict[str, Any]:
    fighting = store.unfinished(state.id)
    return {
        **said(state),
        "fighting": fighting and (fighting.id, fighting.kind, dict(fighting.seats), len(fighting.record.turns)),
        "history": {
            it.id: (it.outcome, it.ended, dict(it.gold), len(it.record.turns)) for it in store.history(state.id, 999)
        },
    }
