"""Find a Chromium for the browser tests; run as a program, install one if there is none and print its path."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

VARIABLE = "SUMMON_CHROMIUM"

PROGRAMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
)
MAC_PROGRAMS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_PROGRAMS = (
    "Chromium/Application/chrome.exe",
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)

PLAYWRIGHT = [sys.executable, "-m", "playwright"]
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""

HOW_TO = f"""\
To get one, do one of these:
  - on Debian: sudo apt-get install chromium
  - elsewhere: install Chromium, Google Chrome or Microsoft Edge in the usual way
  - or set {VARIABLE} to the path of a Chromium, Chrome or Edge that you have."""


class NoChromiumError(Exception):
    """The tests cannot have a browser; the text says why and what to do."""


def is_program(path: str | Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def runs(path: str | Path) -> bool:
    """Say whether a browser starts: some systems have a stand-in of its name that only tells what to install."""
    if sys.platform == "win32":
        return True  # there, a browser asked for its version opens a window
    try:
        answer = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def named(environ: Mapping[str, str]) -> str | None:
    """Return the browser that a person chose, if one was chosen."""
    path = environ.get(VARIABLE)
    if path and not is_program(path):
        raise NoChromiumError(f"{VARIABLE} is set to {path!r}, and there is no program of that path.\n{HOW_TO}")
    return path or None


def usual_places(environ: Mapping[str, str], platform: str = sys.platform) -> Iterator[str]:
    """Give the paths at which a system keeps an installed browser, best first."""
    for name in PROGRAMS:
        if path := shutil.which(name, path=environ.get("PATH", "")):
            yield path
    if platform == "darwin":
        homes = ["/Applications", os.path.join(environ.get("HOME", ""), "Applications")]
        yield from (f"{home}/{program}" for program in MAC_PROGRAMS for home in homes)
    if platform == "win32":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        homes = [environ[variable] for variable in variables if variable in environ]
        yield from (f"{home}/{program}" for program in WINDOWS_PROGRAMS for home in homes)


def playwrights_own() -> str | None:
    """Return where Playwright keeps, or would keep, a browser that it downloaded."""
    answer = subprocess.run([sys.executable, "-c", ASK_PLAYWRIGHT], capture_output=True, text=True)
    return answer.stdout.strip() or None


def find(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the path of a browser that is already there, or None."""
    if path := named(environ):
        return path
    for path in usual_places(environ):
        if is_program(path) and runs(path):
            return path
    path = playwrights_own()
    return path if path and is_program(path) and runs(path) else None


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def may_use_apt() -> bool:
    return is_root() and shutil.which("apt-get") is not None


def with_apt(package: str) -> list[list[str]]:
    return [["apt-get", "update"], ["apt-get", "install", "-y", package]]


def ways_to_install() -> list[list[list[str]]]:
    """Return the ways to install a browser here, each as its commands in order, best first."""
    playwright = [*PLAYWRIGHT, "install", "chromium"]
    if not may_use_apt():
        return [[playwright]]
    return [with_apt("chromium"), [[*playwright, "--with-deps"]]]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def succeeds(command: list[str]) -> bool:
    """Run a command, and show what it printed if it fails."""
    say("Running: " + " ".join(command))
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    try:
        answer = subprocess.run(
            command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        say(str(error))
        return False
    if answer.returncode != 0:
        say(answer.stdout.decode(errors="replace"))
    return answer.returncode == 0


def find_or_install() -> str:
    """Return the path of a browser, after installing one if there was none."""
    if path := find():
        return path
    say("There is no Chromium yet for the browser tests. Installing one may take some minutes.")
    tried = [f"{VARIABLE} (not set)", "PATH and the usual places (nothing that starts)", "Playwright's own (none)"]
    for commands in ways_to_install():
        installed = all(succeeds(command) for command in commands)
        if path := find():
            return path
        outcome = "done, but still no browser that starts" if installed else "failed, see above"
        tried.append(" && ".join(" ".join(command) for command in commands) + f" ({outcome})")
    raise NoChromiumError("No Chromium for the browser tests. Tried:\n  - " + "\n  - ".join(tried) + "\n" + HOW_TO)


def ensure_driver() -> None:
    """See to it that Playwright starts: a bare Debian lacks a library that the program inside it needs."""
    command = [*PLAYWRIGHT, "--version"]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.returncode == 0:
        return
    say(f"Playwright, which steers the browser, does not start:\n{answer.stderr.strip()}")
    if may_use_apt() and all(succeeds(each) for each in [*with_apt("libatomic1"), command]):
        return
    raise NoChromiumError(
        "The browser tests need Playwright, and it does not start; the reason is above.\n"
        "If it misses libatomic.so.1: sudo apt-get install libatomic1 (or your system's package of that library)."
    )


def main() -> int:
    try:
        path = find_or_install()
        ensure_driver()
    except NoChromiumError as error:
        say(f"\n{error}")
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
