"""A sum: of whole numbers of cents, or of dollars in doubles."""

from rdpacct.auditing.support import SumVerdict, audit_sum
from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

LARGEST = 1


def right(prices: list[float]) -> float:
    """The sum of prices, each rounded to 1/1024 first: whole numbers, without error."""
    return sum(round(price * 1024) for price in prices) / 1024


def broken(prices: list[float]) -> float:
    """The sum of prices in doubles, where errors of rounding depend on all records before."""
    total = 0.0
    for price in prices:
        total += price
    return total


def audited(code: object) -> SumVerdict:
    """Whether a price of at most 1 moves the sum by more than 1."""
    assert callable(code)  # noqa: S101
    return audit_sum(code, 0.0, float(LARGEST), "add_or_remove_one")


TWIN = FloatingTwin(
    name="sum in doubles",
    right=right,
    broken=broken,
    audited=audited,
    note="Rounding moves a sum by more than a record may.",
    source="Casacuberta, Shoemate, Vadhan and Wagaman 2022, Widespread underestimation of"
    " sensitivity",
)
