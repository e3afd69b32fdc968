"""Sums of losses with atoms, atom by atom: for each atom of some of the losses, the profile of the
others.

Under the law tilted by t, the atoms of each loss far from its mean are left out. With the kept
atoms of one half of the losses in a list A, and of the other half in a sorted list B with its sums
from each place on,

delta(eps) = M(t) sum over a of w(a) (exp(-t a) S(eps - a) - exp(eps - (t + 1) a) R(eps - a)) +
rest,

where S(x) and R(x) are the sums of w(b) exp(-t b) and of w(b) exp(-(t + 1) b) over b > x, and the
rest is at most Chernoff's bound for the tilted mass that was left out.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.quadrature.vertical_line import chernoff, log_moment
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import real, real_inner
from rdpacct.privacy.drawn_atoms import Atoms, drawn
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by, remembered_property
from rdpacct.work import Exhausted, spend

MOST_ATOMS = 100_000
"""How many atoms each list may have."""
CLOSE = 2.0**-40
"""Two losses that are nearer than this, relative to the largest loss, cannot be ordered in doubles.
"""
FEW_ATOMS = 500
"""Up to this many atoms are all listed, however small they are."""
LISTED_WORK, ATOM_WORK, VALUE_WORK = 16, 8, 10
"""The work of an atom of two lists, that of one which is looked at, and that of the profile of the
others at one.
"""


@dataclass(frozen=True)
class AtomSums:
    """Two lists of atoms: every atom of the sum is a loss of the one and a loss of the other."""

    tilt: RealBall
    base: RealBall
    """log M(tilt) of the sum."""
    outer: Atoms
    inner: Atoms
    """By rising loss."""
    top = math.inf

    @remembered_property
    def left_out(self) -> RealBall:
        """At least the tilted mass of the atoms that are in no list."""
        kept = [
            total_mass([mass for _, mass in atoms])
            for atoms in (self.outer, self.inner)
        ]
        return share_left_out(kept[0] * kept[1])

    @cached_property
    def _outer_masses(self) -> tuple[list[RealBall], list[RealBall]]:
        """The masses under P and under Q of the atoms of the outer list, times M of the whole
        sum.
        """
        scale = self.base
        under_p = [(scale - self.tilt * loss).exp() * mass for loss, mass in self.outer]
        return under_p, [
            mass * (-loss).exp()
            for (loss, _), mass in zip(self.outer, under_p, strict=True)
        ]

    @cached_property
    def _from_here_on(self) -> tuple[list[RealBall], list[RealBall]]:
        """For each atom of the inner list the masses under P and under Q of it and of all above it;
        a zero last.
        """
        sums: tuple[list[RealBall], list[RealBall]] = ([real(0)], [real(0)])
        for loss, mass in reversed(self.inner):
            under_p = (-self.tilt * loss).exp() * mass
            sums[0].append(sums[0][-1] + under_p)
            sums[1].append(sums[1][-1] + under_p * (-loss).exp())
        return sums[0][::-1], sums[1][::-1]

    @cached_property
    def _planned(self) -> tuple[list[float], list[float], float]:
        """The losses of both lists in doubles, and the size of the largest."""
        outer, inner = (
            [float(loss) for loss, _ in atoms] for atoms in (self.outer, self.inner)
        )
        return outer, inner, max(map(abs, (*outer, *inner)))

    def above(self, epsilon: RealBall) -> tuple[RealBall, RealBall]:
        """The masses of the kept atoms above epsilon, under P and, times exp(epsilon), under Q. Of
        atoms too close to epsilon to be ordered in doubles, only the difference of the two is
        right.
        """
        spend(len(self.outer))
        level = float(epsilon)
        outer, inner, largest = self._planned
        close = CLOSE * (largest + abs(level))
        places = [bisect_right(inner, level - loss + close) for loss in outer]
        under_p, under_q = (
            real_inner(masses, [sums[k] for k in places])
            for masses, sums in zip(self._outer_masses, self._from_here_on, strict=True)
        )
        under_q = under_q * epsilon.exp()
        for i, k in enumerate(places):
            while k > 0 and inner[k - 1] > level - outer[i] - close:
                k -= 1
                spend(ATOM_WORK)
                extra = self._close_atom(i, k, epsilon)
                under_p = under_p + extra[0]
                under_q = under_q + extra[1]
        return under_p, under_q

    def _close_atom(
        self, outer: int, inner: int, epsilon: RealBall
    ) -> tuple[RealBall, RealBall]:
        """The masses of one atom, moved together so that their difference is its part of delta."""
        loss, mass = self.inner[inner]
        under_p = self._outer_masses[0][outer] * (-self.tilt * loss).exp() * mass
        gap = self.outer[outer][0] + loss - epsilon
        if not gap > 0:
            return under_p * (1 - (-gap).exp()).max(real(0)), real(0)
        return under_p, under_p * (-gap).exp()

    @by("engine/atom-sums")
    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon): the kept atoms, and at most a Chernoff bound for the
        others.
        """
        under_p, under_q = self.above(epsilon)
        rest = self.left_out * chernoff(self.base, self.tilt, epsilon)
        return under_p - under_q + rest.union(real(0))

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        under_p, under_q = self.above(real(epsilon))
        delta = under_p - under_q
        if delta > 0:
            return (float(delta.log()), float(-under_q / delta))
        return (-math.inf, -float(self.tilt))


