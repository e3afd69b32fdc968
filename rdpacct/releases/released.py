"""What a release publishes, and the noise that it adds."""

import math
import random
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import Number
from rdpacct.mechanisms.mechanism import StudyOnlyWarning
from rdpacct.mechanisms.sampling import discrete_laplace


@dataclass(frozen=True)
class Released:
    """A value, or None where the test failed and nothing more may be said."""

    value: Any
    scale: Fraction | None = None
    """The scale of the noise on the value, where it may be published."""


def noisy(value: Number, scale: Fraction, rng: random.Random) -> int | float:
    """The value with Laplace noise: over the integers, exactly, for an integer; in doubles, for study, otherwise."""
    if isinstance(value, int):
        return value + discrete_laplace(scale, rng)
    warnings.warn(
        "Laplace noise in doubles is for study only: which outputs are possible can reveal the data; "
        "release a query with integer values instead.",
        StudyOnlyWarning,
        stacklevel=3,
    )
    return float(value) + float(scale) * (rng.expovariate(1.0) - rng.expovariate(1.0))


def exact(value: Expr, name: str) -> Fraction:
    """A parameter that must be a rational number for exact sampling."""
    if not isinstance(value, Rational):
        raise InputError(f"{name} is {value}, but exact sampling needs a rational number; give one such as 1/2.")
    return value.value


def certain_ceiling(value: Expr) -> int:
    """An integer that is certainly at least the value, and at most one too large."""
    return math.ceil(Fraction(value.bound().upper))
