"""Randomized response with two coins."""

from fractions import Fraction
from functools import partial
from typing import Any

from rdpacct.arrays import Array, load
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.testing.twins.twin import Twin

FAIR = Fraction(1, 2)
BIASED = Fraction(3, 5)


def response(heads: Fraction, bit: int, rng: Any, size: int) -> Array:
    """The bit if the first coin shows heads, else a fair coin."""
    honest = rng.random(size) < float(heads)
    return load().where(honest, bit, rng.integers(0, 2, size=size))


def table(heads: Fraction) -> FiniteMechanism:
    """The exact probabilities of the responses."""
    kept = heads + (1 - heads) / 2
    return FiniteMechanism([[kept, 1 - kept], [1 - kept, kept]])


BIASED_COIN = Twin(
    name="randomized-response-biased-coin",
    claim="PureDP(epsilon=1.1)",
    x=0,
    x_neighbor=1,
    right=partial(response, FAIR),
    broken=partial(response, BIASED),
    trials=5_000,
    note="The coin that decides whether to tell the truth shows heads with probability 3/5,"
    " and log(3) is the epsilon of a fair coin.",
    source="Warner: Randomized response (1965)",
    right_law=partial(table, FAIR),
    broken_law=partial(table, BIASED),
)
