"""Benches for chains: one of everything, and small ones near the holes that the kernel once had."""

from collections.abc import Callable
from fractions import Fraction

from rdpacct.exact.formula import Apply, Expr, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    Refused,
    Stretch,
    Table,
    Whole,
    assume,
    at_most,
    cases,
    combine,
    dominated,
    draw,
    equal,
    event,
    exists,
    expect,
    given_by,
    independent_of,
    instance,
    integrable,
    integrate,
    linear,
    real,
    relations,
    specialize,
    table,
    tilted,
    under,
)
from rdpacct.proof.tactics.whole import next_whole
from tests.proof.kernel_chainer import Bench

a, b, p, q, t, u, x, y, z, Z, A = (
    Symbol(name) for name in ("a", "b", "p", "q", "t", "u", "x", "y", "z", "Z", "A")
)
HALF = Fraction(1, 2)


def point_mass(value: object, variable: str = "y", name: str = "T") -> Table:
    """All mass at one point."""
    return Table(name, (variable,), (), (((formula(value),), formula(1)),))  # type: ignore[arg-type]


def everything() -> Bench:
    """Laws of all finite kinds, with facts to begin with."""
    pair = Law("P", ("x", "y"), relations("0 <= x", "x <= 1", "0 <= y", "y <= 1"))
    free = Law("Q", ("z",), relations("-1 <= z", "z <= 1"))
    family = Law("F", ("u",), relations("a <= u", "u <= b"))
    coin = Table("C", ("v",), (), (((formula(1),), p), ((formula(0),), 1 - p)))
    v = Symbol("v")
    fair = coin.at(p=HALF)
    drawn_ = draw(pair, "Z", {formula(1): x, formula(0): 1 - x})
    above = event(pair, "A", "1/2 <= x")
    beside = independent_of(pair, free)
    tilt_ = tilted("S", fair, 2 * v)
    laws = [pair, free, family, coin, fair, drawn_, above, beside, tilt_]
    laws += [point_mass(a), point_mass(1, name="T1"), point_mass(0, "z", "T0")]
    finite_x = dominated(real("abs(x) <= 1", *pair.support), pair)
    finite_z = dominated(real("abs(z) <= 1", *free.support), free)
    facts = [
        finite_x,
        dominated(real("abs(y) <= 1", *pair.support), pair),
        dominated(real("abs(x*y) <= 1", *pair.support), pair),
        dominated(real("abs(y) <= 1", *pair.support), pair, given="x"),
        finite_z,
        expect(real("x <= 1", "x <= 1"), pair, finite_x),
        expect(real("-1 <= z", "-1 <= z"), free, finite_z),
        real("a <= u", "a <= u"),
        real("u <= b", "u <= b"),
        assume(at_most(E(free, z), a)),
        assume(at_most(E(free, t * z), t), every="t"),
        assume(at_most(E(pair, y, "x"), a)),
        table(coin, v, "0 <= p", "p <= 1"),
        table(fair, 2 * v),
        table(fair, v),
        exists(fair),
        real("q <= q + t", "0 < t"),
    ]
    return Bench(
        laws=laws,
        facts=facts,
        conditions=["0 <= a", "a <= b", "0 <= p", "p <= 1", "x <= 0", "0 <= t"],
        values=[0, 1, -1, a, b, x, t, HALF, E(free, z), E(pair, x)],
        bodies=[x, y, z, v, u, Z, A, x * y, v**2, E(free, z), x * E(free, z)],
        claims=["0 <= x", "x <= 1", "a <= b", "A <= 1", "0 <= Z", "v <= 1", "A <= 2*x"],
    )


def _bench(laws: list[Law], facts: list[Fact], rules: str, **more: object) -> Bench:
    return Bench(laws=laws, facts=facts, rules=tuple(rules.split()), **more)  # type: ignore[arg-type]


def an_interval() -> Bench:
    """A law on [a, b]: is a <= b?"""
    law = Law("F", ("u",), relations("a <= u", "u <= b"))
    facts = [real("a <= u", "a <= u"), real("u <= b", "u <= b")]
    claims = [at_most(a, b)]
    return _bench(
        [law], facts, "combine expect specialize under", claims=claims, values=[0, 1]
    )


def a_single_value() -> Bench:
    """A hypothesis about one number x, and a law with a variable x."""
    law = point_mass(2, "x", "P")
    mean = table(law, x)
    line = linear(law, x + 1, {x: 1}, _finite(mean, law), constant=1)
    facts = [mean, line, assume(at_most(x + 1, E(law, x)))]
    return _bench([law], facts, "integrable expect specialize discharge", values=[0, 1])


def _finite(fact: Fact, law: Law) -> Fact:
    return integrable(fact, E(law, Symbol(law.variables[0])))


def for_all_and_for_some() -> Bench:
    """t E x <= t for all t, and for t >= 0."""
    law = Law("Q", ("z",), relations("-1 <= z", "z <= 1"))
    finite = dominated(real("abs(z) <= 1", *law.support), law)
    upper = expect(real("z <= 1", "z <= 1"), law, finite)
    some = combine(at_most(t * E(law, z), t), (upper, t), given=("0 <= t",))
    every = assume(at_most(t * E(law, z), t), every="t")
    rules = "specialize discharge under"
    return _bench([law], [every, some], rules, values=[-1, 1], conditions=["0 <= t"])


