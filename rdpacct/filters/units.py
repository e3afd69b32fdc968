"""The numbers that add up, one kind for each guarantee, and what a release costs in them."""

from typing import cast

from rdpacct.exact.formula import ZERO, Expr, Rational
from rdpacct.filters.amounts import Amounts, enclosed, price_of
from rdpacct.filters.priced import Priced
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.convert import renyi_at_smaller_order
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
)
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.questions import Questions

ANY_ORDER = float("inf")


class InEpsilon(Priced):
    """Prices are largest losses."""

    names = ("epsilon",)

    def has_price(self, said: Guarantee) -> bool:
        return type(said) is PureDP

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        return (cast(PureDP, said).epsilon,)

    def prices(self, mechanism: Mechanism) -> Amounts:
        largest = Questions(Plan.of(mechanism)).renyi(ANY_ORDER)
        return (price_of(largest, str(mechanism)),)


class InRho(Priced):
    """Prices are rhos of zero-concentrated privacy."""

    names = ("rho",)

    def has_price(self, said: Guarantee) -> bool:
        return type(said) is ZCDP and said.xi == ZERO

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        return (cast(ZCDP, said).rho,)

    def prices(self, mechanism: Mechanism) -> Amounts:
        rho = Questions(Plan.of(mechanism)).zcdp_rho(0)
        return (price_of(rho, str(mechanism)),)


class InSquares(Priced):
    """Prices are squares of the mus of Gaussian privacy."""

    names = ("mu**2",)

    def has_price(self, said: Guarantee) -> bool:
        return type(said) is GaussianDP

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        return (cast(GaussianDP, said).mu ** 2,)

    def prices(self, mechanism: Mechanism) -> Amounts:
        asked = Questions(Plan.of(mechanism))
        mu = asked.gaussian_mu()
        square = _known_square(asked)
        if square is not None:
            return (price_of(enclosed(square), str(mechanism)),)
        return (price_of(mu, str(mechanism)) ** 2,)


def _known_square(asked: Questions) -> Rational | None:
    """The square of mu where that is rational, though mu may not be: as for sigma = sqrt(2)."""
    losses = asked.profile.losses
    if len(losses) != 1 or not isinstance(losses[0], PrivacyLoss):
        return None
    mu = losses[0].forms.gaussian_mu
    square = None if mu is None else mu**2
    return square if isinstance(square, Rational) else None


class InDivergences(Priced):
    """Prices are Renyi divergences, one of each order."""

    orders: tuple[Expr, ...]

    def has_price(self, said: Guarantee) -> bool:
        if type(said) is not RenyiDP:
            return False
        known = enclosed(said.alpha).lower
        return all(enclosed(order).certainly_at_most(known) for order in self.orders)

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        promise = cast(RenyiDP, said)
        return tuple(
            renyi_at_smaller_order(promise, order).epsilon for order in self.orders
        )

    def prices(self, mechanism: Mechanism) -> Amounts:
        asked = Questions(Plan.of(mechanism))
        what = str(mechanism)
        return tuple(price_of(asked.renyi(order), what) for order in self.orders)


class InEpsilonAndDelta(Priced):
    """Prices are epsilons and deltas."""

    names = ("epsilon", "delta")

    def has_price(self, said: Guarantee) -> bool:
        return type(said) is ApproxDP

    def limits(self, said: Guarantee) -> tuple[Expr, ...]:
        promise = cast(ApproxDP, said)
        return (promise.epsilon, promise.delta)

    def prices(self, mechanism: Mechanism) -> Amounts:
        asked = Questions(Plan.of(mechanism))
        infinite = price_of(asked.at_infinity(), str(mechanism))
        level = asked.epsilon(infinite)
        return (price_of(level, str(mechanism)), infinite)
