"""The command `summon`: play the game, replay and simulate battles, look up and ask the rules, draw a pet."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, TextIO

from summon import asking, book, chapters, lan, record, rulebook, simulate, transcript
from summon.quoting import printable, quoted


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status: 0, 1 where something was wrong with what it read, 2 for wrong usage."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone, as `| head` does; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        what = "the output cannot be written" if error.filename is None else printable(str(error.filename))
        print(f"summon: {what}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="summon", description="A battle game for two, as a playable rulebook.", allow_abbrev=False
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="start the game and open it in the browser", allow_abbrev=False)
    play.add_argument("--port", type=_port, help="where it listens (default: 5006, or the next free one)")
    play.add_argument("--lan", action="store_true", help="open it to the devices of the home network as well")
    play.add_argument(
        "--address",
        type=_address,
        help="with --lan: the address by which the others reach this machine",
    )
    play.add_argument(
        "--behind-proxy",
        type=_proxy,
        metavar="HOST[:PORT][/PATH]",
        help="for a reverse proxy on this machine that people open as https://HOST...; see docs/running.md",
    )
    play.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")
    play.set_defaults(run=_play, wrong_usage=play.error)

    lab = commands.add_parser("lab", help="change the rules and see what many battles come to", allow_abbrev=False)
    lab.add_argument("--port", type=_port, help="where it listens (default: 5106, or the next free one)")
    lab.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")
    lab.set_defaults(run=_lab)

    ask = commands.add_parser(
        "ask", help="build a situation and see what the rules say of every choice", allow_abbrev=False
    )
    ask.add_argument("file", nargs="?", metavar="FILE", help="a record to begin from; - is the input")
    ask.add_argument("--port", type=_port, help="where it listens (default: 5206, or the next free one)")
    ask.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")
    ask.set_defaults(run=_ask)

    replay = commands.add_parser(
        "replay", help="play battle records through the rules and tell what happens", allow_abbrev=False
    )
    replay.add_argument("files", nargs="+", metavar="FILE", help="records, one a line or one in all; - is the input")
    replay.add_argument("--json", action="store_true", help="print one JSON object a battle")
    replay.set_defaults(run=_replay)

    simulation = commands.add_parser(
        "simulate", help="play a match-up many times and count who wins", allow_abbrev=False
    )
    simulation.add_argument("file", metavar="FILE", help="one record without turns; - is the input")
    for option, letter, least, most, default, told in (
        ("battles", "N", 1, simulate.MOST_BATTLES, simulate.BATTLES, "how many battles (default: %(default)s)"),
        ("seed", "S", 0, simulate.LARGEST_SEED, 0, "where chance begins (default: %(default)s)"),
        ("max-turns", "T", 1, simulate.MOST_TURNS, simulate.MAX_TURNS, "the most turns of one (default: %(default)s)"),
        ("cores", "C", 1, simulate.MOST_CORES, None, "how many cores are used (default: all)"),
    ):
        simulation.add_argument(f"--{option}", type=_whole(least, most), default=default, metavar=letter, help=told)
    simulation.add_argument("--json", action="store_true", help="print one JSON object")
    simulation.add_argument(
        "--records", nargs=2, metavar=("K", "OUT"), help="write the first K battles as records, one a line"
    )
    simulation.set_defaults(run=_simulate, wrong_usage=simulation.error)

    sweeping = commands.add_parser(
        "sweep", help="play many match-ups under many rules, on Dask workers; see docs/sweeps.md", allow_abbrev=False
    )
    sweeping.add_argument("spec", metavar="SPEC", help="a JSON file that says what is played")
    sweeping.add_argument(
        "-o", "--out", metavar="FOLDER", help="where the results are kept, and gone on with (default: SPEC with .sweep)"
    )
    where = sweeping.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster's, such as tcp://192.168.1.5:8786")
    where.add_argument(
        "--workers",
        type=_whole(1, simulate.MOST_CORES),
        metavar="W",
        help="how many on this machine (default: all cores)",
    )
    sweeping.set_defaults(run=_sweep)

    log = commands.add_parser(
        "log", help="write the turns of many battles as one table, for pandas and the like", allow_abbrev=False
    )
    log.add_argument(
        "files", nargs="*", metavar="FILE", help="records, or a folder of files with records; - is the input"
    )
    log.add_argument("--store", action="store_true", help="the ended battles of the saved pets as well")
    log.add_argument(
        "-o", "--out", metavar="OUT", help="the .parquet or .csv file to write (default: CSV on the screen)"
    )
    log.set_defaults(run=_log, wrong_usage=log.error)

    backup = commands.add_parser("backup", help="copy the saved pets to a new file, also while the game runs")
    backup.add_argument("file", metavar="FILE", help="the new file; what is there is not overwritten")
    backup.set_defaults(run=_backup)

    check = commands.add_parser("check", help="check the saved pets: the database, the rules and the books")
    check.set_defaults(run=_check)

    rule = commands.add_parser(
        "rule", help="print a rule and where its code, cases and notebook are", allow_abbrev=False
    )
    rule.add_argument("number", nargs="?", metavar="NUMBER", help="a rule's number; without one, all rules")
    rule.add_argument("--show", action="store_true", help="open its page in the browser; without NUMBER the cover")
    rule.set_defaults(run=_rule)

    opening = commands.add_parser(
        "book", help="open the rulebook's chapters in Jupyter, to play and ask in them", allow_abbrev=False
    )
    opening.add_argument(
        "folder",
        nargs="?",
        metavar="FOLDER",
        help=f"where your own copy of them is kept (default: {chapters.OWN_FOLDER}; "
        "in the project's own folder the chapters themselves)",
    )
    opening.add_argument("--classic", action="store_true", help="in the classic Notebook instead of JupyterLab")
    opening.add_argument("--port", type=_port, help="where it listens (default: 8888, or the next free one)")
    opening.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")
    opening.set_defaults(run=_book)

    pet = commands.add_parser(
        "pet", help="draw a pet of your own from a grid file; see docs/drawing.md", allow_abbrev=False
    )
    pet.add_argument("drawing", metavar="FILE|NAME", help="a grid file, or the name of a pet of the game such as moss")
    pet.add_argument("-o", "--output", metavar="OUT", help="the SVG file to write (default: FILE or NAME with .svg)")
    pet.add_argument("-f", "--force", action="store_true", help="write it even where there is such a file already")
    pet.add_argument("--show", action="store_true", help="open it in the browser; without -o as a temporary file")
    pet.set_defaults(run=_pet)
    return parser


def _whole(least: int, most: int) -> Callable[[str], int]:
    """What reads an option that is a whole number within bounds."""

    def read(value: str) -> int:
        number = int(value) if value.isascii() and value.isdigit() and len(value) <= len(str(most)) else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {quoted(value)}")
        return number

    return read


def _port(value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to 65535, not {quoted(value)}")
    return int(value)


def _address(value: str) -> str:
    if not lan.is_host(value) or lan.is_only_here(value):
        raise argparse.ArgumentTypeError(
            f"others reach this machine by an address like 192.168.1.5 or a name like laptop.local, not {quoted(value)}"
        )
    return value.lower()


def _proxy(value: str) -> str:
    host, slash, path = value.partition("/")
    name, colon, port = host.partition(":")
    right_port = not colon or (port.isascii() and port.isdigit() and 0 < int(port) < 65536)
    right_path = not slash or re.fullmatch(r"[\w.~-]+(/[\w.~-]+)*/?", path, re.ASCII)
    if not lan.is_host(name) or not right_port or not right_path:
        raise argparse.ArgumentTypeError(
            "what people open is given like summon.example, summon.example:8443 or summon.example/games, "
            f"not {quoted(value)}"
        )
    return f"{host.lower()}{slash}{path}".rstrip("/")


def _play(arguments: argparse.Namespace) -> int:
    if arguments.lan and arguments.behind_proxy:
        arguments.wrong_usage("--lan opens the game without a proxy: choose one of --lan and --behind-proxy")
    if arguments.address and not arguments.lan:
        arguments.wrong_usage("--address is for the home network: say --lan as well")
    from summon.views.server import serve  # Panel is loaded by the commands that need it alone

    return serve(
        port=arguments.port,
        open_browser=not arguments.no_browser,
        network=arguments.lan,
        address=arguments.address,
        proxy=arguments.behind_proxy,
    )


def _lab(arguments: argparse.Namespace) -> int:
    from summon.views.lab import lab_page  # Panel is loaded by the commands that need it alone
    from summon.views.page_server import serve

    return serve("lab", lab_page, "Summon lab", port=arguments.port, open_browser=not arguments.no_browser)


def _ask(arguments: argparse.Namespace) -> int:
    begun = None
    if arguments.file is not None:
        try:
            with _opened(arguments.file) as file:
                begun = asking.played(record.read_one(_read(file, arguments.file))[1])
        except OSError as error:
            return _unreadable("ask", error)
        except record.RecordError as error:
            print(f"summon ask: {printable(arguments.file)}: {error}", file=sys.stderr)
            return 1
    from summon.views.ask import ask_page
    from summon.views.page_server import serve

    def page() -> object:
        return ask_page(begun)

    return serve("ask", page, "Summon: ask the rules", port=arguments.port, open_browser=not arguments.no_browser)


def _replay(arguments: argparse.Namespace) -> int:
    try:
        for name in arguments.files:
            with _opened(name):
                pass
    except OSError as error:
        return _unreadable("replay", error)
    _be_printable(sys.stdout)
    wrong = False
    for name in arguments.files:
        where = f"{printable(name)}, " if len(arguments.files) > 1 else ""
        try:
            with _opened(name) as file:
                wrong |= _replay_file(_read(file, name), where, arguments.json)
        except _UnreadableFile as error:
            return _unreadable("replay", error)
    return int(wrong)


class _UnreadableFile(OSError):
    """A file that was opened and cannot be read."""


def _unreadable(command: str, error: OSError) -> int:
    print(f"summon {command}: {printable(str(error.filename))}: {error.strerror}", file=sys.stderr)
    return 2


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise _UnreadableFile(errno.EBADF, "the input is closed", name)
        yield sys.stdin.buffer
    else:
        with open(name, "rb") as file:
            yield file


def _read(file: BinaryIO, name: str) -> Iterator[bytes]:
    try:
        yield from file
    except OSError as error:
        raise _UnreadableFile(error.errno, error.strerror, name) from error


def _be_printable(stream: TextIO | None) -> None:
    """A terminal that cannot show a letter of some name shows its code instead of failing."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _replay_file(lines: Iterable[bytes], where: str, as_json: bool) -> bool:
    """Replay a file's records and print each; returns whether any of them failed."""
    failed = False
    for line, read in record.read_records(lines):
        try:
            if isinstance(read, record.RecordError):
                raise read
            print(json.dumps(record.replay(read)) if as_json else transcript.transcript(read))
        except record.RecordError as error:
            failed = True
            told = f"{where}line {line}: {error}"
            print(json.dumps({"error": told}) if as_json else f"{told}\n")
    return failed


