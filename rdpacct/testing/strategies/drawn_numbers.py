"""Exact numbers of ordinary size, with small numerators and denominators first."""

from fractions import Fraction

from rdpacct.testing.strategies.installed import SearchStrategy, st

LEAST, MOST = Fraction(1, 20), Fraction(20)


def positive_numbers() -> SearchStrategy[Fraction]:
    """Exact rationals from a twentieth to twenty; the simplest is 1."""
    ratios = st.builds(Fraction, st.integers(1, 200), st.integers(1, 40))
    return ratios.filter(lambda ratio: LEAST <= ratio <= MOST)


def probabilities() -> SearchStrategy[Fraction]:
    """Exact rationals from 0 to 1, with both ends; the simplest is 0."""
    return st.builds(_share, st.integers(0, 30), st.integers(1, 30))


def _share(part: int, whole: int) -> Fraction:
    return Fraction(min(part, whole), whole)
