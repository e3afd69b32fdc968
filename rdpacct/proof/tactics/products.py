"""Pairs of laws one after the other, by their densities: adaptive releases against the product of
the pairs that dominate them.

Everything is said at weights u and v >= 0: the stick of a pair with densities p, q is E max(u p - v
q, 0).
"""

from collections.abc import Iterator, Mapping

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import maximum
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Whole,
    assume,
    at_most,
    at_start,
    chain,
    combine,
    disintegrate,
    dominated,
    equal,
    exists,
    expect,
    given_by,
    independent,
    independent_of,
    induct,
    integrable,
    linear,
    marginal,
    one_more,
    real,
    relations,
    specialize,
    tower,
    under,
)
from rdpacct.proof.kernel.laws import Chain
from rdpacct.proof.tactics.sequences import at_first, later
from rdpacct.proof.theorem import Step

k, u, v = map(Symbol, "kuv")
a, b = map(Symbol, "ab")
WEIGHTS = ("0 <= u", "0 <= v")


def stick(left: Expr, right: Expr) -> Expr:
    """What a pair with these densities has at the weights u and v."""
    return maximum(u * left - v * right, 0)


def releases(name: str, *names: str) -> Chain:
    """The densities of the outputs of the first k releases, and those of the next output given
    them, which multiply them.
    """
    left, right, more, other = map(Symbol, names)
    signs = relations(*(f"0 <= {each}" for each in names))
    steps = {names[0]: (1, left * more), names[1]: (1, right * other)}
    return chain(name, steps, names[2:], k, signs)


A = releases("A", "p", "q", "x", "y")
B = releases("B", "r", "s", "z", "w")
R = Law("R", ("a", "b"), relations("0 <= a", "0 <= b", "0 <= k**2"))
"""The pair of number k, by its densities: a family of laws, one for each k, of which the support
says nothing else.
"""
APART = independent_of(A, B)
J = independent_of(APART, R)
"""Two sequences of releases, and a draw of the pair of number k, independent of each other."""


def of_past(law: Chain) -> Expr:
    """The stick of the releases so far."""
    left, right = map(Symbol, law.past)
    return stick(left, right)


def of_next(law: Chain) -> Expr:
    """The stick of the releases so far and the next one."""
    left, right = map(Symbol, law.past)
    more, other = map(Symbol, law.new)
    return stick(left * more, right * other)


def with_pair(law: Chain) -> Expr:
    """The stick of the releases so far and of the pair in the place of the next one."""
    return of_past(law).at(u=u * a, v=v * b)


def next_of(law: Chain, sign: str) -> Fact:
    """Whatever the past, the next release has at most the sticks of the pair; or has them."""
    sides = (E(J, of_next(law), law.past), E(J, with_pair(law), law.past))
    return assume(
        Comparison(sides[0], sign, sides[1]),
        Whole("k", 0),
        *WEIGHTS,
        every=("k", "u", "v"),
    )


MASS = assume(equal(E(R, a), 1), Whole("k", 0), every="k")
DOMINATED = at_most(E(A, of_past(A)), E(B, of_past(B)))
HYPOTHESES = {
    "pairs": MASS,
    "adaptive": next_of(A, "<="),
    "product": next_of(B, "=="),
}


def products(claim: Comparison, known: Mapping[str, Fact]) -> Iterator[Step]:
    """By induction: the next release is replaced by its pair, then, given the draw of the pair,
    those before it by their product.
    """
    given = (Whole("k", 0), *WEIGHTS)
    base = _at_first(claim)
    yield base, "without a release both sides are max(u - v, 0)"
    before = assume(claim, *given, every=("u", "v"))
    finite = {law: with_pair_is_finite(law, before, known["pairs"]) for law in (A, B)}
    swapped = swap(before, finite)
    yield swapped, "given the draw of the pair, the releases before it"
    here = next_release(A, known["adaptive"], finite[A])
    yield here, "the next release against its pair, whatever the past"
    there = next_release(B, known["product"], finite[B])
    step = combine(later(claim, "k"), here, swapped, (there, -1))
    step = given_by(step, exists(R, point={"a": 1, "b": 1}))
    yield step, "together"
    yield induct(base, under(step, *given), "k"), "release after release"


