"""Releases of which only moments of the loss are bounded: what promises about Renyi divergences
say.

No single pair stands for such a promise. Upper ends come from the bound on the moments, lower ends
from concrete pairs that keep the promise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rdpacct.errors import UndecidedError
from rdpacct.exact.ball import ComplexBall
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import ONE, ZERO, Expr, Scalar, formula
from rdpacct.exact.functions import maximum
from rdpacct.exact.number import Number, rational
from rdpacct.exact.raw import complex_of, real
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.loss import positive_order
from rdpacct.privacy.nodes import NATS, Nodes
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.transform import Transform
from rdpacct.provenance import by

MEMBERS = "between pairs that keep the promise and its moments"


@dataclass(frozen=True)
class MomentTransform(Transform):
    """E exp(s L) <= share exp(s (xi + rho (1 + s))) for 0 < s <= last, or for all s > 0; nothing
    more is known.
    """

    rho: Expr
    xi: Expr
    last: Expr | None = None
    share: Expr = ONE
    """The mass that the promise is about."""

    @lazy_property
    def _numbers(self) -> tuple[float, float, float]:
        last = math.inf if self.last is None else about(self.last)
        return about(self.rho), about(self.xi), last

    @lazy_property
    def _log_share(self) -> float:
        share = about(self.share)
        return math.log(share) if share > 0 else -math.inf

    @property
    def planned_last(self) -> float:
        """About the largest tilt at which a moment is bounded, and certainly not above it."""
        last = self._numbers[2]
        if math.isinf(last):
            return last
        return last * (1 - 2**-50)

    def planned(self, tilt: float) -> float:
        rho, xi, last = self._numbers
        if tilt <= last:
            return self._log_share + tilt * (xi + rho * (1 + tilt))
        return math.inf

    def at(self, nodes: Nodes, nats: float = NATS) -> list[ComplexBall]:  # noqa: ARG002
        """The bound at a real point, which is not a transform; it is good for upper ends only."""
        if nodes.count != 1:
            raise UndecidedError(
                "of a promise about Renyi divergences only the moments are known."
            )
        s = nodes.tilt
        if self.last is not None and not s <= value(self.last):
            return [complex_of(real(math.inf), real(0))]
        log = log_moment_bound(value(self.rho), value(self.xi), s)
        return [complex_of(log.exp() * value(self.share), real(0))]


@by("conversion/renyi-orders")
def log_moment_bound(rho: Scalar, xi: Scalar, s: Scalar) -> Scalar:
    """log E exp(s L), if every Renyi divergence is at most xi + rho order; formulas or balls."""
    return s * (xi + rho * (1 + s))


@dataclass(frozen=True, slots=True)
class MomentProfile(Profile):
    """The questions whose answers add up, for a promise of bounded moments: the losses are pairs
    that keep it.
    """

    moments: MomentTransform

    @property
    def _all(self) -> bool:
        """Whether the promise is about all of the mass."""
        return self.moments.share == ONE

    def delta(self, epsilon: Number) -> Bound:  # noqa: ARG002
        raise UndecidedError(
            "no single pair of laws stands for a promise about moments; compose it in a"
            " plan."
        )

    def epsilon(self, delta: Number) -> Bound:  # noqa: ARG002
        raise UndecidedError(
            "no single pair of laws stands for a promise about moments; compose it in a"
            " plan."
        )

    def mean(self) -> Bound:
        if not self._all:
            return Bound.exactly(math.inf, "nothing is promised on some mass")
        return self._below(
            self._largest(Fraction(1)), [loss.mean() for loss in self.losses]
        )

    def renyi(self, order: Number) -> Bound:
        if order == math.inf:
            return self.max_divergence()
        alpha = positive_order(order)
        if not self._all and alpha >= 1:
            return Bound.exactly(math.inf, "nothing is promised on some mass")
        return self._below(
            self._largest(max(alpha, Fraction(1))),
            [loss.renyi(alpha) for loss in self.losses],
        )

    def max_divergence(self) -> Bound:
        if self._all and self.moments.rho == ZERO and self.moments.last is None:
            return self.moments.xi.bound("as promised")
        return Bound.exactly(math.inf, "the promise allows losses of any size")

    def zcdp_rho(self, xi: Number = 0) -> Bound:
        if not self._all or self.moments.last is not None:
            return Bound.exactly(
                math.inf, "the promise says nothing about large orders"
            )
        more = self.moments.xi - formula(rational(xi, "xi"))
        enough = self.moments.rho + maximum(0, more)
        return self._below(enough, [loss.zcdp_rho(xi) for loss in self.losses])

    def centered_cdp(self) -> tuple[Bound, Bound]:
        raise UndecidedError(
            "a promise about Renyi divergences says nothing about losses below their"
            " mean."
        )

    def one_sided_tau(self) -> Bound:
        raise UndecidedError(
            "a promise about Renyi divergences says nothing about the mean loss itself."
        )

    def gaussian_mu(self) -> Bound:
        return self._below(None, [loss.gaussian_mu() for loss in self.losses])

    def _largest(self, order: Fraction) -> Expr | None:
        """The promised divergence of an order of at least 1, if there is one."""
        last = self.moments.last
        if last is not None and not (order - 1 - last).bound().certainly_at_most(0):
            return None
        return self.moments.xi + self.moments.rho * order

    def _below(self, enough: Expr | None, members: Sequence[Bound]) -> Bound:
        """A bound between the pairs that keep the promise and the promise itself."""
        lower = max(bound.lower for bound in members)
        upper = math.inf if enough is None else enough.bound().upper
        return Bound(min(lower, upper), upper, MEMBERS)
