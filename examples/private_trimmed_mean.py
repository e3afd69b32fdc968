"""The mean of skewed data, trimmed, with noise on its smooth scale: the error for each trim."""

import random
import statistics
import warnings

from rdpacct import (
    SmoothNoise,
    SmoothRelease,
    SmoothStudent,
    StudyOnlyWarning,
    TrimmedMean,
)

TOP = 1_000_000.0
"""Incomes are declared to be between 0 and this."""
RECORDS = 10_001
RUNS = 51


def student(alpha: object, beta: object) -> SmoothNoise:
    """Student noise of three degrees of freedom, which is PureDP and has a variance."""
    return SmoothStudent(alpha, beta, degrees=3)  # type: ignore[arg-type]


def main() -> None:
    rng = random.Random(1)
    data = [min(rng.lognormvariate(10.3, 0.8), TOP) for _ in range(RECORDS)]
    print(
        f"the mean of {RECORDS} incomes is {statistics.fmean(data):,.0f}; PureDP(epsilon=1)"
    )
    print(
        f"noise for the global sensitivity of the mean has scale {TOP / RECORDS:,.0f}"
    )
    print(
        f"{'trimmed':>8} {'trimmed mean':>13} {'smooth scale':>13} {'median error':>13}"
    )
    for trim in (0, 50, 500, 2000):
        query = TrimmedMean(trim, lower=0, upper=TOP)
        release = SmoothRelease.calibrated(query, 1, 0, student)
        truth = float(query.value(data))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StudyOnlyWarning)
            answers = [release.release(data, rng) for _ in range(RUNS)]
        error = statistics.median(abs(one.value - truth) for one in answers)
        scale = float(answers[0].scale.for_study())
        print(f"{trim:>8} {truth:>13,.0f} {scale:>13,.2f} {error:>13,.2f}")


if __name__ == "__main__":
    main()
