"""Weights that solve Stein's equation of the binomial law, and where they are largest.

Printed: not in the sources.
Proved: Let b(w) be the binomial probabilities of r trials with the odds exp(eps), F(w) the sum of
    those of less than w, and beta = 1 - F(v). Let lam(w) w b(w) be beta F(w) for w <= v, and (1 -
    beta) (1 - F(w)) for w >= v, which agree at v. Then w lam(w) - exp(eps) (r - w) lam(w + 1) is
    -beta for w < v, and 1 - beta for w >= v. The weights rise up to v and fall from v on, so that
    lam(v) = beta (1 - beta)/(v b(v)) is the largest.
Idea: (w + 1) b(w + 1) = exp(eps) (r - w) b(w). That exp(eps) (r - w) F(w) <= w F(w + 1) goes from
    each number to the next, and is the rise from w to w + 1.
Source: Chen (1975), Poisson approximation for dependent trials; Barbour, Holst and Janson (1992),
    Poisson approximation, for the monotone solution.
"""

from rdpacct.book.words import (
    Comparison, Expr, Fact, Falsehood, Iterator, Quantity, Real, Statement, Status, Step, Symbol,
    Theorem, Whole, assume, at_most, below, both, combine, either, equal, example, exp, formula,
    given_by, induct, instance_points as points, proves, real, relation, specialize,
    terms_replace as replace, under,
)  # fmt: skip

eps, beta, b = map(Symbol, ("eps", "beta", "b"))
w, n, r = map(Symbol, ("w", "n", "r"))
FACTOR = exp(eps)


def at(name: str, number: Real) -> Expr:
    """A quantity of a whole number: F(w) and b(w), the binomial probabilities of less than w and of
    exactly w; lam(w), the weight.
    """
    return Quantity(name, (formula(number),))


def binomial(factor: Expr, *names: str) -> dict[str, Fact]:
    """The binomial law of r trials whose odds are the factor, from each number to the next: what is
    named of it, or all.
    """
    number = Whole("w", 0)
    known = {
        "none": assume(equal(at("F", 0), 0)),
        "sum": assume(GROWS, number, every="w"),
        "ratio": assume(ratio(factor), number, every="w"),
        "mass": assume(at_most(0, at("b", w)), number, every="w"),
    }
    return {name: known[name] for name in names or known}


GROWS = equal(at("F", w + 1), at("F", w) + at("b", w))


def ratio(factor: Expr) -> Comparison:
    """The ratio of the binomial probabilities of w + 1 and w."""
    return equal((w + 1) * at("b", w + 1), factor * (r - w) * at("b", w))


LINES = {"below v": (beta, formula(0)), "from v on": (beta - 1, 1 - beta)}
"""The weight of w times w b(w), as a line in F(w): its slope, and its value at 0."""


def weights(name: str, number: Expr) -> Comparison:
    """The weight of a number on one side of v, v included."""
    slope, start = LINES[name]
    weight = number * at("b", number) * at("lam", number)
    return equal(weight, slope * at("F", number) + start)


RISES = at_most(
    at("F", w + 1) * ((w + 1 + n) * at("b", w + 1 + n)),
    at("F", w + 1 + n) * ((w + 1) * at("b", w + 1)),
)


def stein_equation(name: str, says: str, value: Expr) -> Statement:
    """Stein's equation on one side of v."""
    return Statement(
        name,
        says,
        equal(w * at("lam", w) - FACTOR * ((r - w) * at("lam", w + 1)), value),
        assuming={
            "possible": assume(below(0, at("b", w))),
            "sum": assume(GROWS),
            "ratio": assume(ratio(FACTOR)),
            "weight": assume(weights(name, w)),
            "next weight": assume(weights(name, w + 1)),
        },
        witness=example(
            {"eps": 0, "r": 1, "beta": "1/2", "w": int(name == "from v on")},
            None,
            **ONE_GUESS,
        ),
    )


