"""Sampled Gaussians whose two laws are far apart: a sum over how many of the draws had the record.

Given these numbers, and the atoms that were drawn beside them, the loss is about a shifted Gaussian
one, with a profile in closed form. The true loss is never below that, and above it by a small
distance with high probability.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from rdpacct.engine.quadrature import chernoff, log_moment
from rdpacct.engine.terms import Terms
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.raw import real
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.gaussian_curve import gaussian_profile
from rdpacct.privacy.gaussian_transform import GaussianTransform
from rdpacct.privacy.sampled_gaussian import SampledGaussianTransform
from rdpacct.privacy.sampled_gaussian_apart import (
    APART,
    gap,
    missed_moment,
    planned_missed,
    planned_missed_moment,
)
from rdpacct.privacy.transform import about, value
from rdpacct.provenance import by
from rdpacct.work import spend

MOST_CASES = 6000
NATS = 20.0
BITS = 160
CASE_WORK, PLANNED_WORK = 25, 4
"""The work of the profile of a case, in balls or in doubles."""
ABOVE = 5.0
"""How many nats a Chernoff bound is above a profile, about."""
CLOSE = 1e-13
"""How far the losses of all draws together may be from the nearby ones, as a share of epsilon."""


@dataclass(frozen=True)
class Case:
    """Numbers of draws with their probability: the loss is ``offset`` and a Gaussian one of this
    square of a shift.
    """

    weight: RealBall
    offset: RealBall
    square: RealBall
    planned: tuple[float, float, float]
    """The logarithm of the weight, the offset and the square in doubles."""


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
            found: RealBall = (lower - (self.missed if self.behind > 0 else 0)).union(
                upper + self.left + missed
            )
            return found

    def _sum(self, epsilon: RealBall) -> RealBall:
        spend(CASE_WORK * len(self.cases))
        total = real(0)
        for case in self.cases:
            total = total + case.weight * shifted_profile(
                case.square, epsilon - case.offset
            )
        return total

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        spend(PLANNED_WORK * len(self.cases))
        rows = [
            (log, *planned_profile(square, epsilon - offset))
            for log, offset, square in self._planned
        ]
        peak = max(log + size for log, size, _ in rows)
        if not math.isfinite(peak):
            return -math.inf, -1.0
        total = sum(math.exp(log + size - peak) for log, size, _ in rows)
        slope = sum(math.exp(log + fall - peak) for log, _, fall in rows)
        return peak + math.log(total), -slope / total

    @property
    def _planned(self) -> Iterator[tuple[float, float, float]]:
        return (case.planned for case in self.cases)


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
    kinds = SampledGaussianTransform | AtomsTransform | GaussianTransform
    sampled = [
        (one, count)
        for one, count in terms.factors
        if isinstance(one, SampledGaussianTransform)
    ]
    if not sampled or not all(isinstance(one, kinds) for one, _ in terms.factors):
        return None
    total = sum(count for _, count in sampled)
    distance = min(max(epsilon, 1e-3) * CLOSE / total, 1e-3)
    for one, count in sampled:
        if (
            about(one.mu) < APART
            or _planned_share(one, distance, tilt, log_delta) + math.log(count) > -NATS
        ):
            return None
    with precision(BITS):
        rows = [
            _row(transform, count, log_delta - NATS)
            for transform, count in terms.factors
        ]
        if (
            any(row is None for row in rows)
            or math.prod(len(row or ()) for row in rows) > MOST_CASES
        ):
            return None
        spend(CASE_WORK * math.prod(len(row or ()) for row in rows))
        cases = [_joined(chosen) for chosen in product(*(row or () for row in rows))]
        missed = real(0)
        ahead = real(0)
        behind = real(0)
        for one, count in sampled:
            found = gap(value(one.mu), value(one.rate), real(distance), one.removing)
            missed = missed + found.missed * count
            ahead, behind = (
                (ahead + distance * count, behind)
                if one.removing
                else (ahead, behind + distance * count)
            )
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


def _planned_share(
    one: SampledGaussianTransform, distance: float, tilt: float, log_delta: float
) -> float:
    """About the logarithm of the share of delta that a draw near neither component can have."""
    mu = about(one.mu)
    q = about(one.rate)
    absolute = planned_missed(mu, q, distance, one.removing) - log_delta
    if not one.removing:
        return absolute
    return min(absolute, planned_missed_moment(mu, q, 1 + tilt, distance) + ABOVE)


def _far(
    terms: Terms, distance: float, tilt: float
) -> tuple[RealBall, RealBall, RealBall] | None:
    """The tilted share of draws that are near neither component, where the record is removed."""
    found = real(0)
    for one, count in terms.factors:
        if isinstance(one, SampledGaussianTransform):
            if not one.removing:
                return None
            missed = missed_moment(
                value(one.mu), value(one.rate), 1 + real(tilt), real(distance)
            )
            found = (
                found + missed * count / (log_moment(Terms(((one, 1),)), tilt)[1]).exp()
            )
    return *log_moment(terms, tilt), found.upper()


def _joined(chosen: "tuple[Case, ...]") -> Case:
    first = chosen[0]
    for other in chosen[1:]:
        planned = tuple(map(sum, zip(first.planned, other.planned, strict=True)))
        first = Case(
            first.weight * other.weight,
            first.offset + other.offset,
            first.square + other.square,
            planned,  # type: ignore[arg-type]
        )
    return first


def _row(transform: object, count: int, log_least: float) -> list[Case] | None:
    """The cases of one factor, of which those far less likely than that are left out; None if there
    are too many.
    """
    if isinstance(transform, GaussianTransform):
        square = value(transform.square)
        return [
            Case(real(1), real(0), square * count, (0.0, 0.0, float(square) * count))
        ]
    if isinstance(transform, SampledGaussianTransform):
        rest = 1 - value(transform.rate)
        if not transform.removing:
            offset = -rest.log() * count
            return [Case(real(1), offset, real(0), (0.0, float(offset), 0.0))]
        mu = value(transform.mu)
        q = value(transform.rate)
        return _binomial(
            (rest, rest.log(), real(0)), (q, q.log(), mu * mu), count, log_least
        )
    if isinstance(transform, AtomsTransform) and len(transform.masses) <= 2:
        atoms = [
            (value(p), value(x), real(0))
            for p, x in zip(transform.masses, transform.losses, strict=True)
        ]
        if len(atoms) == 1:
            return [_case(real(1), atoms[0][1] * count, real(0))]
        return _binomial(atoms[0], atoms[1], count, log_least)
    return None


def _case(weight: RealBall, offset: RealBall, square: RealBall) -> Case:
    return Case(
        weight, offset, square, (float(weight.log()), float(offset), float(square))
    )


def _binomial(
    one: tuple[RealBall, RealBall, RealBall],
    two: tuple[RealBall, RealBall, RealBall],
    count: int,
    log_least: float,
) -> list[Case] | None:
    """How often each of two kinds is drawn: outwards from the mean, as long as that is likely
    enough.
    """
    share = two[0]
    mode = min(count, int(float(share) * (count + 1)))
    log = (
        (real(count) + 1).lgamma()
        - (real(mode) + 1).lgamma()
        - (real(count - mode) + 1).lgamma()
    )
    start = (log + share.log() * mode + one[0].log() * (count - mode)).exp()
    odds = share / one[0]
    found: list[tuple[int, RealBall]] = [(mode, start)]
    for step in (1, -1):
        number = mode
        weight = start
        while 0 <= number + step <= count:
            ratio = (
                odds * (count - number) / (number + 1)
                if step > 0
                else number / (odds * (count - number + 1))
            )
            number = number + step
            weight = weight * ratio
            if len(found) > MOST_CASES:
                return None
            if weight < start and float(weight.log()) < log_least - math.log(
                2 + math.sqrt(count)
            ):
                break
            found.append((number, weight))
    return [
        _case(
            weight,
            one[1] * (count - number) + two[1] * number,
            one[2] * (count - number) + two[2] * number,
        )
        for number, weight in found
    ]
