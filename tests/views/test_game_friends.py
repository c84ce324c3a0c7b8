"""Two visitors in one battle, without a browser: what each is given, and what each may do."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from summon import words
from summon.lobby import AWAY, LASTS, Lobby
from summon.profile import Refused, Why
from summon.record import Record
from summon.store import Store, StoreError, Trouble
from summon.views import reach
from summon.views.board import Board
from summon.views.world import World
from tests.store.playing import rich
from tests.views.visitors import Visitor

BASE = "https://summon.example/play"


@pytest.fixture
def now(world: World, store: Store) -> list[float]:
    """The lobby's clock, in a list that a test may change."""
    now = [0.0]
    world.lobby = Lobby(store, clock=lambda: now[0])
    return now


@pytest.fixture
def host(now: list[float], come: Callable[..., Visitor]) -> Visitor:
    found = come("host")
    found.do("choose_pet", pet="ember")
    return found


@pytest.fixture
def guest(now: list[float], come: Callable[..., Visitor]) -> Visitor:
    found = come("guest")
    found.do("choose_pet", pet="tide")
    return found


def invite(host: Visitor, sure: bool = False) -> str:
    """Go to the page that invites, and return the id of the invitation."""
    host.do("go", page="friend")
    host.do("invite", base=BASE, sure=sure)
    return host.shown["invite"]["id"]


def meet(host: Visitor, guest: Visitor) -> None:
    """Begin a battle of two visitors by an invitation."""
    join(guest, invite(host))
    guest.do("accept", invite=guest.shown["invite"], sure=False)
    assert (host.on, guest.on) == ("Board", "Board")


def played(host: Visitor, guest: Visitor) -> str:
    """Play a battle of one turn, which the guest leaves then; returns its id."""
    meet(host, guest)
    host.play("attack")
    guest.play("counter")
    guest.board("leave")
    return board(host)["battle"]


def join(guest: Visitor, invitation: str) -> None:
    guest.follow(f"?join={invitation}")


def board(visitor: Visitor) -> dict[str, Any]:
    return visitor.game.board.state


# Inviting


@pytest.mark.rule("1.8")
def test_an_invitation_is_a_link_and_a_picture_of_it(host: Visitor) -> None:
    host.do("go", page="friend")
    assert host.shown["invite"] is None
    assert host.shown["closed"] == ""
    invitation = invite(host)
    shown = host.shown["invite"]
    assert shown["url"] == f"{BASE}?join={invitation}"
    assert shown["nearby"] is True
    assert shown["minutes"] == LASTS / 60
    assert len(shown["squares"]) >= 21
    assert {len(row) for row in shown["squares"]} == {len(shown["squares"])}
    assert set("".join(shown["squares"])) == {"0", "1"}
    assert invite(host) == invitation, "a reload shows the same one"


