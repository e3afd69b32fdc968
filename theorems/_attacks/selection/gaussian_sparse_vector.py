"""What is tried against selection/gaussian-sparse-vector: runs of random queries."""

from rdpacct.book.words import (
    Attack, Fraction, Random, Refused, exp, first_above_delta, formula, normal_cdf,
)  # fmt: skip


def attack(seed: int) -> int:
    """Up to six queries at random levels below a known threshold, each of which falls: the hockey
    stick of the first answer above, against the shipped delta.
    """
    rng = Random(seed)
    for _ in range(40):
        shift = Fraction(rng.randint(1, 20), 10)
        epsilon = Fraction(rng.randint(0, 30), 10)
        growth = exp(epsilon)
        levels = [Fraction(rng.randint(-20, 60), 20) for _ in range(rng.randint(1, 6))]
        left = formula(1)
        total = formula(0).ball(96)
        for level in levels:
            above = normal_cdf(-level)
            gain = left * (above - growth * normal_cdf(-level - shift))
            total = total + gain.ball(96).positive_part()
            left = left * (1 - above)
        allowed = first_above_delta(formula(shift), len(levels), epsilon)
        if (total - allowed).certainly_positive():
            raise Refused(f"the levels {levels} lose more with a shift of {shift}.")
    return 40


ATTACKS = (Attack("random queries below a known threshold", attack),)
