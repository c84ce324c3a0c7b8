"""`summon book`: whose chapters are opened, how Jupyter is started, and that the chapters are in what is installed."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat import sign

from summon import chapters, cli, rulebook

PROJECT = Path(__file__).parents[1]
NAMES = sorted(path.name for path in (PROJECT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, dict[str, object]]]:
    """What Jupyter was asked to open instead of opening it."""
    asked: list[tuple[Path, dict[str, object]]] = []
    monkeypatch.setattr(chapters, "check_jupyter", lambda classic: None)
    monkeypatch.setattr(chapters, "open_jupyter", lambda folder, **how: asked.append((folder, how)))
    return asked


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with the game installed elsewhere and two chapters in it."""
    package = tmp_path / "site-packages" / "summon"
    (package / "notebooks").mkdir(parents=True)
    for name in ("01-first.ipynb", "02-second.ipynb"):
        (package / "notebooks" / name).write_text(f"the original {name}")
    monkeypatch.setattr(rulebook, "PACKAGE", package)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def test_in_the_project_the_chapters_themselves_are_opened(opened, capsys):
    assert cli.main(["book"]) == 0
    assert opened == [(PROJECT / "notebooks", {"classic": False, "port": None, "open_browser": True})]
    assert str(PROJECT / "notebooks") in capsys.readouterr().out


def test_in_the_project_another_folder_gets_a_copy(opened, tmp_path):
    assert cli.main(["book", str(tmp_path / "mine")]) == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == NAMES
    assert opened[0][0] == tmp_path / "mine"


def test_where_the_game_is_installed_a_copy_is_opened(installed, opened, capsys):
    assert cli.main(["book", "--classic", "--port", "9000", "--no-browser"]) == 0
    assert opened == [(Path("summon-book"), {"classic": True, "port": 9000, "open_browser": False})]
    assert "summon-book: 2 new, 0 as you had them" in capsys.readouterr().out
    assert (installed / "summon-book" / "01-first.ipynb").read_text() == "the original 01-first.ipynb"


def test_a_changed_chapter_is_kept_and_a_missing_one_comes_back(installed, opened, capsys):
    cli.main(["book", "mine"])
    (installed / "mine" / "01-first.ipynb").write_text("changed")
    (installed / "mine" / "02-second.ipynb").unlink()
    capsys.readouterr()
    assert cli.main(["book", "mine"]) == 0
    assert "mine: 1 new, 1 as you had them" in capsys.readouterr().out
    assert (installed / "mine" / "01-first.ipynb").read_text() == "changed"
    assert (installed / "mine" / "02-second.ipynb").read_text() == "the original 02-second.ipynb"


def test_a_file_is_no_folder_for_chapters(installed, opened, capsys):
    (installed / "taken").write_text("mine")
    assert cli.main(["book", "taken"]) == 1
    assert cli.main(["book", "taken/below"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "summon book: taken is no folder: name another"
    assert "taken" in told[1]
    assert (opened, (installed / "taken").read_text()) == ([], "mine")


@pytest.mark.parametrize(("options", "missing"), [([], "jupyterlab"), (["--classic"], "notebook"), ([], "ipykernel")])
def test_without_the_extra_it_is_said_how_to_get_it(options, missing, installed, monkeypatch, capsys):
    found = chapters.find_spec
    monkeypatch.setattr(chapters, "find_spec", lambda name: None if name == missing else found(name))
    assert cli.main(["book", *options]) == 1
    assert "pip install 'summon[notebooks]'" in capsys.readouterr().err
    assert not list(installed.iterdir())


def test_jupyter_is_for_this_machine_and_asks_the_internet_for_nothing(tmp_path):
    for name in ("02-b.ipynb", "01-a.ipynb", "00.txt"):
        (tmp_path / name).touch()
    arguments = chapters.jupyter_arguments(tmp_path, classic=False, port=None, open_browser=True)
    assert arguments[0] == f"--ServerApp.root_dir={tmp_path}"
    assert {"--ServerApp.ip=127.0.0.1", "--LabApp.extension_manager=readonly"} <= {*arguments}
    without = json.loads((chapters.QUIET / "labconfig" / "page_config.json").read_text(encoding="utf-8"))
    assert without == {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    assert arguments[-1] == "--LabApp.default_url=/lab/tree/01-a.ipynb"


def test_a_named_port_is_that_one_or_none(tmp_path):
    arguments = chapters.jupyter_arguments(tmp_path, classic=True, port=9000, open_browser=False)
    assert arguments[-3:] == ["--ServerApp.port=9000", "--ServerApp.port_retries=0", "--no-browser"]
    (tmp_path / "01-a.ipynb").touch()
    arguments = chapters.jupyter_arguments(tmp_path, classic=True, port=None, open_browser=True)
    assert arguments[-1] == "--JupyterNotebookApp.default_url=/notebooks/01-a.ipynb"


def test_chapters_are_trusted_that_are_as_they_came(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    mine = tmp_path / "mine"
    chapters.copied_to(mine)
    changed = mine / "05-poison.ipynb"
    changed.write_text(changed.read_text(encoding="utf-8").replace("Poison", "Soup"), encoding="utf-8")
    chapters.trust(mine)
    notary = sign.NotebookNotary()
    trusted = {path.name for path in mine.iterdir() if notary.check_signature(nbformat.read(path, nbformat.NO_CONVERT))}
    assert trusted == {*NAMES} - {"05-poison.ipynb"}


def test_the_chapters_are_in_what_is_installed(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(build, cwd=PROJECT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "site-packages")
    held = tmp_path / "site-packages" / "summon"
    assert sorted(path.name for path in (held / "notebooks").iterdir()) == NAMES
    assert (held / "rulebook.md").exists()
    for name in ("page_config.json", "default_setting_overrides.json"):
        assert (held / "jupyter" / "labconfig" / name).exists()
    # What is installed finds its own chapters: the folder it is run in comes first.
    code = "from summon import rulebook; print(rulebook.notebooks())"
    run = {"cwd": held.parent, "env": {**os.environ, "PYTHONPATH": ""}, "capture_output": True, "text": True}
    found = subprocess.run([sys.executable, "-c", code], timeout=120, check=False, **run)
    assert found.stdout.strip() == str(held / "notebooks"), found.stderr