def test_a_link_of_this_machine_alone_says_so_or_leads_into_the_network(
    host: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.do("go", page="friend")
    for known, url, nearby in (
        (None, "http://localhost:5006/play", False),
        ((), "http://localhost:5006/play", False),
        (("http://192.168.1.5:5006/play",), "http://192.168.1.5:5006/play", True),
    ):
        monkeypatch.setattr(reach, "_addresses", known)
        host.do("invite", base="http://localhost:5006/play", sure=False)
        shown = host.shown["invite"]
        assert (shown["url"], shown["nearby"]) == (f"{url}?join={shown['id']}", nearby)


@pytest.mark.parametrize(
    "base",
    ["", "javascript:alert(1)", "ftp://x/play", "https://x/<b>", "https://x/ y", "https://" + "x" * 300, None, 7],
)
def test_a_wrong_base_makes_no_invitation(host: Visitor, world: World, base: object) -> None:
    host.do("go", page="friend")
    host.do("invite", base=base, sure=False)
    assert host.shown["invite"] is None
    assert world.lobby is not None
    assert world.lobby.counts()["invitations"] == 0


@pytest.mark.rule("1.8")
def test_an_invitation_is_taken_back(host: Visitor, guest: Visitor) -> None:
    invitation = invite(host)
    join(guest, invitation)
    assert guest.shown["host"]["pet"] == "ember"
    host.do("withdraw")
    assert host.on == "home"
    assert host.notice == (words.WITHDRAWN, "good")
    guest.do("accept", invite=invitation, sure=False)
    assert guest.on == "join"
    assert guest.notice == (words.not_sold(refused(Why.NOT_INVITED)), "bad")
    assert guest.shown["host"] is None


def refused(why: Why) -> Refused:
    return Refused(why, "1.8")


@pytest.mark.rule("1.8")
def test_what_happens_to_an_invitation_in_another_tab_is_seen(host: Visitor, come: Callable[..., Visitor]) -> None:
    invite(host)
    come("host").do("withdraw")
    assert host.on == "friend"
    assert (host.shown["invite"], host.shown["closed"]) == (None, "withdrawn")


@pytest.mark.rule("1.8")
def test_an_old_invitation_is_closed(host: Visitor, guest: Visitor, now: list[float]) -> None:
    invitation = invite(host)
    now[0] += LASTS
    join(guest, invitation)
    assert guest.shown["host"] is None
    assert (host.shown["invite"], host.shown["closed"]) == (None, "expired")


@pytest.mark.rule("11.5")
def test_who_is_in_a_battle_is_asked_before_inviting(host: Visitor) -> None:
    host.do("fight", rival_evolved=False)
    battle = board(host)["battle"]
    host.do("go", page="friend")
    assert host.shown["battle"]["id"] == battle
    host.do("invite", base=BASE, sure=False)
    assert host.shown["invite"] is None
    host.do("invite", base=BASE, sure=True)
    assert host.shown["invite"] is not None
    assert host.shown["battle"] is None
    assert host.store.unfinished(host.me.id) is None


@pytest.mark.rule("11.5")
def test_another_battle_takes_the_invitation_back(host: Visitor, come: Callable[..., Visitor]) -> None:
    invite(host)
    come("host").do("fight", rival_evolved=False)
    assert (host.on, host.shown["invite"], host.shown["closed"]) == ("friend", None, "withdrawn")


# Answering


@pytest.mark.rule("1.1", "1.8")
def test_a_new_friend_chooses_a_pet_first(host: Visitor, come: Callable[..., Visitor]) -> None:
    new = come("new")
    join(new, invite(host))
    assert new.on == "welcome"
    assert new.shown["host"]["name"] == "Ember"
    new.do("choose_pet", pet="spark")
    assert new.on == "join"
    assert (new.shown["host"]["pet"], new.shown["own"]) == ("ember", False)
    new.do("accept", invite=new.shown["invite"], sure=False)
    assert (new.on, host.on) == ("Board", "Board")
    assert board(new)["battle"] == board(host)["battle"]
    assert (board(new)["you"]["pet"], board(new)["rival"]["pet"]) == ("spark", "ember")


@pytest.mark.rule("1.9")
def test_an_invitation_shows_the_pet_and_nothing_else_of_its_maker(host: Visitor, guest: Visitor) -> None:
    rich(host.store, host.me, 5)
    host.buy("card:poison")
    join(guest, invite(host))
    told = json.dumps(guest.shown["host"])
    assert "poison" not in told
    assert host.me.id not in told
    assert guest.shown["host"]["gold"] is None


@pytest.mark.rule("11.5")
def test_nobody_plays_against_themselves(host: Visitor, come: Callable[..., Visitor]) -> None:
    tab = come("host")
    join(tab, invite(host))
    assert (tab.on, tab.shown["own"], tab.shown["host"]) == ("join", True, None)
    tab.do("accept", invite=tab.shown["invite"], sure=False)
    assert tab.notice == (words.not_sold(refused(Why.OWN_INVITATION)), "bad")
    assert host.on == "friend"


@pytest.mark.rule("1.8")
def test_the_seats_are_taken_for_a_third(host: Visitor, guest: Visitor, come: Callable[..., Visitor]) -> None:
    invitation = invite(host)
    third = come("third")
    third.do("choose_pet", pet="moss")
    join(third, invitation)
    join(guest, invitation)
    guest.do("accept", invite=invitation, sure=False)
    third.do("accept", invite=invitation, sure=False)
    told_third = (third.on, third.notice, third.shown["host"])
    third.do("accept", invite="never-heard-of", sure=False)
    assert told_third == (third.on, third.notice, third.shown["host"]), "the same answer as to an unknown id"
    assert told_third[0] == "join"
    assert board(guest)["battle"] == board(host)["battle"]


@pytest.mark.rule("1.8")
def test_the_link_leads_the_two_back_to_their_battle(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor]
) -> None:
    meet(host, guest)
    for browser in ("guest", "host"):
        again = come(browser)
        again.do("go", page="friend")
        assert again.on == "Board"


