"""The transform of randomized response: atoms at epsilon, at minus epsilon and, for more than two
answers, at zero.
"""

import math
from collections.abc import Sequence
from typing import Self

from rdpacct.exact.ball import ComplexBall, RealBall
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.exact.raw import complex_of, real
from rdpacct.privacy.atoms_transform import AtomsTransform
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.nodes import FEW, NATS, Nodes, shifted_product


class ResponseTransform(AtomsTransform):
    """Atoms of masses in the ratio exp(epsilon) : 1 : answers - 2."""

    def __init__(self, epsilon: Expr, answers: int) -> None:
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "answers", answers)

    epsilon: Expr
    answers: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResponseTransform) and (
            self.epsilon,
            self.answers,
        ) == (other.epsilon, other.answers)

    def __hash__(self) -> int:
        return hash((self.epsilon, self.answers))

    @property
    def outcomes(self) -> int:
        return 2 if self.answers == 2 else 3

    @lazy_property
    def masses(self) -> tuple[Expr, ...]:
        likely = exp(self.epsilon)
        parts = (
            (likely, ONE)
            if self.answers == 2
            else (likely, ONE, formula(self.answers - 2))
        )
        return tuple(part / (likely + (self.answers - 1)) for part in parts)

    @lazy_property
    def losses(self) -> tuple[Expr, ...]:
        if self.answers == 2:
            return (self.epsilon, -self.epsilon)
        return (self.epsilon, -self.epsilon, ZERO)

    @lazy_property
    def _epsilon(self) -> float:
        return about(self.epsilon)

    def planned(self, tilt: float) -> float:
        e = self._epsilon
        rest = self.answers - 2
        scale = math.log1p((rest + 1) * math.exp(-e))
        return (
            tilt * e
            - scale
            + math.log1p(
                math.exp(-(1 + 2 * tilt) * e) + rest * math.exp(-(1 + tilt) * e)
            )
        )

    @classmethod
    def planned_sum(cls, group: Sequence[Self], tilt: float) -> float:
        if any(transform.answers != 2 for transform in group):
            return super().planned_sum(group, tilt)
        log1p = math.log1p
        exp = math.exp
        rate = -(1 + 2 * tilt)
        losses = [transform._epsilon for transform in group]
        return tilt * sum(losses) + sum(
            [log1p(exp(rate * e)) - log1p(exp(-e)) for e in losses]
        )

    @classmethod
    def product(
        cls, group: Sequence[Self], nodes: Nodes, nats: float = NATS
    ) -> list[ComplexBall]:
        """The product of several with two answers, since M = exp(epsilon z) (1 + exp(-epsilon (2z +
        1)))/(1 + exp(-epsilon)).
        """
        if (
            len(group) < FEW
            or not nodes.consecutive
            or any(transform.answers != 2 for transform in group)
        ):
            return super().product(group, nodes, nats)
        losses = [value(transform.epsilon) for transform in group]
        scale = 1 / math.prod([1 + (-e).exp() for e in losses])
        one = complex_of(real(1), real(0))
        return [v * scale for v in shifted_product(losses, nodes, [one] * nodes.count)]

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        e = value(self.epsilon)
        t = nodes.tilt
        rest = self.answers - 2
        scale = 1 / (e.exp() + (rest + 1))
        up = ((1 + t) * e).exp() * scale
        down = (-t * e).exp() * scale
        total = up + down
        gap = up - down
        middle = rest * scale
        return [
            complex_of(total * cosine + middle, gap * sine)
            for sine, cosine in nodes.angles(e)
        ]

    def top(self) -> RealBall:
        return value(self.epsilon)

    def planned_top(self) -> float:
        return self._epsilon
