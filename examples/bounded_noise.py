"""A count whose error must stay below 20: the delta that a bound costs, beside noise without
one.
"""

from fractions import Fraction

from rdpacct import Laplace, Staircase, TruncatedLaplace, delta, epsilon
from rdpacct.functions import exp, log

DELTA = "1e-4"


def main() -> None:
    bounded = TruncatedLaplace(scale=2, bound=20)
    print(f"one bounded release: delta(1/2) = {delta(bounded, '1/2')}")
    for mechanism in (Laplace(2), Staircase("1/2"), bounded):
        plan = 5 * mechanism
        print(f"{plan}: epsilon = {epsilon(plan, '1e-3')}")

    half = Fraction(1, 2)
    share = Fraction(DELTA) / 5
    enough = 2 * log(1 + (exp(half) - 1) / (2 * share))
    five = 5 * TruncatedLaplace(scale=2, bound=enough)
    print(f"a bound of {enough.bound():.2f} has delta(5/2) = {delta(five, '5/2')}")


if __name__ == "__main__":
    main()
