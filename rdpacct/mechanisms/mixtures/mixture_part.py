"""The loss of one release whose worst pair is two mixtures of Gaussians, as a part of a law."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rdpacct.exact.backend_integral import FEW_OPERATIONS, complex_quadrature
from rdpacct.exact.ball import Ball, ComplexBall, RealBall, complex_functions, precision
from rdpacct.exact.functions import log
from rdpacct.exact.raw import error, pi, real
from rdpacct.mechanisms.mixtures.integrand import Powers, Sums, tail_beyond
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform
from rdpacct.mechanisms.mixtures.tails_in_order import LEVEL_WORK, events_in_order
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import Nodes
from rdpacct.privacy.parts import FURTHEST_ORDER, Edge, Part
from rdpacct.work import spend

MORE_NATS = 8.0
"""A moment is planned with this many nats more than its precision."""
ROW_OPERATIONS = 3
"""The operations of a Gaussian of a mixture in a value of the loss."""


@dataclass(frozen=True)
class MixtureLoss(Part):
    """The whole law of log(A/B) under A, for the densities of two mixtures, or the folded one."""

    largest_order: ClassVar[int] = FURTHEST_ORDER
    pair: MixturePair

    def range(self) -> tuple[Edge, Edge]:
        ends: list[Edge] = []
        for pick, infinite in ((min, -math.inf), (max, math.inf)):
            first, second = (
                pick(mixture.terms, key=lambda row: about(row[1]))
                for mixture in (self.pair.first, self.pair.second)
            )
            same = first[1] == second[1] and self.pair.folded_at is None
            ends.append(log(first[0] / second[0]) if same else infinite)
        return ends[0], ends[1]

    def reversed(self) -> "MixtureLoss":
        return MixtureLoss(self.pair.reversed())

    def transform(self) -> MixtureTransform:
        return MixtureTransform(self.pair)

    def moment(self, rate: Fraction, bits: int) -> Ball:
        with precision(bits + 16):
            nats = bits * math.log(2) + MORE_NATS
            nodes = Nodes(real(rate), real(1), 1)
            return Ball(self.transform().at(nodes, nats)[0].real, bits)

    def mean(self, bits: int) -> Ball:
        with precision(bits):
            return Ball(self._mean(bits), bits)

    def _mean(self, bits: int) -> RealBall:
        """The integral of the loss, folded against the difference of the two laws; beyond the ends
        the loss is at most exp(loss) + exp(-loss).
        """
        sums = self.pair.first.balls(), self.pair.second.balls()
        functions = {flag: complex_functions(flag) for flag in (False, True)}
        folded = self.pair.folded_at

        def inside(x: ComplexBall, analytic: bool) -> ComplexBall | RealBall:
            return weighted_loss(
                sums, x, folded is not None, functions[analytic]["log"]
            )

        reach = math.sqrt(2 * math.log(2) * bits) + 3
        high = real(reach) + 2 * sums[0].last.max(real(0)) - sums[1].first.min(real(0))
        low = -real(reach) + 2 * sums[0].first.min(real(0)) - sums[1].last.max(real(0))
        start = low if folded is None else value(folded)
        middle = (start + high) / 2
        operations = FEW_OPERATIONS + ROW_OPERATIONS * sum(
            len(mixture.rows) for mixture in sums
        )
        total = (
            complex_quadrature(inside, start, middle, operations).real
            + complex_quadrature(inside, middle, high, operations).real
        )
        left = self._beyond(sums, high, upper=True)
        if folded is None:
            left = left + self._beyond(sums, low, upper=False)
        return (total + error(left)) / (2 * pi()).sqrt()

    def _beyond(self, sums: Sums, end: RealBall, upper: bool) -> RealBall:
        powers = [(2, -1), (0, 1)]
        if self.pair.folded_at is not None:
            powers += [(1, 0), (-1, 2)]
        return sum(
            (
                tail_beyond(sums, Powers(real(alpha), real(beta), real(0)), end, upper)
                for alpha, beta in powers
            ),
            start=real(0),
        )

    def central_moments(self, orders: int, center: Ball, bits: int) -> list[Ball]:
        raise NotImplementedError("central moments are taken of bounded losses only")

    def tail(self, threshold: Fraction, bits: int) -> Ball:
        spend(LEVEL_WORK)
        with precision(bits):
            level = real(threshold)
            if self.pair.folded_at is not None and threshold < 0:
                _, under_q = self.pair.events(-level)
                return Ball(1 - under_q, bits)
            return Ball(self.pair.events(level)[0], bits)

    def events(
        self, edges: Sequence[Fraction | RealBall]
    ) -> list[tuple[RealBall, RealBall]] | None:
        if self.pair.folded_at is not None:
            return None
        return events_in_order(self.pair, [real(edge) for edge in edges])

    def excess(self, threshold: Fraction, bits: int) -> Ball:
        with precision(bits):
            return Ball(self.transform().profile(real(threshold)), bits)


def weighted_loss(
    sums: Sums,
    x: ComplexBall,
    folded: bool,
    log: Callable[..., ComplexBall | RealBall],
) -> ComplexBall | RealBall:
    """The loss at x times exp(-x**2/2), and times A, or A - B where the pair is folded."""
    first, second = (
        sum((w * (x * c).exp() for w, c in mixture.rows), start=x * 0)
        for mixture in sums
    )
    loss = log(first) - log(second)
    weight = first - second if folded else first
    return loss * weight * (-x * x / 2).exp()
