"""Profiles, their browsers, decks and gold, and battles."""

import sqlalchemy as sa
from alembic import op

revision = "summon_0001"
down_revision = None


def moment() -> sa.DateTime:
    """A moment in UTC; only PostgreSQL keeps the zone with it."""
    return sa.DateTime(timezone=op.get_bind().dialect.name != "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "profiles",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("pet", sa.String(32), nullable=False),
        sa.Column("gold", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("deck_revision", sa.Integer, nullable=False),
        sa.Column("code_hash", sa.String(128)),
        sa.Column("code_counter", sa.Integer, nullable=False),
        sa.Column("created", moment(), nullable=False),
        sa.Column("saved", moment(), nullable=False),
        sa.Column("seen", moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_profiles"),
        sa.UniqueConstraint("code_hash", name="uq_profiles_code_hash"),
        sa.CheckConstraint("gold >= 0", name="ck_profiles_gold"),
    )
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.String(128), nullable=False),
        sa.Column("profile_id", sa.String(64), nullable=False),
        sa.Column("linked", moment(), nullable=False),
        sa.Column("seen", moment(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_tokens"),
        sa.ForeignKeyConstraint(["profile_id"], ["profiles.id"], name="fk_tokens_profile_id"),
    )
    op.create_index("ix_tokens_profile_id", "tokens", ["profile_id"])
    op.create_table(
        "battles",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("ended", sa.String(16), nullable=False),
        sa.Column("begun", moment(), nullable=False),
        sa.Column("moved", moment(), nullable=False),
        sa.Column("finished", moment()),
        sa.PrimaryKeyConstraint("id", name="pk_battles"),
        sa.CheckConstraint("(ended = '') = (finished IS NULL)", name="ck_battles_finished"),
    )
    op.create_index("ix_battles_moved", "battles", ["moved"])
    op.create_table(
        "seats",
        sa.Column("battle_id", sa.String(64), nullable=False),
        sa.Column("profile_id", sa.String(64), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("open", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("battle_id", "profile_id", name="pk_seats"),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name="fk_seats_battle_id"),
        sa.ForeignKeyConstraint(["profile_id"], ["profiles.id"], name="fk_seats_profile_id"),
        sa.UniqueConstraint("battle_id", "side", name="uq_seats_battle_id_side"),
        sa.CheckConstraint("side IN ('first', 'second')", name="ck_seats_side"),
    )
    only_open = sa.text("open = 1")
    op.create_index(
        "uq_seats_open", "seats", ["profile_id"], unique=True, sqlite_where=only_open, postgresql_where=only_open
    )
    op.create_index("ix_seats_profile_id", "seats", ["profile_id"])
    op.create_table(
        "ledger",
        sa.Column("profile_id", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("amount", sa.Integer, nullable=False),
        sa.Column("item", sa.String(64)),
        sa.Column("battle_id", sa.String(64)),
        sa.Column("at", moment(), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "revision", name="pk_ledger"),
        sa.ForeignKeyConstraint(["profile_id"], ["profiles.id"], name="fk_ledger_profile_id"),
        sa.ForeignKeyConstraint(
            ["battle_id", "profile_id"],
            ["seats.battle_id", "seats.profile_id"],
            name="fk_ledger_battle_id_profile_id",
        ),
        sa.UniqueConstraint("profile_id", "item", name="uq_ledger_profile_id_item"),
        sa.UniqueConstraint("battle_id", "profile_id", name="uq_ledger_battle_id_profile_id"),
        sa.CheckConstraint("(item IS NULL) <> (battle_id IS NULL)", name="ck_ledger_reason"),
        sa.CheckConstraint("(amount > 0) = (item IS NULL) AND amount <> 0", name="ck_ledger_amount"),
    )
    op.create_table(
        "decks",
        sa.Column("profile_id", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("item", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("profile_id", "place", name="pk_decks"),
        sa.ForeignKeyConstraint(["profile_id"], ["profiles.id"], name="fk_decks_profile_id"),
        sa.ForeignKeyConstraint(
            ["profile_id", "item"], ["ledger.profile_id", "ledger.item"], name="fk_decks_profile_id_item"
        ),
        sa.UniqueConstraint("profile_id", "item", name="uq_decks_profile_id_item"),
        sa.CheckConstraint("place BETWEEN 1 AND 7", name="ck_decks_place"),
    )