def _at_first(claim: Comparison) -> Fact:
    """Without a release all densities are 1."""
    none = [at_start(law.sequence, of_past(law), *WEIGHTS) for law in (A, B)]
    return combine(at_first(claim, "k"), none[0], (none[1], -1))


def with_pair_is_finite(law: Chain, before: Fact, mass: Fact) -> Fact:
    """The stick of the releases so far with the pair is finite: it is at most u p a."""
    left, right = map(Symbol, law.past)
    plain = specialize(before, u=1, v=0)
    shape = real(equal(left, maximum(left - 0 * right, 0)), *law.support)
    first = expect(shape, law, integrable(plain, E(law, maximum(left - 0 * right, 0))))
    alone = marginal(APART, law, left, integrable(first, E(law, left)))
    both = independent(
        J,
        left,
        a,
        integrable(alone, E(APART, left)),
        integrable(mass, E(R, a)),
    )
    scaled = linear(J, u * a * left, {left * a: u}, integrable(both, E(J, left * a)))
    upper = specialize(
        real("max(c - d, 0) <= c", "c >= 0", "d >= 0"), c=u * a * left, d=v * b * right
    )
    upper = under(upper, *J.support, *WEIGHTS)
    least = specialize(real("0 <= max(c, 0)"), c=u * a * left - v * b * right)
    return dominated(upper, J, integrable(scaled, E(J, u * a * left)), lower=least)


def swap(before: Fact, finite: dict[Chain, Fact]) -> Fact:
    """The pair of number k with the adaptive releases, against it with the product: given the draw
    of the pair, its densities are weights of those before it.
    """
    at_draw = specialize(before, u=u * a, v=v * b)
    at_draw = under(at_draw, Whole("k", 0), *WEIGHTS, *R.support)
    means = [_given_draw(law, at_draw) for law in (A, B)]
    bodies = [with_pair(law) for law in (A, B)]
    inner = combine(
        at_most(*(E(J, body, R.variables) for body in bodies)),
        means[0],
        at_draw,
        (means[1], -1),
    )
    towers = [tower(J, with_pair(law), R.variables, finite[law]) for law in (A, B)]
    over = expect(inner, J, *(integrable(fact, fact.relation.left) for fact in towers))
    return combine(at_most(*(E(J, body) for body in bodies)), over, *towers)


def _given_draw(law: Chain, at_draw: Fact) -> Fact:
    """E[f given the draw] is the mean of f over the releases alone."""
    body = with_pair(law)
    alone = marginal(APART, law, body, integrable(at_draw, E(law, body)))
    split = disintegrate(J, body, R.variables, integrable(alone, E(APART, body)))
    return combine(equal(E(J, body, R.variables), E(law, body)), split, alone)


def next_release(law: Chain, release: Fact, bound: Fact) -> Fact:
    """The stick of one more release, against that of the pair in its place."""
    relation = release.relation
    body = of_next(law)
    limit = with_pair(law)
    positive = specialize(real("0 <= max(c, 0)"), c=body.parts()[0])
    joined = tower(J, limit, law.past, bound)
    outer = integrable(joined, E(J, relation.right))
    least = expect(positive, J, integrable(release, relation.left), given=law.past)
    inside = dominated(release, J, outer, lower=least)
    over = expect(release, J, inside, outer)
    flat = tower(J, body, law.past, inside, positive)
    alone = marginal(J, law, body, integrable(flat, E(J, body)))
    moved = of_past(law).at(**dict(zip(law.past, law.update, strict=True)))
    shape = real(equal(body, moved), *law.support, *WEIGHTS)
    same = expect(shape, law, integrable(alone, E(law, body)))
    grown = one_more(law, of_past(law), integrable(same, E(law, moved)))
    claim = Comparison(E(law.next, of_past(law)), relation.sign, E(J, limit))
    return combine(claim, grown, (same, -1), (alone, -1), flat, over, joined)
