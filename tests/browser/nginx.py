"""Find an nginx for the tests behind a proxy; run as a program, install one if there is none and print its path."""

import os
import shutil
import sys
from collections.abc import Mapping

from tests.browser import chromium

VARIABLE = "SUMMON_NGINX"

COMPLETE = "SUMMON_COMPLETE"
"""Set to 1, a test that cannot be run here counts as failed, and is not passed over."""

FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")
"""Where it is installed besides PATH, on which a person who is not root often lacks the first of these."""

HOW_TO = f"""\
To get one, do one of these:
  - on Debian and Ubuntu: sudo apt-get install nginx
  - or set {VARIABLE} to the path of an nginx that you have."""


class NoNginxError(Exception):
    """The test cannot have an nginx; the text says why and what to do."""


def find(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the path of an nginx that is already there, or None."""
    named = environ.get(VARIABLE)
    if named and not chromium.is_program(named):
        raise NoNginxError(f"{VARIABLE} is set to {named!r}, and there is no program of that path.\n{HOW_TO}")
    return named or shutil.which("nginx", path=os.pathsep.join([environ.get("PATH", ""), *FOLDERS]))


def find_or_install() -> str:
    """Return the path of an nginx, after installing one if there was none and this is Debian's root."""
    if path := find():
        return path
    if chromium.may_use_apt():
        chromium.say("There is no nginx yet for the test of the game behind a proxy.")
        if all(chromium.succeeds(command) for command in chromium.with_apt("nginx")) and (path := find()):
            return path
    raise NoNginxError(f"No nginx for the test of the game behind a proxy.\n{HOW_TO}")


def must_be_complete(environ: Mapping[str, str] = os.environ) -> bool:
    """Say whether nothing may be passed over."""
    return environ.get(COMPLETE) == "1"


def main() -> int:
    try:
        print(find_or_install())
    except NoNginxError as error:
        chromium.say(f"\n{error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
