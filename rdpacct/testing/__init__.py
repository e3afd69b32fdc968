"""For tests of mechanisms, yours and ours: the laws that every mechanism obeys, and attacks on
releases.

``adversary`` plays against compositions, and ``leaks`` has the attack on noise of the raw local
sensitivity.
"""

from typing import Any

from rdpacct.testing import adversary, leaks
from rdpacct.testing.laws import LAWS, LawBroken, check_laws

__all__ = [
    "LAWS",
    "REPLAYED_TWINS",
    "LawBroken",
    "ReplayedTwin",
    "adversary",
    "check_laws",
    "leaks",
]


def __getattr__(name: str) -> Any:
    """The twins, which are loaded when they are first asked for."""
    if name not in ("REPLAYED_TWINS", "ReplayedTwin"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rdpacct.testing.twins import replayed

    return getattr(replayed, name)
