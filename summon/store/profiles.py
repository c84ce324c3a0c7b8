"""Profiles in the database: reading one whole, and writing what changed. Each function works in a transaction of its
caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from summon import market
from summon.profile import ProfileState, Why
from summon.store.errors import NoProfile, StoreError, Trouble
from summon.store.tables import decks, ledger, profiles


def read(connection: Connection, profile_id: str, place: str, *, lock: bool = False) -> ProfileState:
    """A profile; NoProfile where there is none. With `lock`, nobody else changes it before the transaction ends."""
    found = select(profiles).where(profiles.c.id == profile_id)
    row = connection.execute(found.with_for_update() if lock else found).one_or_none()
    if row is None:
        raise NoProfile("there is no such profile")
    items = connection.scalars(
        select(ledger.c.item)
        .where(ledger.c.profile_id == profile_id, ledger.c.item.is_not(None))
        .order_by(ledger.c.revision)
    ).all()
    deck = connection.scalars(select(decks.c.item).where(decks.c.profile_id == profile_id).order_by(decks.c.place))
    try:
        return state_of(row, items, deck.all())
    except ValueError as error:
        raise StoreError(Trouble.DAMAGED, place, f"profile {profile_id}: {error}") from error


def state_of(row: Row[Any], items: Iterable[str], deck: Iterable[str]) -> ProfileState:
    """The state that the rows of a profile tell, purchases in their order; ValueError where they break a rule."""
    state = ProfileState(row.id, row.pet)
    for name in items:
        item = market.item_of(name)
        refused = market.refusal(state, item)
        if refused is not None and refused.why is not Why.GOLD:
            raise refused
        state = market.added(state, item)
    return ProfileState(
        id=row.id,
        pet=row.pet,
        evolved=state.evolved,
        gold=row.gold,
        tiers=state.tiers,
        cards=state.cards,
        deck=tuple(market.item_of(name).card for name in deck),
        revision=row.revision,
        saved=row.saved,
    )


def book(
    connection: Connection,
    state: ProfileState,
    amount: int,
    now: datetime,
    *,
    item: str | None = None,
    battle_id: str | None = None,
) -> int:
    """9.1, 10.1 to 10.3: write down gold that comes or goes; returns the revision that a locked profile has then."""
    revision = state.revision + 1
    connection.execute(
        insert(ledger).values(
            profile_id=state.id, revision=revision, amount=amount, item=item, battle_id=battle_id, at=now
        )
    )
    connection.execute(
        update(profiles)
        .where(profiles.c.id == state.id)
        .values(gold=profiles.c.gold + amount, revision=revision, saved=now)
    )
    return revision


def write_deck(connection: Connection, profile_id: str, cards: Sequence[str], revision: int, now: datetime) -> None:
    """1.4: keep a deck, in its order, as of a revision."""
    connection.execute(delete(decks).where(decks.c.profile_id == profile_id))
    rows = [
        {"profile_id": profile_id, "place": place, "item": f"card:{card}"} for place, card in enumerate(cards, start=1)
    ]
    if rows:
        connection.execute(insert(decks), rows)
    connection.execute(
        update(profiles).where(profiles.c.id == profile_id).values(revision=revision, deck_revision=revision, saved=now)
    )
