"""A browser with the game open, without a browser."""

from typing import Any

from summon.profile import ProfileState
from summon.store import Store
from summon.views.game import Game
from summon.views.world import World

KEY = b"k" * 32


class Told:
    """What went to the browser once: refusals and files."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.board: list[tuple[str, str]] = []
        self.files: list[tuple[str, str]] = []


class Visitor:
    """A browser with the game open: what it does, and what it is shown."""

    def __init__(self, world: World, store: Store, browser: str) -> None:
        self.store, self.browser = store, browser
        self.game = Game(world, store, browser)

    def do(self, kind: str, **more: Any) -> None:
        """Send a message as the pages do; a fight is not said to be sure unless told."""
        if kind == "fight":
            more.setdefault("sure", False)
        self.game.pages._handle_msg({"type": kind, **more})

    def board(self, kind: str, **more: Any) -> None:
        """Send a message as the board does."""
        self.game.board._handle_msg({"type": kind, **more})

    def follow(self, search: str) -> None:
        """Go back to an address."""
        self.do("address", search=search)

    @property
    def shown(self) -> dict[str, Any]:
        return self.game.pages.state

    @property
    def on(self) -> str:
        """What is visible: a page, or the board or the set-up."""
        seen = [one for one in self.game.view if one.visible]
        assert len(seen) == 1, "one thing is shown"
        return self.shown["page"] if seen[0] is self.game.pages else type(seen[0]).__name__

    @property
    def notice(self) -> tuple[str, str] | None:
        told = self.shown["notice"]
        return None if told is None else (told["text"], told["kind"])

    @property
    def me(self) -> ProfileState:
        state = self.store.profile_of(self.browser)
        assert state is not None
        return state

    def buy(self, item: str, revision: int | None = None) -> None:
        self.do("buy", item=item, revision=self.me.revision if revision is None else revision)

    def play(self, card: str) -> None:
        """Lock a card in for the turn in play."""
        state = self.game.board.state
        self.board("lock", turn=state["turn"], card=card, amount=None)