def _simulate(arguments: argparse.Namespace) -> int:
    from summon.simulate import command

    kept = None if arguments.records is None else _kept_records(arguments)
    _be_printable(sys.stdout)
    try:
        with _opened(arguments.file) as file:
            match_up = command.read_match_up(_read(file, arguments.file))
    except OSError as error:
        return _unreadable("simulate", error)
    except record.RecordError as error:
        print(json.dumps({"error": str(error)}) if arguments.json else error)
        return 1
    try:
        return command.run(
            match_up,
            battles=arguments.battles,
            seed=arguments.seed,
            max_turns=arguments.max_turns,
            cores=arguments.cores,
            as_json=arguments.json,
            kept=kept,
        )
    except (simulate.NoLab, command.NotWritten) as error:
        print(f"summon simulate: {error}", file=sys.stderr)
        return 1


def _sweep(arguments: argparse.Namespace) -> int:
    from summon import sweep  # pandas is loaded by the commands that need it alone

    try:
        with _opened(arguments.spec) as file:
            text = b"".join(_read(file, arguments.spec)).decode("utf-8")
    except OSError as error:
        return _unreadable("sweep", error)
    except UnicodeDecodeError as error:
        print(f"summon sweep: {printable(arguments.spec)}: not UTF-8 at byte {error.start + 1}", file=sys.stderr)
        return 1
    folder = Path(arguments.out or Path(arguments.spec).with_suffix(".sweep"))

    def tell(done: int, of: int) -> None:
        print(f"{done} of {of} match-ups", file=sys.stderr, flush=True)

    try:
        spec = sweep.Spec.from_json(text)
    except sweep.SweepError as error:
        print(f"summon sweep: {printable(arguments.spec)}: {error}", file=sys.stderr)
        return 1
    try:
        frame = sweep.sweep(spec, folder, scheduler=arguments.scheduler, workers=arguments.workers, progress=tell)
    except (sweep.SweepError, simulate.NoLab) as error:
        print(f"summon sweep: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on from what is kept in {printable(str(folder))}", file=sys.stderr)
        return 130
    print(f"{len(frame)} match-ups, {frame['battles'].sum()} battles: {printable(str(folder))}")
    return 0


