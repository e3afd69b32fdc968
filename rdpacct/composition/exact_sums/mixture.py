"""Some losses atom by atom, and for each of their atoms the exact profile of the others.

It is the sum of atoms.py with any losses whose profile is known in place of the inner list.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rdpacct.composition.exact_sums.atoms import (
    ATOM_WORK,
    MOST_ATOMS,
    VALUE_WORK,
    ball_share,
    few_atoms,
    listed_atoms,
    planned_size,
    share_left_out,
    total_mass,
)
from rdpacct.composition.exact_sums.one_draw import one_draw
from rdpacct.composition.exact_sums.patterns import patterns_of, planned_work
from rdpacct.composition.many_levels import (
    Values,
    estimates_of,
    planned_by,
    sums_over,
    values_of,
)
from rdpacct.composition.quadrature.tilt import Place
from rdpacct.composition.quadrature.vertical_line import chernoff, log_moment
from rdpacct.composition.terms import Terms
from rdpacct.exact.ball import RealBall
from rdpacct.exact.invert import Curve
from rdpacct.exact.raw import real
from rdpacct.privacy.drawn_atoms import Atoms
from rdpacct.provenance import by
from rdpacct.work import spend

DRAW_WORK = 20.0
"""A closed form takes as long as this many terms of a pattern, about."""


@dataclass(frozen=True)
class AtomMixture:
    """The kept atoms of some losses, and the profile of the others."""

    tilt: RealBall
    base: RealBall
    """log M(tilt) of the sum."""
    left_out: RealBall
    """At least the tilted mass of the atoms that are not kept."""
    atoms: Atoms
    """Losses, each with its mass under P."""
    others: Curve
    top: float = math.inf
    """About the largest loss of all together."""

    def enclosure(self, epsilon: RealBall) -> RealBall:
        """A ball that contains delta(epsilon)."""
        return self.enclosures([epsilon])[0]

    @by("engine/atom-sums")
    def enclosures(self, epsilons: Sequence[RealBall]) -> list[RealBall]:
        """Balls that contain delta at rising epsilons: that of the others at each kept atom, and at
        most a Chernoff bound.
        """
        spend(VALUE_WORK * len(self.atoms) * len(epsilons))
        deltas = sums_over(self.atoms, epsilons, values_of(self.others))
        if self.left_out == 0:
            return deltas
        rests = [
            self.left_out * chernoff(self.base, self.tilt, epsilon)
            for epsilon in epsilons
        ]
        pairs = zip(deltas, rests, strict=True)
        return [delta + rest.union(real(0)) for delta, rest in pairs]

    @property
    def enclosed(self) -> Values:
        """Balls that contain delta at several epsilons at once."""
        return Values(self.enclosures, values_of(self.others).at_once)

    @property
    def estimates(self) -> Values | None:
        """About delta at several epsilons, if the others have that."""
        values = estimates_of(self.others)
        if values is None:
            return None

        def estimated(epsilons: Sequence[RealBall]) -> list[RealBall]:
            spend(VALUE_WORK * len(self.atoms) * len(epsilons))
            return sums_over(self.atoms, epsilons, values)

        return Values(estimated, values.at_once)

    def planned_log(self, epsilon: float) -> tuple[float, float]:
        """About log delta(epsilon) and its derivative."""
        estimated = self.estimates
        if estimated is not None:
            return planned_by(estimated, epsilon, self.top)
        spend(VALUE_WORK * len(self.atoms))
        delta = slope = 0.0
        for loss, mass in self.atoms:
            size, rate = self.others.planned_log(epsilon - float(loss))
            share = float(mass) * math.exp(size)
            delta += share
            slope += share * rate
        if delta > 0:
            return (math.log(delta), slope / delta)
        return (-math.inf, -float(self.tilt))


def one_beside_atoms(terms: Terms) -> bool:
    """Whether all losses are on lattices but one, which is drawn once and has a profile in closed
    form.
    """
    smooth = [factor for factor in terms.factors if factor[0].lattice() is None]
    return (
        len(smooth) == 1 < len(terms.factors)
        and one_draw(Terms(tuple(smooth))) is not None
    )


def mixture_work(terms: Terms, place: Place) -> float:
    """How many closed forms the profile of some losses takes, about, at each atom of the others;
    infinite if there is no such profile.
    """
    listed, others = _listed_and_others(terms, place)
    if not listed.factors or not others.factors:
        return math.inf
    if one_draw(others) is not None:
        return DRAW_WORK * planned_number(listed, place)
    return planned_work(others, -others.planned_top) * planned_number(listed, place)


def _listed_and_others(terms: Terms, place: Place) -> tuple[Terms, Terms]:
    """The losses whose atoms can be listed, and the others."""
    sizes = [
        planned_size(transform, count, place) for transform, count in terms.factors
    ]
    rows = list(zip(terms.factors, sizes, strict=True))
    return (
        Terms(tuple(factor for factor, size in rows if size <= MOST_ATOMS)),
        Terms(tuple(factor for factor, size in rows if not size <= MOST_ATOMS)),
    )


def planned_number(terms: Terms, place: Place) -> float:
    """About how many atoms are kept."""
    sizes = (
        planned_size(transform, count, place) for transform, count in terms.factors
    )
    return ball_share(len(terms.factors)) * math.prod(sizes)


def atom_mixture(terms: Terms, place: Place, most: float) -> AtomMixture | None:
    """The atoms of all losses on lattices with the exact profile of the others, if the terms of all
    are few enough.
    """
    if not mixture_work(terms, place) <= most:
        return None
    on_lattices, others = _listed_and_others(terms, place)
    profile = one_draw(others) or patterns_of(others)
    if profile is None:
        return None
    return atoms_beside(on_lattices, others, profile, place)


def atoms_beside(
    on_lattices: Terms, others: Terms, profile: Curve, place: Place
) -> AtomMixture:
    """The atoms of some losses, and a profile of the others."""
    spend(ATOM_WORK * planned_number(on_lattices, place))
    tilt, scale = log_moment(on_lattices, place.tilt)
    atoms = listed_atoms(on_lattices, place, tilt)
    left_out = share_left_out(total_mass([mass for _, mass in atoms]))
    if few_atoms(on_lattices):
        left_out = real(0)
    under_p = [(loss, (scale - tilt * loss).exp() * mass) for loss, mass in atoms]
    base = scale + log_moment(others, place.tilt)[1]
    top = on_lattices.planned_top + others.planned_top
    return AtomMixture(tilt, base, left_out, under_p, profile, top)
