"""The privacy of the best of several runs: between pairs that occur and what the rules say."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import Ball, ComplexBall
from rdpacct.exact.bound import Bound, End, greatest, round_up
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import maximum, minimum
from rdpacct.exact.number import Number, rational
from rdpacct.exact.raw import complex_of, real
from rdpacct.mechanisms.promised.profile_points import least_law
from rdpacct.mechanisms.promised.promised import worst_pair
from rdpacct.mechanisms.selection.best_run_costs import Costs
from rdpacct.mechanisms.selection.best_run_rules import best_run_delta
from rdpacct.mechanisms.selection.one_run import (
    best_tilt,
    delta_by_moments,
    epsilon_by_moments,
    least_of,
    promised_at,
)
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.convert import pure_to_zcdp
from rdpacct.privacy.ends import at_least_zero
from rdpacct.privacy.guarantee import PureDP
from rdpacct.privacy.loss import PrivacyLoss, positive_order
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.tradeoff import searched_tradeoff
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import attempt, record
from rdpacct.work import Exhausted, in_turn, spend

Parts: TypeAlias = tuple[Costs, tuple[Loss, ...]]
HOW = "the rules of the best run above and pairs that occur below"
VALUE_WORK, SEARCH_WORK = 200, 3500
"""The work of a value of the profile of a loss that occurs, and of a search for its epsilon."""
POINTS = 48
FARTHER = (*range(54, 97, 6), *(96 * 2**k for k in range(1, 5)))
"""The number of points of the profile from which a law is made, evenly down to a small delta, and
the places of those beyond it.
"""
SMALL, SMALLEST = Fraction(1, 2**64), Fraction(1, 2**900)


@dataclass(frozen=True, slots=True)
class BestRunProfile(Profile):
    """Lower ends from outputs that occur, upper ends from the profile of one run or its moments."""

    losses_occur: ClassVar[bool] = False
    parts: Callable[[], Parts]
    """Works out the costs, and losses that occur, when something is asked."""

    @property
    def costs(self) -> Costs:
        return self.parts()[0]

    @property
    def curve_is_attained(self) -> bool:
        return False

    def one_way(self, number: int) -> "BestRunProfile":  # noqa: ARG002
        return self

    def occurring(self) -> tuple[Loss, ...]:
        return self.parts()[1]

    def infinite_mass(self) -> tuple[Expr, Expr] | None:
        run = self.costs.run
        if run.ways:
            return ZERO, ZERO
        if run.known is None or not run.known.profile.losses:
            return None
        most = least = ZERO
        for loss in run.known.profile.losses:
            most = maximum(most, loss.at_infinity)
        for loss in self.occurring():
            least = maximum(least, loss.at_infinity)
        return least, minimum(1, best_run_delta(self.costs.number.mean, most))

    def _known(
        self, question: Callable[[Loss], Bound], work: int = VALUE_WORK
    ) -> Bound:
        """The worst of what occurs, as far as the work goes."""

        def counted(loss: Loss) -> Bound | None:
            try:
                spend(work)
                return question(loss)
            except Exhausted:
                return None

        with attempt():
            bounds = in_turn(counted, self.occurring())
            known = [bound for bound in bounds if bound is not None]
        if not known:
            return Bound(Fraction(0), math.inf)
        record(greatest(known).rests_on)
        return greatest(known)

    def delta(self, epsilon: Number) -> Bound:
        level = rational(epsilon, "epsilon")
        known = self._known(lambda loss: loss.delta(level))
        upper = self._most(level)
        return Bound(min(known.lower, upper), upper, HOW)

    def _most(self, level: Fraction) -> Fraction:
        """A delta that is enough."""
        if level < 0:
            return Fraction(1)
        costs = self.costs
        moments = costs.planned, costs.log_moment, costs.run.last
        return Fraction(
            least_of(
                lambda: Fraction(1),
                lambda: self._pure(lambda loss: loss.delta(level)),
                lambda: self._shifted_delta(level),
                lambda: delta_by_moments(*moments, level),
            )
        )

    def _pure(self, question: Callable[[Loss], Bound]) -> End | None:
        """The bound from the largest loss alone."""
        top = largest_loss(self.costs)
        if not isinstance(top, Fraction):
            return None
        return question(worst_pair(formula(top), ZERO)).upper

    def _shifted_delta(self, level: Fraction) -> End | None:
        """The delta that the profile of one run gives."""
        one_run = self.costs.run.known
        shift = self.costs.shift
        if one_run is None or level < shift:
            return None
        of_one = Fraction(one_run.profile.delta(level - shift).upper)
        return best_run_delta(self._mean_runs, of_one)

    @property
    def _mean_runs(self) -> Fraction:
        return Fraction(self.costs.number.mean.bound().upper)

    def dominating(self) -> PrivacyLoss:
        """A law above the best run: the least one with these points of its profile, which lie on a
        lattice.
        """
        last = min(self._enough(SMALL), largest_loss(self.costs))
        if not isinstance(last, Fraction):
            raise UndecidedError("no epsilon of the best run is known.")
        step = last / POINTS
        points = []
        for place in (*range(1, POINTS + 1), *FARTHER):
            mass = Fraction(round_up(self._most(place * step)))
            if mass < 1:
                points.append((place * step, mass))
            if mass < SMALLEST:
                break
        return least_law(points)

    def epsilon(self, delta: Number) -> Bound:
        target = rational(delta, "delta")
        if not target:
            return at_least_zero(self.max_divergence())
        known = self._known(lambda loss: loss.epsilon(target), SEARCH_WORK)
        upper = self._enough(target)
        return Bound(min(known.lower, upper), upper, HOW)

    def _enough(self, target: Fraction) -> End:
        """An epsilon that is enough."""
        costs = self.costs
        moments = costs.planned, costs.log_moment, costs.run.last
        return least_of(
            lambda: math.inf,
            lambda: self._pure(lambda loss: loss.epsilon(target)),
            lambda: self._shifted_epsilon(target),
            lambda: epsilon_by_moments(*moments, target),
        )

    def _shifted_epsilon(self, target: Fraction) -> End | None:
        """The epsilon that the profile of one run gives."""
        one_run = self.costs.run.known
        if one_run is None:
            return None
        of_one = target / best_run_delta(self._mean_runs, Fraction(1))
        if of_one >= 1:
            return self.costs.shift
        return one_run.profile.epsilon(of_one).upper + self.costs.shift

    def mean(self) -> Bound:
        known = self._known(lambda loss: loss.mean())
        return self._between(known, self._divergence(Fraction(1)))

    def renyi(self, order: Number) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        known = self._known(lambda loss: loss.renyi(alpha))
        return self._between(known, self._divergence(max(alpha, Fraction(1))))

    def _divergence(self, order: Fraction) -> End:
        """A bound on the divergence of an order: that of the best order from there on."""
        costs = self.costs
        least = float(order - 1)

        def cost(more: float) -> float:
            tilt = least + more
            return costs.planned(tilt) / tilt

        last = costs.run.last - least
        if last <= 0:
            return largest_loss(costs)
        tilt = best_tilt(cost, last) + (order - 1)
        promised = promised_at(costs.log_moment, tilt)
        divergence = math.inf if promised is None else promised.epsilon.bound().upper
        return min(divergence, largest_loss(costs))

    def max_divergence(self) -> Bound:
        known = self._known(lambda loss: loss.max_divergence())
        return self._between(known, largest_loss(self.costs))

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        known = self._known(lambda loss: loss.zcdp_rho(xi))
        top = largest_loss(self.costs)
        if not isinstance(top, Fraction) or rational(xi, "xi") < 0:
            return self._between(known, math.inf)
        return self._between(known, pure_to_zcdp(PureDP(top)).rho.bound().upper)

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise UndecidedError(
            "of the best of several runs only large losses are bounded, and not those"
            " below their mean."
        )

    def one_sided_tau(self) -> Bound:
        raise UndecidedError(
            "of the best of several runs only moments are bounded, and not the mean loss"
            " itself."
        )

    def gaussian_mu(self) -> Bound:
        known = self._known(lambda loss: loss.gaussian_mu())
        return self._between(known, math.inf)

    def tradeoff(self, false_positives: Number) -> Bound:
        rate = rational(false_positives, "the false positive rate")
        known = Profile(self.occurring()).tradeoff(rate)
        least = searched_tradeoff(self._missed, rate)
        return Bound(min(least.lower, known.upper), known.upper, HOW).safe_below()

    def _missed(self, epsilon: Fraction) -> Ball:
        return 1 - Ball.of(self._most(epsilon), 192)

    @staticmethod
    def _between(known: Bound, most: End) -> Bound:
        return Bound(min(known.lower, most), most, HOW)


def largest_loss(costs: Costs) -> End:
    """At least the largest loss of the best run."""
    if costs.run.known is None:
        return math.inf
    try:
        return costs.run.known.profile.max_divergence().upper + costs.shift
    except UndecidedError:
        return math.inf


@dataclass(frozen=True)
class BestRunTransform(Transform):
    """E exp(s L) of the best run, at most; nothing more is known."""

    costs: Costs

    @property
    def planned_last(self) -> float:
        return self.costs.run.last

    def planned(self, tilt: float) -> float:
        return self.costs.planned(tilt)

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """The bound at a real point, which is not a transform; it is good for upper ends only."""
        if nodes.count != 1:
            raise UndecidedError("of the best run only the moments are known.")
        return [complex_of(self.costs.log_moment(nodes.tilt).exp(), real(0))]
