"""For tests of mechanisms, yours and ours: the laws that every mechanism obeys, and attacks on
releases.

``adversary`` plays against compositions, and ``leaks`` has the attack on noise of the raw local
sensitivity.
"""

from rdpacct.testing import adversary, leaks
from rdpacct.testing.laws import LAWS, LawBroken, check_laws

__all__ = ["LAWS", "LawBroken", "adversary", "check_laws", "leaks"]
