"""The concentrated parameter of a bounded range is its largest mean loss.

Printed: not in the sources.
Proved: With rho = log((e**eps - 1)/eps) - 1 + eps/(e**eps - 1), the largest mean loss, every pair
    whose losses lie in an interval of length eps has E exp(t L) <= exp(t (1 + t) rho) for all t >
    0. No smaller rho does: a pair with two losses has this mean loss, and a number r with E exp(t
    L) <= exp(t (1 + t) r) for all t > 0 is at least the mean loss.
Idea: t (1 + t) rho - t D, with D the largest divergence of order 1 + t, rises with eps: its slope
    is a sum of terms x**2/(exp(x eps) - 1) at x = 1, t and 1 + t, compared in two variables.
    Integrate the slope from c to eps, and let c go to 0, where t D <= t c.
Source: Cesar and Rogers, Bounding, concentrating, and truncating, prove eps**2/8, which is larger;
    the bound is ours.
"""

from rdpacct.book.words import (
    Attack, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, ONE, Refused, Statement, Status,
    Step, Stretch, Symbol, Theorem, Witness, assume, at_most, bounded_range_L as L,
    bounded_range_MASS as MASS, bounded_range_P as P, bounded_range_eps as eps, cases, closed,
    combine, dominated, example, exp, expect, exponential_mean as mean, exponential_rho as rho,
    formula, given_by, integrable, integrate, lemma, linear, log, mean_below_zcdp, module, random,
    real, relations, renyi, specialize, under,
)  # fmt: skip

t, c, d, u, k, r = (Symbol(name) for name in ("t", "c", "d", "u", "k", "r"))
U = Density("U", ("u",), relations("c <= u", "u <= c + d"), (Stretch(c, c + d, 1 / d),))
"""Uniform on [c, c + d]."""
RISE = (exp(2 * u) - 1 - u * exp(u)) / (exp(u) - 1) ** 2 - 1 / u
"""The slope of the largest mean loss in eps."""
BETWEEN = ("0 < c", "0 < d", "t > 0")


REST = t * log(t) - (1 + t) * log(1 + t)


def term(x: Expr) -> Expr:
    """A part of the slope of t D in eps."""
    return x**2 / (exp(x * u) - 1)


def divergence(at: Expr) -> Expr:
    """t D, but for terms without eps: its slope is made of the terms."""
    return sum(
        (
            sign * x * log(1 - exp(-x * at))
            for x, sign in ((1 + t, 1), (t, -1), (ONE, -1))
        ),
        t * at,
    )


def slopes() -> Fact:
    """The slope of t D is at most that of t (1 + t) rho, at every u > 0."""
    both = real(
        "a*b + (a+b)**2/(exp(a+b) - 1) - a**2/(exp(a) - 1) - b**2/(exp(b) - 1)"
        " <= b*(a+b)*((exp(2*a) - 1 - a*exp(a))/(exp(a) - 1)**2 - 1/a)",
        "a > 0",
        "b > 0",
    )
    scaled = specialize(under(both, "a > 0", "b > 0", "t > 0"), a=u, b=t * u)
    claim = at_most(t + term(1 + t) - term(t) - term(ONE), t * (1 + t) * RISE)
    return combine(claim, (under(scaled, "u > 0", "t > 0"), 1 / u**2))


def total(body: Expr, antiderivative: Expr) -> Fact:
    """The mean of a part of the slope."""
    return integrate(U, body, (antiderivative / d,), (u / d,), *BETWEEN)


def grown() -> tuple[Fact, Fact]:
    """From c to c + d, t D grows at most as t (1 + t) rho: by its mean slope, which is the growth
    of rho.
    """
    slope = under(slopes(), *U.support, *BETWEEN)
    rates = (1 + t, t, ONE)
    means = [total(term(x), x * log(1 - exp(-x * u))) for x in rates]
    finite = [
        integrable(fact, E(U, term(x))) for fact, x in zip(means, rates, strict=True)
    ]
    left = slope.relation.left
    right = slope.relation.right
    split = linear(
        U,
        left,
        {term(1 + t): 1, term(t): -1, term(ONE): -1},
        *finite,
        constant=t,
        where=BETWEEN,
    )
    rise = total(RISE, mean(u))
    scaled = linear(
        U, right, {RISE: t * (1 + t)}, integrable(rise, E(U, RISE)), where=BETWEEN
    )
    over = expect(
        slope, U, integrable(split, E(U, left)), integrable(scaled, E(U, right))
    )
    width = d
    growth = divergence(c + d) - divergence(c)
    ends = [(fact, sign * width) for fact, sign in zip(means, (-1, 1, 1), strict=True)]
    mean_slope = combine(
        at_most(
            t + E(U, term(1 + t)) - E(U, term(t)) - E(U, term(ONE)),
            t * (1 + t) * E(U, RISE),
        ),
        over,
        split,
        scaled,
    )
    middle = combine(
        at_most(growth, t * (1 + t) * width * E(U, RISE)), (mean_slope, width), *ends
    )
    return middle, rise


def small() -> Fact:
    """For a small range c the divergence is at most c."""
    falls = real(
        "log((1 - exp(-(a+b)))/(a+b)) <= log((1 - exp(-a))/a)",
        "a > 0",
        "b > 0",
        "t > 0",
    )
    both = [
        under(specialize(falls, a=x, b=y), "0 < c", "t > 0")
        for x, y in ((t * c, c), (c, t * c))
    ]
    claim = at_most(divergence(c) + REST, t * c)
    return combine(claim, (both[0], t), (both[1], 1))


