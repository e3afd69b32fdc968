"""For tests of mechanisms, yours and ours: the laws that every mechanism obeys."""

from rdpacct.testing.laws import LAWS, LawBroken, check_laws

__all__ = ["LAWS", "LawBroken", "check_laws"]
