"""Where the textbook's Gaussian noise, sigma = sqrt(2 log(1.25/delta))/epsilon, is too small.

The theorem behind it is stated for epsilon below 1. It is often used beyond, and there it first
holds and then fails. The noise is an exact formula here, so that every verdict is about the
textbook's sigma itself and not a rounding of it.
"""

from fractions import Fraction

from rdpacct import ApproxDP, Gaussian, Outcome, Verdict, audit
from rdpacct.functions import log, sqrt

DELTA = Fraction("1e-5")
DIGITS = 6


def textbook(epsilon: Fraction) -> Gaussian:
    """The Gaussian mechanism with the textbook's noise, for sensitivity 1."""
    return Gaussian(sigma=sqrt(2 * log(Fraction(5, 4) / DELTA)) / epsilon)


def verdict_at(epsilon: Fraction) -> Verdict:
    """Whether the textbook's noise has the epsilon and delta that it is made for."""
    return audit(textbook(epsilon), ApproxDP(epsilon, DELTA))


def crossing(holds: Fraction, fails: Fraction) -> tuple[Fraction, Fraction]:
    """An epsilon at which the claim holds and one at which it fails, close together."""
    while fails - holds > Fraction(1, 10**DIGITS):
        middle = (holds + fails) / 2
        outcome = verdict_at(middle).outcome
        if outcome is Outcome.UNDECIDED:
            break
        holds, fails = (middle, fails) if outcome is Outcome.HOLDS else (holds, middle)
    return holds, fails


def main() -> None:
    print(f"sigma = sqrt(2 log(1.25/delta))/epsilon at delta = {float(DELTA)}")
    for epsilon in map(Fraction, ("0.5", "1", "2", "4", "6", "8", "10", "12")):
        verdict = verdict_at(epsilon)
        print(
            f"  epsilon = {float(epsilon):4}: {verdict.outcome.value}, true delta ="
            f" {verdict.tight['delta']}"
        )
    holds, fails = crossing(Fraction(8), Fraction(10))
    print(
        f"  it holds at {float(holds):.{DIGITS}f} and fails at"
        f" {float(fails):.{DIGITS}f}"
    )
    print("  an event that breaks the claim at epsilon = 10:")
    print(f"    {verdict_at(Fraction(10)).witness}")


if __name__ == "__main__":
    main()
