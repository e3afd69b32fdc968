"""A slope and a mean with noise on a quantile of pairs, against noise on the global sensitivity,
for the same epsilon.

The declared ranges are wide, as they must be when they are chosen before the data are seen; typical
pairs of records are much closer to each other than the ends of the ranges. What is paid is gamma:
for data drawn with that probability the bound need not hold. With few records the scale from pairs
is the larger one.
"""

import math
import random
import warnings

import numpy as np

from rdpacct import RandomDP, RandomSensitivityRelease, StudyOnlyWarning
from rdpacct.sensitivity import Mean, RidgeSlope

TARGET = RandomDP(alpha=1, eta="1e-6", gamma="0.05")
SLOPE = RidgeSlope(x_most=10, y_most=50, ridge=0.25)
MEAN = Mean(0, 10_000)


def main() -> None:
    warnings.simplefilter("ignore", StudyOnlyWarning)
    rng = np.random.default_rng(6)
    print(
        f"epsilon = 1; from pairs with eta = 1e-6 and gamma = {TARGET.gamma}, or from"
        " the declared ranges with neither"
    )
    for title, estimator, draw in (
        ("slope", SLOPE, regression),
        ("mean", MEAN, incomes),
    ):
        print(
            f"\n{title:>6}  records     value  scale: pairs       range      factor "
            " one release"
        )
        for records in (300, 1_000, 3_000, 30_000, 300_000):
            row(estimator, draw(rng, records))


def regression(rng: np.random.Generator, records: int) -> np.ndarray:
    """y = 2 x and noise, both clipped at the declared ends."""
    x = rng.normal(0, 1, records)
    y = 2 * x + rng.normal(0, 1, records)
    return np.column_stack(
        [x.clip(-SLOPE.x_most, SLOPE.x_most), y.clip(-SLOPE.y_most, SLOPE.y_most)]
    )


def incomes(rng: np.random.Generator, records: int) -> np.ndarray:
    """Skewed: most are near 50, few are above 1000."""
    return rng.lognormal(math.log(50), 1, records).clip(MEAN.lower, MEAN.upper)


def row(estimator: Mean | RidgeSlope, data: np.ndarray) -> None:
    """Noise for the same epsilon: alpha is half of it where the scale is from the data, all of it
    where it is not.
    """
    pairs = RandomSensitivityRelease.calibrated(estimator, TARGET)
    bound = RandomSensitivityRelease(estimator, 1, 1, gamma=0)
    value = estimator.value(estimator.data(data))
    one, two = (
        each.scale(data).for_study() / float(each.alpha.bound())
        for each in (pairs, bound)
    )
    released = pairs.release(data, random.Random(1)).value
    print(
        f"{'':6} {len(data):8}  {value:8.3f}  {one:12.5f}  {two:10.5f} "
        f" {two / one:10.2f}  {released:11.3f}"
    )


if __name__ == "__main__":
    main()
