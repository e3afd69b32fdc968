"""Steps that proofs about smooth sensitivity share: noise beyond a quantile, and coordinates."""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
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
    below,
    cases,
    combine,
    dominated,
    equal,
    event,
    expect,
    given_by,
    induct,
    integrable,
    linear,
    marginal,
    real,
    relations,
    specialize,
    tilt,
)
from rdpacct.proof.kernel.laws import Event, Tilted
from rdpacct.proof.kernel.terms import Expectation, atoms_of
from rdpacct.proof.theorem import Statement, Step

N = Symbol("N")
T = Symbol("T")
A = Symbol("A")
NOISE = Law("P", ("N", "T"), relations("0 <= T", "T <= 1"))
"""Noise: N is what its density ratio to the moved noise depends on, T is a set that it may lie in,
    or a test.
"""


def far(law: Law, rho: Real) -> Event:
    """The noise with the indicator A of N > rho."""
    return event(law, "A", below(rho, N))


def _weighted(law: Tilted, mass: Fact) -> Fact:
    """The density ratio times the test has a finite mean."""
    positive = real(at_most(0, law.ratio))
    upper = given_by(
        specialize(real("g*T <= g", "0 <= g", "0 <= T", "T <= 1"), g=law.ratio),
        positive,
    )
    lower = given_by(
        specialize(real("0 <= g*T", "0 <= g", "0 <= T"), g=law.ratio), positive
    )
    return dominated(
        upper, law.base, integrable(mass, E(law.base, law.ratio)), lower=lower
    )


def near(law: Law, slope: Fact, room: Fact, limit: Real) -> Fact:
    """T <= exp(q (rho - N) + h) T + A, where A is the event of N > rho, from 0 <= q and 0 <= h."""
    q = Symbol("q")
    h = Symbol("h")
    rho = Symbol("rho")
    split = far(law, rho)
    y = q * (rho - N) + h
    inside = cases(split, "0 <= (1 - A)*(rho - N)")
    low = cases(split, at_most(0, A))
    high = cases(split, at_most(A, 1))
    tangent = specialize(real("1 + y <= exp(y)"), y=y)
    positive = specialize(real("0 <= exp(y)"), y=y)
    terms = (
        (tangent, 1 - A),
        (inside, q),
        (real("0 <= h", "0 <= h"), 1 - A),
        (positive, A),
        (low, 0),
        (high, 0),
    )
    close = combine(at_most(1 - A, exp(y)), *terms, given=("0 <= q",))
    bound = combine(
        at_most(T, exp(y) * T + A),
        (close, T),
        cases(split, at_most(T, T * (1 - A) + A)),
    )
    proved = [fact for fact in (slope, room) if fact.relation not in fact.domain]
    return given_by(
        specialize(bound, q=slope.relation.right, h=room.relation.right, rho=limit),
        *proved,
    )


def everywhere(slope: Fact, room: Fact, extra: Fact) -> Fact:
    """T <= exp(q N + h - g) T + g where N and T are not negative and T <= 1, from 0 <= q, 0 <= h
    and 0 <= g.
    """
    q = Symbol("q")
    h = Symbol("h")
    g = Symbol("g")
    y = q * N + h - g
    test = real("0 <= T", "0 <= T")
    rest = real("0 <= 1 - T", "T <= 1")
    tangent = specialize(real("1 + y <= exp(y)"), y=y)
    signs = [real(f"0 <= {name}", f"0 <= {name}") for name in "qhg"]
    first: list[tuple[Fact, Real]] = [(tangent, T), (test, 0), (rest, 0)]
    terms = first + list(zip(signs, (T * N, T, 1 - T), strict=True))
    bound = combine(at_most(T, exp(y) * T + g), *terms, given=("0 <= N",))
    facts = slope, room, extra
    return given_by(
        specialize(
            bound,
            **dict(zip("qhg", (fact.relation.right for fact in facts), strict=True)),
        ),
        *facts,
    )


def but_for(
    claim: Comparison,
    law: Tilted,
    factor: Expr,
    pointwise: Fact,
    mass: Fact,
    tail: Fact,
) -> Fact:
    """E[T] <= factor E'[T] + delta from T <= factor ratio T + A pointwise and E[A] <= delta."""
    base = law.base
    body = law.ratio * T
    (split,) = [
        atom.law for atom in atoms_of(tail.relation) if isinstance(atom, Expectation)
    ]
    point = combine(at_most(T, factor * body + A), pointwise)
    test = dominated(real("abs(T) <= 1", "0 <= T", "T <= 1"), split)
    weighted = _weighted(law, mass)
    over = marginal(split, base, body, weighted)
    finite = integrable(over, E(split, body)), integrable(tail, E(split, A))
    right = linear(split, factor * body + A, {body: factor, A: 1}, *finite)
    mean = expect(point, split, test, integrable(right, right.relation.left))
    same = marginal(split, base, T, test)
    change = tilt(law, T, mass, weighted)
    return combine(
        claim,
        (same, -1),
        (mean, 1),
        (right, 1),
        (over, factor),
        (change, -factor),
        (tail, 1),
    )


