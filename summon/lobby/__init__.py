"""Battles under way, each found again by the profiles that play it, and the invitations that begin one (1.8, 11.4)."""

from summon.lobby.invitations import LASTS, Invitation
from summon.lobby.live import AWAY, LiveBattle, LiveSeat
from summon.lobby.lobby import IDLE, Lobby
from summon.lobby.seat import Seat

__all__ = ["AWAY", "IDLE", "LASTS", "Invitation", "LiveBattle", "LiveSeat", "Lobby", "Seat"]
