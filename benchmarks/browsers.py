"""What the benchmarks in a real browser share: how it is started, the phone that it stands for, and simple servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import panel as pn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks import serving
from tests.browser import chromium

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
SLOWER = 4
"""How many times slower the processor of the phone is."""

PATIENCE = 120_000
"""Milliseconds after which something that a page waits for will not come any more."""


@contextmanager
def started(*flags: str) -> Iterator[Browser]:
    """A browser, with more flags if wanted. SystemExit, which tells how to get one, where there is none."""
    path = chromium.find()
    if path is None:
        raise SystemExit(chromium.HOW_TO)
    sandbox = ["--no-sandbox"] if chromium.is_root() else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--disable-gpu", "--no-first-run", *flags, *sandbox]
        )
        yield browser
        browser.close()


def phone(browser: Browser) -> BrowserContext:
    """A phone that has nothing yet."""
    context = browser.new_context(**PHONE)
    context.set_default_timeout(PATIENCE)
    return context


def slow_page(context: BrowserContext) -> Page:
    """A page of the phone, at the speed of its processor."""
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def serve(name: str, page: Callable[[], pn.viewable.Viewable], port: int, *origins: str, **more: Any) -> None:
    """Serve a Panel page by its name for as long as the process lasts; `origins` are more hosts that may ask for it."""
    pn.serve(
        {name: page},
        address=serving.ADDRESS,
        port=port,
        show=False,
        verbose=False,
        websocket_origin=[f"{serving.ADDRESS}:{port}", *origins],
        **more,
    )
