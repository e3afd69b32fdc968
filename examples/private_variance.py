"""The variance of test scores, with noise on its smooth scale, for several sizes of a class.

The noise for the global sensitivity hides any class; the smooth scale is that of this class, and is
at most that much.
"""

import random
import statistics
import warnings

from rdpacct import SmoothRelease, SmoothStudent, StudyOnlyWarning, Variance

RUNS = 11


def student(alpha: object, beta: object) -> SmoothStudent:
    """Student noise of three degrees of freedom, which is PureDP and has a variance."""
    return SmoothStudent(alpha, beta, degrees=3)  # type: ignore[arg-type]


def main() -> None:
    rng = random.Random(5)
    query = Variance(0, 100)
    release = SmoothRelease.calibrated(query, 1, 0, student)
    print(release.guarantee())
    print(f"{'scores':>8} {'variance':>9} {'smooth scale':>13} {'median error':>13}")
    for size in (50, 200, 1000):
        scores = [min(max(rng.gauss(55, 12), 0), 100) for _ in range(size)]
        truth = float(query.value(scores))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StudyOnlyWarning)
            answers = [release.release(scores, rng) for _ in range(RUNS)]
        error = statistics.median(abs(one.value - truth) for one in answers)
        scale = float(answers[0].scale.for_study())
        print(f"{size:>8} {truth:>9.1f} {scale:>13.3f} {error:>13.3f}")


if __name__ == "__main__":
    main()