def _kept_records(arguments: argparse.Namespace) -> tuple[int, Path]:
    """How many battles are written as records, and where."""
    count, out = arguments.records[0], Path(arguments.records[1])
    try:
        number = _whole(1, arguments.battles)(count)
    except argparse.ArgumentTypeError as error:
        arguments.wrong_usage(f"argument --records: K is {error}")
    if arguments.records[1] == "-":
        arguments.wrong_usage(
            "argument --records: OUT is a file, as the counts are printed; for one of that name say ./-"
        )
    if _same_file(out, arguments.file):
        arguments.wrong_usage("argument --records: OUT is FILE itself, which would be lost")
    return number, out


def _same_file(one: str | Path, other: str | Path) -> bool:
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _log(arguments: argparse.Namespace) -> int:
    if not arguments.files and not arguments.store:
        arguments.wrong_usage("say which: files or folders of records, or --store")
    from summon import history, store  # pandas and SQLAlchemy are loaded by the commands that need them alone

    if arguments.out:
        try:
            history.log_suffix(arguments.out)
        except ValueError as error:
            arguments.wrong_usage(str(error))
        if any(_same_file(arguments.out, name) for name in arguments.files):
            arguments.wrong_usage("OUT is one of the FILEs, which would be lost")
    wrong, numbers = False, Counter[str]()

    def failed(error: record.RecordError) -> None:
        nonlocal wrong
        wrong = True
        print(f"summon log: {error}", file=sys.stderr)

    def battles() -> Iterator[history.Logged]:
        for name in arguments.files:
            if name == "-":
                with _opened(name) as file:
                    yield from history.read_logged(_read(file, name), name)
            else:
                try:
                    yield from history.recorded([name])
                except OSError as error:
                    raise _UnreadableFile(error.errno, error.strerror, error.filename) from error
        if arguments.store:
            with store.Store.open(make=False) as opened:
                for battle_id, kept, outcome in opened.all_ended():
                    yield history.Logged(f"battle {printable(battle_id)}", kept, outcome)

    def parts() -> Iterator[Any]:
        for part in history.log_parts(battles(), failed):
            numbers.update(battles=part["battle"].nunique(), rows=len(part))
            yield part

    try:
        if not arguments.out:
            _be_printable(sys.stdout)
            for text in history.csv_parts(parts()):
                print(text, end="")
            return int(wrong)
        history.write_log(parts(), arguments.out)
    except store.StoreError as error:
        print(f"summon log: {error.operator}", file=sys.stderr)
        return 1
    except _UnreadableFile as error:
        return _unreadable("log", error)
    except ImportError:
        print("summon log: .parquet files need the extra lab: pip install 'summon[lab]'", file=sys.stderr)
        return 1
    except OSError as error:
        if not arguments.out:
            raise
        print(f"summon log: {printable(arguments.out)} cannot be written: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{numbers['battles']} battles, {numbers['rows']} rows: {printable(arguments.out)}")
    return int(wrong)


