"""The chapters of the playable rulebook: where they are, a person's own copy of them, and Jupyter to open them in."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

from summon import rulebook

OWN_FOLDER = "summon-book"
"""The folder in which a person's copy is kept, where none is named."""

QUIET = rulebook.PACKAGE / "jupyter"
"""Jupyter's configuration that a command line cannot hold."""

LOCAL = (
    # For this machine alone, and the visitor is known by the address's token; so, as with the game, anybody may start
    # it, and Ctrl+C ends it without a question.
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.allow_root=True",
    "--ServerApp.answer_yes=True",
    "--Application.log_level=WARN",
    "--LabApp.extension_manager=readonly",
)
"""How Jupyter is started: quiet, and asking nothing of other hosts."""


class NoJupyter(Exception):
    """The extra `notebooks` is not installed."""


def check_jupyter(classic: bool = False) -> None:
    """Refuse, with NoJupyter, to open the chapters where there is no JupyterLab, or no classic Notebook."""
    if any(find_spec(name) is None for name in ("ipykernel", "notebook" if classic else "jupyterlab")):
        raise NoJupyter("Jupyter is not installed here: pip install 'summon[notebooks]'")


def opened_in(folder: str | None) -> Path:
    """The folder whose chapters are opened.

    In the project's own folder these are the chapters themselves, unless another `folder` is named; where the game is
    installed, a copy in `OWN_FOLDER`, so that nothing is written among the installed packages.
    """
    if folder is None and rulebook.notebooks().parent != rulebook.PACKAGE:
        return rulebook.notebooks()
    return Path(folder or OWN_FOLDER)


def copied_to(folder: Path) -> tuple[int, int]:
    """Copy the chapters that a folder lacks; returns how many were copied, and how many were there and are kept.

    What is there may have been changed by its owner and is never overwritten. OSError where the folder cannot be
    written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied = kept = 0
    for chapter in sorted(rulebook.notebooks().glob("*.ipynb")):
        own = folder / chapter.name
        try:
            with own.open("xb") as out, chapter.open("rb") as told:
                shutil.copyfileobj(told, out)
            copied += 1
        except FileExistsError:
            kept += 1
        except OSError:
            own.unlink(missing_ok=True)
            raise
    return copied, kept


def trust(folder: Path) -> None:
    """Have Jupyter show the stored pictures of those of a folder's chapters that are as they came with the game.

    Others' notebooks it shows without, as they might hold anything; so it does with what was changed elsewhere.
    """
    from nbformat import NO_CONVERT, reads, sign

    notary = sign.NotebookNotary()
    for chapter in rulebook.notebooks().glob("*.ipynb"):
        own = folder / chapter.name
        if own.exists() and own.read_bytes() == chapter.read_bytes():
            notary.sign(reads(own.read_text(encoding="utf-8"), NO_CONVERT))


def jupyter_arguments(folder: Path, *, classic: bool, port: int | None, open_browser: bool) -> list[str]:
    """The command line by which Jupyter opens the first chapter of a folder.

    It listens at the `port` that is named and no other; where none is, at the first free one that it finds.
    """
    arguments = [f"--ServerApp.root_dir={folder.resolve()}", *LOCAL]
    if first := min((path.name for path in folder.glob("*.ipynb")), default=None):
        app, page = ("JupyterNotebookApp", "notebooks") if classic else ("LabApp", "lab/tree")
        arguments.append(f"--{app}.default_url=/{page}/{first}")
    if port is not None:
        arguments += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not open_browser:
        arguments.append("--no-browser")
    return arguments


def open_jupyter(folder: Path, *, classic: bool, port: int | None, open_browser: bool) -> None:
    """Serve a folder's chapters in JupyterLab, or in the classic Notebook, until it is interrupted."""
    # Without the part of JupyterLab that asks the internet for news and newer versions of itself; and with presses on a
    # board answered between the cells: on a thread beside them, they would swallow what a cell prints meanwhile.
    theirs = filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([*theirs, str(QUIET)])
    # This environment's kernel, which has the game, also where the person has another one of the same name.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    trust(folder)
    arguments = jupyter_arguments(folder, classic=classic, port=port, open_browser=open_browser)
    if classic:
        from notebook.app import JupyterNotebookApp

        JupyterNotebookApp.launch_instance(arguments)
    else:
        from jupyterlab.labapp import LabApp

        LabApp.launch_instance(arguments)
