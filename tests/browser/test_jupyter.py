"""The chapters in Jupyter itself: run, played on the board by clicks, and the same battle in Python and back."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect

from summon.words import TRY_IT
from tests.browser.boards import wait_for_phase
from tests.browser.conftest import ROOT, free_port, stop, wait_until_up

TOKEN = "only-for-this-test"
KERNEL = 90_000
"""Until a kernel is there, or has done what it was asked, on a busy machine; in milliseconds."""

PANEL_CDN = "https://cdn.holoviz.org/panel/"

QUICK = [
    "import panel as pn\nfrom summon.notebook import board, set_up\npn.extension(inline=True)",
    'battle = set_up("moss", "ember", turn=5)\nboard(battle)',
    'battle.play("attack", "heal");',
]
"""Python plays on before the board can have been shown."""


def notebook(*cells: str) -> str:
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    written = [{**code, "id": f"cell-{number}", "source": cell} for number, cell in enumerate(cells)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def jupyter(place: Path, *options: str, **settings: str) -> Iterator[str]:
    """Open the chapters as a person does, by `summon book`, with a Jupyter that knows nothing of this machine's."""
    port = free_port()
    folder = place / "chapters"
    folder.mkdir()
    (folder / "quick.ipynb").write_text(notebook(*QUICK), encoding="utf-8")
    own = {f"JUPYTER_{name}_DIR": str(place / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    environment = {**os.environ, **own, "IPYTHONDIR": str(place / "ipython"), "JUPYTER_TOKEN": TOKEN, **settings}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    summon = [sys.executable, "-c", "import sys; from summon.cli import main; sys.exit(main())"]
    command = [*summon, "book", str(folder), "--no-browser", "--port", str(port), *options]
    log = place / "log.txt"
    with log.open("wb") as output:
        served = subprocess.Popen(
            command, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        wait_until_up(served, f"http://127.0.0.1:{port}/api", log)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(served)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab with the chapters."""
    with jupyter(tmp_path_factory.mktemp("lab")) as address:
        yield address + "/lab/tree"


@pytest.fixture
def classic(tmp_path: Path) -> Iterator[str]:
    """The classic Notebook with the chapters."""
    with jupyter(tmp_path, "--classic") as address:
        yield address + "/notebooks"


@pytest.fixture
def widgets(tmp_path: Path) -> Iterator[str]:
    """JupyterLab with the chapters, whose views come as widgets."""
    with jupyter(tmp_path, PANEL_COMMS="vscode") as address:
        yield address + "/lab/tree"


@pytest.fixture
def notebook_page(page_at: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """A way to open a chapter and run all of it, in a kernel that ends with the test."""
    pages: list[Page] = []

    def opened(address: str, name: str, size: str = "desktop", scheme: str = "light") -> Page:
        page = page_at(size, scheme)
        page.goto(f"{address}/{name}.ipynb?token={TOKEN}&reset")
        expect(page.locator(".jp-KernelName, .jp-Toolbar-kernelName").first).to_contain_text("Python 3", timeout=KERNEL)
        pages.append(page)
        run_all(page)
        return page

    yield opened
    for page in pages:
        kernels = urljoin(page.url, "/api/kernels")
        for kernel in page.request.get(f"{kernels}?token={TOKEN}").json():
            page.request.delete(f"{kernels}/{kernel['id']}?token={TOKEN}")


def run_all(page: Page) -> None:
    """Run every cell, and wait until that is done; none of them may fail."""
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt")
    waiting = prompts.filter(has_text="[ ]")
    end = time.monotonic() + KERNEL / 1000
    # While the page still connects to the kernel, what is asked for is lost, or the page asks which one it shall be.
    while waiting.count() and time.monotonic() < end:
        if (choose := page.get_by_role("button", name="Select", exact=True)).is_visible():
            choose.click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        with suppress(AssertionError):
            expect(waiting).to_have_count(0, timeout=10_000)
    expect(waiting.or_(prompts.filter(has_text="[*]"))).to_have_count(0, timeout=KERNEL)
    assert page.locator('[data-mime-type="application/vnd.jupyter.error"]').all_inner_texts() == []


def run(page: Page, holding: str) -> Locator:
    """Run the cell again that holds this code; returns what it shows."""
    cell = page.locator(".jp-CodeCell").filter(has=page.locator(".cm-content", has_text=holding))
    before = cell.locator(".jp-InputPrompt").inner_text()
    cell.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
    prompt = cell.locator(".jp-InputPrompt")
    expect(prompt).not_to_have_text(before, timeout=KERNEL)
    expect(prompt).not_to_have_text("[*]:", timeout=KERNEL)
    return cell.locator(".jp-OutputArea-output")


def play(screen: Locator, card: str) -> None:
    """Play a turn by clicks, to the end of its reveal."""
    wait_for_phase(screen, "choosing")
    screen.locator(f".card[data-card={card}]").click()
    screen.locator(".go").click()
    expect(screen).to_have_attribute("data-phase", "reveal", timeout=KERNEL)
    expect(screen.locator(".go:is([data-go=next], [data-go=result])")).to_be_visible(timeout=30_000)


def goes_both_ways(page: Page) -> None:
    """The first chapter: a turn on the board is in Python, and what Python takes back is gone from the board."""
    screen = page.locator(".screen")
    expect(screen.get_by_text("Turn 1", exact=True)).to_be_visible(timeout=KERNEL)
    play(screen, "attack")
    expect(run(page, "show(battle)").locator("pre").last).to_contain_text("turn 1: Attack against")
    run(page, "battle.undo()")
    expect(screen.get_by_text("Turn 1", exact=True)).to_be_visible(timeout=KERNEL)


def test_the_first_chapter_is_played_on_the_board_and_in_python(lab, notebook_page):
    goes_both_ways(notebook_page(lab, "00-play-first"))


@pytest.mark.parametrize("chapter", ["05-poison", "07-wilds"])
def test_a_chapter_is_run_and_a_situation_of_it_played_on(lab, notebook_page, chapter):
    page = notebook_page(lab, chapter)
    cell = page.locator(".jp-CodeCell").filter(has=page.locator(".cm-content", has_text="try_it(")).first
    cell.get_by_role("button", name=TRY_IT).click()
    play(cell.locator(".screen"), "attack")


def test_what_python_plays_at_once_is_on_the_board(lab, notebook_page):
    page = notebook_page(lab, "quick")
    expect(page.locator('.screen [data-health="3"]')).to_be_visible(timeout=KERNEL)


def test_a_question_is_asked_by_clicks_and_read_in_python(lab, notebook_page):
    page = notebook_page(lab, "15-ask-your-own")
    asked = page.locator(".jp-OutputArea").filter(has=page.get_by_role("button", name="Reveal", exact=True))
    expect(asked.get_by_text("Turn 1: what do both play?")).to_be_visible(timeout=KERNEL)
    for first, second in (("Attack", "Heal"), ("Counter", "Attack")):
        asked.get_by_role("button", name=first, exact=True).first.click()
        asked.get_by_role("button", name=second, exact=True).last.click()
        asked.get_by_role("button", name="Reveal", exact=True).click()
        expect(asked.get_by_text(f"Turn 1: {first} against {second}").last).to_be_visible(timeout=KERNEL)
        asked.get_by_role("button", name="Step back", exact=True).click()
        expect(asked.get_by_text("Turn 1: what do both play?")).to_be_visible(timeout=KERNEL)
    expect(asked.get_by_role("heading", name="Turn 1: Attack against Heal")).to_be_visible()
    asked.get_by_role("button", name="Go on from its end").first.click()
    # While the kernel answers a press, the page keeps the next one back: a cell that is run now would come before it.
    expect(asked.get_by_text("Turn 2: what do both play?")).to_be_visible(timeout=KERNEL)
    expect(run(page, "show(ask.battle)").locator("pre").last).to_contain_text("turn 1: Attack against Heal")


def test_the_first_chapter_in_the_classic_notebook(classic, notebook_page, page_at):
    # An error of the classic Notebook itself, which is there with any notebook.
    page_at.expected.append("reading 'schema'")
    goes_both_ways(notebook_page(classic, "00-play-first"))


def test_the_first_chapter_with_boards_as_widgets_as_in_vs_code(widgets, notebook_page, page_at):
    goes_both_ways(notebook_page(widgets, "00-play-first"))
    # Panel has nowhere else to have its own stylesheets from; the board is played without them.
    page_at.expected.append(PANEL_CDN)
    page_at.requests[:] = [url for url in page_at.requests if not url.startswith(PANEL_CDN)]
