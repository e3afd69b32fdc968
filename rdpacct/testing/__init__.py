"""For tests of mechanisms, yours and ours: the laws that every mechanism obeys, claims on drawn
pairs of neighbors, and attacks on releases.

``adversary`` plays against compositions, ``budgets`` against filters, and ``leaks`` has the attack
on noise of the raw local sensitivity. ``TWINS`` are mechanisms beside broken versions of them, for
tests of audits; ``REPLAYED_TWINS`` are those whose noise a replay finds wrong, ``FLOATING_TWINS``
those that doubles break. ``score_card`` is what an auditor makes of ``TWINS``.
"""

from typing import Any

from rdpacct.testing import adversary, budgets, leaks, twins
from rdpacct.testing.drawing import population_pairs
from rdpacct.testing.earned import EarnedStatement
from rdpacct.testing.laws import LAWS, LawBroken, check_laws
from rdpacct.testing.private import assert_private
from rdpacct.testing.refuted import ClaimRefuted
from rdpacct.testing.twins.floating_point import last_bit
from rdpacct.testing.twins.score_card import ScoreCard, score_card
from rdpacct.testing.twins.twin import Twin

__all__ = [
    "FLOATING_TWINS",
    "LAWS",
    "REPLAYED_TWINS",
    "TWINS",
    "ClaimRefuted",
    "EarnedStatement",
    "LawBroken",
    "ScoreCard",
    "Twin",
    "adversary",
    "assert_private",
    "budgets",
    "check_laws",
    "last_bit",
    "leaks",
    "population_pairs",
    "score_card",
]

TWINS: tuple[Twin, ...]
"""All broken twins, found in their files when they are first asked for."""
REPLAYED_TWINS: "tuple[Any, ...]"
"""Those whose noise a replay finds wrong, found likewise."""
FLOATING_TWINS: "tuple[Any, ...]"
"""Those that floating-point arithmetic breaks, found likewise."""


def __getattr__(name: str) -> Any:
    if name == "TWINS":
        return twins.TWINS
    if name == "REPLAYED_TWINS":
        from rdpacct.testing.twins import replayed

        return replayed.REPLAYED_TWINS
    if name == "FLOATING_TWINS":
        from rdpacct.testing.twins import floating

        return floating.FLOATING_TWINS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
