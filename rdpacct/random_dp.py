"""Random differential privacy of a release: the probability of bad data, exactly for a finite
population, bounded for all populations, or estimated from trials.

The data are n + 1 independent draws from a population. The first n are one data set; its neighbor
replaces record n by record n + 1. A pair is bad for (alpha, eta) if some event has P(S) >
exp(alpha) Q(S) + eta, in either order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from rdpacct.arrays import generator, load
from rdpacct.auditing.sampled import audit_samples
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.binomial import lower_limit, upper_limit
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, add
from rdpacct.exact.functions import exp, maximum
from rdpacct.exact.number import Number, rational, whole
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.guarantee import ApproxDP, RandomDP
from rdpacct.privacy.on_average import from_on_average_kl, on_average_kl
from rdpacct.privacy.random_dp import MAX_DATA, Data, Masses, Release, drawn_pairs
from rdpacct.privacy.random_dp import compose_random as compose
from rdpacct.privacy.random_dp import compose_random_adaptively as compose_adaptively
from rdpacct.privacy.relatives import (
    Distributional,
    from_distributional,
    from_tail_on_average,
    independent_pairs,
    tail_on_average,
    to_distributional,
)
from rdpacct.provenance import by

__all__ = [
    "Distributional",
    "Estimate",
    "compose",
    "compose_adaptively",
    "distributional",
    "estimate",
    "estimate_from_runs",
    "exact",
    "from_distributional",
    "from_on_average_kl",
    "from_tail_on_average",
    "on_average_kl",
    "tail_on_average",
    "to_distributional",
    "worst_case",
]

Judge: TypeAlias = Callable[[Any, Any], bool]
DrawRecords: TypeAlias = Callable[[Any, int], Sequence[Any]]
"""Takes a NumPy generator and a number, and gives that many independent draws from a population."""
ERROR = Fraction(1, 10**6)


def exact(
    release: Mechanism | Release,
    population: Mapping[Any, Number],
    n: int,
    alpha: Number | Expr | None = None,
    eta: Number = 0,
) -> Bound:
    """The probability of bad data, by enumeration of all draws from a finite population.

    The release is a mechanism that knows its bad pairs, or a function from a data set to the exact
    probabilities of its outputs. Without ``alpha``, the alpha that the mechanism promises is taken.
    """
    judge = _judge(release, alpha, eta)
    masses = _masses(population)
    records = whole(n, "n", 1, MAX_DATA)
    how = f"all {len(masses)}**{records + 1} draws (random-dp/definition)"
    return _share_of_bad(judge, drawn_pairs(masses, records), how)


def distributional(
    release: Mechanism | Release,
    population: Mapping[Any, Number],
    n: int,
    alpha: Number | Expr | None = None,
    eta: Number = 0,
) -> Bound:
    """The probability that two independent data sets of a finite population are bad, by
    enumeration: the beta of distributional privacy.

    The release is as for ``exact``.
    """
    judge = _judge(release, alpha, eta)
    masses = _masses(population)
    records = whole(n, "n", 1, MAX_DATA)
    how = f"all {len(masses)}**{2 * records} draws (random-dp/distributional)"
    return _share_of_bad(judge, independent_pairs(masses, records), how)


def _masses(population: Mapping[Any, Number]) -> dict[Any, Fraction]:
    return {
        value: rational(mass, "a mass of the population")
        for value, mass in population.items()
    }


def _share_of_bad(
    judge: Judge, pairs: Iterable[tuple[Data, Data, Fraction]], how: str
) -> Bound:
    """The probability of bad pairs; where a comparison is open, between two ends."""
    certain = Fraction(0)
    possible = Fraction(0)
    for data, other, probability in pairs:
        bad = data != other and _is_bad(judge, data, other)
        if bad is not False:
            possible += probability
        if bad is True:
            certain += probability
    return Bound(certain, possible, how)


def _is_bad(judge: Judge, data: Data, neighbor: Data) -> bool | None:
    """Whether a pair is bad; None if the comparison could not be decided."""
    try:
        return judge(data, neighbor)
    except UndecidedError:
        return None


def worst_case(
    mechanism: Mechanism, alpha: Number | Expr | None = None, eta: Number = 0
) -> Bound:
    """The largest probability of bad data over all populations, if a theorem bounds it."""
    return mechanism.worst_gamma(_claim(mechanism, alpha, eta))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A confidence interval for gamma from trials on one population; it misses gamma with
    probability at most ``error``.
    """

    gamma: Bound
    bad: int
    trials: int
    error: Fraction


