"""Where a profile is asked for; what is planned for it in doubles; and what a method asks of that:
whether it applies, and what it costs.
"""

import math
from typing import TYPE_CHECKING, TypeAlias

from rdpacct.composition.exact_sums.atoms import planned_atoms
from rdpacct.composition.exact_sums.mixture import mixture_work, one_beside_atoms
from rdpacct.composition.exact_sums.patterns import MOST_WORK, planned_work
from rdpacct.composition.grids.few_releases import FewReleases
from rdpacct.composition.narrowest import Point
from rdpacct.composition.quadrature.lattice import common_lattice
from rdpacct.composition.quadrature.tilt import Place, Planner, Tilt
from rdpacct.composition.terms import MOST_BESIDE_CELLS, Terms
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr
from rdpacct.provenance import planning, recorded_property

if TYPE_CHECKING:
    from rdpacct.composition.grids.fine_grids import FineGrids

MOST_NODES, MANY_NODES = 300_000.0, 400
"""The most nodes, and the number of nodes above which less accuracy will do."""
COARSE_NODES = 10_000.0
"""A quadrature of up to this many nodes is tried early."""
FEWER = 1.5
"""How many nats less accurate an answer may be where the nodes are many."""
FEW_TERMS, EXACT_TERMS = 2000, 4000
"""An exact sum of up to the first number of terms is as fast as a lattice; of up to the second, not
much slower than a quadrature, but narrower.
"""
NODE_COST = 30.0
"""One factor at one node takes as long as this many terms of a pattern, about."""
SHARE = 2e-9
"""The share of delta by which a smoothing may change it."""
GRID_SHARE, REFINED = 2e-7, 1e-5
"""The share of delta by which grids may change it, and the share up to which they are likely to be
better than a smoothing.
"""
SLOW_PLAN = 50
"""If a plan takes at least this work, values of the profile take long too."""
MANY_NATS = 60.0
"""Values that must be sharper than this many nats take longer."""
ATOM_WORK, LITTLE_WORK = 2.0, 20_000.0
"""The work of an atom, about, in units of a closed form at a node; and the work up to which a
method is fast.
"""

FEW_ATOMS, MORE_NATS = 12_000, 20.0
"""Up to the first number of atoms are fast; if they are still so few, smaller ones are listed too,
down to the second number of nats further.
"""

Few: TypeAlias = FewReleases
"""The draws, with the two sums on grids that few of them have, or None if there are too many."""
NOTHING_DRAWN = FewReleases(())


class Setting:
    """A sum of losses and a point of its profile, for one question. What is planned is worked out
    when it is first asked for.
    """

    def __init__(self, terms: Terms, planner: Planner, point: Point, few: Few) -> None:
        self.terms = terms
        self.planner = planner
        self.point = point
        self.few = few
        self.fading = True
        """Whether nodes may be known at which the transform is small; false once a search found
        none.
        """
        self.fine: FineGrids | None = None
        """Fine grids that were made."""
        self.refined = False
        """Whether grids were made that are likely to be finer than what a smoothing gives."""

    @property
    def epsilon(self) -> float:
        """About the epsilon that is asked for."""
        return self.point.epsilon

    @lazy_property
    def terms_of_sum(self) -> float:
        """About how many terms an exact sum has, infinite if there is none."""
        if self.terms.columns is None:
            return math.inf
        return planned_work(self.terms, self.epsilon)

    @property
    def summable(self) -> bool:
        """Whether there is an exact sum of not too many terms."""
        return self.terms_of_sum < MOST_WORK

    @property
    def off_lattice(self) -> int:
        """How many of the different losses are not known to lie on a lattice: none, one, or two
        for several.
        """
        number = 0
        for transform, _ in self.terms.factors:
            number += transform.lattice() is None
            if number == 2:
                break
        return number

    @recorded_property
    def lattice(self) -> tuple[Expr, Expr] | None:
        """The origin and the spacing of a lattice that holds all losses, if an exact sum is not as
        fast.
        """
        if self.off_lattice or self.terms_of_sum <= FEW_TERMS:
            return None
        return common_lattice(self.terms)

    @lazy_property
    @planning
    def plan(self) -> Tilt | None:
        """A quadrature, if nothing else is likely to be fast; a less accurate one if it has many
        nodes.
        """
        if self.lattice is not None or not self.terms.has_nodes:
            return None
        if self.summable and self.terms_of_sum < EXACT_TERMS:
            return None
        terms = self.terms_of_sum if self.summable else math.inf
        most = min(terms / NODE_COST + len(self.terms.factors), MOST_NODES)
        point = self.point
        at = (point.epsilon, point.log_delta, point.tilt, most)
        plan = self.planner.tilt(*at, point.accuracy)
        if plan.count > MANY_NODES if plan is not None else terms == math.inf:
            plan = self.planner.tilt(*at, point.accuracy - FEWER) or plan
        return plan

    @lazy_property
    @planning
    def place(self) -> Place:
        """A line for the point, also where no plan reaches it."""
        point = self.point
        place = self.planner.place(
            point.epsilon, point.log_delta, point.tilt, point.accuracy
        )
        if place is not None:
            return place
        tilt = min(point.tilt, 1e6)
        return Place(tilt, None, 100 / tilt, 30.0)

    @lazy_property
    @planning
    def atoms(self) -> float:
        """About how many atoms two lists of them have, infinite if they cannot be made."""
        return planned_atoms(self.terms, self.place)

    @lazy_property
    @planning
    def place_of_atoms(self) -> Place:
        """The line, from which atoms are listed further down where that takes little work."""
        place = self.place
        deeper = place._replace(excess=place.excess + MORE_NATS)
        if planned_atoms(self.terms, deeper) <= FEW_ATOMS:
            return deeper
        return place

    @property
    def share(self) -> float:
        """By which share of it a smoothing may change delta here."""
        return SHARE * math.exp(-2 * self.point.sharper)

    @property
    def grid_share(self) -> float:
        """By which share of it grids may change delta here."""
        return GRID_SHARE * self.point.steep


