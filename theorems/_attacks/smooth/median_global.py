"""What is tried against smooth/median-global."""

from rdpacct.book.words import Attack, Fraction, Refused, module, product

ENTRY = module("smooth/median-global")
high = ENTRY.high
low = ENTRY.low


def exhaust(seed: int) -> int:  # noqa: ARG001
    """All pairs of neighbors of small universes: the largest change is U, or U/2 for the mean of
    the middle two.
    """
    tried = 0
    for universe, size in ((1, 1), (3, 1), (3, 2), (3, 3), (2, 4), (1, 5)):
        largest = 0
        twice = 0
        for data in product(range(universe + 1), repeat=size):
            for i, new in product(range(size), range(universe + 1)):
                one = sorted(data)
                two = sorted([*data[:i], new, *data[i + 1 :]])
                low = (size - 1) // 2
                high = size // 2
                tried = tried + 1
                largest = max(largest, abs(one[low] - two[low]))
                twice = max(twice, abs(one[low] + one[high] - two[low] - two[high]))
        if largest != universe or twice != (
            universe if size % 2 == 0 else 2 * universe
        ):
            raise Refused(
                f"the median of {size} rows in 0..{universe} changes by {largest} or"
                f" {Fraction(twice, 2)}."
            )
    return tried


ATTACKS = (Attack("all pairs of neighbors of small universes", exhaust),)