@pytest.mark.rule("1.8")
def test_accepting_twice_gives_the_same_seat(host: Visitor, guest: Visitor, come: Callable[..., Visitor]) -> None:
    invitation = invite(host)
    tab = come("guest")
    for one in (guest, tab):
        join(one, invitation)
        one.do("accept", invite=invitation, sure=False)
    assert (guest.on, tab.on) == ("Board", "Board")
    assert board(guest)["battle"] == board(tab)["battle"]
    late = come("guest")
    join(late, invitation)
    assert late.on == "Board"


@pytest.mark.rule("11.5")
def test_a_guest_in_a_battle_is_asked_first(host: Visitor, guest: Visitor) -> None:
    guest.do("fight", rival_evolved=False)
    invitation = invite(host)
    join(guest, invitation)
    assert guest.shown["battle"] is not None
    guest.do("accept", invite=invitation, sure=False)
    assert (guest.on, guest.notice) == ("join", (words.not_sold(Refused(Why.IN_BATTLE, "11.5")), "bad"))
    guest.do("accept", invite="never-heard-of", sure=True)
    assert guest.store.unfinished(guest.me.id) is not None, "nothing is left for an invitation that is not open"
    guest.do("accept", invite=invitation, sure=True)
    assert (host.on, guest.on) == ("Board", "Board")


# The battle of two


@pytest.mark.rule("11.6")
def test_friends_are_called_by_their_pets(host: Visitor, guest: Visitor) -> None:
    meet(host, guest)
    assert (board(host)["you"]["who"], board(host)["rival"]["who"]) == ("You", "Friend")
    for one in (host, guest):
        one.play("attack")
    texts = [step["text"] for step in board(host)["last"]["steps"]]
    assert "Attack hits your friend's Tide for 1." in texts
    guest.board("leave")
    assert board(host)["over"]["title"] == "Your Ember beats your friend's Tide!"
    assert board(host)["over"]["text"] == "Your friend left the battle."


@pytest.mark.rule("1.5", "1.9")
@pytest.mark.parametrize("card", ["attack", "heal", "counter"])
def test_what_is_locked_is_not_told_to_the_other(host: Visitor, guest: Visitor, card: str) -> None:
    meet(host, guest)
    before = json.dumps(board(guest))
    host.play(card)
    assert board(host)["locked"] == {"card": card, "amount": None}
    after = board(guest)
    assert after["rival_ready"] is True
    assert json.dumps(after | {"rival_ready": False}) == before, "the other learns that it is ready, and nothing else"


@pytest.mark.rule("1.5")
def test_both_see_the_reveal(host: Visitor, guest: Visitor) -> None:
    meet(host, guest)
    host.play("attack")
    assert board(host)["last"] is None
    guest.play("counter")
    for one, mine, other in ((host, "attack", "counter"), (guest, "counter", "attack")):
        last = board(one)["last"]
        assert (last["turn"], last["you"]["card"], last["rival"]["card"]) == (1, mine, other)
        assert board(one)["turn"] == 2
        assert board(one)["locked"] is None


