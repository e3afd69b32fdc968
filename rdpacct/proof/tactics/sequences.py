"""Releases one after the other: what each of them adds to a mean or multiplies it by, and then all
of them.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    Refused,
    Whole,
    assume,
    at_most,
    chain,
    combine,
    disintegrate,
    dominated,
    equal,
    expect,
    induct,
    integrable,
    linear,
    one_more,
    real,
    relations_of,
    tower,
    under,
)
from rdpacct.proof.kernel.laws import Chain
from rdpacct.proof.kernel.terms import Expectation, replace

Step = tuple[Fact, str]
S = Symbol("S")
L = Symbol("L")
k = Symbol("k")


def losses(name: str = "R", new: tuple[str, ...] | Law = ("L",)) -> Chain:
    """The loss S of the first k releases, and that of the next one, L, which is added to it."""
    return chain(name, {"S": (0, S + L)}, new, k)


def taken_in(law: Chain, body: Expr) -> Expr:
    """A formula of the past, at the next one."""
    return body.at(**dict(zip(law.past, law.update, strict=True)))


def multiplied(
    law: Chain,
    body: Expr,
    factor: Expr,
    before: Fact,
    release: Fact,
    *given: str | Condition,
) -> Fact:
    """E[body] of the next past, if what is new multiplies it by a factor >= 0.

    ``before`` bounds E[body], or says what it is; ``release`` does so with E[factor given the
    past].
    """
    whole = body * factor
    limit = release.relation.right
    exact = before.relation.sign == release.relation.sign == "=="
    related = equal if exact else at_most
    pulled = linear(
        law,
        whole,
        {factor: body},
        integrable(release, E(law, factor, law.past)),
        given=law.past,
    )
    inner = combine(
        related(E(law, whole, law.past), body * limit), pulled, (release, body)
    )
    scaled = linear(law, body * limit, {body: limit}, integrable(before, E(law, body)))
    bound = integrable(scaled, E(law, body * limit))
    positive = real(at_most(0, whole), *law.support)
    least = expect(
        positive, law, integrable(pulled, E(law, whole, law.past)), given=law.past
    )
    upper = combine(at_most(E(law, whole, law.past), body * limit), inner)
    finite = dominated(upper, law, bound, lower=least)
    outer = expect(inner, law, finite, bound)
    flat = tower(law, whole, law.past, finite, positive)
    value = before.relation.right * limit
    joined = combine(
        related(E(law, whole), value), flat, outer, scaled, (before, limit), given=given
    )
    return _of_the_next(law, body, joined)


def added(
    law: Chain, body: Expr, more: Expr, before: Fact, release: Fact, finite: Fact
) -> Fact:
    """E[body] of the next past, if what is new adds something to it.

    ``release`` bounds E[more given the past], or says what it is; ``finite`` says that E[more] is
    finite.
    """
    exact = before.relation.sign == release.relation.sign == "=="
    related = equal if exact else at_most
    flat = tower(law, more, law.past, finite)
    outer = expect(release, law, integrable(flat, E(law, release.relation.left)))
    total = linear(
        law, body + more, {body: 1, more: 1}, integrable(before, E(law, body)), finite
    )
    value = before.relation.right + release.relation.right
    joined = combine(related(E(law, body + more), value), total, flat, outer, before)
    return _of_the_next(law, body, joined)


def _of_the_next(law: Chain, body: Expr, here: Fact) -> Fact:
    """A relation about E[f] here, as one about E[body] of the next past, which f is."""
    one = here.relation
    inside = one.left
    moved = taken_in(law, body)
    if not isinstance(inside, Expectation):
        raise Refused(f"{inside} is no mean.")
    shape = real(equal(inside.body, moved), *law.support)
    same = expect(shape, law, integrable(here, inside))
    grown = one_more(law, body, integrable(same, E(law, moved)))
    claim = Comparison(E(law.next, body), one.sign, one.right)
    return combine(claim, grown, same, here)


def renewed(law: Chain, value: Fact) -> Fact:
    """What is said of a mean of what is new, of that mean given the past, which it is independent
    of.
    """
    one = value.relation
    if not isinstance(one.left, Expectation):
        raise Refused(f"{one.left} is no mean.")
    body = one.left.body
    same = disintegrate(law, body, law.past, integrable(value, one.left))
    return combine(Comparison(E(law, body, law.past), one.sign, one.right), same, value)


def later(claim: Comparison, name: str) -> Comparison:
    """A claim about each number, at the next one."""
    return replace(claim, {name: Symbol(name) + 1})


def for_all(base: Fact, step: Fact, name: str, *given: str | Condition) -> Fact:
    """A relation at each number of a sequence, from the one at 0 and from a step to the next."""
    return induct(base, under(step, Whole(name, 0), *given), name)


def one_by_one(
    claim: Comparison,
    law: Chain,
    factor: Expr,
    release: Fact,
    base: Fact,
    *given: str | Condition,
    name: str = "k",
) -> Iterator[Step]:
    """A claim E[body] <= bound, or ==, about a mean that each release multiplies by a factor >= 0,
    for all numbers of them.
    """
    mean = claim.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is no mean.")
    before = assume(claim, Whole(name, 0), *given)
    step = multiplied(law, mean.body, factor, before, release)
    step = combine(later(claim, name), step, given=relations_of(*given))
    yield step, "one more release"
    yield for_all(base, step, name, *given), "by induction"
