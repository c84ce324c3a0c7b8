"""The game of one visitor without a browser: what each page is given, and what each action does."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from summon import recovery, words
from summon.record import Record
from summon.store import Store, StoreError, Trouble
from summon.views.game import HISTORY
from summon.views.pages import _MESSAGES
from summon.views.world import World
from tests.store.playing import rich, win
from tests.views.visitors import KEY, Told, Visitor

# The first visit


@pytest.mark.rule("1.1")
def test_without_a_pet_there_are_six_to_choose_from(come: Callable[..., Visitor]) -> None:
    new = come()
    assert new.on == "welcome"
    assert new.shown["profile"] is None
    assert len(new.shown["pets"]) == 6
    for page in ("home", "fight", "practice", "market", "deck", "battles", "welcome"):
        new.do("go", page=page)
        assert new.on == "welcome"
    for page in ("save", "rulebook"):
        new.do("go", page=page)
        assert new.on == page
        assert new.shown["profile"] is None


@pytest.mark.rule("1.1")
def test_a_pet_is_for_good(visitor: Visitor) -> None:
    assert visitor.on == "home"
    assert visitor.notice == ("Moss is yours. Have fun!", "good")
    first = visitor.me
    visitor.do("choose_pet", pet="ember")
    assert visitor.notice == ("This browser has a pet already, and it is for good.", "bad")
    assert visitor.me == first
    assert visitor.on == "home"


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("fight", {"rival_evolved": False}),
        ("resume", {}),
        ("buy", {"item": "card:poison", "revision": 1}),
        ("deck", {"cards": [], "revision": 1}),
        ("save", {}),
        ("show_code", {}),
        ("hide_code", {}),
        ("replace_code", {}),
        ("sign_out", {}),
        ("watch", {"battle": "won-1"}),
        ("record", {"battle": "won-1"}),
        ("more", {}),
    ],
)
def test_without_a_pet_nothing_can_be_done(
    come: Callable[..., Visitor], told: Told, kind: str, more: dict[str, Any]
) -> None:
    new = come()
    new.do(kind, **more)
    assert new.on == "welcome"
    assert new.shown["trouble"] is None
    assert (told.refused, told.files) == ([], [])
    assert new.store.profile_of("mine") is None


# Pages and addresses


@pytest.mark.parametrize("page", ["home", "fight", "market", "deck", "save", "battles", "rulebook"])
def test_each_page_by_a_door_and_by_its_address(visitor: Visitor, page: str) -> None:
    visitor.do("go", page="rulebook" if page == "home" else "home")
    visitor.do("go", page=page)
    assert visitor.on == page
    assert visitor.game.pages.address == {"search": f"?page={page}", "replace": False}
    assert visitor.shown["profile"]["pet"] == "moss"
    assert visitor.shown["revision"] == visitor.me.revision
    visitor.follow("?page=" + ("rulebook" if page == "home" else "home"))
    visitor.follow(f"?page={page}")
    assert visitor.on == page


@pytest.mark.parametrize(
    ("search", "on"),
    [
        ("", "home"),
        ("?", "home"),
        ("?page=", "home"),
        ("?page=nowhere", "home"),
        ("?page=<script>alert(1)</script>", "home"),
        ("?page=welcome", "home"),
        ("?page=watch", "battles"),
        ("?page=watch&battle=<img src=x onerror=alert(1)>", "battles"),
        ("?page=watch&battle=" + "x" * 400, "battles"),
        ("?page=watch&battle=%00", "battles"),
        ("?page=battle", "home"),
        ("?page=rulebook&rule=<b>", "rulebook"),
        ("?page=market&page=deck", "deck"),
        ("?_at=x&__class__=y", "home"),
        ("?%%%===&&&", "home"),
        ("?page=practice", "SetUp"),
    ],
)
def test_whatever_an_address_says_there_is_a_page(visitor: Visitor, told: Told, search: str, on: str) -> None:
    visitor.do("go", page="save")
    visitor.follow(search)
    assert visitor.on == on
    assert visitor.shown["trouble"] is None
    assert told.refused == []


def test_the_rulebook_is_told_which_rule_is_meant(visitor: Visitor) -> None:
    visitor.follow("?page=rulebook&rule=5.3")
    assert visitor.shown["rule"] == "5.3"
    visitor.do("go", page="rulebook")
    assert visitor.shown["rule"] is None


def test_a_notice_is_told_once(visitor: Visitor) -> None:
    assert visitor.notice is not None
    visitor.do("go", page="market")
    assert visitor.notice is None


def test_home_says_what_can_be_bought(visitor: Visitor) -> None:
    assert (visitor.shown["can_buy"], visitor.shown["battle"]) == (0, None)
    rich(visitor.store, visitor.me, 5)
    visitor.do("go", page="home")
    assert visitor.shown["can_buy"] == 6
    assert visitor.shown["profile"]["gold"] == 5


@pytest.mark.rule("9.1")
def test_the_rivals_and_what_a_win_pays(visitor: Visitor) -> None:
    visitor.do("go", page="fight")
    assert {it["rival"]: it["gold"] for it in visitor.shown["rivals"]} == {"plain": 1, "evolved": 5}
    state = rich(visitor.store, visitor.me, 25)
    visitor.store.buy(state.id, "evolution")
    visitor.do("go", page="fight")
    assert {it["rival"]: it["gold"] for it in visitor.shown["rivals"]} == {"plain": 1, "evolved": 1}


# Battles


@pytest.mark.rule("1.7", "9.2", "11.5")
def test_a_battle_and_the_way_back_to_it(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("fight", rival_evolved=True)
    assert visitor.on == "Board"
    assert visitor.game.pages.address == {"search": "?page=battle", "replace": False}
    board = visitor.game.board.state
    assert (board["turn"], board["you"]["pet"], board["rival_ready"]) == (1, "moss", True)
    visitor.follow("?page=home")
    assert visitor.on == "home"
    assert visitor.shown["battle"]["turn"] == 1
    assert "nobody wins" in visitor.shown["battle"]["ask"]
    assert visitor.shown["battle"]["cost"] == "If you leave it now, nobody wins."

    visitor.do("resume")
    visitor.play("counter")
    assert visitor.game.board.state["turn"] == 2
    for other in (visitor, come()):
        other.follow("?page=fight")
        assert other.shown["battle"]["turn"] == 2
        assert "If you leave it now, nobody wins." not in other.shown["battle"]["ask"]
        other.do("resume")
        assert other.on == "Board"
        assert other.game.board.state["turn"] == 2


@pytest.mark.rule("2.12")
def test_stale_and_illegal_choices_are_told_and_change_nothing(visitor: Visitor, told: Told) -> None:
    visitor.do("fight", rival_evolved=True)
    visitor.play("counter")
    visitor.board("lock", turn=1, card="attack", amount=None)
    assert told.board.pop()[0] == words.stale(1, 2)
    visitor.play("poison")
    assert told.board.pop()[1] == "2.4"
    visitor.play("wait")
    assert len(told.board) == 1
    assert visitor.game.board.state["turn"] == 2
    saved = visitor.store.unfinished(visitor.me.id)
    assert saved is not None
    assert len(saved.record.turns) == 1


def test_the_same_battle_in_two_windows(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("fight", rival_evolved=True)
    other = come()
    other.do("resume")
    visitor.play("counter")
    assert other.game.board.state["turn"] == 2
    other.play("counter")
    assert visitor.game.board.state["turn"] == 3


@pytest.mark.rule("9.2")
def test_another_battle_leaves_the_one_before(visitor: Visitor) -> None:
    visitor.do("fight", rival_evolved=True)
    visitor.play("counter")
    first = visitor.game.board.state["battle"]
    visitor.do("fight", rival_evolved=False)
    assert visitor.game.board.state["battle"] == first, "nobody was asked"
    visitor.do("fight", rival_evolved=False, sure=True)
    assert visitor.game.board.state["battle"] != first
    assert visitor.game.board.state["turn"] == 1
    assert [(it.id, it.outcome) for it in visitor.store.history(visitor.me.id)] == [(first, "second")]


@pytest.mark.rule("9.1", "9.2")
def test_the_gold_of_a_win_is_on_the_board_and_paid_once(visitor: Visitor, world: World) -> None:
    visitor.do("fight", rival_evolved=True)
    visitor.play("counter")
    assert world.lobby is not None
    live = world.lobby.of(visitor.me.id)
    assert live is not None
    live.battle.leave(1)
    over = visitor.game.board.state["over"]
    assert (over["result"], over["gold"], over["text"]) == ("win", 5, "Your rival left the battle.")
    visitor.board("home")
    assert visitor.on == "home"
    assert visitor.shown["profile"]["gold"] == 5
    visitor.follow("?page=battle")
    assert visitor.on == "Board", "a reload shows how it ended"
    assert visitor.game.board.state["over"]["gold"] == 5
    assert visitor.me.gold == 5


def test_a_browser_that_was_signed_out_cannot_play_on(visitor: Visitor, world: World) -> None:
    visitor.do("fight", rival_evolved=False)
    visitor.play("counter")
    assert world.lobby is not None and world.store is not None
    live = world.lobby.of(visitor.me.id)
    assert live is not None
    world.store.sign_out_others(visitor.me.id, "another browser")
    visitor.board("leave")
    assert not live.battle.over
    assert visitor.on == "welcome"


def test_from_a_battle_that_is_over_to_another_one(visitor: Visitor) -> None:
    visitor.do("fight", rival_evolved=False)
    visitor.board("again")
    visitor.board("home")
    assert visitor.on == "Board", "not while it goes on"
    visitor.board("leave")
    assert visitor.game.board.state["over"]["result"] == "ended"
    visitor.board("again")
    assert visitor.on == "fight"


@pytest.mark.rule("9.3")
def test_practice(visitor: Visitor) -> None:
    visitor.do("go", page="practice")
    assert visitor.on == "SetUp"
    setup = visitor.game.view[-1]
    setup._handle_msg({"type": "back"})
    assert visitor.on == "home"
    visitor.do("go", page="practice")
    setup._handle_msg({"type": "start", "pet": "spark", "rival_evolved": False, "cards": ["poison"]})
    assert visitor.on == "Board"
    assert visitor.game.board.state["you"]["pet"] == "spark"
    saved = visitor.store.unfinished(visitor.me.id)
    assert saved is not None
    assert saved.kind == "practice"
    visitor.board("leave")
    visitor.board("again")
    assert visitor.on == "SetUp"
    assert visitor.me.gold == 0


# The market and the deck


@pytest.mark.rule("10.1", "10.5")
def test_buying(visitor: Visitor) -> None:
    visitor.do("go", page="market")
    goods = {it["item"]: it for it in visitor.shown["goods"]}
    assert goods["card:poison"]["off"]["text"] == "You need 5 more gold."
    visitor.buy("card:poison")
    assert visitor.notice == ("You need 5 more gold.", "bad")
    rich(visitor.store, visitor.me, 10)
    visitor.buy("card:poison")
    assert visitor.notice == ("Poison is yours!", "good")
    assert visitor.shown["profile"]["gold"] == 5
    goods = {it["item"]: it for it in visitor.shown["goods"]}
    assert (goods["card:poison"]["owned"], goods["card:poison"]["off"]) == (True, None)
    visitor.buy("card:poison")
    assert visitor.notice == ("You have that already.", "bad")
    visitor.buy("tier:attack:3")
    assert visitor.notice == ("Tier 2 comes first.", "bad")
    assert (visitor.me.gold, visitor.me.cards) == (5, ("poison",))


@pytest.mark.rule("10.2", "10.3")
def test_a_tier_and_evolution(visitor: Visitor) -> None:
    rich(visitor.store, visitor.me, 30)
    visitor.do("go", page="market")
    visitor.buy("tier:attack:2")
    assert visitor.notice == ("Attack is at tier 2 now!", "good")
    assert visitor.shown["goods"][-1]["line"].startswith("Becomes Mosswood for good:")
    visitor.buy("evolution")
    assert visitor.notice == ("Mosswood is yours!", "good")
    assert visitor.shown["goods"][-1]["line"].startswith("Grown for good:")
    told = visitor.shown["profile"]
    assert (told["pet"], told["family"], told["evolved"], told["gold"], told["health"]) == (
        "mosswood",
        "moss",
        True,
        0,
        10,
    )


@pytest.mark.rule("10.5")
def test_a_stale_window_buys_once(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    rich(visitor.store, visitor.me, 10)
    other = come()
    seen = other.shown["revision"]
    visitor.buy("card:poison", seen)
    other.buy("card:poison", seen)
    assert other.notice == ("You have that already.", "info")
    assert other.shown["profile"]["gold"] == 5
    other.buy("card:blind", seen)
    assert other.notice == ("Blind is yours!", "good"), "what can still be bought is bought"
    assert other.me.gold == 0


@pytest.mark.rule("10.4")
def test_the_market_says_when_it_serves(visitor: Visitor) -> None:
    visitor.do("go", page="market")
    assert visitor.shown["later"] is None
    visitor.do("fight", rival_evolved=False)
    visitor.follow("?page=market")
    assert visitor.shown["later"] == words.LATER


@pytest.mark.rule("1.4")
def test_the_deck(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    state = rich(visitor.store, visitor.me, 10)
    for item in ("card:poison", "card:wild"):
        state = visitor.store.buy(state.id, item)
    visitor.do("go", page="deck")
    shown = [it["card"] for it in visitor.shown["deck"]]
    assert shown == ["attack", "heal", "counter", "poison", "wild"]
    stale = state.revision
    visitor.do("deck", cards=["wild"], revision=stale)
    assert visitor.me.deck == ("wild",)
    assert [it["card"] for it in visitor.shown["spare"]] == ["poison"]
    assert visitor.shown["revision"] == visitor.me.revision > stale

    other = come()
    other.do("deck", cards=["poison"], revision=stale)
    assert other.notice == (words.CHANGED, "info")
    assert other.me.deck == ("wild",)
    other.do("deck", cards=["shield"], revision=other.me.revision)
    assert other.notice == ("That card is not yours yet.", "bad")
    assert other.me.deck == ("wild",)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "buy", "item": "card:poison"},
        {"type": "buy", "item": "gold", "revision": 1},
        {"type": "buy", "item": "card:poison", "revision": True},
        {"type": "deck", "cards": ["poison", "poison"], "revision": 1},
        {"type": "deck", "cards": "poison", "revision": 1},
        {"type": "choose_pet", "pet": "blaze"},
        {"type": "fight", "rival_evolved": 1},
        {"type": "go", "page": "battle"},
        {"type": "watch", "battle": "../x"},
        {"type": "load", "code": "x" * 100_000, "sure": False},
        {"type": "address", "search": "x" * 501},
        {"type": "gold", "amount": 5},
        ["buy"],
        None,
    ],
)
def test_messages_of_another_form_do_nothing(visitor: Visitor, message: object) -> None:
    rich(visitor.store, visitor.me, 10)
    before, shown = visitor.me, visitor.shown
    visitor.game.pages._handle_msg(message)
    assert visitor.game.pages.ignored == 1
    assert visitor.me == before
    assert visitor.shown is shown


# Saving and the recovery code


@pytest.mark.rule("11.3")
def test_save_now(visitor: Visitor) -> None:
    visitor.do("go", page="save")
    visitor.do("save")
    assert visitor.notice == (words.SAVED, "good")
    saved = visitor.me.saved
    assert saved is not None
    assert visitor.shown["saved"] == saved.isoformat()


@pytest.mark.rule("11.3")
def test_the_code_is_shown_when_asked_for_alone(visitor: Visitor) -> None:
    visitor.do("go", page="save")
    assert visitor.shown["code"] is None
    visitor.do("show_code")
    code = visitor.shown["code"]
    assert code == recovery.code_for(KEY, visitor.me.id, 0)
    visitor.do("hide_code")
    assert visitor.shown["code"] is None
    visitor.do("show_code")
    assert visitor.shown["code"] == code
    visitor.do("go", page="home")
    assert code not in json.dumps(visitor.shown)
    visitor.do("go", page="save")
    assert visitor.shown["code"] is None


@pytest.mark.rule("11.3")
def test_a_code_loads_a_pet_elsewhere_until_it_is_replaced(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("go", page="save")
    visitor.do("show_code")
    code = visitor.shown["code"]
    other = come("other")
    other.do("load", code=f" {code.upper().replace('-', '  ')}", sure=False)
    assert other.on == "home"
    assert other.notice == ("Moss is back!", "good")
    assert other.me.id == visitor.me.id

    visitor.do("replace_code")
    newer = visitor.shown["code"]
    assert newer not in (code, None)
    third = come("third")
    for wrong in (code, "no code", "<b>" * 100, ""):
        third.do("load", code=wrong, sure=False)
        assert third.notice == (words.NO_CODE, "bad")
        assert third.on == "welcome"
    third.do("load", code=newer, sure=False)
    assert third.on == "home"


@pytest.mark.rule("11.3")
def test_after_too_many_codes_even_the_right_one_is_refused(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("show_code")
    code = recovery.code_for(KEY, visitor.me.id, 0)
    other = come("other")
    for _ in range(5):
        other.do("load", code="no code", sure=False)
    other.do("load", code=code, sure=False)
    assert other.notice == (words.NO_CODE, "bad")
    assert other.store.profile_of("other") is None


@pytest.mark.rule("11.3")
def test_loading_over_a_pet_is_asked(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("show_code")
    code = recovery.code_for(KEY, visitor.me.id, 0)
    other = come("other")
    other.do("choose_pet", pet="ember")
    mine = other.me.id
    other.do("go", page="save")
    other.do("load", code=code, sure=False)
    assert other.shown["load_ask"]["text"] == words.load_ask("Ember", 0)
    assert other.me.id == mine
    other.do("load", code=code, sure=True)
    assert other.me.id == visitor.me.id
    assert other.on == "home"


@pytest.mark.rule("11.3")
def test_saying_sure_at_once_still_needs_a_code(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    visitor.do("show_code")
    other = come("other")
    other.do("choose_pet", pet="ember")
    mine = other.me.id
    other.do("load", code="no code", sure=True)
    assert other.notice == (words.NO_CODE, "bad")
    assert other.me.id == mine


def test_without_a_key_there_are_no_codes(visitor: Visitor, world: World) -> None:
    world.key = None
    visitor.do("go", page="save")
    for kind in ("show_code", "replace_code"):
        visitor.do(kind)
        assert visitor.shown["trouble"] == {"text": words.NO_CODES}
        assert visitor.shown["code"] is None
    visitor.do("load", code="no code", sure=False)
    assert visitor.notice == (words.NO_CODE, "bad")


@pytest.mark.rule("11.3")
def test_signing_out_the_others(visitor: Visitor, come: Callable[..., Visitor]) -> None:
    other = come("other")
    visitor.store.link("other", visitor.me.id)
    other.do("go", page="home")
    assert other.on == "home"
    visitor.do("go", page="save")
    visitor.do("sign_out")
    assert visitor.notice == ("Signed out 1 other browser.", "good")
    other.buy("card:poison", 1)
    assert other.on == "welcome"
    assert other.notice == (words.SIGNED_OUT, "info")
    assert other.shown["profile"] is None
    other.do("go", page="save")
    assert other.shown["code"] is None
    assert other.notice is None, "that was told"
    visitor.do("sign_out")
    assert visitor.notice == ("Signed out 0 other browsers.", "good")


# What was played


def test_finished_battles_are_shown_watched_and_downloaded(visitor: Visitor, told: Told) -> None:
    saved = win(visitor.store, visitor.me)
    visitor.do("go", page="battles")
    (battle,) = visitor.shown["battles"]
    assert (battle["id"], battle["result"], battle["gold"], battle["turns"]) == (
        saved.id,
        "win",
        1,
        len(saved.record.turns),
    )
    visitor.do("record", battle=saved.id)
    name, text = told.files.pop()
    assert name == "summon-moss-moss.json"
    assert Record.from_json(text) == saved.record

    visitor.do("watch", battle=saved.id)
    assert visitor.on == "Board"
    assert visitor.game.board.state["watch"]["more"]
    for turn in range(1, len(saved.record.turns) + 1):
        assert visitor.game.board.state["turn"] == turn
        visitor.board("next", turn=turn)
        visitor.board("next", turn=turn)
    state = visitor.game.board.state
    assert (state["watch"]["more"], state["over"]["result"]) == (False, "win")
    visitor.board("home")
    assert visitor.on == "battles"


def test_a_battle_of_somebody_else_is_not_there(visitor: Visitor, come: Callable[..., Visitor], told: Told) -> None:
    other = come("other")
    other.do("choose_pet", pet="ember")
    theirs = win(other.store, other.me)
    visitor.do("watch", battle=theirs.id)
    assert visitor.on == "battles"
    assert visitor.shown["battles"] == []
    visitor.do("record", battle=theirs.id)
    assert told.files == []
    other.do("fight", rival_evolved=False)
    other.do("watch", battle=other.game.board.state["battle"])
    assert other.on == "battles", "what goes on is not shown as played"


def test_older_battles(visitor: Visitor) -> None:
    for _ in range(HISTORY + 1):
        visitor.do("fight", rival_evolved=False)
        visitor.play("counter")
        visitor.board("leave")
    visitor.do("go", page="battles")
    assert (len(visitor.shown["battles"]), visitor.shown["more"]) == (HISTORY, True)
    visitor.do("more")
    assert (len(visitor.shown["battles"]), visitor.shown["more"]) == (HISTORY + 1, False)


# Trouble


def trouble(*_: object, **__: object) -> None:
    raise StoreError(Trouble.FULL, "somewhere")


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a fault")


@pytest.mark.rule("11.1")
@pytest.mark.parametrize(
    ("method", "kind", "more"),
    [
        ("buy", "buy", {"item": "card:poison", "revision": 1}),
        ("set_deck", "deck", {"cards": [], "revision": 1}),
        ("note_saved", "save", {}),
        ("set_code_hash", "show_code", {}),
        ("sign_out_others", "sign_out", {}),
        ("begin_battle", "fight", {"rival_evolved": False}),
    ],
)
def test_trouble_while_saving_is_told_and_can_be_tried_again(
    visitor: Visitor, told: Told, monkeypatch: pytest.MonkeyPatch, method: str, kind: str, more: dict[str, Any]
) -> None:
    rich(visitor.store, visitor.me, 5)
    visitor.do("go", page="save")
    before = visitor.me
    for fault, text in ((trouble, StoreError(Trouble.FULL, "").player), (broken, words.FAILED)):
        with monkeypatch.context() as patch:
            patch.setattr(visitor.store, method, fault)
            visitor.do(kind, **more)
        assert visitor.shown["trouble"] == {"text": text}
        assert "somewhere" not in json.dumps(visitor.shown)
        assert visitor.shown["profile"]["gold"] == 5
        assert visitor.me == before
    visitor.do(kind, **more)
    assert told.refused == []
    if kind != "fight":
        assert visitor.shown["trouble"] is None


@pytest.mark.rule("11.1")
def test_a_turn_that_is_not_saved_is_told_on_the_board(
    visitor: Visitor, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.do("fight", rival_evolved=True)
    with monkeypatch.context() as patch:
        patch.setattr(visitor.store, "save_battle", trouble)
        visitor.play("counter")
    assert (StoreError(Trouble.FULL, "").player, "11.1") in told.board
    assert visitor.game.board.state["turn"] == 2
    visitor.play("counter")
    saved = visitor.store.unfinished(visitor.me.id)
    assert saved is not None
    assert len(saved.record.turns) == 2


def test_trouble_at_the_very_start_is_told(
    come: Callable[..., Visitor], store: Store, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "profile_of", trouble)
        new = come()
    assert new.shown["trouble"] == {"text": StoreError(Trouble.FULL, "").player}
    new.do("choose_pet", pet="tide")
    assert new.on == "home"
    assert new.shown["trouble"] is None


def test_what_may_be_done_is_what_the_pages_may_send(visitor: Visitor) -> None:
    assert visitor.game._deeds().keys() == _MESSAGES.keys()
