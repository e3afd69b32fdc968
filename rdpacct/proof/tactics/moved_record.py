"""The value of a rank when one record moves: between the previous value and the next one."""

from collections.abc import Callable, Iterator

from rdpacct.proof.kernel import (
    Fact,
    at_most,
    combine,
    either,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.counting import HALF, counted, counted_at, counts, left_out
from rdpacct.proof.tactics.naming import symbols
from rdpacct.proof.tactics.neighbors import DATA, OTHER
from rdpacct.proof.tactics.ranks import at_rank
from rdpacct.proof.theorem import Statement, Step

m, n, t, u, v = symbols("m n t u v")
V = DATA.value
W = OTHER.value
BoundProof = Callable[[], Fact]


def interlaced(bound: BoundProof) -> Callable[[Statement], Iterator[Step]]:
    """The proof of one side of the interlacing."""

    def proof(part: Statement) -> Iterator[Step]:
        yield combine(part.claim, bound()), "by counting, and by the end of the range"

    return proof


def one_of_two(bound: BoundProof, which: str) -> Callable[[Statement], Iterator[Step]]:
    """The next value, or the previous one, bounds the new median."""

    def proof(part: Statement) -> Iterator[Step]:
        new = specialize(bound(), k=m)
        yield new, "the new median is between the previous and the next value"
        gap = real(f"{which} <= max(a, b)")
        most = specialize(gap, a=V(m) - V(m - 1), b=V(m + 1) - V(m))
        yield combine(part.claim, most, (new, 1)), "and that gap is one of the two"

    return proof


def middle(bound: BoundProof) -> Callable[[Statement], Iterator[Step]]:
    """Two ranks at once."""

    def proof(part: Statement) -> Iterator[Step]:
        first = specialize(bound(), k=m)
        second = specialize(bound(), k=m + 1)
        yield first, "the lower of the middle two"
        yield second, "the upper one"
        half = combine(part.claim, (first, HALF), (second, HALF))
        yield under(half, *part.given), "half the sum"

    return proof


def known(text: str) -> Fact:
    """What is given."""
    return real(text, text)


def not_below() -> Fact:
    """v <= t, if m <= z - I(u, t) + I(v, t) where z is at most m, and at most m - 1 if t < u.

    At a point t below v, z <= m + n I(v, t) and z <= m - 1 + n I(u, t) would leave m - 1 at most.
    """
    many, upper, lower = map(
        known, ("m <= z - w + y", "z <= m + n*y", "z <= m - 1 + n*w")
    )
    none = known("y == 0")
    first = combine("1 <= 0", many, upper, (known("w == 1"), -1), (none, 1 + n))
    second = combine("1 <= 0", many, lower, (known("w == 0"), n - 1), (none, 1))
    indicators = {"w": counts(u, t), "y": counts(v, t)}
    facts = list[Fact]()
    for fact, rule in ((first, counted), (second, left_out)):
        fact = combine(at_most(v, t), (fact, v - t), given=("t < v",))
        fact = specialize(fact, **indicators)
        facts.append(given_by(fact, rule(u), left_out(v)))
    low, high = facts
    given = [
        condition
        for fact in facts
        for condition in fact.domain
        if "z" in condition.symbols()
    ]
    inside = either(
        under(low, "u <= t", "t < v", *given), under(high, "t < u", "t < v", *given)
    )
    return either(under(known("v <= t"), "v <= t", *given), inside)


def raised(part: Statement) -> Iterator[Step]:
    """At a point below V(m + 1), fewer than m records of x' count."""
    point = W(m)
    moved = specialize(part.assuming["one record is moved"], t=point)
    goal = DATA.count(point) - counts(V(m), point) + counts(V(m + 1), point)
    many = combine(at_most(m, goal), specialize(OTHER.reached, k=m), moved)
    yield many, "m records of x' are at most W(m)"
    rule = specialize(not_below(), u=V(m), v=V(m + 1), z=DATA.count(point), t=point)
    next_few = specialize(DATA.so_few, k=m + 1, t=point)
    few = specialize(DATA.so_few, k=m, t=point)
    yield next_few, "below V(m + 1) there are at most m records of x"
    yield few, "below V(m) there are at most m - 1"
    yield under(given_by(rule, many, next_few, few), *part.given), "so W(m) is not"


def lowered(part: Statement) -> Iterator[Step]:
    """At V(m - 1), at least m records of x' count."""
    low = real("m <= z - w + 1", "m*w <= z", "w == 1")
    high = real("m <= z - w + 1", "m - 1 <= z", "w == 0")
    low = given_by(specialize(low, w=counts(u, t)), counted(u))
    high = given_by(specialize(high, w=counts(u, t)), left_out(u))
    given = [
        condition
        for condition in (*low.domain, *high.domain)
        if "z" in condition.symbols()
    ]
    rule = either(under(low, "u <= t", *given), under(high, "t < u", *given))
    point = V(m - 1)
    there = specialize(rule, u=V(m), z=DATA.count(point), t=point)
    same = specialize(DATA.so_many, k=m - 1, t=point)
    before = combine(
        at_most(m - 1, DATA.count(point)), same, (counted_at(point), -(m - 1))
    )
    yield before, "m - 1 records of x are at most V(m - 1), and m if V(m) is"
    there = given_by(there, before, specialize(DATA.so_many, k=m, t=point))
    moved = specialize(part.assuming["one record is moved"], t=point)
    many = combine(
        at_most(m, OTHER.count(point)), there, moved, (counted_at(point), -1)
    )
    yield many, "the record that is moved there makes m of them"
    yield (
        under(at_rank(OTHER, m, point, many), *part.given),
        "so the value of rank m is",
    )
