"""Several tables with free choices of their inputs: the exact pair that has the value of the game.

The releases that follow have a least dominating pair W. A pair of the next release, then W, is a
product of pairs; the largest of these profiles is again that of a finite pair, the least one that
dominates all products.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from rdpacct.privacy.family import FinitePairs
from rdpacct.privacy.tradeoff_points import Merged, least_pair, merged
from rdpacct.provenance import by, remembered

MOST_OUTPUTS, MOST_RELEASES = 40_000, 60
"""The most outputs of all products together, and the most releases."""
NOTHING: Merged = ((Fraction(1), Fraction(1)),)


@remembered(64)
@by("composition/finite-choice")
def game_pair(families: tuple[tuple[FinitePairs, int], ...]) -> Merged | None:
    """The least pair that dominates every adaptive choice; None if it would have too many
    outputs.
    """
    whole = tuple(count for _, count in families)
    if sum(whole) > MOST_RELEASES:
        return None
    known: dict[tuple[int, ...], Merged] = {}
    outputs = 0
    for counts in sorted(product(*(range(n + 1) for n in whole)), key=sum):
        pairs = []
        for k, n in enumerate(counts):
            if n:
                after = known[(*counts[:k], n - 1, *counts[k + 1 :])]
                pairs += [(pair, after) for pair in families[k][0].tables]
        outputs += sum(len(pair) * len(after) for pair, after in pairs)
        if outputs > MOST_OUTPUTS:
            return None
        known[counts] = (
            least_pair([_product(pair, after) for pair, after in pairs])
            if pairs
            else NOTHING
        )
    return known[whole]


def _product(
    first: Sequence[tuple[Fraction, Fraction]],
    second: Sequence[tuple[Fraction, Fraction]],
) -> Merged:
    """The pair of two independent releases."""
    return merged([(p * a, q * b) for p, q in first for a, b in second])
