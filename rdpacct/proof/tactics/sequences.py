"""Releases one after the other: what each of them adds to a mean or multiplies it by, and then all
of them.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    at_start,
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
from rdpacct.proof.theorem import Step

S = Symbol("S")
L = Symbol("L")
k = Symbol("k")


def losses(name: str = "R", new: tuple[str, ...] | Law = ("L",)) -> Chain:
    """The loss S of the first k releases, and that of the next one, L, which is added to it."""
    return chain(name, {"S": (0, S + L)}, new, k)


def sums(*names: str) -> list[tuple[Expr, Expr]]:
    """For each name, what release k adds, and the sum of what the first k added."""
    pairs = list[tuple[Expr, Expr]]()
    for name in names:
        here, later, first = (Quantity(name, (formula(n),)) for n in (k, k + 1, 0))
        pairs.append((later - here, here - first))
    return pairs


def taken_in(law: Chain, body: Expr) -> Expr:
    """A formula of the past, at the next one."""
    return body.at(**dict(zip(law.past, law.update, strict=True)))


def multiplied(
    law: Chain,
    body: Expr,
    factor: Expr,
    before: Fact,
    release: Fact,
    *given: str | Comparison,
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
    positive = real(at_most(0, whole), *law.support, *given)
    outer = over_the_past(law, inner, bound, positive)
    value = before.relation.right * limit
    joined = combine(
        related(E(law, whole), value), outer, scaled, (before, limit), given=given
    )
    return _of_the_next(law, body, joined, *given)


def over_the_past(law: Chain, inner: Fact, bound: Fact, positive: Fact) -> Fact:
    """E[x] <= E[y], or ==, from E[x given the past] <= y, where x >= 0 and E[y] is finite."""
    relation = inner.relation
    mean = relation.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is not a mean.")
    least = expect(positive, law, integrable(inner, mean), given=law.past)
    finite = dominated(inner, law, bound, lower=least)
    outer = expect(inner, law, finite, bound)
    flat = tower(law, mean.body, law.past, finite, positive)
    claim = Comparison(E(law, mean.body), relation.sign, outer.relation.right)
    return combine(claim, flat, outer)


def averaged(law: Chain, release: Fact, finite: Fact) -> Fact:
    """What is said of E[x given the past], of E[x], which ``finite`` says is finite."""
    relation = release.relation
    flat = tower(law, finite.integrable.body, law.past, finite)
    outer = expect(release, law, integrable(flat, E(law, relation.left)))
    mean = E(law, finite.integrable.body)
    return combine(Comparison(mean, relation.sign, relation.right), flat, outer)


def added(law: Chain, body: Expr, more: Expr, before: Fact, release: Fact) -> Fact:
    """E[body] of the next past, if what is new adds something to it.

    ``before`` bounds E[body], or says what it is; ``release`` does so with what is added.
    """
    exact = before.relation.sign == release.relation.sign == "=="
    related = equal if exact else at_most
    total = linear(
        law,
        body + more,
        {body: 1, more: 1},
        integrable(before, E(law, body)),
        integrable(release, E(law, more)),
    )
    value = before.relation.right + release.relation.right
    joined = combine(related(E(law, body + more), value), total, before, release)
    return _of_the_next(law, body, joined)


def _of_the_next(law: Chain, body: Expr, here: Fact, *given: str | Comparison) -> Fact:
    """A relation about E[f] here, as one about E[body] of the next past, which f is."""
    relation = here.relation
    inside = relation.left
    moved = taken_in(law, body)
    if not isinstance(inside, Expectation):
        raise Refused(f"{inside} is not a mean.")
    shape = real(equal(inside.body, moved), *law.support, *given)
    same = expect(shape, law, integrable(here, inside))
    grown = one_more(law, body, integrable(same, E(law, moved)))
    claim = Comparison(E(law.next, body), relation.sign, relation.right)
    return combine(claim, grown, same, here)


def sum_by_sum(
    claim: Comparison,
    law: Chain,
    more: Expr,
    release: Fact,
    *given: str | Condition,
    name: str = "k",
) -> Iterator[Step]:
    """A claim E[body] <= bound, or ==, about a mean that each release adds to, for all numbers of
    them.
    """
    mean = claim.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is not a mean.")
    base = _at_first(claim, law, name, *given)
    yield base, "at first"
    before = assume(claim, Whole(name, 0), *given)
    step = added(law, mean.body, more, before, release)
    step = combine(later(claim, name), step, given=relations_of(*given))
    yield step, "one more release"
    yield for_all(base, step, name, *given), "by induction"


def _at_first(
    claim: Comparison,
    law: Chain,
    name: str,
    *given: str | Condition,
    uses: tuple[Fact, ...] = (),
) -> Fact:
    """The claim at the start of the sequence."""
    first = replace(claim, {name: 0})
    if not isinstance(first.left, Expectation):
        raise Refused(f"{first.left} is not a mean.")
    known = relations_of(*given)
    none = at_start(law.sequence, first.left.body, *known)
    return combine(first, none, *uses, given=known)


def carried(
    claim: Comparison,
    law: Chain,
    line: Fact,
    positive: Fact,
    *given: str | Condition,
    name: str = "k",
) -> Iterator[Step]:
    """A claim E[body] <= bound about a mean that no release raises, for all numbers of them.

    ``line`` says pointwise that the next body, with what is new taken in, is at most the body;
    ``positive`` that it is not negative.
    """
    after = later(claim, name)
    mean = claim.left
    grown = after.left
    if not isinstance(mean, Expectation) or not isinstance(grown, Expectation):
        raise Refused(f"{mean} is not a mean.")
    known = relations_of(*given)
    base = _at_first(claim, law, name, *given)
    yield base, "at first"
    before = assume(claim, Whole(name, 0), *given)
    finite = integrable(before, mean)
    inside = dominated(line, law, finite, lower=positive)
    over = expect(line, law, inside, finite)
    taken = one_more(law, grown.body, integrable(over, over.relation.left))
    step = combine(after, taken, over, before, given=known)
    yield step, "one more release does not raise it"
    yield for_all(base, step, name, *given), "by induction"


def renewed(law: Chain, value: Fact) -> Fact:
    """What is said of a mean of what is new, of that mean given the past, which it is independent
    of.
    """
    relation = value.relation
    if not isinstance(relation.left, Expectation):
        raise Refused(f"{relation.left} is not a mean.")
    body = relation.left.body
    same = disintegrate(law, body, law.past, integrable(value, relation.left))
    return combine(
        Comparison(E(law, body, law.past), relation.sign, relation.right), same, value
    )


def later(claim: Comparison, name: str) -> Comparison:
    """A claim about each number, at the next one."""
    return replace(claim, {name: Symbol(name) + 1})


def at_first(claim: Comparison, name: str) -> Comparison:
    """A claim about each number, at 0."""
    return replace(claim, {name: 0})


def for_all(base: Fact, step: Fact, name: str, *given: str | Condition) -> Fact:
    """A relation at each number of a sequence, from the one at 0 and from a step to the next."""
    return induct(base, under(step, Whole(name, 0), *given), name)


def one_by_one(
    claim: Comparison,
    law: Chain,
    factor: Expr,
    release: Fact,
    *given: str | Condition,
    name: str = "k",
    start: tuple[Fact, ...] = (),
    uses: tuple[Fact, ...] = (),
) -> Iterator[Step]:
    """A claim E[body] <= bound, or ==, about a mean that each release multiplies by a factor >= 0,
    for all numbers of them.

    ``start`` and ``uses`` say what the bound is at 0, and what one more makes of it.
    """
    mean = claim.left
    if not isinstance(mean, Expectation):
        raise Refused(f"{mean} is not a mean.")
    known = relations_of(*given)
    base = _at_first(claim, law, name, *given, uses=start)
    yield base, "at first"
    before = assume(claim, Whole(name, 0), *given)
    step = multiplied(law, mean.body, factor, before, release, *known)
    step = combine(later(claim, name), step, *uses, given=known)
    yield step, "one more release"
    yield for_all(base, step, name, *given), "by induction"
