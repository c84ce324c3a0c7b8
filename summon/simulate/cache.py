"""Where the compiled loop is kept from one start of the program to the next.

numba looks at the file of the loop alone to see whether what it keeps is still right. The rules are elsewhere, so the
folder is named by all that the loop is made of: whatever changes, another folder is used, and nothing stale can run.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import llvmlite
import llvmlite.binding
import numba
import numpy as np
import platformdirs

from summon import turn

UNUSED_DAYS = 30
"""For how many days a folder is kept that nobody uses."""

_STAMP = "used"


def key() -> str:
    """What names a folder: a hash of the rules as they are loaded, of this package, and of what compiles it."""
    digest = hashlib.sha256()
    for part in (
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        sys.version,
        platform.platform(),
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        *_loaded(turn),
        *(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))),
    ):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _loaded(module: ModuleType) -> list[str]:
    """All that a module of rules says, from memory: its file may have changed since it was loaded."""
    told = []
    for name, value in sorted(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            told.append(f"{name}: {_code(value.__code__)}")
        elif isinstance(value, int):
            told.append(f"{name}: {value}")
        elif hasattr(value, "_fields"):
            told.append(f"{name}: {value._fields}")
    return told


def _code(code: CodeType) -> str:
    constants = [_code(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def home() -> Path:
    """The folder of all the folders, in the place for what a program can make again."""
    return Path(platformdirs.user_cache_dir("summon", appauthor=False)) / "simulate"


def folder() -> Path | None:
    """The folder for the loop as it is now, or None where there can be none; others that are old are removed."""
    place = home() / key()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            pass
        (place / _STAMP).touch()
    except OSError:
        return None
    _remove_old(place)
    return place


def _remove_old(kept: Path) -> None:
    oldest = time.time() - UNUSED_DAYS * 24 * 60 * 60
    with os.scandir(kept.parent) as places:
        for place in places:
            try:
                if place.path != str(kept) and os.stat(Path(place.path) / _STAMP).st_mtime < oldest:
                    shutil.rmtree(place.path, ignore_errors=True)
            except OSError:
                continue
