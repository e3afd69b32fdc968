"""Renyi orders that are given together: different rationals above 1."""

from collections.abc import Sequence

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.number import Number, decimal_text, rational, shorten

MOST_ORDERS = 100
"""The most orders that may be given together."""
LARGEST = 2**1100
"""Numbers with longer parts have texts that are not read back."""


def read_orders(given: Number | Sequence[Number]) -> tuple[Expr, ...]:
    """One order, or several."""
    several = isinstance(given, Sequence) and not isinstance(given, str | bytes)
    listed = list(given) if several else [given]  # type: ignore[arg-type]
    if not 1 <= len(listed) <= MOST_ORDERS:
        raise InputError(
            f"{len(listed)} orders are given; give 1 to {MOST_ORDERS} orders above 1."
        )
    orders = [rational(order, "an order") for order in listed]
    if min(orders) <= 1 or len(set(orders)) < len(orders):
        raise InputError(
            f"the orders are {shorten(', '.join(map(decimal_text, orders)))}; give"
            " different orders above 1."
        )
    if any(max(order.numerator, order.denominator) > LARGEST for order in orders):
        raise InputError(
            "an order has a numerator or a denominator above 2**1100; give a shorter"
            " number."
        )
    return tuple(map(formula, orders))


def names_of(orders: tuple[Expr, ...]) -> tuple[str, ...]:
    """What is spent at each of them."""
    return tuple(f"epsilon at {order}" for order in orders)