def always(setting: Setting) -> bool:  # noqa: ARG001
    """Applies everywhere, as far as plans say; making it ready finds out."""
    return True


def far_apart(setting: Setting) -> bool:
    """Some loss is that of sampled noise."""
    return setting.terms.far_apart


def on_grids(setting: Setting) -> bool:
    """Some law is on a grid already."""
    return setting.terms.gridded


def one_beside(setting: Setting) -> bool:
    """All losses are on lattices but one, with a profile in closed form."""
    return setting.off_lattice == 1 and one_beside_atoms(setting.terms)


def only_cells(setting: Setting) -> bool:
    """A loss can be cut into cells, and no exact sum is fast, and no quadrature fast and sharp: one
    of many nodes is less sharp, which matters less where the profile is steep.
    """
    if setting.terms_of_sum < math.inf:
        return False
    if setting.plan is not None:
        few = setting.plan.count <= MANY_NODES * setting.point.steep
        if few and setting.plan.count <= COARSE_NODES:
            return False
    return setting.terms.with_cells is not None


def slow_beside_cells(setting: Setting) -> bool:
    """A loss can be cut into cells as above, but the profile of the other loss takes long, so that
    it is better to cut that one.
    """
    if setting.terms.count > MOST_BESIDE_CELLS:
        return False
    off_lattice = [row for row in setting.terms.factors if row[0].lattice() is None]
    two = sum(count for _, count in off_lattice) == 2
    slow = any(transform.plan_work >= SLOW_PLAN for transform, _ in off_lattice)
    return two and slow and only_cells(setting)


def planned(setting: Setting) -> bool:
    """A quadrature is planned."""
    return setting.plan is not None


def summable(setting: Setting) -> bool:
    """An exact sum is likely to be faster than a lattice, or there is none."""
    return setting.summable and setting.lattice is None


def lattice(setting: Setting) -> bool:
    """All losses lie on one lattice."""
    return setting.lattice is not None


def no_lattice(setting: Setting) -> bool:
    """The losses do not all lie on one lattice."""
    return setting.lattice is None


def few_kinds(setting: Setting) -> bool:
    """Some losses lie on no lattice, the draws of these are few, and no values are wanted that are
    sharper than usual.
    """
    return setting.off_lattice > 0 and setting.point.sharper <= 0


def finite(setting: Setting) -> bool:
    """Lists of atoms can be made."""
    return setting.atoms < math.inf


def unrefined(setting: Setting) -> bool:
    """There are nodes, and no fine grids are likely to be narrower."""
    return setting.terms.has_nodes and not setting.refined


def not_fading(setting: Setting) -> bool:
    """No nodes are known at which the transform is small, and no fine grids are narrower."""
    return not setting.fading and unrefined(setting)


def patient(setting: Setting) -> bool:
    """Values need not be so sharp that each takes long, and no fine grids are narrower."""
    if not unrefined(setting):
        return False
    return setting.point.sharper <= 0 and setting.place.excess <= MANY_NATS


def patient_on_lattice(setting: Setting) -> bool:
    """All losses lie on one lattice, and values need not be so sharp that each takes long."""
    return lattice(setting) and patient(setting)


def grids_on_lattice(setting: Setting) -> bool:
    """As above, and some law is on a grid: all its nodes together take little longer than some, and
    a smoothing would add to what the grid has rounded.
    """
    return on_grids(setting) and patient_on_lattice(setting)


def patient_not_fading(setting: Setting) -> bool:
    """Values need not be so sharp that each takes long, and no nodes are known at which the
    transform is small.
    """
    return patient(setting) and not_fading(setting)


def nodes(setting: Setting) -> float:
    """The nodes of the planned quadrature."""
    return math.inf if setting.plan is None else setting.plan.count


def terms(setting: Setting) -> float:
    """The terms of an exact sum."""
    return setting.terms_of_sum


def atoms(setting: Setting) -> float:
    """The atoms in two lists."""
    return setting.atoms


def as_atoms(setting: Setting) -> float:
    """The work that the atoms would take, or little work if that is less."""
    return min(ATOM_WORK * setting.atoms, LITTLE_WORK)


def mixture(setting: Setting) -> float:
    """The terms of the profile of some losses, at each atom of the others."""
    return mixture_work(setting.terms, setting.place)
