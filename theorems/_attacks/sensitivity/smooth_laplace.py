"""What is tried against sensitivity/smooth-laplace."""

from rdpacct.book.words import (
    Attack, Expr, Fraction, Refused, exact_eta, exp, formula, permutations, random,
)  # fmt: skip


def events(seed: int) -> int:
    """P(A) - exp(2 alpha) Q(A) for tails and intervals A whose ends are near the worst ones,
    against the exact eta.
    """
    rng = random.Random(seed)
    tried = 0

    def share(z: Fraction, mean: Fraction, scale: Expr) -> Expr:
        """The probability of outputs below z."""
        far = exp(-abs(z - mean) / scale) / 2
        return far if z <= mean else 1 - far

    for _ in range(60):
        a = Fraction(rng.randint(1, 60), 10)
        b = Fraction(rng.randint(1, 40), 10)
        ratio = b * Fraction(rng.randint(1, 4), 4)
        shift = a * Fraction(rng.randint(0, 4), 4)
        size = Fraction(float(exp(ratio).ball(64)))
        for (p_mean, p_scale), (q_mean, q_scale) in permutations(
            ((shift, exp(formula(ratio))), (Fraction(0), formula(1)))
        ):
            k = (2 * a + ratio if p_mean else ratio - 2 * a) * size
            ends = [
                Fraction(rng.randint(90, 110), 100) * one / (size - 1)
                for one in (-(k + shift), k - shift)
            ]
            low = min(ends)
            high = max(ends)
            p, q = (
                share(high, mean, s) - share(low, mean, s)
                for mean, s in ((p_mean, p_scale), (q_mean, q_scale))
            )
            for one, two in ((p, q), (1 - p, 1 - q)):
                tried += 1
                if (
                    (one - exp(2 * a) * two - exact_eta(a, b))
                    .ball(128)
                    .certainly_positive()
                ):
                    raise Refused(
                        f"alpha = {a}, beta = {b}, ratio {ratio}, shift {shift}, ends"
                        f" {low}, {high}"
                    )
    return tried


ATTACKS = (Attack("events of random pairs have no more than the exact eta", events),)