def always(
    claim: Comparison,
    law: Tilted,
    factor: Expr,
    pointwise: Fact,
    extra: Real,
    mass: Fact,
    *uses: Fact,
) -> Fact:
    """The same from T <= exp(..) T + extra everywhere; what is used bounds the extra."""
    base = law.base
    body = law.ratio * T
    point = combine(at_most(T, factor * body + extra), pointwise)
    test = dominated(real("abs(T) <= 1", "0 <= T", "T <= 1"), base)
    weighted = _weighted(law, mass)
    right = linear(
        base, factor * body + extra, {body: factor}, weighted, constant=extra
    )
    mean = expect(point, base, test, integrable(right, right.relation.left))
    change = tilt(law, T, mass, weighted)
    return combine(
        claim, (mean, 1), (right, 1), (change, -factor), *((fact, 1) for fact in uses)
    )


def chernoff(
    law: Law, rho: Real, rate: Real, moment: Fact, *given: str | Condition
) -> Fact:
    """P(N > rho) <= exp(-rate rho) E exp(rate N), for a rate that is not negative."""
    split = far(law, rho)
    body = exp(formula(rate) * N)
    bound = exp(-formula(rate) * rho)
    generic = cases(
        far(law, Symbol("rho")),
        at_most(A, exp(formula(rate) * (N - Symbol("rho")))),
        *given,
    )
    point = combine(at_most(A, bound * body), specialize(generic, rho=rho))
    over = marginal(split, law, body, integrable(moment, E(law, body)))
    right = linear(split, bound * body, {body: bound}, integrable(over, E(split, body)))
    finite = dominated(
        point,
        split,
        integrable(right, right.relation.left),
        lower=cases(split, at_most(0, A)),
    )
    mean = expect(point, split, finite, integrable(right, right.relation.left))
    return combine(
        at_most(E(split, A), bound * E(law, body)), (mean, 1), (right, 1), (over, bound)
    )


def known(text: str | Comparison, part: Statement, *where: str) -> Fact:
    """One of the relations that a part is given, defined where others hold."""
    if text not in part.given:
        raise Refused(f"the proof needs {text}, which is not given.")
    return real(text, text, *where)


def coordinates() -> Statement:
    """Density ratios of independent coordinates multiply: R(k) is that of the first k, r(k) that of
    the next one, and the steps of C bound its logarithm.
    """
    k = Symbol("k")
    ratio, later, none = (_first("R", count) for count in (k, k + 1, 0))
    next_one = _first("r", k)
    step = _first("C", k + 1) - _first("C", k)
    bound = exp(_first("C", k) - _first("C", 0))

    def proof(part: Statement) -> Iterator[Step]:
        empty, product, low, high = (
            part.assuming[name] for name in ("empty", "product", "positive", "next")
        )
        before = assume(at_most(0, ratio), Whole("k", 0))
        signs = specialize(real("0 <= x*y", "0 <= x", "0 <= y"), x=ratio, y=next_one)
        signs = given_by(signs, before, low)
        positive = induct(
            combine(at_most(0, none), (empty, -1), rest=1),
            combine(at_most(0, later), signs, product),
            "k",
        )
        yield positive, "a product of ratios is not negative"
        so_far = assume(part.claim, Whole("k", 0))
        scaled = real("x*y <= x*z", "0 <= x", "y <= z")
        scaled = specialize(scaled, x=ratio, y=next_one, z=exp(step))
        scaled = given_by(scaled, positive, high)
        after = at_most(later, bound.at(k=k + 1))
        more = combine(after, product, scaled, (so_far, exp(step)))
        base = combine(at_most(none, bound.at(k=0)), empty)
        yield induct(base, more, "k"), "one coordinate after the other"

    whole = Whole("k", 0)
    return Statement(
        "product",
        "the ratio R(k) of the densities of k coordinates is the product of the"
        " ratios r, each at most exp of a step of C",
        claim=at_most(ratio, bound),
        given=(whole,),
        assuming={
            "empty": assume(equal(none, 1)),
            "product": assume(equal(later, ratio * next_one), whole, every="k"),
            "positive": assume(at_most(0, next_one), whole, every="k"),
            "next": assume(at_most(next_one, exp(step)), whole, every="k"),
        },
        proof=proof,
    )


def _first(name: str, count: Real) -> Expr:
    return Quantity(name, (formula(count),))
