"""A thousand daily counts against a limit, until three days are above it: with Gaussian and with
Laplace noise of about the same size, and with the counts of those days.
"""

import random

from rdpacct import Gaussian, GaussianSparseVector, SparseVector, epsilon

DAYS = 1000
ALARMS = 3
LIMIT = 400


def main() -> None:
    rng = random.Random(3)
    gaussian = GaussianSparseVector(20, 40, DAYS, ALARMS, monotone=True)
    laplace = SparseVector(14, 28, ALARMS, monotone=True)
    for release in (gaussian, laplace):
        cost = epsilon(release, "1e-6")
        print(f"{type(release).__name__}: epsilon {cost.short()}")
    with_counts = gaussian + ALARMS * Gaussian(40)
    print(f"with the counts themselves: {epsilon(with_counts, '1e-6').short()}")
    counts = [rng.randrange(100) for _ in range(DAYS)]
    counts[123] = counts[456] = counts[789] = 800
    answers = gaussian.sample([count - LIMIT for count in counts], rng)
    alarms = [day for day, above in enumerate(answers) if above]
    print(f"alarms on the days {alarms}")


if __name__ == "__main__":
    main()
