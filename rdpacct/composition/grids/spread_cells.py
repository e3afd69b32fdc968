"""Cells of about equal weight over a range on which weights are known for some stretches."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

LEAST_SHARE, STEEPEST = 0.05, 0.5
"""Each stretch has at least the first part of an equal share of the cells, and at least the second
part of the share of a stretch beside it.
"""


def spread(
    edges: Sequence[float], weights: Sequence[float], number: int
) -> list[float]:
    """The ends of about this many cells over the same range, each with the same part of the
    weights; no stretch is much lighter than those beside it.
    """
    widths = [high - low for low, high in pairwise(edges)]
    least = LEAST_SHARE * max(sum(weights), 1e-300) / sum(widths)
    rates = [
        max(weight / width, least)
        for weight, width in zip(weights, widths, strict=True)
    ]
    for _ in range(2):
        for k in range(1, len(rates)):
            rates[k] = max(rates[k], STEEPEST * rates[k - 1])
        rates.reverse()
    sizes = [rate * width for rate, width in zip(rates, widths, strict=True)]
    sums = [0.0, *accumulate(sizes)]
    ends = [edges[0]]
    k = 0
    for j in range(1, number):
        wanted = j * sums[-1] / number
        while k + 1 < len(sizes) and sums[k + 1] < wanted:
            k += 1
        place = edges[k] + (wanted - sums[k]) / rates[k]
        if ends[-1] < place < edges[-1]:
            ends.append(place)
    return [*ends, edges[-1]]