def _backup(arguments: argparse.Namespace) -> int:
    from summon import store

    try:
        store.backup(arguments.file)
    except store.StoreError as error:
        print(f"summon backup: {error.operator}", file=sys.stderr)
        return 1
    print(f"The saved pets are copied to {printable(arguments.file)}.")
    return 0


def _check(_: argparse.Namespace) -> int:
    from summon import store

    try:
        report = store.check()
    except store.StoreError as error:
        print(f"summon check: {error.operator}", file=sys.stderr)
        return 1
    print(f"{report.place}: {report.profiles} profiles, {report.battles} battles")
    for problem in report.problems:
        print(f"  {problem}")
    print("Everything is as it must be." if report.ok else "Something is wrong: keep a copy, then restore a backup.")
    return 0 if report.ok else 1


def _rule(arguments: argparse.Namespace) -> int:
    if arguments.number is None and arguments.show:
        return _open_book(book.file_of(book.COVER))
    if arguments.number is None:
        for rule in rulebook.rules().values():
            print(f"{rule.number:5} {rule.text}")
        return 0
    try:
        rule = rulebook.rule(arguments.number)
    except rulebook.NoSuchRule as error:
        print(f"summon rule: {error}", file=sys.stderr)
        return 2
    page = book.file_of(book.page_of(rule.number))
    if arguments.show:
        return _open_book(page)
    print(f"{rule.number} {rule.text}\n\nstatus: {rule.status}\nsection: {rule.section}")
    if page is not None:
        print(f"page: {page}")
    for title, places in (("code", rulebook.code()), ("cases", rulebook.cases()), ("notebook", rulebook.cells())):
        # What is not there at all, as the tests are not where the game is installed, says nothing about the rule.
        if places:
            print(f"\n{title}:")
            for place in places.get(rule.number, ()) or ("none",):
                print(f"  {place}")
    return 0


