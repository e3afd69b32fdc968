"""A mechanism beside a broken version of it, both claimed to have the same guarantee."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rdpacct.mechanisms.mechanism import Mechanism, Plan

Code: TypeAlias = Callable[..., Any]
"""Running code: ``code(data, rng)`` gives one output, ``code(data, rng, size)`` so many of them."""
KnownPlan: TypeAlias = Callable[[], Mechanism | Plan | str]
"""Makes a plan, or the exact law of the outputs, of which the claim can be audited for certain."""


@dataclass(frozen=True)
class Twin:
    """Two versions of a mechanism, ``right`` and ``broken``, that look alike and claim the same.

    The right one keeps the claim; the broken one breaks it on the neighbors ``x`` and
    ``x_neighbor``.
    """

    name: str
    claim: str
    """A guarantee, or a plan whose whole curve is claimed."""
    x: Any
    x_neighbor: Any
    right: Code
    broken: Code
    trials: int
    """The number of outputs on each of the two data sets with which ``audit_code`` refutes the
    broken one, for each of twenty seeds.
    """
    note: str
    """What is wrong, in one sentence."""
    source: str
    right_law: KnownPlan
    """What the right version is known to do: a plan, or its outputs on the two neighbors."""
    broken_law: KnownPlan
    """What the broken version is known to do on the two neighbors, or part of it: its outputs, or
    some function of them.
    """
    score: Callable[[Any], float] | None = None
    """A number that tells outputs apart where they do not show their difference themselves."""
