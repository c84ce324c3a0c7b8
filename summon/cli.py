"""The command `summon`: play the game, replay records, look up a rule."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import BinaryIO, TextIO

from summon import record, rulebook, transcript
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
        print(f"summon: the output cannot be written: {error.strerror}", file=sys.stderr)
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
    play.add_argument("--port", type=_port, default=5006, help="where it listens (default: 5006, or the next free one)")
    play.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")
    play.set_defaults(run=_play)

    replay = commands.add_parser(
        "replay", help="play battle records through the rules and tell what happens", allow_abbrev=False
    )
    replay.add_argument("files", nargs="+", metavar="FILE", help="records, one a line or one in all; - is the input")
    replay.add_argument("--json", action="store_true", help="print one JSON object a battle")
    replay.set_defaults(run=_replay)

    backup = commands.add_parser("backup", help="copy the saved pets to a new file, also while the game runs")
    backup.add_argument("file", metavar="FILE", help="the new file; what is there is not overwritten")
    backup.set_defaults(run=_backup)

    check = commands.add_parser("check", help="check the saved pets: the database, the rules and the books")
    check.set_defaults(run=_check)

    rule = commands.add_parser(
        "rule", help="print a rule and where its code, cases and notebook are", allow_abbrev=False
    )
    rule.add_argument("number", nargs="?", metavar="NUMBER", help="a rule's number; without one, all rules")
    rule.set_defaults(run=_rule)
    return parser


def _port(value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a whole number from 0 to 65535, not {quoted(value)}")
    return int(value)


def _play(arguments: argparse.Namespace) -> int:
    from summon.views.server import serve  # Panel is loaded by the commands that need it alone

    return serve(port=arguments.port, open_browser=not arguments.no_browser)


def _replay(arguments: argparse.Namespace) -> int:
    try:
        for name in arguments.files:
            with _opened(name):
                pass
    except OSError as error:
        return _unreadable(error)
    _be_printable(sys.stdout)
    wrong = False
    for name in arguments.files:
        where = f"{printable(name)}, " if len(arguments.files) > 1 else ""
        try:
            with _opened(name) as file:
                wrong |= _replay_file(_read(file, name), where, arguments.json)
        except _UnreadableFile as error:
            return _unreadable(error)
    return int(wrong)


class _UnreadableFile(OSError):
    """A file that was opened and cannot be read."""


def _unreadable(error: OSError) -> int:
    print(f"summon replay: {printable(str(error.filename))}: {error.strerror}", file=sys.stderr)
    return 2


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
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
    if arguments.number is None:
        for rule in rulebook.rules().values():
            print(f"{rule.number:5} {rule.text}")
        return 0
    try:
        rule = rulebook.rule(arguments.number)
    except rulebook.NoSuchRule as error:
        print(f"summon rule: {error}", file=sys.stderr)
        return 2
    print(f"{rule.number} {rule.text}\n\nstatus: {rule.status}\nsection: {rule.section}")
    for title, places in (("code", rulebook.code()), ("cases", rulebook.cases()), ("notebook", rulebook.cells())):
        print(f"\n{title}:")
        for place in places.get(rule.number, ()) or ("none",):
            print(f"  {place}")
    return 0
