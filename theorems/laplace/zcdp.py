"""The concentrated parameter of the Laplace mechanism is its mean loss.

Printed: not in the sources.
Proved: With rho = s + exp(-s) - 1, E exp(t L) <= exp(t (1 + t) rho) for all t >= 0 and all shifts s
    > 0: the Renyi divergence of order a is at most a rho. No smaller rho does: a number r with E
    exp(t L) <= exp(t (1 + t) r) for all t > 0 is at least the mean loss, which is rho.
Idea: With y = exp(-s) the difference of the logarithms vanishes at y = 1 and falls in y: its slope
    has the sign of a function of t that is convex, vanishes at t = 0 and rises there.
Source: Bun and Steinke, Concentrated differential privacy, for the definition; the bound is this
    package's.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Refused, Statement, Status, Step, Symbol, Theorem,
    Witness, around, assume, at_most, combine, dominated, example, exp, expect, given_by,
    integrable, laplace_log_moment as log_moment, laplace_pair_LOSS as LOSS, laplace_pair_s as s,
    laplace_rho as rho, lemma, mean_below_zcdp, random, real, specialize, under,
)  # fmt: skip

t = Symbol("rate")
y = Symbol("y")
r = Symbol("r")
P = around()
HALVES = around(s / 2)


def proof(part: Statement) -> Iterator[Step]:
    """The closed form, and one inequality in two variables."""
    moment = under(lemma("laplace/renyi", "above"), *part.given)
    yield moment, "the moments"
    left = "log((1 + rate + rate*exp((1 + 2*rate)*log(y)))/(1 + 2*rate))"
    inequality = real(
        f"{left} <= rate*(1 + rate)*(y - 1 - log(y)) + rate*log(y)",
        "rate >= 0",
        "0 < y",
        "y < 1",
    )
    yield inequality, "the inequality for y = exp(-s)"
    shifted = under(specialize(inequality, y=exp(-s)), *part.given)
    (inside,), bound = shifted.relation.left.parts(), shifted.relation.right
    grown = given_by(
        specialize(
            real("a <= exp(b)", "0 < a", "log(a) <= b", *part.given), a=inside, b=bound
        ),
        shifted,
    )
    yield grown, "without logarithms"
    yield (
        combine(part.claim, moment, (under(grown, *part.given), exp(t * s))),
        "in the shift, times exp(t s)",
    )


def attained(part: Statement) -> Iterator[Step]:
    """The mean loss is at most the divergence of every order above 1."""
    loss = under(lemma("laplace/mean", "mean"), *part.given)
    yield loss, "the mean loss"
    moments = part.assuming["every order"]
    known = integrable(loss, E(HALVES, LOSS))
    found = mean_below_zcdp(HALVES, LOSS, known, moments, t, 0, r, *part.given)
    yield found, "the mean loss is at most the divergence of every order above 1"
    yield combine(part.claim, found, (loss, -1)), "so"


def attack(seed: int) -> int:
    """Random shifts and rates, in balls."""
    rng = random.Random(seed)
    for _ in range(200):
        shift = Fraction(rng.randint(1, 300), rng.randint(1, 30))
        rate = Fraction(rng.randint(1, 200), 20)
        if (
            (log_moment(shift, rate) - rate * (1 + rate) * rho(shift))
            .ball(128)
            .certainly_positive()
        ):
            raise Refused(f"the shift {shift} breaks the bound at the rate {rate}.")
    return 200


def wide() -> Witness:
    """With r = 1, for s = 1: no loss exceeds 1."""
    law = HALVES.at(s=1)
    loss = LOSS.at(s=1)
    rises = specialize(real("exp(u) <= exp(v)", "u <= v"), u=t * loss, v=t * (1 + t))
    smaller = combine(
        at_most(t * loss, t * (1 + t)),
        (real(at_most(loss, 1)), t),
        rest=t**2,
        given=("rate > 0",),
    )
    most = given_by(rises, smaller)
    finite = dominated(most, law, lower=specialize(real("0 <= exp(u)"), u=t * loss))
    return Witness(example({"s": 1, "r": 1}), (expect(most, law, finite),))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "zcdp",
            "the Laplace mechanism is rho-zCDP for its mean loss rho",
            at_most(E(P, exp(t * LOSS)), exp(t * (1 + t) * rho(s))),
            proof,
            ("s > 0", "rate >= 0"),
        ),
    ),
    sharp=(
        Statement(
            "smallest",
            "no smaller rho does",
            at_most(rho(s), r),
            attained,
            ("s > 0",),
            {
                "every order": assume(
                    at_most(E(HALVES, exp(t * LOSS)), exp(t * (r * (1 + t)))),
                    "rate > 0",
                    every="rate",
                )
            },
            witness=wide,
        ),
    ),
    falsehoods=(
        Falsehood(
            "99 percent of the mean loss suffices at all orders",
            at_most(log_moment(s, t), t * (1 + t) * rho(s) * 99 / 100),
            ("s > 0", "rate > 0"),
        ),
    ),
    attacks=(Attack("random shifts and rates", attack),),
    rules=(rho,),
)
