"""Recovery codes: what they are made of, how they are read, and the server's key."""

import base64
import logging
import os
import re
import stat
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summon import recovery
from summon.recovery import ServerKeyError, code_for, code_hash, matches, normalised, server_key, words

pytestmark = pytest.mark.rule("11.3")

KEY = bytes(range(32))
CODE = code_for(KEY, "profile", 0)
LIST = Path(recovery.__file__).with_name("wordlist.txt")


def test_the_list_is_the_published_one_with_its_attribution() -> None:
    lines = LIST.read_text(encoding="ascii").splitlines()
    told = " ".join(line for line in lines if line.startswith("#"))
    listed = [line for line in lines if not line.startswith("#")]
    assert "Electronic Frontier Foundation" in told
    assert "https://creativecommons.org/licenses/by/3.0/us/" in told
    assert len(listed) == len(set(listed)) == 6**5
    assert (listed[0], listed[-1]) == ("abacus", "zoom")
    assert all(re.fullmatch("[a-z]+(-[a-z]+)?", line) for line in listed)


def test_six_words_are_77_bits() -> None:
    assert len(words()) == len(set(words())) == 6**5 - 1, "yoyo and yo-yo are one"
    assert 77 < recovery.WORDS_IN_A_CODE * log2(len(words())) < 78


def test_no_word_begins_another_one() -> None:
    """Which makes a code readable with nothing between its words; neighbours in order are all that need a look."""
    assert not [(a, b) for a, b in pairwise(sorted(words())) if b.startswith(a)]
    assert all(word.isalpha() and word.islower() for word in words())


def test_a_code_is_six_words_and_always_the_same() -> None:
    assert code_for(KEY, "profile", 0) == CODE
    assert len(CODE.split("-")) == 6
    assert set(CODE.split("-")) <= set(words())
    assert CODE == "lazy-anywhere-foyer-blandness-unrivaled-duplicity"


