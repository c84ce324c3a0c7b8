"""Tests that play the game in a real browser."""
