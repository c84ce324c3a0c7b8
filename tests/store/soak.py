"""The hard tests of the store at full size, on SQLite and PostgreSQL.

    python -m tests.store.soak kills [STORIES]   let browsers do so many stories (200) and kill the program meanwhile
    python -m tests.store.soak races [CALLS]     let 16 threads of 4 programs make so many calls (2000) on 4 profiles

It stops at the first thing that is wrong.
"""

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from summon.store import Store
from tests.store import hardship
from tests.store.postgres import Postgres


def main(arguments: list[str]) -> int:
    """Run one of the two on both databases."""
    if not arguments or arguments[0] not in ("kills", "races"):
        print(__doc__)
        return 2
    kind, size = arguments[0], int(arguments[1]) if len(arguments) > 1 else {"kills": 200, "races": 2000}[arguments[0]]
    server = Postgres()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, place in (("SQLite", str(Path(folder) / "summon.db")), ("PostgreSQL", server.new_database())):
                begun = time.monotonic()
                if kind == "kills":
                    # Here, as a program that is killed and begun anew loads what this module does.
                    from tests.store.shop import keep_shop

                    Store.open(place).close()
                    settled = partial(server.settle, place) if name == "PostgreSQL" else lambda: None
                    done = keep_shop(place, settled, stories=size, steps=50, anew=True)
                else:
                    done = hardship.race(place, programs=4, threads=4, each=size // 16, profiles=4)
                print(f"{name}: {kind} {size}, {time.monotonic() - begun:.0f} s, all well: {dict(done)}", flush=True)
    finally:
        server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
