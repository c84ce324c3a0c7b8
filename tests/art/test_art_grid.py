"""Reading grids: what is allowed, and that everything else is named with its place."""

import pytest

from summon.art.grid import MAX_SIDE, MAX_TEXT, GridError, Paint, read


def test_legend_and_rows() -> None:
    grid = read("# a note\nr = red\nE = eye #b5480d on dark red\nM = smile on red\nr.\n", "fox")
    assert grid.legend == {
        "r": Paint("red"),
        "E": Paint("dark red", "eye", "#b5480d"),
        "M": Paint("red", "smile", ""),
    }
    assert grid.rows == ("r.",)
    assert (grid.width, grid.height, grid.source) == (2, 1, "fox")


def test_a_print_without_a_colour_takes_its_usual_one() -> None:
    assert read("E = eye on red\n\nE").legend["E"].detail == "#5b3a1e"


def test_rows_know_their_lines_in_the_file() -> None:
    assert read("r = red\n\n.r\n# a note\nr.\n").lines == (3, 5)


def test_line_endings_of_any_kind_and_empty_lines_round_the_rows() -> None:
    assert read("\r\nr = red\r\n\r\n\r\nrr  \r\nr.\r\n\r\n\r\n").rows == ("rr", "r.")


def test_letter_is_none_where_there_is_no_brick() -> None:
    grid = read("r = red\n\n./r")
    assert [grid.letter(x, y) for x, y in [(0, 0), (1, 0), (2, 0), (3, 0), (2, 1), (-1, 0), (2, -1)]] == [
        None, None, "r", None, None, None, None,
    ]  # fmt: skip


BAD = {
    "unknown letter": ("r = red\n\nrr\nrx", {"line": 4, "column": 2}, "'x'"),
    "space in a row": ("r = red\n\nr r", {"line": 3, "column": 2}, "' '"),
    "markup in a row": ("r = red\n\nr<", {"line": 3, "column": 2}, "'<'"),
    "unknown colour": ("r = red\ns = rde\n\nr", {"line": 2, "column": 5}, "'rde'"),
    "unknown letter after a note": ("r = red\n\n# note\n.x", {"line": 4, "column": 2}, "'x'"),
    "markup as colour": ('r = red"/><script>\n\nr', {"line": 1, "column": 5}, "no colour"),
    "colour as hex": ("r = #ff0000\n\nr", {"line": 1, "column": 5}, "no colour"),
    "unknown colour under a print": ("r = eye #fff on rde\n\nr", {"line": 1, "column": 17}, "'rde'"),
    "unknown print": ("r = wings on red\n\nr", {"line": 1, "column": 5}, "'wings'"),
    "detail not hex": ("r = eye red on red\n\nr", {"line": 1, "column": 9}, "'red'"),
    "detail with four digits": ("r = eye #abcd on red\n\nr", {"line": 1, "column": 9}, "'#abcd'"),
    "detail with markup": ('r = eye #fff"/> on red\n\nr', {"line": 1, "column": 9}, "is not a colour"),
    "detail with a line break": ("r = eye #fff\x85 on red\n\nr", {"line": 1, "column": 9}, "is not a colour"),
    "detail where there is none": ("r = smile #fff on red\n\nr", {"line": 1, "column": 11}, "smile takes no colour"),
    "letter twice": ("r = red\nr = blue\n\nr", {"line": 2, "column": 1}, "r is in the list twice"),
    "slope as letter": ("/ = red\n\n/", {"line": 1, "column": 1}, "'/'"),
    "dot as letter": (". = red\n\n.", {"line": 1, "column": 1}, "'.'"),
    "long letter": ("rr = red\n\nrr", {"line": 1, "column": 1}, "'rr'"),
    "letter of another script": ("\u00e9 = red\n\n\u00e9", {"line": 1, "column": 1}, "'\u00e9'"),
    "markup as letter": ("< = red\n\n<", {"line": 1, "column": 1}, "'<'"),
    "colours after rows": ("r = red\n\nr\nb = blue", {"line": 4}, "before the rows"),
    "empty line between rows": ("r = red\n\nr\n\nr", {"line": 4}, "empty line"),
    "empty text": ("", {}, "not one brick"),
    "no rows": ("r = red\n", {}, "not one brick"),
    "nothing but slopes": ("r = red\n\n/\\", {}, "not one brick"),
    "row too short": ("r = red\n\nrrr\nrr\nrrr", {"line": 4, "column": 3}, "this row has 2 places, others have 3"),
    "row longer than others": ("r = red\n\nrrr\nrrrr\nrrr", {"line": 4, "column": 4}, "has 4 places"),
    "row too long": ("r = red\n\nr\n" + "r" * (MAX_SIDE + 1), {"line": 4, "column": MAX_SIDE + 1}, "at most"),
    "too many rows": ("r = red\n\n" + "r\n" * (MAX_SIDE + 1), {"line": MAX_SIDE + 3}, "at most"),
    "text too long": ("r = red\n\nr\n" + "# note\n" * MAX_TEXT, {}, "at most"),
}


@pytest.mark.parametrize(("text", "where", "words"), BAD.values(), ids=BAD)
def test_bad_grids_are_named_with_their_place(text: str, where: dict[str, int], words: str) -> None:
    with pytest.raises(GridError) as caught:
        read(text, "pets/fox.txt")
    error = caught.value
    message = str(error)
    places = {key: getattr(error, key) for key in ("line", "column") if getattr(error, key) is not None}
    assert places == where
    assert message.startswith("pets/fox.txt")
    assert all(f"{key} {number}" in message for key, number in where.items())
    assert words in message


def test_the_largest_grid_is_allowed() -> None:
    grid = read("r = red\n\n" + ("r" * MAX_SIDE + "\n") * MAX_SIDE)
    assert (grid.width, grid.height) == (MAX_SIDE, MAX_SIDE)


def test_messages_keep_a_strangers_words_short() -> None:
    with pytest.raises(GridError) as caught:
        read(f"r = {'x' * 5000}\n\nr")
    assert "x" * 31 not in str(caught.value)
