"""Moments of the likelihood ratio of a sampled Gaussian whose two laws are far apart, between
closed forms.

Printed: not in the sources
Proved: Let R = A + D with A = 1 - q > 0 and D = q exp(mu x - mu**2/2) > 0, and x = D/A. For a >= 1
    and 0 < s < 1, A**a + D**a <= R**a <= s**(1 - a) A**a + (1 - s)**(1 - a) D**a. For 1 <= a <= 2,
    R**a is at most A**a + D**a + a A**(a - 1) D, and the same with A and D exchanged in the last
    term. For a <= 0, R**a is at least its value at any larger R, so that it is at least R(cut)**a
    up to a cut. For 0 <= a <= 1, R**a is at least A**a, and at least D**a. For x standard normal,
    D**a exp(-x**2/2) is q**a exp((a**2 - a) mu**2/2) exp(-(x - a mu)**2/2), so that E D**a on a
    half-line is that factor times a normal tail, which is at most exp(-z**2/2)/2 at z >= 0.
Idea: Powers of the two shares of R; the tangent of a convex power; completing a square.
Source: elementary.
"""

from rdpacct.book.words import (
    Attack, Comparison, Expr, Falsehood, Fraction, Iterator, Nodes, RealBall, Refused,
    SampledGaussianTransform, Statement, Status, Step, Symbol, Theorem, at_most, by_prover, combine,
    equal, erfc, exp, formula, formulas, given_by, least_moment, least_negative_moment,
    least_root_moment, log, most_moment, most_small_moment, precision, random, raw_real as ball,
    read, real, relations, specialize, sqrt, under,
)  # fmt: skip

a, b, s, u, v, w, mu, x, q, z = map(
    Symbol, ("a", "b", "s", "u", "v", "w", "mu", "x", "q", "z")
)
ORDERS = [Fraction(k, 12) for k in (-18, -3, 4, 15, 24, 42)]
RATIO = 1 + exp(u)
"""R over A, where exp(u) = D/A."""


def power(base: Expr) -> Expr:
    """The power a of a positive base."""
    return exp(a * log(base))


def superadditive(part: Statement) -> Iterator[Step]:
    """The shares of the two terms in R are at most one, and so no smaller than their powers."""
    falls = real("exp(a*v) <= exp(v)", "v <= 0", "a >= 1")
    yield falls, "a share is no smaller than its power"
    sides = [real(at_most(-log(RATIO), 0)), real(at_most(u - log(RATIO), 0))]
    shares = [
        (given_by(specialize(falls, v=value), side), power(RATIO))
        for value, side in zip((-log(RATIO), u - log(RATIO)), sides, strict=True)
    ]
    whole = real(equal(exp(-log(RATIO)) + exp(u - log(RATIO)), 1))
    yield whole, "the shares add up to one"
    yield (
        under(combine(part.claim, *shares, (whole, power(RATIO))), "a >= 1"),
        "so R**a is at least the sum",
    )


def convex(part: Statement) -> Iterator[Step]:
    """The tangent of the power at R, at A/s and at D/(1 - s), of which R is a mean."""
    given = ("a >= 1", "0 < s", "s < 1")
    tangent = real("1 + a*(exp(v) - 1) <= exp(a*v)", "a >= 1")
    yield tangent, "a convex power lies above its tangent"
    first = -log(s) - log(RATIO)
    second = u - log(1 - s) - log(RATIO)
    whole = real(equal(s * exp(first) + (1 - s) * exp(second), 1), *given[1:])
    yield whole, "R is a mean of the two"
    ends = [
        (specialize(under(tangent, *given), v=first), s * power(RATIO)),
        (specialize(under(tangent, *given), v=second), (1 - s) * power(RATIO)),
    ]
    yield (
        under(combine(part.claim, *ends, (whole, -a * power(RATIO))), *given),
        "in the mean",
    )


