"""An odometer for Gaussian privacy: squares of mus add up, and a mixture bounds the loss."""

import math
from collections.abc import Sequence
from fractions import Fraction

from rdpacct.exact.bound import Bound, End
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.number import Number
from rdpacct.exact.parameter import rational_of
from rdpacct.filters.amounts import Amounts, enclosed
from rdpacct.filters.odometer import Odometer, small_share
from rdpacct.filters.orders import read_orders
from rdpacct.filters.running import (
    loss_stays_below,
    mixed_growth,
    share_of_an_order,
)
from rdpacct.filters.units import InSquares
from rdpacct.privacy.relation import Relation
from rdpacct.provenance import attempt

HALVES = tuple(
    1 + factor * Fraction(2) ** power
    for power in range(-2, 9)
    for factor in (Fraction(1), Fraction(3, 2))
)
"""The orders if none are given: 1 + 1/4, 1 + 3/8, 1 + 1/2, 1 + 3/4, and so on, to 1 + 384."""
FINEST = 40
"""A bound is enclosed to 2**-40 of its size, if the arithmetic allows it."""
COARSEST = 8
HALVINGS = 200
FURTHEST = Fraction(10) ** 100
"""Plans in doubles take no larger orders and squares."""
MOST_BITS = 4096


class GaussianOdometer(InSquares, Odometer):
    """The sum of the squares of the mus, and the smallest loss at which a mixture over some orders
    has grown to 1/delta (adaptive/gaussian-odometer).
    """

    def __init__(
        self,
        delta: Number,
        *,
        orders: Number | Sequence[Number] = HALVES,
        relation: Relation | str = Relation.ADD_OR_REMOVE_ONE,
    ) -> None:
        self.orders = read_orders(orders)
        self.delta = small_share(delta)
        super().__init__(relation)

    def level(self, spent: Amounts) -> Bound:
        """The smallest loss at which the mixture has grown to 1/delta."""
        with attempt() as used:
            mixed = self._ends(spent[0])
        if mixed is None:
            with attempt() as used:
                low, high = self._apart(spent[0])
        else:
            low, high = mixed
        how = f"a mixture of {len(self.orders)} bounds"
        return Bound(low, high, how, frozenset(used))

    def _ends(self, squares: Fraction) -> tuple[Fraction, Fraction] | None:
        """Two losses, of which the growth at the first is below 1/delta, and not at the second;
        None if none are found near where doubles have it.
        """
        planned = self._planned(squares)
        if planned is None:
            return None
        guess = Fraction(planned)
        for figures in range(FINEST, COARSEST, -4):
            margin = guess / 2**figures
            low = guess - margin
            high = guess + margin
            if self._grown(high, squares) and self._grown(low, squares) is False:
                return low, high
        return None

    def _apart(self, squares: Fraction) -> tuple[End, End]:
        """The same in closed form, wider: the mean of the growths is at most the largest, and at
        least that over their number.
        """
        together = share_of_an_order(self.delta, len(self.orders))
        ends = []
        for share in (formula(self.delta), together):
            bounds = [
                enclosed(loss_stays_below(squares, order - 1, order / 2, share))
                for order in self.orders
            ]
            ends.append(bounds)
        low = min(bound.lower for bound in ends[0])
        high = min(bound.upper for bound in ends[1])
        return low, high

    def _grown(self, loss: Fraction, squares: Fraction) -> bool | None:
        """Whether the growth is at least 1/delta; None if that is open."""
        rates = [order - 1 for order in self.orders]
        above = mixed_growth(loss, squares, rates) * self.delta - 1
        bits = 128
        while bits <= MOST_BITS:
            ball = above.ball(bits)
            if ball.certainly_positive():
                return True
            if ball.certainly_negative():
                return False
            bits *= 2
        return None

    def _planned(self, squares: Fraction) -> float | None:
        """About where the growth is 1/delta, in doubles; None if doubles do not reach that far."""
        orders = [rational_of(order, "an order") for order in self.orders]
        if max(squares, *orders) > FURTHEST:
            return None
        rates = [float((order - 1).ball(64)) for order in self.orders]
        half = float(squares) / 2
        target = -_log_of(self.delta) + math.log(len(rates))
        low = 0.0
        high = min((1 + t) * half + target / t for t in rates)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            sizes = [t * (middle - (1 + t) * half) for t in rates]
            top = max(sizes)
            whole = top + math.log(math.fsum(math.exp(size - top) for size in sizes))
            low, high = (middle, high) if whole < target else (low, middle)
        return high

    def levels(self, spent: Amounts) -> list[Expr]:
        """There is no list of bounds here: the mixture gives one."""
        raise NotImplementedError


def _log_of(share: Fraction) -> float:
    """About the logarithm of a positive number, however small."""
    return math.log(share.numerator) - math.log(share.denominator)
