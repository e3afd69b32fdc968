"""Hypothesis strategies for tests of private code: data, neighbors, exact pairs of laws,
mechanisms, plans and guarantees, all of which shrink to small examples.

They need the package hypothesis, which the extra ``rdpacct[test]`` brings.
"""

from rdpacct.testing.instances import Pair
from rdpacct.testing.strategies.drawn_data import datasets, neighbors
from rdpacct.testing.strategies.drawn_guarantees import guarantees
from rdpacct.testing.strategies.drawn_laws import dp_pairs, laws
from rdpacct.testing.strategies.drawn_mechanisms import (
    finite_mechanisms,
    mechanisms,
    plans,
)
from rdpacct.testing.strategies.drawn_numbers import positive_numbers, probabilities

__all__ = [
    "Pair",
    "datasets",
    "dp_pairs",
    "finite_mechanisms",
    "guarantees",
    "laws",
    "mechanisms",
    "neighbors",
    "plans",
    "positive_numbers",
    "probabilities",
]