def small(part: Statement) -> Iterator[Step]:
    """With b = a - 1: R**a is R**b and exp(u) R**b, the first below a tangent, the second below a
    sum of powers.
    """
    given = ("0 <= b", "b <= 1")
    tangent = real("exp(b*v) <= 1 + b*(exp(v) - 1)", *given)
    yield tangent, "a concave power lies below its tangent"
    grows = real("exp(v) <= exp(b*v)", "v <= 0", "b <= 1")
    yield grows, "a share is no larger than its power"
    shares = [
        (
            given_by(specialize(grows, v=value), real(at_most(value, 0))),
            exp(b * log(RATIO)) * exp(u),
        )
        for value in (-log(RATIO), u - log(RATIO))
    ]
    whole = real(equal(exp(-log(RATIO)) + exp(u - log(RATIO)), 1))
    first = specialize(tangent, v=log(RATIO))
    together = combine(
        part.claim, first, *shares, (whole, -exp(b * log(RATIO)) * exp(u))
    )
    yield under(together, *given), "together"


def moments(seed: int) -> int:
    """The shipped bounds against the shipped transform by quadrature, in balls."""
    rng = random.Random(seed)
    for _ in range(12):
        mu_ = Fraction(rng.randint(10, 60), 10)
        q_ = Fraction(rng.randint(1, 90), 100)
        with precision(128):
            m = ball(mu_)
            r = ball(q_)
            for order in ORDERS:
                removing = order >= 1
                tilt = order - 1 if removing else -order
                transform = SampledGaussianTransform(
                    formula(mu_), formula(q_), removing
                )
                found = (
                    transform.at(Nodes(ball(tilt), ball(1), 1), 40.0)[0].real
                    if tilt != 0
                    else ball(1)
                )
                _check(
                    m,
                    r,
                    ball(order),
                    order,
                    found,
                    ball(Fraction(rng.randint(1, 9), 10)),
                )
    return 12


def _check(
    m: RealBall,
    r: RealBall,
    at: RealBall,
    order: Fraction,
    found: RealBall,
    share: RealBall,
) -> None:
    lows = (
        [least_negative_moment(m, r, at, m * share)]
        if order < 0
        else [least_root_moment(m, r, at)]
    )
    highs = []
    if order >= 1:
        lows = [least_moment(m, r, at)]
        highs = [most_moment(m, r, at, share)]
    if 1 <= order <= 2:
        highs.append(most_small_moment(m, r, at))
    if any(low > found for low in lows) or any(high < found for high in highs):
        raise Refused(
            f"a closed bound on the moment of order {order} at mu = {m} and q = {r}"
            " fails."
        )


SAMPLED = ("mu > 0", "0 < q", "q < 1")
FAR = exp(a * log(q) + (a**2 - a) * mu**2 / 2)
"""The mean of D**a, by `bump`."""
NEAR = exp(a * log(1 - q))
EDGE = mu / 2 + log((1 - q) / q) / mu
"""Where D = A."""


def upper_tail(at: Expr) -> Expr:
    """The bound on a normal tail, by `tail`."""
    return exp(-(at**2) / 2) / 2


