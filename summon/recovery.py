"""Recovery codes: six words that load a profile in another browser on the same server (11.3).

A code is not stored. It is derived from the server's key, the profile and a counter, so that it can be shown again, and
replaced by counting on. The database knows it by a keyed hash, which tells nothing to whoever has the database but not
the key. Six words of EFF's large list are 77 bits.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hmac
import json
import os
import re
import secrets
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path

WORDS_IN_A_CODE = 6
MOST_LETTERS = 1_000
"""A longer text is no recovery code, however it is written, and is not looked at."""

KEY_VARIABLE = "SUMMON_KEY"
KEY_FILE = "summon.key"
KEY_BYTES = 32
_MOST_KEY_LETTERS = 4_096

_HEX = re.compile(r"[0-9a-fA-F]+")


class ServerKeyError(Exception):
    """The server's key is missing or not fit for use; the text says how to mend it and never holds the key."""


@cache
def words() -> tuple[str, ...]:
    """The words that codes are made of: the list's words without their few hyphens, each once.

    Without hyphens no word is the beginning of another one, so that a code can be read with or without anything between
    its words.
    """
    lines = Path(__file__).with_name("wordlist.txt").read_text(encoding="ascii").splitlines()
    return tuple(dict.fromkeys(line.replace("-", "") for line in lines if not line.startswith("#")))


@cache
def _lengths() -> range:
    lengths = {len(word) for word in words()}
    return range(min(lengths), max(lengths) + 1)


@cache
def _known() -> frozenset[str]:
    return frozenset(words())


def code_for(key: bytes, profile_id: str, counter: int) -> str:
    """The recovery code of a profile (11.3): the same for the same key, profile and counter."""
    return "-".join(islice(_picked(_numbers(key, profile_id, counter)), WORDS_IN_A_CODE))


def _numbers(key: bytes, profile_id: str, counter: int) -> Iterator[int]:
    """Numbers of 16 bits, as many as anyone asks for."""
    for block in count():
        digest = _keyed(key, "code", profile_id, counter, block)
        yield from (int.from_bytes(digest[at : at + 2]) for at in range(0, len(digest), 2))


def _picked(numbers: Iterable[int]) -> Iterator[str]:
    """A word for each number, all words equally likely: numbers beyond the last whole round of the list are passed."""
    beyond = 2**16 - 2**16 % len(words())
    return (words()[number % len(words())] for number in numbers if number < beyond)


def _keyed(key: bytes, use: str, *of: str | int) -> bytes:
    """A hash under the key. The use is part of it, so that what is made for one use is good for no other."""
    return hmac.digest(key, json.dumps(["summon", use, *of]).encode(), "sha256")


def normalised(text: str) -> str | None:
    """A recovery code as it is shown, from how a person typed or pasted it; None where it is none.

    Case, spaces, line ends, and any dashes, commas and other marks do not matter.
    """
    if len(text) > MOST_LETTERS:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(letter for letter in plain if not _between_words(letter))
    found: list[str] = []
    at = 0
    while at < len(letters):
        word = next((letters[at : at + size] for size in _lengths() if letters[at : at + size] in _known()), None)
        if word is None or len(found) == WORDS_IN_A_CODE:
            return None
        found.append(word)
        at += len(word)
    return "-".join(found) if len(found) == WORDS_IN_A_CODE else None


def _between_words(letter: str) -> bool:
    """Whether it is a space, a mark, a minus sign or an invisible character."""
    return unicodedata.category(letter)[0] in "ZPC" or letter == "−"


def code_hash(key: bytes, text: str) -> str:
    """What the database knows a recovery code by, however it was typed.

    A text that is no code has a hash too, after the same work. No profile has that hash.
    """
    return _keyed(key, "hash", normalised(text) or "").hex()


def matches(key: bytes, text: str, stored_hash: str) -> bool:
    """Whether a text is the code of a stored hash, told in the same time for any wrong code."""
    return hmac.compare_digest(code_hash(key, text).encode(), stored_hash.encode())


def server_key(folder: Path) -> bytes:
    """The server's key: of the environment's SUMMON_KEY, or else of the file `summon.key` in the folder.

    The file is made on first use. ServerKeyError where the key cannot be had or is not safe.
    """
    given = os.environ.get(KEY_VARIABLE)
    if given is not None:
        return _key_of(given, f"the environment's {KEY_VARIABLE}")
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _make_key_file(path)
        return _key_of(_read_key_file(path), str(path))
    except OSError as error:
        raise ServerKeyError(f"the server's key {path}: {error.strerror}; or give a key in {KEY_VARIABLE}") from error


def _key_of(text: str, where: str) -> bytes:
    """The bytes of a key in hexadecimal digits, or else in base64."""
    plain = text.strip()
    try:
        if _HEX.fullmatch(plain) and len(plain) % 2 == 0:
            key = bytes.fromhex(plain)
        else:
            standard = plain.rstrip("=").replace("-", "+").replace("_", "/")
            key = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except (binascii.Error, ValueError):
        # Not "from" what was raised, whose traceback may show the text.
        raise ServerKeyError(f"{where} is neither hexadecimal nor base64") from None
    if len(key) < KEY_BYTES:
        raise ServerKeyError(f"{where} is too short: {len(key)} bytes, and it needs {KEY_BYTES} or more")
    return key


def _make_key_file(path: Path) -> None:
    """Write a new key under another name and link it into place.

    Whoever comes second finds the first one's, and nobody ever sees half a key.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_bytes(KEY_BYTES).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def _read_key_file(path: Path) -> str:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if os.name == "posix" and status.st_mode & 0o077:
            mode = stat.S_IMODE(status.st_mode)
            raise ServerKeyError(f"the server's key {path} is open to others (mode {mode:04o}): chmod 600 {path}")
        return file.read(_MOST_KEY_LETTERS).decode("latin-1")
