"""The output of a release, and the noise that it adds."""

import math
import random
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import rational
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.sensitivity.query import Query


@dataclass(frozen=True)
class Released:
    """A value; None if the test failed, and nothing more may be published."""

    value: Any
    scale: Fraction | None = None
    """The scale of the noise on the value, if it may be published."""


def noisy(query: Query, data: Any, scale: Fraction, rng: random.Random) -> int | float:
    """The query with Laplace noise: exact noise over the integers if the values of the query are
    integers, otherwise noise in doubles, for study only.

    The choice depends on the query and not on the data, because the output reveals it.
    """
    value = rational(query.value(data), "the query")
    if query.whole():
        if value.denominator != 1:
            raise InputError(
                f"the query has the value {value}, but says that all are integers; let"
                " it say otherwise."
            )
        return value.numerator + discrete_laplace(scale, rng)
    warnings.warn(
        "Laplace noise in doubles is for study only: which outputs are possible can"
        " reveal the data; release a query with integer values, or OnGrid(query, step),"
        " instead.",
        StudyOnlyWarning,
        stacklevel=3,
    )
    return float(value) + float(scale) * (rng.expovariate(1.0) - rng.expovariate(1.0))


def certain_ceiling(value: Expr) -> int:
    """An integer that is certainly at least the value, and at most one too large."""
    return math.ceil(Fraction(value.bound().upper))
