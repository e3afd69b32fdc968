"""The leak of raw local sensitivity: how much noise there is tells what the data are.

``RawLocalRelease`` looks like the Laplace mechanism with epsilon-differential privacy, and has
none. It is the broken twin of the releases that bound or smooth the local sensitivity, or test for
it; never use it on private data.
"""

import random
from dataclasses import dataclass
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Rational, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.number import rational
from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.sampling import discrete_laplace
from rdpacct.mechanisms.source import randomness
from rdpacct.sensitivity.query import Query


@dataclass(frozen=True)
class RawLocalRelease:
    """A query with integer values, with noise of scale LS/epsilon, where LS is its local
    sensitivity. Not private.
    """

    query: Query
    epsilon: Parameter = Parameter(above_least=True)

    def __post_init__(self) -> None:
        if not (self.query.whole() and isinstance(self.epsilon, Rational)):
            raise InputError(
                "the attack is exact for integer queries and a rational epsilon; use"
                " OnGrid(query, step)."
            )

    def release(self, data: Any, rng: random.Random | None = None) -> int:
        """One run: the value itself where no neighbor has another."""
        value = rational(self.query.value(data), "the query").numerator
        local = rational(self.query.local_within(data, 0), "the local sensitivity")
        scale = local / rational(str(self.epsilon), "epsilon")
        if local:
            return value + discrete_laplace(scale, randomness(rng))
        return value

    def misses(self, data: Any) -> Expr:
        """The probability that the output is not the value: 2 q/(1 + q) with q =
        exp(-epsilon/LS).
        """
        local = rational(self.query.local_within(data, 0), "the local sensitivity")
        if not local:
            return formula(0)
        decay = exp(-self.epsilon / local)
        return 2 * decay / (1 + decay)


def magnitude_leak(release: RawLocalRelease, noisy: Any, silent: Any) -> Expr:
    """The delta that no epsilon makes smaller, for neighbors with the same value of which the
    second has LS = 0.

    Any output but that value proves that the data are the first.
    """
    if release.query.value(noisy) != release.query.value(silent) or rational(
        release.query.local_within(silent, 0)
    ):
        raise InputError(
            "the attack needs two data sets with the same value, the second with local"
            " sensitivity 0."
        )
    return release.misses(noisy)
