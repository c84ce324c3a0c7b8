"""The tables of the database, as they are after all migrations.

What a person owns is written down once, in the ledger: a payment for a battle or the purchase of an item, each with the
revision of the profile that it made. The database itself refuses what must never be: an item bought or a battle paid
twice, gold below zero, a deck with a card that is not owned, and two unfinished battles of one profile.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine


class Moment(TypeDecorator[datetime]):
    """A moment in UTC: with its zone in Python and in PostgreSQL, as a text without one in SQLite."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """What the database keeps it as."""
        return dialect.type_descriptor(DateTime(timezone=dialect.name != "sqlite"))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """As it goes into the database."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """As it comes out of the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

profiles = Table(
    "profiles",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("pet", String(32), nullable=False),
    Column("gold", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deck_revision", Integer, nullable=False),
    Column("code_hash", String(128), unique=True),
    Column("code_counter", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Column("saved", Moment, nullable=False),
    Column("seen", Moment, nullable=False),
    CheckConstraint("gold >= 0", name="gold"),
)
"""One row a person (11.1). `deck_revision` is the revision that last changed the deck."""

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", String(128), primary_key=True),
    Column("profile_id", ForeignKey("profiles.id"), nullable=False, index=True),
    Column("linked", Moment, nullable=False),
    Column("seen", Moment, nullable=False),
)
"""The browsers of a profile (11.2), by the hash of what their cookie holds."""

battles = Table(
    "battles",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("record", Text, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("ended", String(16), nullable=False),
    Column("begun", Moment, nullable=False),
    Column("moved", Moment, nullable=False, index=True),
    Column("finished", Moment),
    CheckConstraint("(ended = '') = (finished IS NULL)", name="finished"),
)
"""Every battle as its record so far; `ended` is empty while it goes on."""

seats = Table(
    "seats",
    metadata,
    Column("battle_id", ForeignKey("battles.id"), primary_key=True),
    Column("profile_id", ForeignKey("profiles.id"), primary_key=True),
    Column("side", String(8), nullable=False),
    Column("open", Integer, nullable=False),
    UniqueConstraint("battle_id", "side"),
    CheckConstraint("side IN ('first', 'second')", name="side"),
)
"""Which profile plays which side of a battle; `open` is 1 while the battle goes on and 0 afterwards."""

Index(
    "uq_seats_open",
    seats.c.profile_id,
    unique=True,
    sqlite_where=text("open = 1"),
    postgresql_where=text("open = 1"),
)
Index("ix_seats_profile_id", seats.c.profile_id)

ledger = Table(
    "ledger",
    metadata,
    Column("profile_id", ForeignKey("profiles.id"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("amount", Integer, nullable=False),
    Column("item", String(64)),
    Column("battle_id", String(64)),
    Column("at", Moment, nullable=False),
    UniqueConstraint("profile_id", "item"),
    UniqueConstraint("battle_id", "profile_id"),
    ForeignKeyConstraint(["battle_id", "profile_id"], ["seats.battle_id", "seats.profile_id"]),
    CheckConstraint("(item IS NULL) <> (battle_id IS NULL)", name="reason"),
    CheckConstraint("(amount > 0) = (item IS NULL) AND amount <> 0", name="amount"),
)
"""Every gold that came (9.1) or went (10.1 to 10.3). What a profile owns is what is bought in here."""

decks = Table(
    "decks",
    metadata,
    Column("profile_id", ForeignKey("profiles.id"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("item", String(64), nullable=False),
    UniqueConstraint("profile_id", "item"),
    ForeignKeyConstraint(["profile_id", "item"], ["ledger.profile_id", "ledger.item"]),
    CheckConstraint("place BETWEEN 1 AND 7", name="place"),
)
"""The bought cards of a deck in the player's order (1.4)."""