@pytest.mark.rule("1.5")
def test_a_choice_is_taken_back_until_the_other_is_in(host: Visitor, guest: Visitor) -> None:
    meet(host, guest)
    host.play("attack")
    assert board(host)["take_back"] is True
    host.board("take_back", turn=1)
    assert board(host)["locked"] is None
    assert board(guest)["rival_ready"] is False
    host.play("counter")
    assert board(host)["locked"] == {"card": "counter", "amount": None}
    assert board(guest)["rival_ready"] is True


@pytest.mark.rule("1.5")
def test_two_tabs_of_a_player_show_the_same_and_the_first_choice_counts(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor], told: Any
) -> None:
    meet(host, guest)
    tab = come("host")
    tab.do("resume")
    host.play("attack")
    assert board(tab)["locked"] == {"card": "attack", "amount": None}
    tab.board("lock", turn=1, card="counter", amount=None)
    assert told.board[-1][0] == "This choice is locked already. Take it back first."
    guest.play("counter")
    assert board(tab)["last"]["you"]["card"] == "attack"
    assert board(tab) == board(host)


@pytest.mark.rule("1.5")
def test_a_reload_lands_in_the_same_seat_and_turn(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor], world: World, store: Store
) -> None:
    meet(host, guest)
    host.play("attack")
    again = come("host")
    again.do("resume")
    assert board(again) == board(host)
    guest.play("counter")
    world.lobby = Lobby(store)
    for browser, mine in (("guest", "counter"), ("host", "attack")):
        restarted = come(browser)
        restarted.do("resume")
        assert board(restarted)["last"]["you"]["card"] == mine
        assert (board(restarted)["turn"], board(restarted)["locked"]) == (2, None)


def test_who_is_here_and_who_is_away(host: Visitor, guest: Visitor, now: list[float]) -> None:
    meet(host, guest)
    assert board(host)["friend"]["here"] is True
    guest.board("here", here=False)
    assert board(host)["friend"]["here"] is False
    guest.board("here", here=True)
    assert board(host)["friend"]["here"] is True
    now[0] += AWAY + 1
    host.board("here", here=True)
    assert board(host)["friend"]["here"] is False, "nothing was heard of the guest for too long"
    assert board(guest)["friend"]["here"] is True
    guest.do("go", page="home")
    assert board(host)["friend"]["here"] is False


@pytest.mark.rule("9.2")
@pytest.mark.parametrize("turns", [0, 1])
def test_leaving_is_told_to_both(host: Visitor, guest: Visitor, turns: int) -> None:
    meet(host, guest)
    for _ in range(turns):
        host.play("counter")
        guest.play("counter")
    guest.board("leave")
    assert board(host)["over"]["result"] == ("win" if turns else "ended")
    assert board(guest)["over"]["result"] == ("loss" if turns else "ended")
    assert board(host)["over"]["gold"] == (1 if turns else None)
    assert host.me.gold == turns
    assert guest.me.gold == 0


def test_a_rematch_is_one_tap_by_each(host: Visitor, guest: Visitor) -> None:
    meet(host, guest)
    old = board(host)["battle"]
    host.board("rematch")
    assert board(host)["battle"] == old, "not while a battle goes on"
    guest.board("leave")
    host.board("rematch")
    assert board(host)["friend"]["wish"] is True
    assert board(guest)["friend"]["wants"] is True
    guest.board("rematch")
    assert board(host)["battle"] == board(guest)["battle"] != old
    assert board(host)["turn"] == 1
    assert (board(host)["you"]["pet"], board(guest)["you"]["pet"]) == ("ember", "tide")


def test_who_goes_home_wants_no_rematch(host: Visitor, guest: Visitor) -> None:
    meet(host, guest)
    guest.board("leave")
    host.board("rematch")
    host.board("home")
    assert host.on == "home"
    assert board(guest)["friend"]["wants"] is False
    guest.board("rematch")
    assert host.on == "home"
    assert host.store.unfinished(host.me.id) is None


