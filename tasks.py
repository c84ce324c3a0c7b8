#!/usr/bin/env python3
"""Set up Summon and run it, with nothing but Python to begin with.

    python3 tasks.py play [...]   start the game; what follows goes to `summon play`
    python3 tasks.py lab [...]    start the balance lab; what follows goes to `summon lab`
    python3 tasks.py ask [...]    start the page to ask the rules; what follows goes to `summon ask`
    python3 tasks.py notebooks [...]   open the rulebook's chapters in Jupyter; what follows goes to `summon book`
    python3 tasks.py test [...]   run all checks and tests; what follows goes to pytest
    python3 tasks.py check        the quick checks, of style and of how the notebooks are stored, as before a commit
    python3 tasks.py chapters [...]   run the notebooks and store what they show; what follows names some of them
    python3 tasks.py gallery [...]   pictures of every page and phase in docs/gallery; what follows names some of them
    python3 tasks.py site         build the rulebook's own site anew, in summon/book/built
    python3 tasks.py lock [...]   renew requirements/*.txt; what follows goes to `uv pip compile`

Each command first makes `.venv` and installs into it whatever is missing; when nothing is, it starts at once.
"""

# A Python too old for the game must still get as far as saying so: keep to what Python 3.6 can read.

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
WINDOWS = os.name == "nt"

PROBE = "import importlib.util as u, sys; print(*sys.version_info[:2]) if u.find_spec('pip') else sys.exit(1)"


class Problem(Exception):
    """Something that a person has to put right; the text says what it is and how."""


def say(text: str) -> None:
    """Print at once, so that the line stands before the output of the command it announces."""
    print(text, flush=True)


def call(command: list, env: dict) -> int:
    """Run a command in the project's folder and return its exit code."""
    return subprocess.run([str(part) for part in command], cwd=str(ROOT), env=env).returncode


def check_python(version: tuple) -> None:
    """Refuse a Python that is older than the game needs."""
    if tuple(version[:2]) < OLDEST:
        raise Problem(
            "Summon needs Python {}.{} or newer, and this is Python {}.{} ({}).\n"
            "Install a newer one from https://www.python.org/downloads/ or with your system's package manager, "
            "then run the command again with it, for example: python{}.{} tasks.py play".format(
                *OLDEST, *version[:2], sys.executable, *OLDEST
            )
        )


def check_venv_module(find=importlib.util.find_spec) -> None:
    """Refuse a Python that came without the means to make an environment."""
    missing = [name for name in ("venv", "ensurepip") if find(name) is None]
    if missing:
        raise Problem(
            "This Python ({}) came without its module {}, which is needed to make an environment.\n"
            "On Debian and Ubuntu: sudo apt-get install python3-venv (or python{}.{}-venv). "
            "Elsewhere: install Python from https://www.python.org/downloads/".format(
                sys.executable, " and ".join(missing), *sys.version_info[:2]
            )
        )


def scripts(venv: Path, windows: bool = WINDOWS) -> Path:
    """Return the folder in which an environment keeps its programs."""
    return venv / ("Scripts" if windows else "bin")


def venv_python(venv: Path, windows: bool = WINDOWS) -> Path:
    """Return the path of an environment's Python."""
    return scripts(venv, windows) / ("python.exe" if windows else "python")


