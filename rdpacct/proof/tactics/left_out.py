"""The terms of a trapezoid sum beyond its last point: on the axis, and on a line above it.

On the axis S(n) is the sum of n terms h phi R**a; on the line at y, where R has a modulus and an
argument, T(n) is that of the moduli of h phi R**s. The terms below the first point are those above
it with -mu for mu.
"""

from collections.abc import Iterator
from functools import partial

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp, log, normal_density
from rdpacct.proof.instance import Unknown, example, recursive
from rdpacct.proof.kernel import (
    Fact,
    Quantity,
    Whole,
    assume,
    at_most,
    combine,
    equal,
    given_by,
    induct,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace as replaced
from rdpacct.proof.tactics.sampled_line import (
    EXPONENT,
    HALF,
    a,
    conditions,
    p,
    point_part,
    share,
)
from rdpacct.proof.tactics.turned import RATE, RATIO, polar
from rdpacct.proof.theorem import Statement, Step

mu, x, h, n, y, V, W = map(Symbol, ("mu", "x", "h", "n", "y", "V", "W"))
SUM, NEXT, NONE = (Quantity("S", (formula(i),)) for i in (n, n + 1, 0))
POINT = x + (n + 1) * h
PLACE = mu * POINT - mu**2 / 2
POWER = exp(a * log(RATIO)).at(u=PLACE)
POWER_AT = Quantity("W", (n,))
STEP = h * normal_density(POINT, 0, 1)
SUMMED = {
    "start": assume(equal(NONE, 0)),
    "next": assume(equal(NEXT, SUM + STEP * POWER_AT), Whole("n", 0), every="n"),
    "power": assume(equal(POWER_AT, POWER), every="n"),
}
SIZES = Quantity("Modulus", (n,))
TURNS = Quantity("Argument", (n,))
LEFT_OUT = Quantity("T", (n,))
"""Modulus and argument of R at the n-th point beyond the last, and the sum of n such terms."""
RAISED = exp(y**2 / 2) * exp(EXPONENT.at(V=SIZES, W=TURNS))
ON_POINTS = {
    f"polar form {number}": assume(
        replaced(relation, {"V": SIZES, "W": TURNS}), every="n"
    )
    for number, relation in enumerate(polar(p, V, W, PLACE), 1)
}
LEFT_OUT_SUMS = {
    "none left out": assume(equal(LEFT_OUT.at(n=0), 0)),
    "one more left out": assume(
        equal(LEFT_OUT.at(n=n + 1), LEFT_OUT + STEP * RAISED),
        Whole("n", 0),
        every="n",
    ),
}


def one_term_more() -> Fact:
    """A sum of larger terms stays ahead."""
    text = (
        "new == old + term*(lift*size)",
        "after == sum + term*power",
        "power == whole",
        "old <= lift*bend*sum",
        "size <= bend*whole",
        "0 <= term",
        "0 <= lift",
        "0 <= bend",
    )
    new, sums, power, old, size = (real(relation, *text) for relation in text[:5])
    lift, bend, term = map(Symbol, ("lift", "bend", "term"))
    return combine(
        "new <= lift*bend*after",
        new,
        (sums, -lift * bend),
        (power, -lift * bend * term),
        old,
        (size, lift * term),
    )


def bent(negative: bool) -> list[Fact]:
    """The factor of a line is not negative."""
    return [real("0 <= exp(a*log(c))", "0 < c") if negative else real("0 <= 1")]


def left_out(part: Statement, negative: bool) -> Iterator[Step]:
    """One term more, by the bound at its point."""
    known = tuple(
        condition for condition in part.given if not isinstance(condition, Whole)
    )
    bound = point_part("", "", negative, False).fact()
    here = specialize(bound, u=PLACE, V=SIZES, W=TURNS)
    here = given_by(here, *(part.assuming[name] for name in ON_POINTS))
    yield here, "the modulus of R**s at a point"
    size = exp(y**2 / 2) * share(negative, False)
    before = assume(at_most(LEFT_OUT, size * SUM), *known, Whole("n", 0))
    rule = one_term_more()
    signs = ("0 < V", *(("0 < c",) if negative else ()))
    put = specialize(
        under(rule, *rule.domain, *RATE, *signs),
        bend=share(negative, False),
        size=exp(EXPONENT),
        whole=exp(a * log(RATIO)),
    )
    put = specialize(
        put,
        old=LEFT_OUT,
        new=LEFT_OUT.at(n=n + 1),
        sum=SUM,
        after=NEXT,
        term=STEP,
        lift=exp(y**2 / 2),
        power=POWER_AT,
        u=PLACE,
        V=SIZES,
        W=TURNS,
    )
    names = ("one more left out", "next", "power", "polar form 1")
    sums = [part.assuming[name] for name in names]
    term = specialize(real("0 <= h*exp(v)/sqrt(2*pi)", "h > 0"), v=-(POINT**2) / 2)
    lift = specialize(real("0 <= exp(v)"), v=y**2 / 2)
    step = given_by(put, before, *sums, here, term, lift, *bent(negative))
    yield step, "one term more"
    start = combine(
        at_most(LEFT_OUT.at(n=0), size * NONE),
        part.assuming["none left out"],
        (part.assuming["start"], -size),
        given=known,
    )
    all_terms = induct(under(start, *known), under(step, *known, Whole("n", 0)), "n")
    yield all_terms, "all of them"


def terms_part(name: str, negative: bool) -> Statement:
    """The terms that the sum on a line leaves out, by those of the sum on the axis."""
    return Statement(
        name,
        f"the terms on the line at y beyond a point, for a {'<=' if negative else '>='} 0:"
        " at most those on the axis, which sampling/gaussian-tails bounds, times the"
        " factor of the line; those on the other side have -mu for mu",
        at_most(LEFT_OUT, exp(y**2 / 2) * share(negative, False) * SUM),
        partial(left_out, negative=negative),
        (*conditions(negative), "h > 0", Whole("n", 0)),
        {**SUMMED, **LEFT_OUT_SUMS, **ON_POINTS},
        example(
            {
                **dict.fromkeys(("p", "theta", "a", "y"), 0),
                **dict.fromkeys(("x", "h", "mu", "n", "c"), 1),
                "q": HALF,
            },
            S=recursive(),
            T=recursive(),
            W=Unknown(("n",), POWER),
            Argument=Unknown(("n",), formula(0)),
            Modulus=Unknown(("n",), RATIO.at(u=PLACE)),
        ),
    )