ONE_GUESS = {
    "F": points((0, 0), (1, "1/2"), (2, 1)),
    "b": points((0, "1/2"), (1, "1/2"), (2, 0)),
    "lam": points((0, 0), (1, "1/2"), (2, 0)),
}
"""One guess with even odds, and its weights for v = 1."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        stein_equation("below v", "Stein's equation for w < v", -beta),
        stein_equation("from v on", "Stein's equation for w >= v", 1 - beta),
        Statement(
            "not negative",
            "F is a sum of probabilities",
            at_most(0, at("F", w)),
            given=(Whole("w", 0),),
            assuming=binomial(FACTOR, "none", "sum", "mass"),
        ),
        Statement(
            "grows",
            "so that it grows",
            at_most(at("F", w), at("F", w + n)),
            given=(Whole("w", 0), Whole("n", 0)),
            assuming=binomial(FACTOR, "sum", "mass"),
        ),
        Statement(
            "step",
            "F(w)/(w b(w)) does not fall from w to w + 1",
            at_most(FACTOR * (r - w) * at("F", w), w * at("F", w + 1)),
            given=(Whole("w", 0),),
            assuming=binomial(FACTOR),
        ),
        Statement(
            "rises",
            "nor from w + 1 to w + 1 + n: the weights rise up to v",
            RISES,
            given=(Whole("w", 0), Whole("n", 0)),
            assuming=binomial(FACTOR),
        ),
        Statement(
            "falls",
            "the same for the numbers of wrong guesses, with F(w) and b(w) the"
            " probabilities of less than w and of w wrong ones: the weights fall from v on",
            RISES,
            given=(Whole("w", 0), Whole("n", 0)),
            assuming=binomial(exp(-eps)),
        ),
    ),
)


def weighed() -> Fact:
    """w l0 - k l1 == -c, where w l0 b0 and x1 l1 are c f + d at two numbers in turn."""
    given = (
        "0 < b0",
        "w*b0*l0 == c*f0 + d",
        "x1*l1 == c*f1 + d",
        "f1 == f0 + b0",
        "x1 == k*b0",
    )
    _, now, then, grows, ratio = (real(text, text) for text in given)
    b0, l1, c = map(Symbol, ("b0", "l1", "c"))
    return combine(
        relation("w*l0 - k*l1 == -c"),
        (now, 1 / b0),
        (then, -1 / b0),
        (grows, -c / b0),
        (ratio, l1 / b0),
        given=given,
    )


@proves("below v", "from v on")
def stein(part: Statement) -> Iterator[Step]:
    """F grows by the binomial probability."""
    known = part.assuming
    general = weighed()
    yield general, "for two numbers in turn"
    slope, start = LINES[part.name]
    numbers = {
        "b0": at("b", w),
        "l0": at("lam", w),
        "l1": at("lam", w + 1),
        "x1": (w + 1) * at("b", w + 1),
        "f0": at("F", w),
        "f1": at("F", w + 1),
        "k": FACTOR * (r - w),
        "c": slope,
        "d": start,
    }
    shown = given_by(specialize(general, **numbers), *known.values())
    yield combine(part.claim, shown), "with these weights"


@proves("not negative")
def not_negative(part: Statement) -> Iterator[Step]:
    """One number after the other."""
    known = part.assuming
    base = combine(at_most(0, at("F", 0)), known["none"])
    before = assume(part.claim, Whole("w", 0))
    after = replace(part.claim, {"w": w + 1})
    more = combine(after, before, (known["sum"], -1), known["mass"])
    yield more, "one more"
    yield induct(base, more, "w"), "one number after the other"


@proves("grows")
def grows(part: Statement) -> Iterator[Step]:
    """One number after the other."""
    known = part.assuming
    base = combine(replace(part.claim, {"n": 0}), (known["sum"], 0))
    before = assume(part.claim, Whole("w", 0), Whole("n", 0))
    last = {"w": w + n}
    more = combine(
        replace(part.claim, {"n": n + 1}),
        before,
        (specialize(known["sum"], **last), -1),
        specialize(known["mass"], **last),
    )
    yield more, "one more"
    yield induct(base, more, "n"), "one number after the other"


@proves("step")
def step(part: Statement) -> Iterator[Step]:
    """One number after the other."""
    known = part.assuming
    base = combine(replace(part.claim, {"w": 0}), (known["none"], -FACTOR * r))
    yield base, "at 0 both sides are 0"
    before = assume(part.claim, Whole("w", 0))
    positive = specialize(THEOREM.part("not negative").fact(), w=w + 1)
    more = combine(
        replace(part.claim, {"w": w + 1}),
        before,
        (specialize(known["sum"], w=w + 1), -(w + 1)),
        (known["ratio"], -1),
        (known["sum"], FACTOR * (r - w)),
        (positive, 1 + FACTOR),
    )
    yield more, "one more"
    yield induct(base, more, "w"), "one number after the other"


def ratios() -> Fact:
    """fa/xa <= f1/(k b0), from fa/xa <= f0/(c b0) and k f0 <= c f1, without quotients."""
    given = (
        "fa*(c*b0) <= f0*xa",
        "k*f0 <= c*f1",
        "x1 == k*b0",
        "0 <= b0",
        "0 <= fa",
        "fa <= f0",
        "0 <= f1",
        "0 <= xa",
    )
    so_far, now, ratio_, *_ = (real(text, text) for text in given)
    claim = relation("fa*x1 <= f1*xa")
    f0, f1, fa, b0 = map(Symbol, ("f0", "f1", "fa", "b0"))
    positive = combine(
        claim,
        (so_far, f1 / f0),
        (now, fa * b0 / f0),
        (ratio_, fa),
        given=(*given, "0 < f0"),
    )
    none = both(real("fa <= 0", "fa <= f0", "f0 <= 0"), real("0 <= fa", "0 <= fa"))
    room = real("0 <= f1*xa", "0 <= f1", "0 <= xa")
    x1 = Symbol("x1")
    zero = combine(claim, (none, -x1), room, given=(*given, "f0 <= 0"))
    return either(under(zero, *given, "f0 <= 0"), under(positive, *given, "0 < f0"))


@proves("rises")
def rises(part: Statement) -> Iterator[Step]:
    """Ratios multiply."""
    known = part.assuming
    general = ratios()
    yield general, "two ratios in turn"
    last = w + 1 + n
    not_below = THEOREM.part("not negative").fact()
    positive = specialize(not_below, w=w + 1)
    mass_ = specialize(known["mass"], w=w + 1)
    base = combine(replace(part.claim, {"n": 0}), (positive, 0), (mass_, 0))
    yield base, "at w + 1 itself"
    numbers = {
        "fa": at("F", w + 1),
        "f0": at("F", last),
        "f1": at("F", last + 1),
        "xa": (w + 1) * at("b", w + 1),
        "x1": (last + 1) * at("b", last + 1),
        "b0": at("b", last),
        "k": FACTOR * (r - last),
        "c": last,
    }
    scaled = real("0 <= (w + 1)*y", "0 <= w", "0 <= y")
    scaled = given_by(specialize(scaled, y=at("b", w + 1)), mass_)
    facts = (
        specialize(THEOREM.part("step").fact(), w=last),
        specialize(known["ratio"], w=last),
        specialize(known["mass"], w=last),
        positive,
        specialize(THEOREM.part("grows").fact(), w=w + 1),
        specialize(not_below, w=last + 1),
        under(scaled, Whole("w", 0)),
    )
    before = assume(part.claim, Whole("w", 0), Whole("n", 0))
    more = given_by(specialize(general, **numbers), before, *facts)
    yield more, "one more"
    yield induct(base, more, "n"), "one number after the other"


@proves("falls")
def falls(part: Statement) -> Iterator[Step]:
    """A wrong guess has the odds exp(-eps)."""
    yield specialize(THEOREM.part("rises").fact(), eps=-eps), part.says


FALSEHOODS = (
    Falsehood(
        "a larger number has a larger weight, also beyond v; here for two guesses with"
        " even odds and v = 1, at 1 and at 2",
        at_most(beta * (1 - beta) / b, (1 - beta) / 2),
        ("beta == 3/4", "b == 1/2"),
    ),
)