def venv_version(venv: Path) -> tuple:
    """Return the version of an environment's Python, or () if it does not run or has no pip."""
    try:
        answer = subprocess.run(
            [str(venv_python(venv)), "-c", PROBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return ()
    return tuple(int(part) for part in answer.stdout.split()) if answer.returncode == 0 else ()


def lock_file(kind: str, root: Path = ROOT) -> Path:
    """Return the file that fixes the packages of a kind of environment, "play", "lab", "notebooks" or "test"."""
    return root / "requirements" / (kind + ".txt")


def fingerprint(kind: str, version: tuple, root: Path = ROOT) -> str:
    """Return a hash of all that decides what is installed."""
    digest = hashlib.sha256(repr(tuple(version)).encode())
    for path in (root / "pyproject.toml", lock_file(kind, root)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def stamp_file(venv: Path) -> Path:
    """Return the file in which an environment notes what was installed."""
    return venv / "summon-stamp.json"


def read_stamp(venv: Path) -> dict:
    """Return an environment's note: {} if it has none, {"unfinished": True} if it cannot be read."""
    try:
        return json.loads(stamp_file(venv).read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        return {"unfinished": True}


def write_stamp(venv: Path, stamp: dict) -> None:
    """Note in an environment what was installed, and where the environment stands."""
    stamp_file(venv).write_text(json.dumps(dict(stamp, place=str(venv))))


def why_rebuild(venv: Path) -> str:
    """Return the reason why an environment must be made anew, or "" if it can be kept."""
    if not venv.exists():
        return "there is none yet"
    version = venv_version(venv)
    if not version:
        return "its Python or its pip is gone"
    if version < OLDEST:
        return "its Python is too old"
    stamp = read_stamp(venv)
    if stamp.get("unfinished"):
        return "the last installation did not finish"
    if stamp.get("place", str(venv)) != str(venv):
        return "it was made in another place"
    return ""


def make_venv(venv: Path, reason: str) -> None:
    """Make an empty environment, in place of any that is there."""
    check_venv_module()
    say(f"Making an environment in {venv} ({reason}).")
    try:
        if venv.is_symlink() or venv.is_file():
            venv.unlink()
        elif venv.exists():
            shutil.rmtree(str(venv))
    except OSError as error:
        raise Problem(
            f"The old environment could not be removed: {error}\n"
            f"End the programs that use it (a running game, an activated environment), or delete {venv} yourself, "
            "then try again."
        ) from error
    # Run from inside the environment that was just removed, only the Python behind it is left.
    python = getattr(sys, "_base_executable", sys.executable)
    if call([python, "-m", "venv", venv], dict(os.environ)) != 0:
        raise Problem(f"Python could not make the environment {venv}; its own words are above.")


def pip(venv: Path, *arguments: str) -> None:
    """Install something with an environment's pip."""
    env = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", PIP_USER="0")
    if call([venv_python(venv), "-m", "pip", "install", "--quiet", *arguments], env) != 0:
        raise Problem(
            "pip could not install the packages; its own words are above.\n"
            "If they speak of connections or of no matching distribution, this machine does not reach the Python "
            "Package Index (https://pypi.org): check the network or the proxy, then run the same command again."
        )


def ensure(kind: str, venv: Path = VENV) -> None:
    """Make an environment ready to "play", for the "lab", "notebooks" or to "test", doing only what is missing."""
    reason = why_rebuild(venv)
    if reason:
        make_venv(venv, reason)
    version = venv_version(venv)
    if read_stamp(venv).get(kind) == fingerprint(kind, version):
        return
    what = {"play": "to play", "lab": "for the lab", "notebooks": "for the notebooks", "test": "to test"}[kind]
    say(f"Installing what is needed {what} (about a minute the first time).")
    write_stamp(venv, {"unfinished": True})
    pip(venv, "--require-hashes", "-r", str(lock_file(kind)))
    pip(venv, "--no-deps", "--no-build-isolation", "-e", str(ROOT))
    # The packages for everything else hold all those for playing, in the same versions.
    write_stamp(venv, {each: fingerprint(each, version) for each in sorted({"play", kind})})


def play(arguments: list) -> int:
    """Start the game."""
    ensure("play")
    return summon("play", arguments)


def lab(arguments: list) -> int:
    """Start the balance lab."""
    ensure("lab")
    return summon("lab", arguments)


def ask(arguments: list) -> int:
    """Start the page to ask the rules."""
    ensure("play")
    return summon("ask", arguments)


def summon(command: str, arguments: list) -> int:
    """Run a command of the program until it ends."""
    line = [str(scripts(VENV) / "summon"), command, *arguments]
    if not WINDOWS:
        os.execv(line[0], line)
    running = subprocess.Popen(line)
    while True:
        try:
            return running.wait()
        except KeyboardInterrupt:
            # Ctrl-C reached the program too, which ends by itself.
            continue


def notebooks(arguments: list) -> int:
    """Open the rulebook's chapters in Jupyter, in the browser."""
    ensure("notebooks")
    return summon("book", arguments)


def find_browser(env: dict) -> bool:
    """Find or install a Chromium for the browser tests and name it in the tests' environment."""
    command = [str(venv_python(VENV)), str(ROOT / "tests" / "browser" / "chromium.py")]
    answer = subprocess.run(command, cwd=str(ROOT), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if answer.returncode == 0:
        env["SUMMON_CHROMIUM"] = os.fsdecode(answer.stdout).strip()
    return answer.returncode == 0


def find_nginx(env: dict) -> bool:
    """Find or install an nginx for the tests behind a proxy and name it in the tests' environment."""
    command = [str(venv_python(VENV)), "-m", "tests.browser.nginx"]
    answer = subprocess.run(command, cwd=str(ROOT), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if answer.returncode == 0:
        env["SUMMON_NGINX"] = os.fsdecode(answer.stdout).strip()
    return answer.returncode == 0


STYLE = ("ruff check .", "ruff format --check .")
"""What takes no more than a second, each a command of a module."""


def run_checks(checks: tuple) -> list:
    """Run modules of the environment and return those that failed; one does not keep the others from running."""
    failed = []
    for check in checks:
        say("\n== " + check)
        if call([venv_python(VENV), "-m", *check.split()], dict(os.environ)) != 0:
            failed.append(check)
    return failed


def tell(failed: list) -> int:
    """Say what failed, if anything did, and return the exit code."""
    if failed:
        say("\nFailed: " + ", ".join(failed) + ".")
    return 1 if failed else 0


def check(arguments: list) -> int:
    """Run the quick checks, as before a commit."""
    ensure("test")
    return tell(run_checks((*STYLE, "tests.notebooks --check")))


def chapters(arguments: list) -> int:
    """Run the notebooks and store what they show."""
    ensure("test")
    return call([venv_python(VENV), "-m", "tests.notebooks", *arguments], dict(os.environ))


def test(arguments: list) -> int:
    """Run all checks and all tests; one that fails does not keep the others from running."""
    ensure("test")
    env = dict(os.environ)
    python = venv_python(VENV)
    failed = run_checks((*STYLE, "mypy summon"))
    if not find_browser(env):
        failed.append("finding a browser")
    if not find_nginx(env):
        if env.get("SUMMON_COMPLETE") == "1":
            failed.append("finding nginx")
        else:
            say("The tests behind a proxy (tests/browser/test_proxy.py) are passed over.")
    # A server and a browser for each worker: more than four would only crowd the machine. The tests of one file and the
    # cells of one notebook stay on one worker.
    workers = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile"]
    say("\n== pytest")
    if call([python, "-m", "pytest", *workers, *arguments], env) != 0:
        failed.append("pytest")
    return tell(failed)


def gallery(arguments: list) -> int:
    """Take pictures of every page and every phase of a battle, for a person to look at."""
    ensure("test")
    env = dict(os.environ)
    if not find_browser(env):
        return 1
    return call([venv_python(VENV), "-m", "tests.browser.gallery", *arguments], env)


def site(arguments: list) -> int:
    """Build the rulebook's own site, with the versions with which the tests build it as well."""
    ensure("test")
    return call([venv_python(VENV), "-m", "summon.book", *arguments], dict(os.environ))


def compile_lock(uv: list, kind: str, sources: list, arguments: list) -> None:
    """Work out one lock file from pyproject.toml, for every system and Python that the game supports."""
    import tomllib

    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    command = [*uv, "pip", "compile", "pyproject.toml", "-", *sources, "--universal", "--generate-hashes", "--quiet"]
    command += ["--python-version", "{}.{}".format(*OLDEST), "--no-annotate", "--no-config"]
    # The same versions for every Python: what was tested on one is what is played on all.
    command += ["--fork-strategy", "fewest"]
    command += ["--custom-compile-command", "python3 tasks.py lock", "--output-file", "requirements/" + kind + ".txt"]
    say(f"Working out requirements/{kind}.txt.")
    if subprocess.run([*command, *arguments], cwd=str(ROOT), input="\n".join(build).encode()).returncode != 0:
        raise Problem("uv could not work out the versions; its own words are above.")


def lock(arguments: list) -> int:
    """Renew the lock files; with --upgrade, move to the newest versions."""
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder) / "venv"
        make_venv(venv, "for this command only")
        pip(venv, "uv")
        uv = [str(venv_python(venv)), "-m", "uv"]
        compile_lock(uv, "play", [], arguments)
        compile_lock(uv, "test", ["--extra", "test", "--constraints", "requirements/play.txt"], arguments)
        compile_lock(uv, "lab", ["--extra", "lab", "--constraints", "requirements/test.txt"], arguments)
        compile_lock(uv, "notebooks", ["--extra", "notebooks", "--constraints", "requirements/test.txt"], arguments)
    return 0


COMMANDS = {
    "play": play,
    "lab": lab,
    "ask": ask,
    "notebooks": notebooks,
    "test": test,
    "check": check,
    "chapters": chapters,
    "gallery": gallery,
    "site": site,
    "lock": lock,
}


def main(arguments: list) -> int:
    """Carry out a command line and return its exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        check_python(sys.version_info)
        return COMMANDS[arguments[0]](arguments[1:])
    except Problem as problem:
        print("\n" + str(problem), file=sys.stderr)
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again to go on.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