def logarithms() -> Fact:
    """The closed form of t D, taken apart."""
    high = Symbol("H")
    low = Symbol("B")
    one = Symbol("C")
    stated = t * (
        log(t * high / ((t + 1) * (exp(-eps) * low))) + log(high / ((t + 1) * one)) / t
    )
    apart = t * eps + (1 + t) * log(high) - t * log(low) - log(one) + REST
    return real(at_most(stated, apart), "H > 0", "B > 0", "C > 0", "eps > 0", "t > 0")


def proof(part: Statement) -> Iterator[Step]:
    """The slope, integrated."""
    (growth, rise), start = grown(), small()
    yield growth, "the slopes compared, and integrated from c to c + d"
    yield rise, "the growth of rho"
    yield start, "near 0 there is little to lose"
    above = specialize(
        real("0 <= log(x) + 1/x - 1", "x > 0", "c > 0"), x=(exp(c) - 1) / c
    )
    positive = combine(at_most(0, mean(c)), under(above, "c > 0"))
    claim = at_most(divergence(c + d) + REST, t * (1 + t) * rho(c + d) + t * c)
    weight = t * (1 + t)
    near = combine(claim, growth, start, (rise, weight * d), (positive, weight))
    yield near, "for every c > 0"
    given = ("eps > 0", "t > 0")
    first = eps * k / (k + t * eps)
    moved = under(
        specialize(under(near, *BETWEEN, "k > 0", *given), c=first, d=eps - first),
        "k > 0",
        *given,
    )
    slack = combine(
        at_most(moved.relation.left, t * (1 + t) * rho(eps) + k),
        moved,
        rest=k**2 / (k + t * eps),
    )
    same = under(
        specialize(
            logarithms(),
            H=1 - exp(-(t + 1) * eps),
            B=1 - exp(-t * eps),
            C=1 - exp(-eps),
        ),
        *given,
    )
    yield same, "the logarithms of the closed form"
    bound = closed(slack, "k")
    sides = {
        "x": same.relation.left,
        "y": bound.relation.left,
        "z": bound.relation.right,
    }
    limit = given_by(
        specialize(real("x <= z", "x <= y", "y <= z", *given), **sides), same, bound
    )
    yield limit, "c as small as we like"
    moment = lemma("exponential/renyi", "above")
    yield moment, "the largest moment"
    larger = real("exp(x) <= exp(y)", "x <= y", *given)
    raised = given_by(
        specialize(larger, x=limit.relation.left, y=limit.relation.right), limit
    )
    yield combine(part.claim, moment, raised), "together"


RENYI = module("exponential/renyi")
WORST = RENYI.two_losses(log(RENYI.BEST))


def attained(part: Statement) -> Iterator[Step]:
    """The mean of two losses."""
    loss = under(lemma("exponential/renyi", "attained"), *part.given)
    yield loss, "the mean loss of the pair"
    moments = part.assuming["every order"]
    known = integrable(loss, E(WORST, L))
    found = mean_below_zcdp(WORST, L, known, moments, t, 0, r, *part.given)
    yield found, "the mean loss is at most the divergence of every order above 1"
    yield combine(part.claim, found, (loss, -1)), "so"


def attack(seed: int) -> int:
    """Random ranges and rates, in balls."""
    rng = random.Random(seed)
    for _ in range(150):
        length = formula(Fraction(rng.randint(1, 300), 20))
        rate = Fraction(rng.randint(1, 200), 20)
        if (
            (renyi(length, 1 + rate) - (1 + rate) * rho(length))
            .ball(192)
            .certainly_positive()
        ):
            raise Refused(f"the range {length} breaks the bound at the rate {rate}.")
    return 150


def wide() -> Witness:
    """With r = 1, for eps = 1: no loss exceeds 1."""
    law = WORST.at(eps=1)
    most = cases(law, at_most(exp(t * L), exp(t * (1 + t))), "t > 0")
    least = cases(law, at_most(0, exp(t * L)))
    mean = expect(most, law, dominated(most, law, lower=least))
    return Witness(example({"eps": 1, "r": 1}), (mean,))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "zcdp",
            "a bounded range is rho-zCDP for its largest mean loss rho",
            at_most(E(P, exp(t * L)), exp(t * (1 + t) * rho(eps))),
            proof,
            ("eps > 0", "t > 0"),
            {"ratio of laws": MASS},
        ),
    ),
    sharp=(
        Statement(
            "smallest",
            "a pair with two losses needs rho",
            at_most(rho(eps), r),
            attained,
            ("eps > 0",),
            {
                "every order": assume(
                    at_most(E(WORST, exp(t * L)), exp(t * (r * (1 + t)))),
                    "t > 0",
                    every="t",
                )
            },
            witness=wide,
        ),
    ),
    falsehoods=(
        Falsehood(
            "99 percent of the largest mean loss suffices at all orders",
            at_most(t * renyi(eps, 1 + t), t * (1 + t) * rho(eps) * 99 / 100),
            ("eps > 0", "t > 0"),
        ),
    ),
    attacks=(Attack("random ranges and rates", attack),),
    rules=(rho,),
)
