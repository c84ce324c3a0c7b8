"""The Python of the guides runs as it stands, with fewer battles."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["README.md", "docs/balance.md"])
def test_the_python_of_a_guide_runs(name):
    pytest.importorskip("numba")
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    known: dict[str, object] = {}
    for block in blocks:
        code = re.sub(r"\b\d+_000\b|(?<=battles=)500\b", "60", block)
        exec(compile(code, name, "exec"), known)
