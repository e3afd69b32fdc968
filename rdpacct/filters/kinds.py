"""The kinds of filters, one for each way of adding up that a theorem covers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr
from rdpacct.exact.number import Number, shorten
from rdpacct.filters.amounts import enclosed, price_of
from rdpacct.filters.chosen import largest
from rdpacct.filters.filter import Filter
from rdpacct.filters.filtered import (
    approx_behind_filter,
    gaussian_behind_filter,
    pure_behind_filter,
    renyi_behind_filter,
    zcdp_behind_filter,
)
from rdpacct.filters.priced import Price, PricedRelease, taken_for_granted
from rdpacct.filters.units import (
    InDivergences,
    InEpsilon,
    InEpsilonAndDelta,
    InRho,
    InSquares,
)
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
)
from rdpacct.privacy.relation import Relation
from rdpacct.questions import Questions

ADD_OR_REMOVE = Relation.ADD_OR_REMOVE_ONE


class PureFilter(InEpsilon, Filter):
    """A budget of epsilon: the largest losses of the releases add up (adaptive/pure)."""

    def __init__(
        self, epsilon: Number | Expr, *, relation: Relation | str = ADD_OR_REMOVE
    ) -> None:
        super().__init__(PureDP(epsilon), relation)

    def whole(self) -> Guarantee:
        return pure_behind_filter(self.caps[0])

    def odometer(self) -> PureDP:
        """What is spent so far, as a guarantee: the loss is at most this at every time."""
        return pure_behind_filter(self.spent[0])


class ZCDPFilter(InRho, Filter):
    """A budget of rho: the rhos of the releases add up (adaptive/zcdp)."""

    def __init__(
        self, rho: Number | Expr, *, relation: Relation | str = ADD_OR_REMOVE
    ) -> None:
        super().__init__(ZCDP(rho), relation)

    @classmethod
    def within(
        cls, whole: ApproxDP, *, relation: Relation | str = ADD_OR_REMOVE
    ) -> "ZCDPFilter":
        """The largest budget whose whole interaction is promised this, to a few figures."""
        return cls(largest(ZCDP, whole), relation=relation)

    def whole(self) -> Guarantee:
        return zcdp_behind_filter(self.caps[0])


class GaussianFilter(InSquares, Filter):
    """A budget of mu: the squares of the mus add up (adaptive/gaussian)."""

    def __init__(
        self, mu: Number | Expr, *, relation: Relation | str = ADD_OR_REMOVE
    ) -> None:
        super().__init__(GaussianDP(mu), relation)

    @classmethod
    def within(
        cls, whole: ApproxDP, *, relation: Relation | str = ADD_OR_REMOVE
    ) -> "GaussianFilter":
        """The largest budget whose whole interaction is promised this, to a few figures."""
        return cls(largest(GaussianDP, whole), relation=relation)

    def whole(self) -> Guarantee:
        return gaussian_behind_filter(self.caps[0])


class RenyiFilter(InDivergences, Filter):
    """A budget of the Renyi divergence of one order: divergences add up (adaptive/renyi)."""

    names = ("epsilon",)

    def __init__(
        self,
        alpha: Number | Expr,
        epsilon: Number | Expr,
        *,
        relation: Relation | str = ADD_OR_REMOVE,
    ) -> None:
        budget = RenyiDP(alpha, epsilon)
        self.orders = (budget.alpha,)
        super().__init__(budget, relation)

    def most(self) -> tuple[Expr, ...]:
        return (self.budget.parameters()["epsilon"],)

    def adds_up_as(self, other: Filter) -> bool:
        return isinstance(other, RenyiFilter) and other.alpha == self.alpha

    @property
    def alpha(self) -> Expr:
        """The order."""
        return self.orders[0]

    @classmethod
    def within(
        cls,
        whole: ApproxDP,
        alpha: Number | Expr,
        *,
        relation: Relation | str = ADD_OR_REMOVE,
    ) -> "RenyiFilter":
        """The largest budget of this order whose whole interaction is promised this, to a few
        figures.
        """
        cap = largest(partial(RenyiDP, alpha), whole)
        return cls(alpha, cap, relation=relation)

    def whole(self) -> Guarantee:
        return renyi_behind_filter(self.alpha, self.caps[0])


class ApproxFilter(InEpsilonAndDelta, Filter):
    """A budget of epsilon and delta: both add up (adaptive/approx)."""

    def __init__(
        self,
        epsilon: Number | Expr,
        delta: Number | Expr,
        *,
        relation: Relation | str = ADD_OR_REMOVE,
    ) -> None:
        super().__init__(ApproxDP(epsilon, delta), relation)

    def asked(
        self, release: PricedRelease, delta: Number | Expr | None = None
    ) -> Price:
        """What a release costs at this delta: that, and the epsilon that goes with it.

        Without a delta, a release costs its largest loss; an ApproxDP costs what it says.
        """
        if delta is None:
            return self.full_price(release)
        share = ApproxDP(0, delta).delta
        plan = self.stated(release)
        level = Questions(plan).epsilon(share)
        amounts = price_of(level, str(plan)), price_of(enclosed(share), str(share))
        return Price(amounts, level.rests_on, taken_for_granted(plan))

    def whole(self) -> Guarantee:
        return approx_behind_filter(*self.caps)


def filter_of(budget: Guarantee, *, relation: Relation | str = ADD_OR_REMOVE) -> Filter:
    """The filter whose whole interaction is promised this guarantee."""
    if isinstance(budget, ZCDP) and budget.xi != ZERO:
        raise InputError(
            f"{budget} has an xi, and no filter adds these up; give ZCDP(rho) alone."
        )
    kind = KINDS.get(type(budget))
    if kind is None:
        known = ", ".join(guarantee.__name__ for guarantee in KINDS)
        raise InputError(
            f"no theorem of this package gives a filter for {shorten(str(budget), 120)};"
            f" give one of {known}."
        )
    names: Sequence[Expr] = list(budget.parameters().values())
    own = names[:1] if isinstance(budget, ZCDP) else names
    held: Filter = kind(*own, relation=relation)
    return held


KINDS: dict[type[Guarantee], Any] = {
    PureDP: PureFilter,
    ApproxDP: ApproxFilter,
    RenyiDP: RenyiFilter,
    ZCDP: ZCDPFilter,
    GaussianDP: GaussianFilter,
}
"""The filter of each guarantee that has one."""