def what_is_given() -> Bench:
    law = Law("Q", ("z",), relations("z <= 0", "-5 <= z"))
    finite = dominated(real("abs(z) <= 5", *law.support), law)
    mean = expect(real("z <= 0", "z <= 0"), law, finite)
    other = point_mass(1, "x")
    given = ["x <= 0", "-5 <= x"]
    return _bench(
        [law, other],
        [mean, exists(other)],
        "instance given_by",
        conditions=given,
        values=[0],
    )


def names_of_atoms() -> Bench:
    law = Law("P", ("x",), relations("0 <= x", "x <= 1"))
    finite = dominated(real("abs(x) <= 1", *law.support), law)
    mean = expect(real("x <= 1", "x <= 1"), law, finite)
    bench = _bench([law], [mean], "combine", conditions=["atom_1 <= 0"])
    bench.claims = [at_most(E(law, x), 0)]
    return bench


def rows_of_themselves() -> Bench:
    law = Table("T", ("x",), (), (((x + 1,), formula(1)),))
    bench = _bench([law], [table(law, x)], "specialize combine", values=[0, 1])
    bench.claims = [at_most(q + 1, q)]
    return bench


def two_starts() -> Bench:
    n = Symbol("n")
    before = assume(at_most(n * (5 - n), 0))
    after = real(at_most((n + 1) * (5 - (n + 1)), 0), "5 <= n")
    step = combine(after.relation, (after, 1), (before, 0))
    facts = [under(step, Whole("n", 0), Whole("n", 5)), real("0 <= 0")]
    return _bench([], facts, "induct specialize under", values=[1, 2])


def whole_numbers() -> Bench:
    """The next whole number, of numbers some of which are whole."""
    k, m = Symbol("k"), Symbol("m")
    wholes = Whole("k", 1), Whole("m", 0)
    facts = [
        specialize(next_whole(), j=k, k=m),
        specialize(next_whole(), j=m, k=k * m),
        under(real("1 <= k", "1 <= k"), Whole("k", 1)),
        real("k < m + 1", "k < m + 1"),
        under(real("k < m + q", "k < m + q"), "k < m + q", *wholes),
        under(assume(at_most(m, q), Whole("m", 0)), Whole("m", 0)),
    ]
    return _bench(
        [],
        facts,
        "specialize under given_by discharge",
        values=[0, 1, HALF, k + 1, m - 1, k + HALF, k + m, k * m, q, 2 * q],
        conditions=["k < m", "m < 1", *wholes, Whole("q", -1), Whole("k", -1)],
    )


def a_bound_parameter() -> Bench:
    """E x <= a for all a >= 1, so E x <= 1: at a law that sits at a."""
    law, other = Law("P", ("x",)), point_mass(a)
    every = assume(at_most(E(law, x), a), "1 <= a", every="a")
    proof = combine(at_most(E(other, y), a), table(other, y))
    facts = [under(specialize(every, a=1)), proof, exists(other)]
    return _bench([law, other], facts, "instance discharge given_by", values=[0])


def one_of_a_family() -> Bench:
    def law(value: object) -> Law:
        return Law("P", ("x",), relations(at_most(x, 1 + value**2)))  # type: ignore[operator]

    every = assume(at_most(E(law(b), x), 0), every="b")
    ones = Table("T", ("y",), relations("y <= 1"), (((formula(1),), formula(1)),))
    none = Table("T0", ("z",), relations("z <= 0"), (((formula(0),), formula(1)),))
    shown = combine(at_most(E(none, z), 0), table(none, z))
    one = specialize(every, b=a)
    first = _if_made(lambda: instance(one, law(a), ones, {"x": y}))
    facts = [*first, shown, exists(ones), exists(none)]
    laws = [law(b), none]
    return _bench(laws, facts, "instance discharge given_by", values=[0])


def a_mean_inside_of_another() -> Bench:
    law, outer = Law("P", ("x",)), Law("R", ("u",))
    same = linear(outer, E(law, x), {}, constant=E(law, x))
    other = point_mass(1)
    facts = [same, exists(other)]
    return _bench([law, other], facts, "instance given_by", values=[0])


def out_of_sight() -> Bench:
    base = point_mass(0, "x", "B")
    law = draw(base, "Z", {formula(1): formula(1)})
    facts = [cases(law, "1 <= Z"), assume("Z <= 0"), exists(law), exists(base)]
    claims = [at_most(q + 1, q)]
    return _bench([base], facts, "combine expect given_by", claims=claims)


def squares_of_no_number() -> Bench:
    """Points, rows and drawn values at the root of -1."""
    root = Apply("sqrt", (formula(-1),))
    law = Law("P", ("y",), relations("y**2 <= -1"))
    facts = [
        combine(at_most(q + 1, q), real("y**2 <= -1", "y**2 <= -1"), real("0 <= y**2")),
        real("0 <= y**2"),
    ]
    return _bench([law], facts, "exists expect given_by", values=[root])