@pytest.mark.rule("11.5")
def test_no_rematch_with_who_is_in_another_battle(host: Visitor, guest: Visitor, told: Any) -> None:
    meet(host, guest)
    guest.board("leave")
    guest.board("home")
    guest.do("fight", rival_evolved=False)
    host.board("rematch")
    assert host.on == "Board"
    assert told.board[-1][0] == words.not_sold(Refused(Why.FRIEND_BUSY, "11.5"))


@pytest.mark.rule("11.1")
def test_both_are_told_when_a_turn_is_not_saved(
    host: Visitor, guest: Visitor, told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trouble(*_: object) -> None:
        raise StoreError(Trouble.FULL, "somewhere")

    meet(host, guest)
    monkeypatch.setattr(host.store, "save_battle", trouble)
    host.play("attack")
    guest.play("counter")
    assert [text for text, rule in told.board if rule == "11.1"] == [StoreError(Trouble.FULL, "").player] * 2
    assert board(host)["turn"] == board(guest)["turn"] == 2


@pytest.mark.rule("1.9")
def test_a_record_holds_only_what_was_seen_of_the_friend(host: Visitor, guest: Visitor, told: Any) -> None:
    rich(guest.store, guest.me, 10)
    guest.buy("card:poison")
    guest.buy("card:wild")
    meet(host, guest)
    guest.play("wild")
    host.play("attack")
    host.board("record")
    _, text = told.files[-1]
    assert Record.from_json(text).players[1].cards == ("wild",)
    guest.board("record")
    _, text = told.files[-1]
    assert Record.from_json(text).players[1].cards == ("poison", "wild")


def test_finished_battles_are_watched_with_the_friends_names(host: Visitor, guest: Visitor) -> None:
    battle = played(host, guest)
    host.do("watch", battle=battle)
    host.board("next", turn=1)
    texts = [step["text"] for step in board(host)["last"]["steps"]]
    assert any("your friend's Tide" in text for text in texts)


# What another tab, or another pet, does meanwhile


@pytest.mark.rule("9.2", "11.5")
def test_a_page_that_is_behind_leaves_no_battle_without_asking(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor]
) -> None:
    tab, practising = come("host"), come("host")
    tab.do("go", page="fight")
    practising.do("go", page="practice")
    meet(host, guest)
    host.play("attack")
    guest.play("counter")
    tab.do("fight", rival_evolved=False)
    assert (tab.on, tab.shown["battle"]["id"]) == ("fight", board(host)["battle"])
    practising.game._practise("moss", False, ())
    assert practising.on == "SetUp"
    assert practising.game._setup is not None and practising.game._setup.leaving
    assert board(host)["over"] is None
    practising.game._practise("moss", False, ())
    assert board(host)["over"]["result"] == "loss", "now it was asked"


@pytest.mark.rule("1.8")
def test_who_invites_is_taken_to_the_battle_from_any_page(host: Visitor, guest: Visitor) -> None:
    for page in ("home", "market", "practice", "rulebook"):
        invitation = invite(host)
        host.do("go", page=page)
        join(guest, invitation)
        guest.do("accept", invite=invitation, sure=False)
        assert host.on == "Board", page
        assert board(host)["battle"] == board(guest)["battle"]
        host.board("leave")
        for one in (host, guest):
            one.board("home")


@pytest.mark.rule("1.8", "11.3")
def test_an_invitation_goes_with_the_pet_that_made_it(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor], world: World
) -> None:
    guest.do("show_code")
    guest.do("go", page="save")
    guest.do("show_code")
    code = guest.shown["code"]
    invitation = invite(host)
    tab = come("host")
    tab.do("go", page="save")
    tab.do("load", code=code, sure=False)
    tab.do("load", code=code, sure=True)
    assert tab.me.pet == "tide"
    assert world.lobby is not None
    assert world.lobby.find(invitation) is None
    assert (host.shown["invite"], host.shown["closed"]) == (None, "withdrawn")


