"""The profile of a plan of several releases: the worst over the directions of its mechanisms."""

import math
from itertools import product

from rdpacct.by import by
from rdpacct.calculus.compose import compose_gaussian_shifts
from rdpacct.engine.composed import ComposedLoss, ComposedProfile
from rdpacct.engine.terms import Terms
from rdpacct.engine.tilt import Planner
from rdpacct.errors import InputError
from rdpacct.mechanisms.gaussian import Gaussian, worst_pair
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.profile import Profile

IMPLIES = {
    "engine/quadrature": frozenset({"engine/aliases", "engine/chernoff", "engine/truncation", "engine/periodic-sum"}),
    "engine/smoothing": frozenset(
        {"engine/aliases", "engine/chernoff", "engine/smooth-kernels", "engine/smooth-truncation"}
    ),
    "engine/lattice": frozenset({"engine/aliases", "engine/chernoff", "engine/lattice-decay"}),
}
MOST_CASES = 64
"""How many combinations of directions are looked at."""


def compose(plan: Plan) -> Profile:
    """The privacy of several releases on the same data, adaptively chosen, with parameters fixed in advance."""
    gaussians = [(mechanism, count) for mechanism, count in plan.terms if isinstance(mechanism, Gaussian)]
    if len(gaussians) == len(plan.terms):
        shifts = [(mechanism.shift, count) for mechanism, count in gaussians]
        return Profile(worst_pair(compose_gaussian_shifts(shifts)).directions())
    return ComposedProfile(tuple(composed_losses(plan)))


@by("composition/dominating-pairs")
def composed_losses(plan: Plan) -> list[PrivacyLoss]:
    """A sum of independent losses for each way in which the directions of the mechanisms can combine.

    Oriented mechanisms take the same direction; every other one with several directions takes each of its own.
    """
    terms = sorted(plan.terms, key=lambda term: str(type(term[0])))
    choices = [mechanism.directions() for mechanism, _ in terms]
    oriented = max((len(c) for c, (m, _) in zip(choices, terms, strict=True) if m.oriented), default=1)
    free = [i for i, (m, _) in enumerate(terms) if len(choices[i]) > 1 and not m.oriented]
    if oriented * math.prod(len(choices[i]) for i in free) > MOST_CASES:
        raise InputError(
            f"the plan combines mechanisms with {len(free)} separate choices of neighbors, more than {MOST_CASES} "
            "cases; compose fewer mechanisms that are not symmetric."
        )
    found: list[PrivacyLoss] = []
    for way in range(oriented):
        for picks in product(*(range(len(choices[i])) for i in free)):
            chosen = dict(zip(free, picks, strict=True))
            index = [way if m.oriented else chosen.get(i, 0) for i, (m, _) in enumerate(terms)]
            draws = [(choices[i][index[i]], count) for i, (_, count) in enumerate(terms)]
            losses = [(_Lazy(m, index[i]), count) for i, (m, count) in enumerate(terms)]
            found.append(ComposedLoss.of(draws, losses))  # type: ignore[arg-type]
    return found


def planned_log_delta(plan: Plan, epsilon: float) -> float:
    """About the logarithm of delta(epsilon) of a plan, by saddle points; it steers a search and is no answer."""
    worst = -math.inf
    for way in range(2):
        terms = [(m.directions(), count) for m, count in plan.terms]
        factors = [(d[min(way, len(d) - 1)].transform, count) for d, count in terms]
        planner = Planner(Terms.of([(transform, count) for transform, count in factors if transform is not None]))
        worst = max(worst, planner.saddle_log_delta(epsilon)[0])
        if not any(m.oriented for m, _ in plan.terms):
            break
    return worst


class _Lazy:
    """A loss of a mechanism, built when it is first asked for."""

    def __init__(self, mechanism: Mechanism, index: int) -> None:
        self.mechanism, self.index = mechanism, index
        self.known: PrivacyLoss | None = None

    def __call__(self) -> PrivacyLoss:
        if self.known is None:
            losses = self.mechanism.profile().losses
            self.known = losses[min(self.index, len(losses) - 1)]
        return self.known


def composition_rules(plan: Plan) -> tuple[str, ...]:
    """The theorems that the composition of a plan rests on, besides those that its answer names."""
    if all(isinstance(mechanism, Gaussian) for mechanism, _ in plan.terms):
        return ("gaussian/composition",)
    used = {"composition/dominating-pairs", "composition/mass-at-infinity"}
    for mechanism, _ in plan.terms:
        for direction in mechanism.directions():
            methods = (getattr(direction.transform, name, None) for name in ("at", "decay", "lattice_decay"))
            used |= {getattr(method, "theorem", "composition/dominating-pairs") for method in methods}
    return tuple(sorted(used))


def implied(theorem: str) -> frozenset[str]:
    """The theorems that a method of the engine uses beside its own."""
    return IMPLIES.get(theorem, frozenset())
