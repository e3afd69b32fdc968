"""A sum of integers: of any size, or in 32 bits that wrap around."""

from rdpacct.auditing.support import SumVerdict, audit_sum
from rdpacct.testing.twins.floating.floating_twin import FloatingTwin

LARGEST = 2**30


def right(bytes_sent: list[int]) -> int:
    """The sum in integers of any size."""
    return sum(bytes_sent)


def broken(bytes_sent: list[int]) -> int:
    """The sum in 32 bits: a record more can turn it from the largest number to the smallest."""
    total = sum(bytes_sent) & (2**32 - 1)
    return total - 2**32 if total >= 2**31 else total


def audited(code: object) -> SumVerdict:
    """Whether a record moves the sum by more than its largest value."""
    assert callable(code)  # noqa: S101
    return audit_sum(code, 0, LARGEST, "add_or_remove_one")


TWIN = FloatingTwin(
    name="sum that wraps around",
    right=right,
    broken=broken,
    audited=audited,
    note="A sum of integers overflows, and one record moves it by 2**32.",
    source="Casacuberta, Shoemate, Vadhan and Wagaman 2022, on integers that overflow",
)
