"""Sums of terms whose exponents fall at least in proportion to their number: at most a geometric
series.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp
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
from rdpacct.proof.theorem import Statement, Step

k = Symbol("k")


def total(name: str) -> Expr:
    """The sum of the moduli of k terms beyond the last."""
    return Quantity(name, (k,))


def defined_sums(name: str, term: Expr) -> dict[str, Fact]:
    """What the sum is: 0 without terms, and with one more term that term more."""
    return {
        "none": assume(equal(total(name).at(k=0), 0)),
        "one more": assume(
            equal(total(name).at(k=k + 1), total(name) + term), Whole("k", 0), every="k"
        ),
    }


Terms = tuple[Expr, Expr, Expr, tuple[Fact, Expr]]
"""A factor of all terms, the exponent of the k-th, the slope of the bound on it, and the square
that is left over, with its factor.
"""


def one_term_more() -> Fact:
    """S + c w <= B (1 - g r), if S <= B (1 - g), w <= f g and B (1 - r) = c f."""
    known = ("S <= B*(1 - g)", "w <= f*g", "B*(1 - r) == c*f", "0 <= c", "0 <= g")
    sums, term, bound = (real(text, *known) for text in known[:3])
    c_, g_ = Symbol("c"), Symbol("g")
    return combine("S + c*w <= B*(1 - g*r)", sums, (term, c_), (bound, -g_))


def geometric(part: Statement, terms: Terms) -> Iterator[Step]:
    """Each term is at most the first times a power of the ratio."""
    scale, exponent, slope, square = terms
    given = tuple(
        str(condition) for condition in part.given if not isinstance(condition, Whole)
    )
    sum_ = part.claim.left
    bound = part.claim.right
    power = exp(k * slope)
    less = combine(at_most(exponent, exponent.at(k=0) + k * slope), square, given=given)
    yield less, "the exponents fall at least geometrically"
    rises = real("exp(x) <= exp(y)", "x <= y", *given)
    grown = given_by(
        specialize(rises, x=less.relation.left, y=less.relation.right), less
    )
    first = exp(exponent.at(k=0))
    grown = combine(at_most(exp(exponent), first * power), grown, given=given)
    whole_ = real(equal(bound * (1 - exp(slope)), scale * first), *given)
    yield whole_, "the sum of all"
    before = assume(at_most(sum_, bound * (1 - power)), *given, Whole("k", 0))
    put = specialize(
        under(one_term_more(), *one_term_more().domain, *given),
        S=sum_,
        B=bound,
        g=power,
        w=exp(exponent),
        f=first,
        r=exp(slope),
        c=scale,
    )
    signs = (
        real(at_most(0, scale), *given),
        specialize(real("0 <= exp(x)", *given), x=k * slope),
    )
    step = given_by(put, before, grown, whole_, *signs)
    after = at_most(sum_.at(k=k + 1), bound * (1 - exp((k + 1) * slope)))
    step = combine(after, step, part.assuming["one more"], given=given)
    yield step, "one more term"
    start = at_most(sum_.at(k=0), bound * (1 - exp(0 * slope)))
    sums = induct(combine(start, part.assuming["none"], given=given), step, "k")
    yield sums, "a geometric sum"
    positive = real(at_most(0, bound), *given)
    rest = given_by(
        specialize(real("0 <= x*exp(y)", "0 <= x", *given), x=bound, y=k * slope),
        positive,
    )
    yield combine(part.claim, sums, rest, given=given), "is less than the whole"
