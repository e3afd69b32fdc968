"""Chernoff's bound for the profile of a loss, with the least constant.

Printed: not in the sources
Proved: For any loss L, which is finite where F = 1 and infinite where F = 0, let M(s) = E[F exp(s
    L)]. Then for every s > 0 the finite part of the profile, E[F (1 - exp(eps - L))_+], is at most
    M(s) exp(-s eps) c(s), where c(s) = s**s/(1 + s)**(1 + s) is the largest value of (1 - exp(-y))
    exp(-s y). This is the shipped function, called with symbols. A loss that is always eps + log(1
    + 1/s) attains it.
Idea: With w = y + log(s/(1 + s)): exp(s w) >= 1 + s w and exp(-w) >= 1 - w add up to exp(s w) >= (1
    + s)(1 - exp(-y)).
Source: Chernoff (1952); the constant as in Canonne, Kamath and Steinke (2020).
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status, Step, Symbol, Table,
    Theorem, assume, at_most, by_prover, chernoff, chernoff_epsilon, combine, dominated, equal, exp,
    expect, formula, formulas, given_by, integrable, linear, log, log_chernoff, masses, maximum,
    placed, random, raw_real as ball, read, real, relations, specialize, table,
)  # fmt: skip

s, eps, m = (Symbol(name) for name in ("s", "eps", "m"))
P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
L = P.symbol("L")
F = P.symbol("F")
EXCESS = F * maximum(0, 1 - exp(eps - L))
MOMENT = F * exp(s * L)
BOUND = read(chernoff(*formulas(m, s, eps)))
d = Symbol("d")
EPSILON = read(chernoff_epsilon(*formulas(m, s, d)))
PEAK = read(chernoff(*formulas(0, s, eps)))


def bounded(part: Statement) -> Iterator[Step]:
    """Two tangents of the exponential, and the mean of both sides."""
    moment = part.assuming["moment"]
    w = L - eps + log(s / (1 + s))
    first, second = (
        placed(real("1 + v <= exp(v)"), *part.given, v=v) for v in (s * w, -w)
    )
    one = combine(
        at_most(1 - exp(eps - L), exp(s * L) * PEAK),
        (first, 1 / (1 + s)),
        (second, s / (1 + s)),
    )
    yield one, "exp(s w) >= 1 + s w and exp(-w) >= 1 - w"
    least = real(at_most(0, exp(s * L) * PEAK), *part.given)
    largest = real("max(0, x) <= y", "0 <= y", "x <= y", *part.given)
    both = given_by(
        specialize(largest, x=1 - exp(eps - L), y=exp(s * L) * PEAK), least, one
    )
    pointwise = combine(at_most(EXCESS, MOMENT * PEAK), (both, F), given=("0 <= F",))
    yield pointwise, "and the right side is not negative"
    finite = integrable(moment, E(P, MOMENT))
    scaled = linear(P, MOMENT * PEAK, {MOMENT: PEAK}, finite, where=part.given)
    above = integrable(scaled, E(P, MOMENT * PEAK))
    below_ = dominated(pointwise, P, above, lower=real(at_most(0, EXCESS), "0 <= F"))
    mean = expect(pointwise, P, below_, above)
    yield mean, "on the average"
    yield combine(part.claim, mean, scaled, (moment, PEAK)), "M(s) is exp(m)"


TOP = Table("S", ("L",), (), (((eps + log(1 + 1 / s),), formula(1)),))


def attained(part: Statement) -> Iterator[Step]:
    """The loss at which the two tangents touch."""
    body = maximum(0, 1 - exp(eps - L))
    at = eps + log(1 + 1 / s)
    one = table(TOP, body, *part.given)
    yield one, "the loss is always the same"
    same = real(equal(body.at(L=at), 1 / (1 + s)), *part.given)
    moment = table(TOP, exp(s * L), *part.given)
    yield moment, "and its moment is known"
    yield (
        combine(part.claim, one, (moment, -PEAK), same, given=part.given),
        "both sides are 1/(1 + s)",
    )


def random_losses(seed: int) -> int:
    """Random finite losses and tilts: the shipped bound against the profile, in balls."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(60):
        weights = masses(rng, rng.randint(1, 5))
        losses = [Fraction(rng.randint(-40, 60), 10) for _ in weights]
        tilt = ball(Fraction(rng.randint(1, 80), 10))
        level = ball(Fraction(rng.randint(-20, 50), 10))
        moment = sum(
            (
                ball(p) * (tilt * ball(x)).exp()
                for p, x in zip(weights, losses, strict=True)
            ),
            ball(0),
        )
        gains = [(1 - (level - ball(x)).exp()).max(ball(0)) for x in losses]
        delta = sum(
            (ball(p) * gain for p, gain in zip(weights, gains, strict=True)), ball(0)
        )
        if delta > chernoff(moment.log(), tilt, level):
            raise Refused(
                f"the losses {losses} with masses {weights} break Chernoff's bound at"
                f" {tilt} and {level}."
            )
        tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "bound",
            "the finite part of delta(eps) is at most M(s) exp(-s eps) c(s), where m ="
            " log M(s)",
            at_most(E(P, EXCESS), BOUND),
            bounded,
            ("s > 0",),
            {"moment": assume(equal(E(P, MOMENT), exp(m)))},
        ),
    ),
    sharp=(
        Statement(
            "epsilon",
            "at the shipped epsilon the bound is a given delta",
            equal(BOUND.at(eps=EPSILON), d),
            by_prover("exp undoes log"),
            ("s > 0", "d > 0"),
        ),
        Statement(
            "attained",
            "a loss that is always eps + log(1 + 1/s) attains it",
            equal(E(TOP, maximum(0, 1 - exp(eps - L))), E(TOP, exp(s * L)) * PEAK),
            attained,
            ("s > 0",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "at s = 1 the constant 1/4 can be replaced by 6/25",
            at_most(1 - exp(-Symbol("y")), exp(Symbol("y")) * Fraction(6, 25)),
            ("y >= 0",),
        ),
    ),
    attacks=(Attack("random finite losses and tilts, in balls", random_losses),),
    rules=(chernoff, log_chernoff, chernoff_epsilon),
)
