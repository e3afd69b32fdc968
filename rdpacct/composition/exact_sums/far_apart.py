"""Sampled releases whose two laws are far apart: a sum over how many of the draws had the record.

Given these numbers, and the atoms that were drawn beside them, the loss is about a shifted Gaussian
one, or one of Laplace releases, with a profile in closed form. The true loss is never below that,
and above it by a small distance with high probability.
"""

import math
from dataclasses import dataclass
from itertools import product

from rdpacct.composition.exact_sums.falling_profile import (
    falling_profile,
    planned_falling,
)
from rdpacct.composition.quadrature.vertical_line import (
    LARGEST_LOG,
    chernoff,
    log_moment,
)
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real
from rdpacct.privacy.cases import MOST_CASES, Case
from rdpacct.privacy.gaussian_profile import gaussian_profile
from rdpacct.provenance import by
from rdpacct.work import spend

NATS = 20.0
BITS = 160
CASE_WORK, PLANNED_WORK = 25, 4
"""The work of the profile of a case, in balls or in doubles."""
CLOSE = 1e-13
"""How far the losses of all draws together may be from the nearby ones, as a share of epsilon."""


@dataclass(frozen=True)
class ApartCurve:
    """A profile between those of a sum over cases, at two points that are close."""

    cases: list[Case]
    left: RealBall
    """At least the probability of all cases that are left out."""
    ahead: RealBall
    """How far the loss can be above the nearby one, with probability 1 - missed."""
    behind: RealBall
    """How far it can be below."""
    missed: RealBall
    far: tuple[RealBall, RealBall, RealBall] | None
    """A tilt, log M there, and the share of the tilted law at which a draw is near neither of its
    components.
    """
    top: float

    @property
    def theorem(self) -> str:
        """The theorem by which the loss is near the cases."""
        kind = "laplace" if any(case.falls for case in self.cases) else "gaussian"
        return f"sampling/{kind}-apart"

    @by("sampling/gaussian-apart")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        with precision(BITS):
            lower = self._sum(epsilon + self.behind)
            upper = (
                lower
                if self.ahead == self.behind == 0
                else self._sum(epsilon - self.ahead)
            )
            missed = self.missed
            if self.far is not None:
                tilt, log, share = self.far
                missed = missed.min(chernoff(log, tilt, epsilon) * share)
            delta: RealBall = (lower - (self.missed if self.behind > 0 else 0)).union(
                upper + self.left + missed
            )
            return delta

    def _sum(self, epsilon: RealBall) -> RealBall:
        spend(CASE_WORK * len(self.cases))
        total = real(0)
        for case in self.cases:
            total = total + case.weight * case_profile(case, epsilon - case.offset)
        return total

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        spend(PLANNED_WORK * len(self.cases))
        rows = [
            (case.planned[0], *planned_case(case, epsilon - case.planned[1]))
            for case in self.cases
        ]
        peak = max(log + size for log, size, _ in rows)
        if not math.isfinite(peak):
            return -math.inf, -1.0
        total = sum(math.exp(log + size - peak) for log, size, _ in rows)
        falls = [min(log + fall - peak, LARGEST_LOG) for log, _, fall in rows]
        slope = sum(map(math.exp, falls))
        return peak + math.log(total), -slope / total


def case_profile(case: Case, epsilon: RealBall) -> RealBall:
    """The profile of a case whose offset is 0."""
    if case.falls:
        return falling_profile(case.falls, -epsilon / 2)
    return shifted_profile(case.square, epsilon)


def planned_case(case: Case, epsilon: float) -> tuple[float, float]:
    """About the logarithms of that profile and of minus its derivative."""
    if case.falls:
        return planned_falling(case.falls, -epsilon)
    return planned_profile(case.planned[2], epsilon)


def shifted_profile(square: RealBall, epsilon: RealBall) -> RealBall:
    """The profile of a Gaussian loss with this square of a shift, or of no loss if that is 0."""
    if square == 0:
        return (1 - epsilon.exp()).max(real(0))
    return gaussian_profile(square.sqrt(), epsilon)[0].max(real(0))


def planned_profile(square: float, epsilon: float) -> tuple[float, float]:
    """About the logarithms of that profile and of minus its derivative."""
    if square == 0:
        if epsilon < 0:
            return (math.log(-math.expm1(epsilon)), epsilon)
        return (-math.inf, -math.inf)
    mu = math.sqrt(square)
    above = _log_tail(epsilon / mu - mu / 2)
    below = epsilon + _log_tail(epsilon / mu + mu / 2)
    if below < above:
        return (above + math.log(-math.expm1(below - above)), below)
    return (-math.inf, below)


def _log_tail(x: float) -> float:
    """About the logarithm of the probability that a standard normal variable exceeds x."""
    if x < 30:
        return math.log(math.erfc(x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) - 1 / (x * x)


def apart_curve(
    terms: Terms, epsilon: float, log_delta: float, tilt: float = 1.0
) -> ApartCurve | None:
    """The curve near a point, or None if the laws are not so far apart, or there are too many
    cases.
    """
    pairs = [(transform.apart(), count) for transform, count in terms.factors]
    sampled = [(pair, count) for pair, count in pairs if pair is not None]
    if not sampled:
        return None
    total = sum(count for _, count in sampled)
    distance = min(max(epsilon, 1e-3) * CLOSE / total, 1e-3)
    for pair, count in sampled:
        share = pair.planned_share(distance, tilt, log_delta)
        if share + math.log(count) > -NATS:
            return None
    with precision(BITS):
        rows = [
            transform.cases(count, log_delta - NATS)
            for transform, count in terms.factors
        ]
        if (
            any(row is None for row in rows)
            or math.prod(len(row or ()) for row in rows) > MOST_CASES
        ):
            return None
        spend(CASE_WORK * math.prod(len(row or ()) for row in rows))
        cases = [_joined(chosen) for chosen in product(*(row or () for row in rows))]
        if any(case.falls and case.planned[2] for case in cases):
            return None
        missed = real(0)
        ahead = real(0)
        behind = real(0)
        for pair, count in sampled:
            missed = missed + pair.missed(distance) * count
            if pair.removing:
                ahead = ahead + distance * count
            else:
                behind = behind + distance * count
        left = (1 - sum((case.weight for case in cases), start=real(0))).max(real(0))
        flat = all(case.square == 0 for case in cases)
        top = max(float(case.offset) for case in cases) if flat else math.inf
        return ApartCurve(
            cases,
            left.upper(),
            ahead,
            behind,
            missed.upper(),
            _far(terms, distance, tilt),
            top,
        )


def _far(
    terms: Terms, distance: float, tilt: float
) -> tuple[RealBall, RealBall, RealBall] | None:
    """The tilted share of draws that are near neither component, where the record is removed."""
    share = real(0)
    for transform, count in terms.factors:
        pair = transform.apart()
        if pair is None:
            continue
        if not pair.removing:
            return None
        missed = pair.missed_moment(tilt, distance)
        if missed is None:
            return None
        alone = log_moment(Terms(((transform, 1),)), tilt)[1].exp()
        share = share + missed * count / alone
    return *log_moment(terms, tilt), share.upper()


def _joined(chosen: "tuple[Case, ...]") -> Case:
    first = chosen[0]
    for other in chosen[1:]:
        planned = tuple(map(sum, zip(first.planned, other.planned, strict=True)))
        first = Case(
            first.weight * other.weight,
            first.offset + other.offset,
            first.square + other.square,
            planned,  # type: ignore[arg-type]
            first.falls + other.falls,
        )
    return first
