"""Whole battles told in plain text, each read and checked against the rulebook once; they must stay as they are.

Where a change of the words is meant, `python tests/test_transcripts.py --write` tells the records anew: read the
difference before you keep it.
"""

import sys
from pathlib import Path

import pytest

from summon.record import Record, replay
from summon.transcript import transcript

FOLDER = Path(__file__).parent / "transcripts"

SHOWS = {
    "blind-and-revive": "Bloom cannot see and waits. [2.1]\n  Attack finds Bloom at zero and hurts nobody. [8.4]",
    "both-pending": "Ember falls to zero, but has Revive. [6.5]\n  Spark falls to zero, but has Revive. [6.5]",
    "changed-rules": "Sacrifice hits Moss for 1. [6.3, -1 by Counter (3.5)]",
    "computer-play": "Tsunami's Copycat copies Counter. [6.10]",
    "copycat-chain": "Ember's Copycat finds nothing to copy. [6.12]",
    "draw-by-sacrifice": "Nobody wins: it is a draw.",
    "evolved-upset": "Spark wins. (5 gold: 9.1)",
    "from-a-start": "turn 7 begins: Spark 2 of 5, Moss 4 of 5",
    "hide-and-revive": "Moss is at zero and waits. [2.2]",
    "poison-race": "Poison takes 2: no healing can save Moss from that. [5.3]",
    "revive-decides": "Tide is beaten and waits. [2.3]\n  Moss returns with 1 health. [6.5]",
    "white-reserve": "Tide 5 of 5 and 2 in reserve",
}
"""Every transcript and a part of it that it was chosen to show."""


def record(name: str) -> Record:
    return Record.from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_every_record_has_its_transcript_and_the_other_way_round():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        f"{name}.{ending}" for name in SHOWS for ending in ("json", "txt")
    )


@pytest.mark.parametrize("name", SHOWS)
def test_a_battle_is_told_as_it_was(name):
    assert transcript(record(name)) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SHOWS)
def test_a_transcript_shows_what_it_was_chosen_for(name):
    assert SHOWS[name] in (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SHOWS)
def test_a_transcript_is_of_a_whole_battle(name):
    assert replay(record(name))["outcome"] != "unfinished"


def write() -> None:
    """Tell every record anew."""
    for path in FOLDER.glob("*.json"):
        path.with_suffix(".txt").write_text(transcript(record(path.stem)), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/test_transcripts.py --write")
    write()
