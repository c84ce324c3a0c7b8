"""The notebooks as they are read: short cells, and stored pictures that need nothing that is live."""

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
MOST_LINES = 6
MOST_LETTERS = 40_000
STILL = {"text/plain", "text/markdown", "image/svg+xml"}


def cells(path: Path) -> list[dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_there_are_notebooks() -> None:
    assert "draw-your-own-pet" in [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_cell_is_short(path: Path) -> None:
    lines = [len([line for line in "".join(cell["source"]).split("\n") if line.strip()]) for cell in cells(path)]
    assert lines
    assert max(lines) <= MOST_LINES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_still_and_small_and_the_tests_compare_it(path: Path) -> None:
    for cell in cells(path):
        for output in cell["outputs"]:
            assert output["output_type"] in ("stream", "execute_result", "display_data")
            assert set(output.get("data", ())) <= STILL
            assert len(json.dumps(output)) < MOST_LETTERS
            assert "nbval-check-output" in cell["metadata"]["tags"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_picture_is_stored(path: Path) -> None:
    assert any("image/svg+xml" in output.get("data", ()) for cell in cells(path) for output in cell["outputs"])
