"""The transform of the loss between two mixtures of Gaussians: Gauss-Legendre sums over panels.

M(z) is the integral of phi A**(1 + z) B**(-z). For a folded pair it is that over the losses above
0, the integral of phi B**(1 + z) A**(-z) over the same, mirrored, and the mass at 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import cached_property
from rdpacct.exact.raw import around, complex_of, pi, real, turn_sums
from rdpacct.mechanisms.mixtures.density_blocks import (
    BallBlocks,
    PlannedBlocks,
    roughly,
)
from rdpacct.mechanisms.mixtures.exponential_sum import SumOfBalls
from rdpacct.mechanisms.mixtures.integrand import Powers, tail_beyond
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.panels import Panels, ellipse_most, panel_error
from rdpacct.mechanisms.mixtures.planned_panels import MOST_POINTS, planned_panels
from rdpacct.mechanisms.mixtures.tails_in_order import LEVEL_WORK, profiles_in_order
from rdpacct.privacy.constants import value
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.transform import Transform
from rdpacct.work import spend

STEP = 0.3
"""The step of the grid on which plans are made."""
GREGORY = (
    *(1 / 2, -1 / 12, 1 / 24, -19 / 720, 3 / 160, -863 / 60480),
    *(275 / 24192, -33953 / 3628800, 8183 / 1036800),
)
"""The excess of a sum of steps from an end on, in differences of its first terms: a small error of
one release is a large one of a million.
"""
FIRST_STEPS = [
    sum(
        of_difference * (-1) ** (order - k) * math.comb(order, k)
        for order, of_difference in enumerate(GREGORY)
    )
    for k in range(len(GREGORY))
]
"""The same excess, in the first terms themselves."""
CLOSE_MASS = 1e-4
"""Two plans of a mass that are closer than this differ by the errors of the steps only."""
MOST_BETWEEN = 1000
"""Gaps of the grid of up to this many steps are filled."""
MOST_POINTS_OF_ONE, POINT_WORK = 100_000, 8
"""The most points of one value, where a line has fewer, and the work of one of them."""
PLANNED_NATS = 45.0
"""How far below the largest value a plan looks, unless a sharper sum is asked for."""
MARGIN = 4.0
"""The ends of the panels are this many nats farther out than asked."""


@dataclass(frozen=True)
class MixtureTransform(Transform):
    """M(z) of the loss of a pair of mixtures."""

    node_by_node = False
    plan_work = 60
    cost_work = 8.0

    pair: MixturePair

    @property
    def mirrored(self) -> bool:
        """Whether the losses above 0 come with their mirror images and a mass at 0."""
        return self.pair.folded_at is not None

    @cached_property
    def _grid(self) -> dict[int, tuple[float, float, float]]:
        """x**2/2 and the logarithms of A and B on a grid, as far as they were asked for."""
        return {}

    @cached_property
    def _base(self) -> float:
        """Where the grid is anchored: at the first x of a folded pair."""
        start = self.pair.planned_start
        return 0.0 if start == -math.inf else start

    def _at(self, index: int) -> tuple[float, float, float]:
        logs = self._grid.get(index)
        if logs is None:
            x = self._base + index * STEP
            logs = (
                x * x / 2,
                self.pair.first.planned_log(x),
                self.pair.second.planned_log(x),
            )
            self._grid[index] = logs
        return logs

    def _steps(
        self, first: float, second: float, nats: float = PLANNED_NATS
    ) -> list[int]:
        """The steps of the grid where phi A**first B**second may be not small: all from the first
        to the last, or those near a place where it can be largest.
        """
        far = math.sqrt(2 * nats) + 3
        centers = self._centers(first, second)
        start = self.pair.planned_start
        steps: list[int] = []
        for center in sorted(centers):
            low = math.floor((max(center - far, start) - self._base) / STEP)
            high = math.ceil((max(center + far, start + 3) - self._base) / STEP)
            if steps and low - steps[-1] < MOST_BETWEEN:
                low = steps[-1] + 1
            steps += range(low, high + 1)
        return steps

    def _centers(self, first: float, second: float) -> list[float]:
        """Where phi A**first B**second can be largest, about: where single components are, and at
        the kinks of a sum with a negative power.
        """
        mixture_p = self.pair.first
        mixture_q = self.pair.second
        centers = [0.0]
        for _, a in mixture_p.planned_terms:
            centers += [first * a + second * b for _, b in mixture_q.planned_terms]
        centers += mixture_p.planned_kinks if first < 0 else ()
        centers += mixture_q.planned_kinks if second < 0 else ()
        return centers

    def _logs(self, first: float, second: float, steps: list[int]) -> list[float]:
        """log(phi A**first B**second) at steps of the grid, but for the constant."""
        rows = [self._at(j) for j in steps]
        return [first * a + second * b - half for half, a, b in rows]

    def _planned_share(self, first: float, second: float) -> float:
        """The logarithm of the integral of phi A**first B**second, about."""
        steps = self._steps(first, second)
        logs = self._logs(first, second, steps)
        top = max(logs)
        sizes = [math.exp(log - top) for log in logs]
        total = math.fsum(sizes)
        if self.pair.folded_at is not None:
            first_sizes = sizes[: len(FIRST_STEPS)]
            total -= math.fsum(map(mul, FIRST_STEPS, first_sizes))
        return top + math.log(total * STEP / math.sqrt(2 * math.pi))

    @cached_property
    def _planned_atom(self) -> float:
        start = self.pair.planned_start
        if start == -math.inf:
            return 0.0
        atom = 1.0
        for mixture in (self.pair.first, self.pair.second):
            for weight, place in mixture.planned_terms:
                share = math.exp(weight + place * place / 2)
                atom -= share * math.erfc((start - place) / math.sqrt(2)) / 2
        return max(atom, 0.0)

    @cached_property
    def _plans(self) -> dict[float, float]:
        return {}

    def planned(self, tilt: float) -> float:
        log_moment = self._plans.get(tilt)
        if log_moment is None:
            log_moment = self._planned_share(1 + tilt, -tilt)
            if self.mirrored:
                other = self._planned_share(-tilt, 1 + tilt)
                high = max(log_moment, other)
                total = math.exp(log_moment - high) + math.exp(other - high)
                if high > -600:
                    total += self._planned_rest * math.exp(-high)
                log_moment = high + math.log(total)
            self._plans[tilt] = log_moment
        return log_moment

    @cached_property
    def _planned_rest(self) -> float:
        """The mass at the loss 0, corrected so that at the tilt 0 all masses add up to one."""
        above = math.exp(self._planned_share(1, 0))
        below = math.exp(self._planned_share(0, 1))
        rest = 1 - above - below
        if abs(rest - self._planned_atom) < CLOSE_MASS:
            return rest
        return self._planned_atom

    @cached_property
    def _blocks(self) -> dict[float, PlannedBlocks]:
        return {}

    def planned_decay(self, tilt: float, height: float) -> float:
        blocks = self._blocks.get(tilt)
        if blocks is None:
            blocks = self._blocks[tilt] = PlannedBlocks(self.pair, tilt, self.mirrored)
        lost = blocks.lost(height) * math.exp(-min(self.planned(tilt), 700.0))
        return math.log(max(1 - lost, 1e-300))

    def cost(self, tilt: float, height: float) -> float:
        at = roughly(tilt), roughly(height)
        points = self._points.get(at)
        if points is None:
            points = self._panels(1 + at[0], -at[0], at[1], 40.0).points
            self._points[at] = points
        return 1 + points * (2 if self.mirrored else 1) / 40

    @cached_property
    def _points(self) -> dict[tuple[float, float], int]:
        return {}

    def _panels(
        self, first: float, second: float, height: float, nats: float
    ) -> Panels:
        """Panels over what is not small, for the power that is asked for or, folded, for both."""
        powers = [(first, second)]
        if self.mirrored:
            powers.append((second, first))
        total = max(self._planned_share(*both) for both in powers)
        ends = [self._cut(*both, total, nats + MARGIN) for both in powers]
        low = min(low for low, _ in ends)
        high = max(high for _, high in ends)
        low = max(low, self.pair.planned_start)
        sums = (self.pair.first, self.pair.second)
        return planned_panels(sums, powers, height, (low, high), nats)

    def _cut(
        self, first: float, second: float, total: float, nats: float
    ) -> tuple[float, float]:
        """The ends between which the integrand is not too far below the total; none if it is too
        small everywhere.
        """
        least = total - nats
        steps = self._steps(first, second, max(nats, PLANNED_NATS))
        logs = self._logs(first, second, steps)
        kept = [j for j, log in zip(steps, logs, strict=True) if log >= least]
        if not kept:
            return math.inf, -math.inf
        ends = (kept[0] - 1) * STEP, (kept[-1] + 1) * STEP
        return self._base + ends[0], self._base + ends[1]

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:
        """The sums over the panels, in balls that hold the errors of the rule and of the tails."""
        tilt = nodes.tilt
        height = nodes.step * (nodes.count - 1)
        panels = self._panels(1 + float(tilt), -float(tilt), float(height), nats)
        if panels.points > MOST_POINTS:
            if nodes.count > 1 or panels.points > MOST_POINTS_OF_ONE:
                return self._unknown(nodes.count)
            spend(POINT_WORK * panels.points)
        sums = (self.pair.first.balls(), self.pair.second.balls())
        start = self._exact_start(panels)
        shares = [Powers(1 + tilt, -tilt, height)]
        if self.mirrored:
            shares.append(Powers(-tilt, 1 + tilt, height))
        moments = self._sums(sums, panels.nodes(start), shares, nodes)
        size = self._left_out(sums, shares, panels, start) / (2 * pi()).sqrt()
        moments = [around(moment, size) for moment in moments]
        moments = self._with_atoms(moments, nodes)
        moments[0] = complex_of(moments[0].real, real(0))
        return moments

    def _with_atoms(
        self,
        sums: list[ComplexBall],
        nodes: Nodes,  # noqa: ARG002
    ) -> list[ComplexBall]:
        """The sums, with what the masses at single losses add."""
        if not self.mirrored:
            return sums
        atom = self.atom()
        return [total + atom for total in sums]

    @staticmethod
    def _unknown(count: int) -> list[ComplexBall]:
        """Balls that hold every value: the panels would need too many points."""
        nothing = complex_of(real(0), real(0))
        all_values = around(nothing, real(math.inf))
        return [complex_of(all_values.real, real(0)), *[all_values] * (count - 1)]

    def _exact_start(self, panels: Panels) -> RealBall:
        """Where the first panel begins: a folded pair begins at a formula."""
        if panels.low == self.pair.planned_start and self.pair.folded_at is not None:
            return value(self.pair.folded_at)
        return real(panels.low)

    def atom(self) -> RealBall:
        """The mass at the loss 0 of a folded pair."""
        if self.pair.folded_at is None:
            return real(0)
        start = value(self.pair.folded_at)
        return 1 - self.pair.first.beyond(start) - self.pair.second.beyond(start)

    def _sums(
        self,
        sums: tuple[SumOfBalls, SumOfBalls],
        rows: list[tuple[RealBall, RealBall]],
        shares: list[Powers],
        nodes: Nodes,
    ) -> list[ComplexBall]:
        """The weights of the points, turned from one node to the next; a mirrored share turns the
        other way.
        """
        scale = 1 / (2 * pi()).sqrt()
        weights: list[list[RealBall]] = [[] for _ in shares]
        turns = []
        for x, weight in rows:
            a = sums[0].log(x)
            b = sums[1].log(x)
            bump = -x * x / 2
            for powers, into in zip(shares, weights, strict=True):
                size = (powers.first * a + powers.second * b + bump).exp()
                into.append(size * weight * scale)
            if nodes.count > 1:
                sine, cosine = (nodes.step * (a - b)).sin_cos()
                turns.append(complex_of(cosine, sine))
        if nodes.count == 1:
            flat = [mass for row in weights for mass in row]
            return [complex_of(sum(flat[1:], start=flat[0]), real(0))]
        totals = turn_sums(weights[0], turns, nodes.count)
        if len(weights) == 1:
            return totals
        other = turn_sums(weights[1], turns, nodes.count)
        return [x + y.conjugate() for x, y in zip(totals, other, strict=True)]

    def _left_out(
        self,
        sums: tuple[SumOfBalls, SumOfBalls],
        shares: list[Powers],
        panels: Panels,
        start: RealBall,
    ) -> RealBall:
        """At least what the rule and the ends leave out, but for the constant."""
        growth = real(panels.growth)
        wide = panels.wide(start)
        total = real(0)
        limit = None
        if self.pair.folded_at is not None:
            limit = value(self.pair.folded_at)
        for powers in shares:
            total = total + tail_beyond(sums, powers, real(panels.high), True)
            if panels.low > self.pair.planned_start:
                total = total + tail_beyond(sums, powers, start, False, limit)
        for middle in panels.middles(start):
            most = ellipse_most(sums, shares, middle, wide, growth)
            total = total + panel_error(most, wide, panels.number, growth)
        return total

    def decay(
        self,
        tilt: RealBall,
        height: RealBall,
        value_at_tilt: RealBall,
        nats: float = NATS,  # noqa: ARG002
    ) -> RealBall:
        lost = BallBlocks(self.pair, tilt, self.mirrored).lost(height)
        return (value_at_tilt - lost).max(real(0)).min(value_at_tilt)

    def profile(self, epsilon: RealBall) -> RealBall:
        growth = epsilon.exp()
        if self.pair.folded_at is not None and not epsilon >= 0:
            if not epsilon < 0:
                return real(0).union(real(1))
            return 1 - growth + growth * self.profile(-epsilon)
        spend(LEVEL_WORK)
        under_p, under_q = self.pair.events(epsilon)
        return (under_p - growth * under_q).max(real(0))

    def profiles(self, levels: Sequence[RealBall]) -> list[RealBall | None]:
        if self.pair.folded_at is None:
            return [*profiles_in_order(self.pair, levels)]
        first = 0
        while first < len(levels) and not levels[first] >= 0:
            first += 1
        above = profiles_in_order(self.pair, levels[first:])
        return [*self._profiles_below(levels[:first]), *above]

    def _profiles_below(self, levels: Sequence[RealBall]) -> list[RealBall]:
        """The profile of a folded pair at rising levels that are not known to be above 0."""
        if not all(level < 0 for level in levels):
            return [self.profile(level) for level in levels]
        mirrored = profiles_in_order(self.pair, [-level for level in reversed(levels)])
        rows = zip(levels, reversed(mirrored), strict=True)
        return [1 - level.exp() + level.exp() * delta for level, delta in rows]

    def top(self) -> RealBall | None:
        return None if self.planned_top() == math.inf else self.pair.end(upper=True)

    def planned_top(self) -> float:
        return self.pair.limits()[1]