def _book(arguments: argparse.Namespace) -> int:
    try:
        chapters.check_jupyter(arguments.classic)
    except chapters.NoJupyter as error:
        print(f"summon book: {error}", file=sys.stderr)
        return 1
    folder = chapters.opened_in(arguments.folder)
    where = printable(str(folder))
    if folder == rulebook.notebooks():
        print(f"The chapters are in {where}")
    else:
        try:
            copied, kept = chapters.copied_to(folder)
        except FileExistsError:
            print(f"summon book: {where} is no folder: name another", file=sys.stderr)
            return 1
        print(f"Your chapters are in {where}: {copied} new, {kept} as you had them")
    print("Ctrl+C ends Jupyter; what is saved stays.", flush=True)
    chapters.open_jupyter(folder, classic=arguments.classic, port=arguments.port, open_browser=not arguments.no_browser)
    return 0


def _open_book(page: Path | None) -> int:
    """Open a page of the built book in the browser."""
    if page is None:
        print("summon rule: the book is not here: `python -m summon.book` builds it", file=sys.stderr)
        return 1
    print(f"The page is {page}")
    if not webbrowser.open(page.as_uri()):
        print("summon rule: no browser opens here: open the page yourself", file=sys.stderr)
        return 1
    return 0


class _NotDrawn(Exception):
    """Why there is no picture, in words for the terminal."""


def _pet(arguments: argparse.Namespace) -> int:
    try:
        drawn = _drawing(arguments.drawing)
        if arguments.show and not arguments.output:
            file = _kept_for_now(drawn)
        else:
            file = Path(arguments.output or Path(arguments.drawing).with_suffix(".svg"))
            if file.is_file() and file.resolve() == Path(arguments.drawing).resolve():
                raise _NotDrawn(f"{printable(str(file))} is the drawing itself: name another with -o")
            _write_picture(drawn, file, arguments.force)
    except _NotDrawn as error:
        print(f"summon pet: {error}", file=sys.stderr)
        return 1
    print(f"{printable(arguments.drawing)} is drawn in {printable(str(file))}.")
    if arguments.show and not webbrowser.open(file.absolute().as_uri()):
        print("summon pet: no browser opens here: open the file yourself", file=sys.stderr)
        return 1
    return 0


def _drawing(name: str) -> str:
    """The picture of a pet of the game, by its name, or of a grid file."""
    from summon import art

    if name in art.names("pets"):
        return art.picture(name, standalone=True)
    try:
        with open(name, encoding="utf-8-sig") as file:
            text = file.read(art.MAX_TEXT + 1)
        title = Path(name).stem.replace("-", " ").title()
        return art.render(text, title, shadow=True, standalone=True, source=printable(name))
    except FileNotFoundError:
        pets = ", ".join(art.names("pets"))
        raise _NotDrawn(f"there is no file {quoted(name)}. The pets of the game are: {pets}") from None
    except UnicodeDecodeError:
        raise _NotDrawn(f"{printable(name)} is not a text file") from None
    except art.GridError as error:
        raise _NotDrawn(str(error)) from None
    except OSError as error:
        raise _NotDrawn(f"{printable(name)} cannot be read: {error.strerror}") from None


def _write_picture(drawn: str, file: Path, force: bool) -> None:
    try:
        with open(file, "w" if force else "x", encoding="utf-8") as out:
            out.write(drawn)
    except FileExistsError:
        raise _NotDrawn(f"{printable(str(file))} is there already: -f overwrites it, -o names another") from None
    except OSError as error:
        raise _NotDrawn(f"{printable(str(file))} cannot be written: {error.strerror}") from None


def _kept_for_now(drawn: str) -> Path:
    """A file for the browser to read, in the folder that the system clears by itself."""
    try:
        with NamedTemporaryFile("w", prefix="summon-", suffix=".svg", encoding="utf-8", delete=False) as out:
            out.write(drawn)
    except OSError as error:
        raise _NotDrawn(f"the picture cannot be written: {error.strerror}") from None
    return Path(out.name)