def a_row_at_no_number() -> Bench:
    law = point_mass(Apply("sqrt", (formula(-1),)))
    facts = [*_if_made(lambda: table(law, y**2)), real("0 <= y**2")]
    bench = _bench([law], facts, "integrable expect combine")
    bench.claims = [at_most(q + 1, q)]
    return bench


def _if_made(make: Callable[[], Fact]) -> list[Fact]:
    """The fact, unless the kernel refuses it."""
    try:
        return [make()]
    except Refused:
        return []


def a_captured_atom() -> Bench:
    v = Symbol("atom_1")
    law, other = point_mass(1, "atom_1", "V"), point_mass(0, "x")
    gap = v - E(other, x)
    mean = linear(law, gap, {v: 1}, _finite(table(law, v), law), constant=-E(other, x))
    known = mean, table(law, v), table(other, x)
    facts = [exists(law), exists(other), combine(equal(E(law, gap), 1), *known)]
    bench = _bench([law], facts, "linear given_by combine", values=[0], bodies=[gap])
    bench.claims = [at_most(q + 1, q)]
    return bench


def there_for_some() -> Bench:
    """A law that is there for x >= 0 only, inside of a mean that binds x."""
    inner = Table("Q", ("u",), relations("0 <= u", "u <= x"), (((x,), formula(1)),))
    outer = Law("L", ("x",), relations("0 <= x", "x <= 1"))
    finite = dominated(real("abs(x) <= 1", *outer.support), outer)
    nested = expect(table(inner, u, "0 <= x"), outer, finite)
    order = combine("0 <= x", real("0 <= u", "0 <= u"), real("u <= x", "u <= x"))
    facts = [nested, order, exists(outer, point={"x": 0})]
    return _bench([inner], facts, "expect given_by specialize", values=[-1])


def side_by_side() -> Bench:
    """Given a part of one of two independent laws, the rest of it is still random."""
    one = Law("P", ("x", "y"), relations("0 <= x", "x <= 1", "0 <= y", "y <= 1"))
    two = Law("Q", ("z",), relations("-1 <= z", "z <= 1"))
    law = independent_of(one, two)
    bound = real("abs(y*z) <= 1", *law.support)
    facts = [dominated(bound, law, given="x"), dominated(bound, law, given=("x", "y"))]
    return _bench([law], facts, "disintegrate")


def equations() -> Bench:
    """Masses that are no probabilities, and a factor that is not known."""
    law = Law("P", ("x", "y"), relations("0 <= x", "x <= 1", "0 <= y", "y <= 1"))
    finite = dominated(real("abs(y) <= 1", *law.support), law)
    both = equal(E(law, x * y), E(law, x) * E(law, y))
    bench = _bench([law], [finite], "linear", values=[x], bodies=[y])
    bench.claims = [both]
    return bench


FALLING = Density(
    "F", ("x",), relations("0 <= x"), (Stretch(formula(0), None, exp(-x)),)
)
INFINITE = frozenset({E(FALLING, exp(2 * x))})
"""E exp(t x) is finite for t < 1 only."""


def _number(mean: Expr, *given: str) -> Fact:
    """mean <= mean + 1, as for any number."""
    plain = specialize(under(real("a <= a + 1"), *given), a=mean)
    return given_by(plain, exists(FALLING, mass=(-exp(-x),)))


def _moment(name: str) -> tuple[Expr, Fact]:
    """E exp(t x) = 1/(1 - t) for t <= 1/2."""
    rate = Symbol(name)
    slope = (exp((rate - 1) * x) / (rate - 1),)
    known = f"{name} <= 1/2"
    mean = integrate(FALLING, exp(rate * x), slope, (-exp(-x),), known)
    return E(FALLING, exp(rate * x)), mean


def finite_in_one_case() -> Bench:
    mean, small = _moment("t")
    first = combine(at_most(mean, mean + 1), (small, 0), rest=1)
    facts = [first, _number(mean, "1/2 <= t")]
    rules = "either specialize integrable"
    return _bench([], facts, rules, values=[2], infinite=INFINITE)


def a_number_put_in() -> Bench:
    mean = E(FALLING, exp(2 * x))
    assumed = assume(at_most(mean, mean + 1))
    facts = [integrable(assumed, mean), _number(mean)]
    return _bench([], facts, "discharge integrable", infinite=INFINITE)


def finite_for_what_is_bound() -> Bench:
    outer = Law("L", ("u",), relations("0 <= u", "u <= 1/2"))
    mean, small = _moment("u")
    upper = combine(at_most(mean, 2), small, rest=2 - 1 / (1 - u))
    lower = combine(at_most(0, mean), small, rest=1 / (1 - u))
    nested = expect(upper, outer, dominated(upper, outer, lower=lower))
    facts = [nested, _number(mean)]
    bench = _bench([], facts, "combine specialize integrable", values=[2])
    bench.claims = [at_most(mean, mean + 1)]
    bench.infinite = INFINITE
    return bench