def estimate(
    release: Mechanism | Release,
    draw: DrawRecords,
    n: int,
    trials: int,
    rng: Source = None,
    alpha: Number | Expr | None = None,
    eta: Number = 0,
    error: Number = ERROR,
) -> Estimate:
    """The probability of bad data, from pairs drawn from a population that can only be sampled.

    Each pair is judged by the loss of the release on it. The upper limit is that of Clopper and
    Pearson: with probability 1 - error the release is RandomDP(alpha, eta, gamma) for this
    population.
    """
    judge = _judge(release, alpha, eta)
    source = generator(rng)
    count, level = _shares(trials, error)
    bad = sum(judge(*one_pair(draw, source, n)) for _ in range(count))
    gamma = Bound(
        lower_limit(bad, count, level / 2),
        upper_limit(bad, count, level / 2),
        f"{bad} bad pairs in {count} trials (Clopper and Pearson)",
    )
    return Estimate(gamma, bad, count, level)


def estimate_from_runs(
    run: Callable[[Any, Any], float],
    draw: DrawRecords,
    n: int,
    trials: int,
    claim: RandomDP,
    runs: int = 2000,
    rng: Source = None,
    error: Number = ERROR,
) -> Estimate:
    """A lower limit for the probability of bad data, from real outputs on drawn pairs.

    ``run`` takes a data set and a source of randomness, and gives one output as a number.

    A pair counts as bad if 4 ``runs`` outputs refute (alpha, eta) on it, in either order. Runs
    never show that a pair is good, so the upper limit is 1; the lower one allows for pairs that are
    called bad by chance.
    """
    source = generator(rng)
    count, level = _shares(trials, error)
    asked = ApproxDP(claim.alpha, claim.eta)
    bad = 0
    for _ in range(count):
        first, second = one_pair(draw, source, n)
        verdict = audit_samples(
            partial(run, first, source),
            partial(run, second, source),
            asked,
            runs,
            level,
        )
        bad += verdict.fails
    least = max(lower_limit(bad, count, level) - level, Fraction(0))
    return Estimate(
        Bound(least, Fraction(1), f"{bad} refuted pairs in {count} trials"),
        bad,
        count,
        level,
    )


@by("random-dp/definition")
def largest_excess(p: Masses, q: Masses, alpha: Expr) -> Expr:
    """The largest P(S) - exp(alpha) Q(S) over all sets S of outputs."""
    return add(
        ZERO,
        *(
            maximum(0, mass - exp(alpha) * q.get(output, Fraction(0)))
            for output, mass in p.items()
        ),
    )


def _judge(
    release: Mechanism | Release, alpha: Number | Expr | None, eta: Number
) -> Judge:
    if isinstance(release, Mechanism):
        mechanism = release
        claim = _claim(release, alpha, eta)
        return lambda first, second: mechanism.bad_pair(first, second, claim)
    if not callable(release):
        raise InputError(
            f"the release is {release!r}; give a mechanism or a function from data to"
            " probabilities."
        )
    if alpha is None:
        raise InputError("a function does not say what it promises; give alpha.")
    level = RandomDP(alpha, eta, gamma=0).alpha
    allowed = rational(eta, "eta")
    law = release
    return lambda first, second: _breaks(
        law(tuple(first)), law(tuple(second)), level, allowed
    )


def _breaks(first: Masses, second: Masses, alpha: Expr, eta: Fraction) -> bool:
    """Whether some event breaks the bound in either order."""
    worst = [
        (largest_excess(p, q, alpha) - eta).bound()
        for p, q in ((first, second), (second, first))
    ]
    if any(bound.certainly_above(0) for bound in worst):
        return True
    if all(bound.certainly_at_most(0) for bound in worst):
        return False
    raise UndecidedError(
        f"an event exceeds alpha = {alpha} by {worst[0]} or {worst[1]}, too little to"
        " tell."
    )


def _claim(mechanism: Mechanism, alpha: Number | Expr | None, eta: Number) -> RandomDP:
    promise = mechanism.random_guarantee()
    if alpha is None and promise is None:
        raise InputError(f"{mechanism} promises no RandomDP; give alpha.")
    return RandomDP(
        promise.alpha if alpha is None and promise else alpha or 0, eta, gamma=0
    )


def _shares(trials: int, error: Number) -> tuple[int, Fraction]:
    count = whole(trials, "the number of trials", 1, 10**9)
    level = rational(error, "error")
    if not 0 < level < 1:
        raise InputError(
            f"error is {error}, but must be above 0 and below 1; give a probability"
            " such as 1e-6."
        )
    return count, level


def one_pair(
    draw: DrawRecords, source: Any, n: int
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Of n + 1 draws from a population, the first n, and the same with the last one replaced."""
    drawn = draw(source, whole(n, "n", 1, 10**9) + 1)
    if len(drawn) != n + 1:
        raise InputError(
            f"draw gave {len(drawn)} records where {n + 1} were asked for; give as"
            " many."
        )
    if hasattr(drawn, "dtype"):
        return drawn[:-1], load().concatenate([drawn[:-2], drawn[-1:]])
    return list(drawn[:-1]), [*drawn[:-2], drawn[-1]]
