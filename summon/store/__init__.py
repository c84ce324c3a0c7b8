"""What people own, kept in a database: an SQLite file by default, or PostgreSQL by its address."""

from summon.store.battles import SavedBattle
from summon.store.checking import Report
from summon.store.errors import NoBattle, NoProfile, Stale, StoreError, Trouble
from summon.store.store import Store, backup, check

__all__ = [
    "NoBattle",
    "NoProfile",
    "Report",
    "SavedBattle",
    "Stale",
    "Store",
    "StoreError",
    "Trouble",
    "backup",
    "check",
]
