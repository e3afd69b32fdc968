"""Sums of powers by Horner's rule in blocks: they hold the exact sum, and are not much wider than
term by term.
"""

import random

import pytest

from rdpacct.exact.ball import precision
from rdpacct.exact.raw import BLOCK, PowerSum, complex_of, inner, real, unit_powers

LENGTHS = (1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 500)
WIDER = 2.0 ** (BLOCK / 2)
"""What Horner's rule can add to the radii of a block."""


def values_of(length: int) -> list[complex]:
    """Drawn values."""
    rng = random.Random(length)
    return [complex(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(length)]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("angle", [0.0, 0.785, 2.5, 3.1])
def test_a_sum_of_powers_holds_the_exact_sum(length: int, angle: float) -> None:
    with precision(600):
        values = [complex_of(real(v.real), real(v.imag)) for v in values_of(length)]
        sine, cosine = real(angle).sin_cos()
        exact = inner(values, unit_powers(complex_of(cosine, sine), length))
    with precision(80):
        sine, cosine = real(angle).sin_cos()
        ratio = complex_of(cosine, sine)
        term_by_term = inner(values, unit_powers(ratio, length))
        total = PowerSum(values).at(ratio)
        assert total.contains(exact)
        assert float(total.real.rad()) <= WIDER * float(term_by_term.real.rad() + 1e-22)
        others = PowerSum([*values[:-1], values[-1] + 1e-9])
        assert not others.at(ratio).overlaps(exact)
