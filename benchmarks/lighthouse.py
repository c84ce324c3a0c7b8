"""What Lighthouse says of the game: how it can be used by everybody, and how it keeps to good practice.

    python -m benchmarks.lighthouse [--keep FOLDER]

Installs Lighthouse with npm into a folder of its own, which needs Node 20 and the network, and has it look at the first
page of a newcomer and at a board in a battle, as on a phone. Prints both scores of both pages, and what costs points;
the exit status is 1 where a score is less than 95. `--keep` keeps the installation and the reports, and a later run
uses the installation again. SUMMON_CHROMIUM may name the browser.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks import serving
from benchmarks.first_visit import battle_under_way
from summon.views import identity
from tests.browser import chromium

PACKAGE = "lighthouse@12.2.3"

LEAST = 95

CATEGORIES = ("accessibility", "best-practices")

PATIENCE = 600
"""Seconds after which an installation or a look at a page will not end any more."""


def installed(folder: Path) -> Path:
    """The program, after installing it if it is not there yet."""
    program = folder / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("Lighthouse needs Node.js 20 with npm, and there is none.")
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel=error", PACKAGE]
        subprocess.run(command, check=True, timeout=PATIENCE)
    return program


def look(program: Path, browser: str, url: str, report: Path, cookie: str | None = None) -> dict[str, Any]:
    """Lighthouse's report about a page, as a visitor with a cookie is shown it."""
    flags = ["--headless=new", "--disable-gpu", *(["--no-sandbox"] if chromium.is_root() else [])]
    command = [
        str(program),
        url,
        f"--only-categories={','.join(CATEGORIES)}",
        f"--chrome-flags={' '.join(flags)}",
        "--output=json",
        f"--output-path={report}",
        "--quiet",
    ]
    if cookie is not None:
        command.append(f"--extra-headers={json.dumps({'Cookie': f'{identity.COOKIE}={cookie}'})}")
    subprocess.run(command, check=True, timeout=PATIENCE, env=os.environ | {"CHROME_PATH": browser})
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def tell(name: str, report: dict[str, Any]) -> bool:
    """Print the scores of a page and what costs points; returns whether they are high enough."""
    scores = {category: round(report["categories"][category]["score"] * 100) for category in CATEGORIES}
    print(f"{name:14}" + "".join(f"{category:>20}{score:5}" for category, score in scores.items()))
    for category in CATEGORIES:
        for part in report["categories"][category]["auditRefs"]:
            audit = report["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 1:
                print(f"    {part['id']}: {audit['title']}")
    return min(scores.values()) >= LEAST


def measure(keep: Path | None) -> bool:
    browser = chromium.find()
    if browser is None:
        raise SystemExit(chromium.HOW_TO)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kept = folder if keep is None else keep.resolve()
        kept.mkdir(parents=True, exist_ok=True)
        program = installed(kept)
        cookie = battle_under_way(serving.store_in(folder), random.Random(1))
        game = stack.enter_context(serving.game(folder))
        pages = {"first page": ("/play", None), "board": ("/play?page=battle", cookie)}
        good = []
        for name, (path, known) in pages.items():
            report = look(program, browser, game.base + path, kept / f"{name.replace(' ', '-')}.json", known)
            good.append(tell(name, report))
    return all(good)


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="python -m benchmarks.lighthouse")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the installation and the reports are kept")
    arguments = parser.parse_args(given)
    return 0 if measure(arguments.keep) else 1


if __name__ == "__main__":
    sys.exit(main())