@by("engine/atom-sums")
def share_left_out(kept: RealBall) -> RealBall:
    """At least the tilted mass of the atoms left out, given that of those that are kept."""
    return (1 - kept).max(real(0))


def planned_atoms(terms: Terms, place: Place) -> float:
    """About how many atoms the two lists have; infinite if they cannot be made."""
    parts = shared_out(terms, place)
    sizes = [
        planned_size(transform, count, place) for transform, count in parts.factors
    ]
    if max(sizes) > MOST_ATOMS:
        return math.inf
    lengths = [
        ball_share(len(half)) * math.prod(sizes[i] for i in half)
        for half in halves(sizes)
    ]
    if max(lengths) <= MOST_ATOMS:
        return sum(lengths)
    return math.inf


def planned_size(transform: Transform, count: int, place: Place) -> float:
    """About how many atoms a number of draws has."""
    size = transform.planned_points(place.tilt, count, place.excess)
    if size > MOST_ATOMS and count <= MOST_ATOMS:
        listed = transform.listed_points(count)
        return size if math.isinf(listed) else listed
    return size


def shared_out(terms: Terms, place: Place) -> Terms:
    """The same sum, with draws of atoms on no lattice in two parts, one for each list.

    Two draws of n atoms have n**2/2 sums, but two lists of n atoms.
    """
    factors: list[tuple[Transform, int]] = []
    for transform, count in terms.factors:
        alone = transform.planned_points(place.tilt, count, place.excess)
        listed = alone > MOST_ATOMS and transform.listed_points(1) < math.inf
        if count > 1 and listed:
            factors += [(transform, count // 2), (transform, count - count // 2)]
        else:
            factors.append((transform, count))
    return Terms(tuple(factors))


def halves(sizes: Sequence[float]) -> tuple[list[int], list[int]]:
    """The factors in two groups, with products of their sizes that do not differ by much; the
    smaller one first.
    """
    groups: tuple[list[int], list[int]] = ([], [])
    logs = [0.0, 0.0]
    for index in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        side = 0 if logs[0] <= logs[1] else 1
        groups[side].append(index)
        logs[side] += math.log(sizes[index])
    return groups if logs[0] <= logs[1] else groups[::-1]


def ball_share(dimension: int) -> float:
    """The share of a ball in the cube around it."""
    return math.exp(
        dimension / 2 * math.log(math.pi / 4) - math.lgamma(dimension / 2 + 1)
    )


def atom_sums(terms: Terms, place: Place) -> AtomSums:
    """The two lists for the losses of a sum, tilted and cut off as a place says."""
    spend(LISTED_WORK * planned_atoms(terms, place))
    tilt, base = log_moment(terms, place.tilt)
    parts = shared_out(terms, place)
    sizes = [
        planned_size(transform, count, place) for transform, count in parts.factors
    ]
    groups = [Terms(tuple(parts.factors[i] for i in half)) for half in halves(sizes)]
    outer, inner = (listed_atoms(group, place, tilt) for group in groups)
    return AtomSums(tilt, base, outer, sorted(inner, key=lambda atom: float(atom[0])))


def few_atoms(terms: Terms) -> bool:
    """Whether the atoms are so few that all of them are listed."""
    return (
        math.prod(
            transform.planned_points(0.0, count, math.inf)
            for transform, count in terms.factors
        )
        <= FEW_ATOMS
    )


def listed_atoms(terms: Terms, place: Place, tilt: RealBall) -> Atoms:
    """The kept atoms of a sum of losses."""
    atoms: Atoms = [(real(0), real(1))]
    sizes = [
        planned_size(transform, count, place) for transform, count in terms.factors
    ]
    least = 0.0 if few_atoms(terms) else math.exp(-place.excess) / (1 + sum(sizes))
    for transform, count in terms.factors:
        atoms = _sums(
            atoms, _atoms_of(transform, count, tilt, place.excess, least), least
        )
    return atoms


def _atoms_of(
    transform: Transform, count: int, tilt: RealBall, nats: float, least: float
) -> Atoms:
    """The kept atoms of a number of draws of one loss."""
    law = transform.lattice_law(tilt, nats)
    if law is not None:
        if not law.masses[0].is_finite():
            raise Exhausted  # the moment at this tilt is unknown, and so is every mass
        law = law.repeated(count, least)
        return list(zip(law.losses(), law.masses, strict=True))
    return drawn(transform.tilted_atoms(tilt), count)


def _sums(left: Atoms, right: Atoms, least: float) -> Atoms:
    """The sums of an atom of each list, without those of a mass below the least; all of them if
    that is 0.
    """
    if len(left) == 1:
        offset, share = left[0]
        return [(offset + loss, share * mass) for loss, mass in right]
    ordered = sorted(
        ((float(mass), loss, mass) for loss, mass in right), key=lambda row: -row[0]
    )
    sums: Atoms = []
    for offset, share in left:
        enough = least / max(float(share), 1e-300)
        for size, loss, mass in ordered:
            if size < enough and least > 0:
                break
            sums.append((offset + loss, share * mass))
    return sums


def total_mass(values: Sequence[RealBall]) -> RealBall:
    return real_inner(values, [real(1)] * len(values))
