"""Releases that let an adversary choose among pairs: games, searches, and laws for all choices."""
