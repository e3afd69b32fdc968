"""The 2020 US Census: eighty discrete Gaussians of seven sigmas (settings of August 2022), against
a plain FFT.
"""

from typing import Any

import numpy as np
import pytest

from rdpacct import profile

COUNTS = (10, 10, 10, 20, 10, 10, 10)
PLANS = {
    1: (
        "8.2760588860236794988238625 2.2359561824854709124425773"
        " 4.0144782295185014007874822 3.2337237931243525833503530"
        " 2.3991096157352985783860191 3.4071995231665487384016211"
        " 21.3686921585344114775237725"
    ),
    2: (
        "7.9126221343557086613958340 2.1377658888897142183729868"
        " 3.8381855100645697259644221 3.0917173033989988590524214"
        " 2.2937545647809479986670151 3.2575749803693110110193386"
        " 20.4303025007945636815483935"
    ),
}
UNITS = (20, 274, 85, 131, 238, 118, 3)
"""The squares of the sigmas stand in these ratios, one over another, so that all losses are on one
lattice.
"""
THRESHOLDS = {1: "20.838545", 2: "21.97"}


def plan(number: Any) -> Any:
    """The plan as text."""
    return " + ".join(
        f"{count}*DiscreteGaussian(sigma={sigma})"
        for count, sigma in zip(COUNTS, PLANS[number].split(), strict=True)
    )


def law(number: Any) -> Any:
    """Losses and their probabilities: laws tilted by 2.4, convolved by FFT on the common lattice,
    and tilted back.
    """
    sigmas = [float(sigma) for sigma in PLANS[number].split()]
    unit = 1 / sigmas[-1] ** 2 / UNITS[-1]
    tilt = 2.4
    size = 1 << 18
    spectrum = np.ones(size // 2 + 1, dtype=complex)
    start = 0.0
    log = 0.0
    for count, sigma, steps in zip(COUNTS, sigmas, UNITS, strict=True):
        reach = int(14 * sigma) + 4
        x = np.arange(-reach, reach + 1)
        loss = (2 * x + 1) / (2 * sigma**2)
        p = np.exp(-(x**2) / (2 * sigma**2))
        p = p / p.sum()
        sizes = p * np.exp(tilt * loss)
        log += count * np.log(sizes.sum())
        row = np.zeros(size)
        np.add.at(row, (x * steps) % size, sizes / sizes.sum())
        spectrum *= np.fft.rfft(row) ** count
        start += count / (2 * sigma**2)
    masses = np.maximum(np.fft.irfft(spectrum, size), 0)
    index = np.arange(size)
    losses = start + unit * np.where(index < size // 2, index, index - size)
    return losses, masses * np.exp(log - tilt * losses)


@pytest.fixture(scope="module", params=PLANS)
def census(request: pytest.FixtureRequest) -> Any:
    """A plan, its profile, and the law by FFT."""
    return request.param, profile(plan(request.param)), law(request.param)


def test_delta_at_the_threshold(census: Any) -> None:
    number, found, (losses, masses) = census
    level = float(THRESHOLDS[number])
    delta = found.delta(THRESHOLDS[number])
    assert delta.relative_width < 1e-6
    above = losses > level
    assert float(delta) == pytest.approx(
        (masses[above] * -np.expm1(level - losses[above])).sum(), rel=1e-5
    )
    if number == 1:
        assert float(delta) == pytest.approx(2.8917e-11, rel=1e-4)


def test_the_tail_at_the_threshold(census: Any) -> None:
    """Three slopes of the profile were a thousandth wide: the points of the lattice are 0.0007
    apart.
    """
    number, found, (losses, masses) = census
    tail = found.losses[0].tail(THRESHOLDS[number])
    assert tail.relative_width < 1e-6
    assert float(tail) == pytest.approx(
        masses[losses > float(THRESHOLDS[number])].sum(), rel=1e-5
    )
    if number == 1:
        assert float(tail) == pytest.approx(9.980295e-11, rel=1e-6)


def test_epsilon_at_the_published_delta(census: Any) -> None:
    number, found, (losses, masses) = census
    epsilon = found.epsilon("1e-10")
    assert epsilon.relative_width < 1e-6
    level = float(epsilon)
    above = losses > level
    assert (masses[above] * -np.expm1(level - losses[above])).sum() == pytest.approx(
        1e-10, rel=1e-4
    )
    if number == 1:
        assert level == pytest.approx(20.3247, abs=1e-4)
