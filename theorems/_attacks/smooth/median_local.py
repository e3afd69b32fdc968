"""What is tried against smooth/median-local."""

from rdpacct.book.words import Attack, Refused, module, product

ENTRY = module("smooth/median-local")


def median(values: list[int], universe: int, rank: int) -> int:
    """The value at a rank, with 0 and U written beside the data."""
    return [0, *sorted(values), universe][rank]


def exhaust(seed: int) -> int:  # noqa: ARG001
    """Every data set of small universes: the largest change of the median over all neighbors is the
    formula.
    """
    tried = 0
    for universe, size in ((1, 1), (3, 1), (3, 2), (3, 3), (2, 4), (2, 5)):
        for data in product(range(universe + 1), repeat=size):
            others = [
                [*data[:i], new, *data[i + 1 :]]
                for i in range(size)
                for new in range(universe + 1)
            ]
            tried += 1
            m = (size + 1) // 2
            v = [median(list(data), universe, rank) for rank in range(size + 2)]
            if max(abs(median(y, universe, m) - v[m]) for y in others) != max(
                v[m] - v[m - 1], v[m + 1] - v[m]
            ):
                raise Refused(
                    f"the local sensitivity of the median of {data} is another."
                )
            twice = max(
                abs(
                    median(y, universe, m)
                    + median(y, universe, m + 1)
                    - v[m]
                    - v[m + 1]
                )
                for y in others
            )
            if size % 2 == 0 and twice != max(v[m + 1] - v[m - 1], v[m + 2] - v[m]):
                raise Refused(
                    f"the local sensitivity of the mean of the middle two of {data} is"
                    " another."
                )
    return tried


ATTACKS = (
    Attack(
        "the formulas against all data sets of small universes, ends and even sizes"
        " included",
        exhaust,
    ),
)
