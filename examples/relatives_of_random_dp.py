"""One release of a small population under random differential privacy and its relatives.

A rough count of a rare answer, for one record drawn anew, for two independent data sets, and on
average over the draws.
"""

from fractions import Fraction

from rdpacct import random_dp

PEOPLE = {"no": "0.95", "yes": "0.05"}
RECORDS = 3
ALPHA = "0.5"


def rough_count(data: tuple[str, ...]) -> dict[int, Fraction]:
    """The count, which is one more or one less with probability 1/5 each, within its range."""
    found = dict.fromkeys(range(RECORDS + 1), Fraction(0))
    for step, mass in ((-1, 1), (0, 3), (1, 1)):
        place = min(max(data.count("yes") + step, 0), RECORDS)
        found[place] += Fraction(mass, 5)
    return found


def main() -> None:
    gamma = random_dp.exact(rough_count, PEOPLE, RECORDS, ALPHA)
    beta = random_dp.distributional(rough_count, PEOPLE, RECORDS, ALPHA)
    tail = random_dp.tail_on_average(rough_count, PEOPLE, RECORDS, ALPHA)
    mean = random_dp.on_average_kl(rough_count, PEOPLE, RECORDS)
    print(f"one record drawn anew is bad with probability {float(gamma):.4f}")
    print(f"two independent data sets are bad with probability {float(beta):.4f}")
    print(f"the loss exceeds {ALPHA} with probability {float(tail):.4f}")
    print(f"the mean Kullback-Leibler divergence is {float(mean):.4f}")
    print("what the others imply:")
    print(" ", random_dp.from_distributional(ALPHA, beta.upper))
    print(" ", random_dp.from_tail_on_average(tail.upper, ALPHA, eta="0.5"))


if __name__ == "__main__":
    main()