def test_another_key_profile_or_counter_is_another_code() -> None:
    codes = {CODE, code_for(KEY[::-1], "profile", 0), code_for(KEY, "Profile", 0), code_for(KEY, "profile", 1)}
    codes |= {code_for(KEY, 'profile", 0, "', 0), code_for(KEY, "profile\0", 0), code_for(KEY, "profile1", 0)}
    assert len(codes) == 7
    assert len({code_for(KEY, f"p{n % 50}", n // 50) for n in range(1_000)}) == 1_000


def test_all_words_are_equally_likely() -> None:
    counted = Counter(recovery._picked(iter(range(2**16))))
    assert set(counted) == set(words())
    assert set(counted.values()) == {2**16 // len(words())}


def test_words_are_drawn_on_beyond_one_hash() -> None:
    numbers = recovery._numbers(KEY, "profile", 0)
    drawn = [next(numbers) for _ in range(40)]
    assert len(set(drawn)) > 35, "the second hash is not the first one again"
    assert all(0 <= number < 2**16 for number in drawn)
    assert max(drawn) > 2**15


@given(st.binary(min_size=32, max_size=64), st.text(), st.integers())
def test_every_code_reads_as_itself(key: bytes, profile: str, counter: int) -> None:
    code = code_for(key, profile, counter)
    assert normalised(code) == code


WAYS = {
    "spaces": CODE.replace("-", " "),
    "capitals": CODE.upper(),
    "title case": CODE.title(),
    "commas": CODE.replace("-", ", "),
    "lines": CODE.replace("-", "\r\n"),
    "a list": "\n".join(f"• {word}" for word in CODE.split("-")),
    "nothing between": CODE.replace("-", ""),
    "doubled dashes": CODE.replace("-", "--"),
    "long dashes": CODE.replace("-", " — "),
    "unbreakable dashes": CODE.replace("-", "\u2011"),
    "minus signs": CODE.replace("-", "\u2212"),
    "soft hyphens": CODE.replace("-", "\u00ad"),
    "junk around": f"\t\ufeff\u00a0 “{CODE}”. \u200b\n\x00",
    "wide letters": "".join(chr(ord(letter) + 0xFEE0) if letter != "-" else letter for letter in CODE),
    "broken inside a word": CODE[:2] + "\n" + CODE[2:],
}


@pytest.mark.parametrize("text", WAYS.values(), ids=list(WAYS))
def test_how_it_is_written_does_not_matter(text: str) -> None:
    assert normalised(text) == CODE
    assert code_hash(KEY, text) == code_hash(KEY, CODE)
    assert matches(KEY, text, code_hash(KEY, CODE))


def test_words_with_a_hyphen_are_read_with_and_without() -> None:
    code = "tshirt-dropdown-felttip-yoyo-abacus-zoom"
    for text in (
        code,
        "T-shirt drop-down felt-tip yo-yo abacus zoom",
        "t shirt, drop down, felt tip, yo yo, abacus, zoom",
    ):
        assert normalised(text) == code


FIVE = CODE.rpartition("-")[0]
NO_CODES = {
    "nothing": "",
    "spaces": "   \n",
    "five words": FIVE,
    "seven words": f"{CODE}-zoom",
    "twice": f"{CODE} {CODE}",
    "a strange word": f"{FIVE}-summon",
    "half a word": CODE[:-1],
    "a letter too much": f"{CODE}s",
    "numbers": " ".join(f"{n}. {word}" for n, word in enumerate(CODE.split("-"))),
    "an accent": CODE[:3] + "\u0301" + CODE[3:],
    "another alphabet": CODE.replace("a", "а").replace("o", "о").replace("e", "е"),
    "a surrogate": f"{FIVE}-\ud800",
}


@pytest.mark.parametrize("text", NO_CODES.values(), ids=list(NO_CODES))
def test_what_is_not_six_words_is_no_code(text: str) -> None:
    assert normalised(text) is None
    assert not matches(KEY, text, code_hash(KEY, CODE))
    assert code_hash(KEY, text) == code_hash(KEY, "no code")


@given(st.text(max_size=1_200))
def test_any_text_is_read_or_refused(text: str) -> None:
    read = normalised(text)
    assert read is None or normalised(read) == read


@pytest.mark.parametrize("text", [CODE * 2_000, " " * 100_000, "ﷺ" * 100_000, "a-" * 50_000, CODE + " " * 100_000])
def test_long_texts_are_not_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "unicodedata", None)
    assert normalised(text) is None


def test_what_is_just_short_enough_is_read_quickly() -> None:
    begin = time.perf_counter()
    for text in ("ﷺ" * recovery.MOST_LETTERS, "a" * recovery.MOST_LETTERS, CODE + " " * 900):
        normalised(text)
    assert time.perf_counter() - begin < 1


def test_hashes_depend_on_the_key_and_tell_codes_apart() -> None:
    assert re.fullmatch("[0-9a-f]{64}", code_hash(KEY, CODE))
    assert len({code_hash(KEY, CODE), code_hash(KEY[::-1], CODE), code_hash(KEY, code_for(KEY, "profile", 1))}) == 3
    assert not matches(KEY[::-1], CODE, code_hash(KEY, CODE))
    assert not matches(KEY, CODE, "")
    assert not matches(KEY, CODE, "ü")


def test_a_hash_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []
    monkeypatch.setattr(recovery.hmac, "compare_digest", lambda *pair: compared.append(pair) or True)
    assert matches(KEY, CODE, "stored")
    assert compared == [(code_hash(KEY, CODE).encode(), b"stored")]


@pytest.fixture(autouse=True)
def _no_key_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(recovery.KEY_VARIABLE, raising=False)


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    key = server_key(tmp_path)
    assert len(key) == 32
    assert len(set(key)) > 10
    assert server_key(tmp_path) == key
    assert [path.name for path in tmp_path.iterdir()] == [recovery.KEY_FILE]
    assert server_key(tmp_path / ".") == key


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        server_key(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / recovery.KEY_FILE).stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_key_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    key = server_key(tmp_path)
    path = tmp_path / recovery.KEY_FILE
    path.chmod(mode)
    with pytest.raises(ServerKeyError, match=f"open to others.*{mode:04o}.*chmod 600 {re.escape(str(path))}") as caught:
        server_key(tmp_path)
    assert key.hex() not in str(caught.value)
    path.chmod(0o400)
    assert server_key(tmp_path) == key


def test_many_processes_at_once_get_the_same_key(tmp_path: Path) -> None:
    command = (
        "import sys, pathlib, summon.recovery as r; sys.stdin.read();"
        "print(r.server_key(pathlib.Path(sys.argv[1])).hex())"
    )
    arguments = [sys.executable, "-c", command, str(tmp_path)]
    running = [subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    time.sleep(0.5)
    for process in running:
        assert process.stdin
        process.stdin.close()
    told = {process.stdout.read() for process in running if process.stdout}
    assert [process.wait() for process in running] == [0] * 8
    assert told == {server_key(tmp_path).hex() + "\n"}
    assert len(list(tmp_path.iterdir())) == 1


def test_whoever_comes_second_takes_the_first_ones_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes the key between our look and our writing."""
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert server_key(tmp_path) == server_key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [recovery.KEY_FILE]


GIVEN = {
    "hexadecimal": KEY.hex(),
    "capitals": KEY.hex().upper(),
    "base64": base64.b64encode(KEY).decode(),
    "base64 without padding": base64.b64encode(KEY).decode().rstrip("="),
    "spaces around": f" {KEY.hex()}\n",
}


@pytest.mark.parametrize("text", GIVEN.values(), ids=list(GIVEN))
def test_a_given_key_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    other = server_key(tmp_path)
    monkeypatch.setenv(recovery.KEY_VARIABLE, text)
    assert server_key(tmp_path) == KEY != other


@pytest.mark.parametrize("key", [b"\xfb\xff" * 20, b"\xff" * 33, bytes(range(200, 232)) + b"!"])
def test_both_alphabets_of_base64_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: bytes) -> None:
    for text in (base64.b64encode(key), base64.urlsafe_b64encode(key), base64.urlsafe_b64encode(key).rstrip(b"=")):
        monkeypatch.setenv(recovery.KEY_VARIABLE, text.decode())
        assert server_key(tmp_path) == key


UNFIT = {
    "nothing": ("", "too short: 0 bytes"),
    "31 bytes": ("ab" * 31, "too short: 31 bytes"),
    "31 bytes of base64": (base64.b64encode(b"x" * 31).decode(), "too short: 31 bytes"),
    "a pass phrase": ("correct horse battery staple, and some more of it", "neither hexadecimal nor base64"),
    "letters of no alphabet": ("ß" * 64, "neither hexadecimal nor base64"),
    "a letter too much": ("abcd" * 16 + "e", "neither hexadecimal nor base64"),
}


@pytest.mark.parametrize(("text", "told"), UNFIT.values(), ids=list(UNFIT))
@pytest.mark.parametrize("where", ["environment", "file"])
def test_an_unfit_key_is_refused_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str, text: str, told: str
) -> None:
    caplog.set_level(logging.DEBUG)
    path = tmp_path / recovery.KEY_FILE
    if where == "environment":
        monkeypatch.setenv(recovery.KEY_VARIABLE, text)
    else:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
    with pytest.raises(ServerKeyError, match=told) as caught:
        server_key(tmp_path)
    error = caught.value
    assert (recovery.KEY_VARIABLE if where == "environment" else str(path)) in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    assert not text or text not in str(error) + caplog.text


def test_a_key_that_cannot_be_read_or_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(ServerKeyError, match=r"summon\.key: No such file or directory; or give a key in SUMMON_KEY"):
        server_key(tmp_path / "nowhere")
    (tmp_path / recovery.KEY_FILE).mkdir()
    with pytest.raises(ServerKeyError, match="Is a directory"):
        server_key(tmp_path)


def test_a_link_to_nowhere_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / recovery.KEY_FILE).symlink_to(tmp_path / "nowhere")
    with pytest.raises(ServerKeyError, match="No such file"):
        server_key(tmp_path)
    assert not (tmp_path / "nowhere").exists()
    assert [path.name for path in tmp_path.iterdir()] == [recovery.KEY_FILE]