def shipped() -> Iterator[tuple[str, Expr, Expr, tuple[str | Comparison, ...]]]:
    """What the shipped functions compute, where the tails are not below 0, and what it is."""
    point, rate, order, share = formulas(mu, q, a, s)
    yield "least_moment", read(least_moment(point, rate, order)), NEAR + FAR, ()
    found = most_moment(point, rate, order, share)
    form = exp((1 - a) * log(s)) * NEAR + exp((1 - a) * log(1 - s)) * FAR
    yield "most_moment", read(found), form, ("0 < s", "s < 1")
    edge = relations(at_most(0, EDGE))
    sides = relations(at_most(0, mu - EDGE), at_most(0, EDGE - (a - 1) * mu))
    found = most_small_moment(*numbers(mu, q, a, given=sides))
    below = exp((a - 1) * log(1 - q)) * q * upper_tail(mu - EDGE)
    above = (1 - q) * FAR.at(a=a - 1) * upper_tail(EDGE - (a - 1) * mu)
    yield "most_small_moment", read(found), NEAR + FAR + a * (below + above), sides
    found = least_negative_moment(*numbers(mu, q, a, z, given=relations("z >= 0")))
    ratio = 1 - q + q * exp(mu * z - mu**2 / 2)
    form = exp(a * log(ratio)) * (1 - upper_tail(z))
    yield "least_negative_moment", read(found), form, ("z >= 0",)
    both = (*edge, *relations(at_most(0, a * mu - EDGE)))
    found = least_root_moment(*numbers(mu, q, a, given=both))
    form = NEAR * (1 - upper_tail(EDGE)) + FAR * (1 - upper_tail(a * mu - EDGE))
    yield "least_root_moment", read(found), form, both


def numbers(*values: Expr, given: tuple[Comparison, ...]) -> tuple[RealBall, ...]:
    """Formulas in the place of balls."""
    return formulas(*values, given=(*SAMPLED, *map(str, given)))


BUMP = exp(a * (log(q) + mu * x - mu**2 / 2)) * exp(-(x**2) / 2)


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "least",
                "for a >= 1 the powers of the two terms add up to at most that of R",
                at_most(1 + exp(a * u), power(RATIO)),
                superadditive,
                ("a >= 1",),
            ),
            Statement(
                "most",
                "for a >= 1 and any share s of the first term",
                at_most(
                    power(RATIO),
                    s * exp(-a * log(s)) + (1 - s) * exp(a * (u - log(1 - s))),
                ),
                convex,
                ("a >= 1", "0 < s", "s < 1"),
            ),
            Statement(
                "most-small",
                "for a = 1 + b between 1 and 2, and the same with the two terms exchanged",
                at_most(
                    exp((1 + b) * log(RATIO)), 1 + exp((1 + b) * u) + (1 + b) * exp(u)
                ),
                small,
                ("0 <= b", "b <= 1"),
            ),
            Statement(
                "falling",
                "for a <= 0 the power falls: a larger ratio has a smaller one",
                at_most(exp(a * w), exp(a * v)),
                by_prover("a falling power"),
                ("a <= 0", "v <= w"),
            ),
            Statement(
                "rising",
                "for a >= 0 the power rises: that of R is at least that of each term",
                at_most(exp(a * v), exp(a * w)),
                by_prover("a rising power"),
                ("a >= 0", "v <= w"),
            ),
            Statement(
                "bump",
                "a power of D against the normal density is a bump about a mu",
                equal(
                    BUMP,
                    exp(a * log(q) + (a**2 - a) * mu**2 / 2)
                    * exp(-((x - a * mu) ** 2) / 2),
                ),
                by_prover("completing the square"),
                ("0 < q",),
            ),
            *(
                Statement(
                    name,
                    f"what is shipped as {name}: powers of A, means of powers of D, and"
                    " normal tails",
                    equal(found, form),
                    by_prover("the same formula"),
                    (*SAMPLED, *given),
                )
                for name, found, form, given in shipped()
            ),
            Statement(
                "tail",
                "a normal tail is at most exp(-z**2/2)/2",
                at_most(erfc(z / sqrt(2)) / 2, exp(-(z**2) / 2) / 2),
                by_prover("both are 1/2 at 0, and the difference has one sign"),
                ("z >= 0",),
            ),
        ),
        falsehoods=(
            Falsehood(
                "the power of R is at most the sum of the two powers, here for a = 2",
                at_most((1 + x) ** 2, 1 + x**2),
                ("x >= 0",),
            ),
        ),
        attacks=(
            Attack(
                "the shipped bounds against the transform by quadrature, in balls",
                moments,
            ),
        ),
        rules=(
            least_moment,
            most_moment,
            most_small_moment,
            least_negative_moment,
            least_root_moment,
        ),
    )