@pytest.mark.rule("1.8")
@pytest.mark.parametrize("how", ["a new pet", "a code"])
def test_who_is_invited_looks_around_first_and_answers_afterwards(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor], how: str
) -> None:
    guest.do("go", page="save")
    guest.do("show_code")
    code = guest.shown["code"]
    invitation, new = invite(host), come("new")
    join(new, invitation)
    new.do("go", page="save")
    assert new.on == "save"
    if how == "a code":
        new.do("load", code=code, sure=False)
    else:
        new.do("go", page="welcome")
        assert new.shown["host"]["name"] == "Ember"
        new.do("choose_pet", pet="spark")
    assert (new.on, new.shown["invite"]) == ("join", invitation)
    assert new.shown["host"]["name"] == "Ember"


@pytest.mark.parametrize("way", ["address", "end of the session"])
def test_a_wish_ends_by_whatever_way_the_board_is_left(host: Visitor, guest: Visitor, way: str) -> None:
    meet(host, guest)
    guest.board("leave")
    host.board("rematch")
    assert board(guest)["friend"]["wants"] is True
    if way == "address":
        host.follow("?page=home")
    else:
        host.game._end()
    assert board(guest)["friend"]["wants"] is False


@pytest.mark.rule("11.3")
def test_a_browser_that_was_signed_out_sees_nothing_more_of_the_seat(
    host: Visitor, guest: Visitor, come: Callable[..., Visitor]
) -> None:
    meet(host, guest)
    host.store.link("other", host.me.id)
    other = come("other")
    other.do("resume")
    assert other.on == "Board"
    host.store.sign_out_others(host.me.id, "host")
    before = board(other)
    host.play("attack")
    assert board(other) == before
    assert (other.on, other.notice) == ("welcome", (words.SIGNED_OUT, "info"))


def test_a_battle_is_watched_from_its_beginning_each_time(host: Visitor, guest: Visitor) -> None:
    battle = played(host, guest)
    seen = set()
    for _ in range(2):
        host.do("watch", battle=battle)
        seen.add(board(host)["battle"])
        host.board("next", turn=1)
        host.board("home")
    assert len(seen) == 2


# The countdown


@pytest.fixture
def later(now: list[float], world: World, store: Store) -> list[Callable[[], object]]:
    """What the lobby leaves for a little later, which is the reveal, in a list: a test takes it from there."""
    later: list[Callable[[], object]] = []
    world.lobby = Lobby(store, clock=lambda: now[0], soon=later.append)
    return later


@pytest.mark.rule("1.5", "1.9")
def test_both_begin_to_count_before_they_are_told_what_was_played(
    later: list[Callable[[], object]], host: Visitor, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(host, guest)
    sent: list[tuple[Board, Any]] = []
    monkeypatch.setattr(Board, "_send_msg", lambda self, message: sent.append((self, message)))
    host.play("attack")
    before = [board(visitor) for visitor in (host, guest)]
    guest.play("heal")
    count = {"type": "count", "turn": 1}
    assert [message for _, message in sent] == [count, count]
    assert {shown for shown, _ in sent} == {host.game.board, guest.game.board}
    assert [board(visitor) for visitor in (host, guest)] == before
    assert board(host)["last"] is None
    later.pop()()
    assert [board(visitor)["last"]["turn"] for visitor in (host, guest)] == [1, 1]
    assert not later


def test_who_opens_the_battle_between_locking_and_reveal_is_shown_it(
    later: list[Callable[[], object]], host: Visitor, guest: Visitor, come: Callable[..., Visitor]
) -> None:
    meet(host, guest)
    host.play("attack")
    guest.play("heal")
    again = come("host")
    again.do("resume")
    assert board(again)["locked"] == {"card": "attack", "amount": None}
    assert (board(again)["turn"], board(again)["rival_ready"], board(again)["take_back"]) == (1, True, False)
    later.pop()()
    assert board(again)["last"]["turn"] == 1
