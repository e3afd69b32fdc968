"""The aliases of one loss, summed up: a periodic function, and its Fourier series.

Printed: not in the sources
Proved: Let t, W > 0 and f(x) = exp(-t x)/(1 - exp(-t W)) - exp(-(t + 1) x)/(1 - exp(-(t + 1) W)).
    (1) For x >= 0 the sum of exp(-t j W) (1 - exp(-x - j W)) over j = 0, ..., n - 1 is at most
    exp(t x) f(x), and at least that less exp(-t n W)/(1 - exp(-t W)), which vanishes as n grows.
    (2) If theta makes whole turns in W, the mean of f(u) cos(theta u) and of f(u) sin(theta u) over
    the period are the real and minus the imaginary part of 1/(W z (z + 1)), z = t + i theta. (3) f
    closes up over the period and rises and falls at a bounded rate. So, by Fourier inversion, f(x)
    for 0 <= x <= W is within the shipped truncation(1, 2 pi N/W) of S(N, x), the sum of 1/(W t (t +
    1)) and of twice the real part of exp(i theta x)/(W z (z + 1)) at theta = 2 pi m/W for m = 1,
    ..., N, for every N >= 1.
Idea: Poisson summation, done for one value of the loss, where the periodic function is elementary.
Source: Stein and Shakarchi (2003), Fourier Analysis, chapter 2, for the inversion.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import PI, cos, exp, sin
from rdpacct.proof.entries import module
from rdpacct.proof.kernel import (
    E,
    Fact,
    Quantity,
    Refused,
    Whole,
    assume,
    at_most,
    axiom,
    combine,
    discharge,
    equal,
    given_by,
    integrable,
    integrate,
    linear,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.fourier import turns, uniform, wave_mean, whole_turns
from rdpacct.proof.tactics.normal import mean_of
from rdpacct.proof.tactics.series import exactly, n, sums, total
from rdpacct.proof.tactics.subgaussian import placed
from rdpacct.proof.theorem import Attack, Falsehood, Statement, Status, Step, Theorem

FOURIER = (
    "Fourier inversion (Stein and Shakarchi 2003, Fourier Analysis, chapter 2,"
    " Corollary 2.3)"
)
t, W, theta, x, u, v, N, T, K, C, before, after = (
    Symbol(name)
    for name in (
        "t",
        "W",
        "theta",
        "x",
        "u",
        "v",
        "N",
        "T",
        "K",
        "C",
        "before",
        "after",
    )
)
ORDER = ("0 < t", "0 < W")
BETWEEN = ("0 <= u", "u <= v", "v <= W")
U = uniform(W)
SQUARE = t * (t + 1) - theta**2
SLANT = (2 * t + 1) * theta
WAVES = {"cos": cos, "sin": sin}
PERIODIC = exp(-t * u) / (1 - exp(-t * W)) - exp(-(t + 1) * u) / (1 - exp(-(t + 1) * W))
"""exp(-t u) times the sum of exp(-t j W) (1 - exp(-u - j W)) over j >= 0, for 0 <= u <= W."""
STEEPEST = t / (1 - exp(-t * W)) + (t + 1) / (1 - exp(-(t + 1) * W))
VALUES = {
    "cos": SQUARE / (W * (SQUARE**2 + SLANT**2)),
    "sin": SLANT / (W * (SQUARE**2 + SLANT**2)),
}
"""The real part and minus the imaginary part of 1/(W z (z + 1))."""


def angle(number: Expr) -> Expr:
    """The height of a node."""
    return 2 * PI * number / W


def coefficient(part: Statement) -> Iterator[Step]:
    """Two exponentials, each integrated against a wave over one period."""
    wave = part.name
    first, second = (wave_mean(wave, rate, W, *part.given) for rate in (t, t + 1))
    yield first, "one exponential"
    yield second, "the other"
    parts = {mean_of(one).body: one for one in (first, second)}
    factors = (1 / (1 - exp(-t * W)), -1 / (1 - exp(-(t + 1) * W)))
    finite = [integrable(fact, fact.relation.left) for fact in parts.values()]
    both = linear(
        U,
        PERIODIC * WAVES[wave](theta * u),
        dict(zip(parts, factors, strict=True)),
        *finite,
        where=part.given,
    )
    yield (
        combine(part.claim, both, (first, factors[0]), (second, factors[1])),
        "1/z - 1/(z + 1) = 1/(z (z + 1))",
    )


@cache
def at_node(fact: Fact, number: Expr, *whole: str, **others: Expr) -> Fact:
    """A fact about theta at a node, whose number is a sum of whole numbers and 1: whole turns in a
    period.
    """
    found = specialize(fact, theta=angle(number), **others)
    for name, wave in WAVES.items():
        value = 1 if name == "cos" else 0
        turn = combine(
            equal(wave(angle(number) * W), value),
            whole_turns(name, *whole),
            given=ORDER,
        )
        found = discharge(found, turn)
    return found


COEFFICIENTS = {
    wave: Statement(
        wave,
        f"the mean of the periodic function times {wave}(theta u), if theta makes whole"
        " turns in a period",
        equal(E(U, PERIODIC * WAVES[wave](theta * u)), VALUES[wave]),
        coefficient,
        ORDER,
        {name: turns(name, W) for name in WAVES},
    )
    for wave in WAVES
}


def waves(f: Expr, number: Expr) -> Expr:
    """What a pair of conjugate coefficients of f contributes at x."""
    means = (
        (E(U, f * wave(angle(number) * u)), wave(angle(number) * x))
        for wave in WAVES.values()
    )
    return 2 * sum((mean * at for mean, at in means), formula(0))


def partial(number: Real) -> Expr:
    """S(N, x), the sum of the nodes up to N at x."""
    return Quantity("S", (formula(number), x))


def inversion(f: Expr, sign: int) -> Fact:
    """For a continuous f on [0, W] that closes up, with coefficients at most K/theta**2 in size:
    S(N, x) tends to f(x).

    S(N, x) is the sum of the coefficients up to N, with their waves. So a bound T on what any
    number of coefficients beyond N add bounds what is missing: f(x) - S(N, x), or its opposite.
    That f does not rise or fall faster than at the rate C makes it continuous.
    """
    size = sum(
        (E(U, f * wave(angle(N + 1) * u)) ** 2 for wave in WAVES.values()), formula(0)
    )
    known = (
        assume(equal(f.at(u=0), f.at(u=W))),
        *(
            assume(
                at_most(way * (f - f.at(u=v)), C * (v - u)),
                *BETWEEN,
                every=("u", "v"),
            )
            for way in (1, -1)
        ),
        assume(equal(partial(0), E(U, f))),
        assume(
            equal(partial(N + 1), partial(N) + waves(f, N + 1)),
            Whole("N", 0),
            every="N",
        ),
        assume(at_most(size, (K / angle(N + 1) ** 2) ** 2), Whole("N", 0), every="N"),
        assume(
            at_most(sign * (partial(N + n) - partial(N)), T), Whole("n", 0), every="n"
        ),
    )
    missing = at_most(sign * (f.at(u=x) - partial(N)), T)
    return axiom(
        FOURIER, missing, "0 < W", "0 <= x", "x <= W", Whole("N", 0), assuming=known
    )


def node(height: Expr, sign: int = 1) -> Expr:
    """The value of a node and its conjugate at x: (2/W) Re exp(i theta x)/(z (z + 1))."""
    found = SQUARE * cos(theta * x) + SLANT * sin(theta * x)
    return sign * (2 * PI / W / PI * found / (SQUARE**2 + SLANT**2)).at(theta=height)


def first_node() -> Expr:
    """The value of the node on the real axis."""
    return 1 / (W * t * (t + 1))


@cache
def means() -> tuple[Fact, ...]:
    """The coefficients, proved once."""
    return tuple(one.fact() for one in COEFFICIENTS.values())


@cache
def mean_value() -> Fact:
    """The coefficient of the first node."""
    first, second = (
        integrate(U, exp(-r * u), (-exp(-r * u) / (r * W),), (u / W,), *ORDER)
        for r in (t, t + 1)
    )
    factors = (1 / (1 - exp(-t * W)), -1 / (1 - exp(-(t + 1) * W)))
    parts = {exp(-t * u): factors[0], exp(-(t + 1) * u): factors[1]}
    finite = (
        integrable(first, E(U, exp(-t * u))),
        integrable(second, E(U, exp(-(t + 1) * u))),
    )
    both = linear(U, PERIODIC, parts, *finite, where=ORDER)
    claim = equal(E(U, PERIODIC), 1 / (W * t * (t + 1)))
    return combine(claim, both, (first, factors[0]), (second, factors[1]))


@cache
def one_more(sign: int = 1) -> Fact:
    """A sum that grows by a node grows by its two coefficients times their waves."""
    ways = [
        (fact, wave(theta * x))
        for fact, wave in zip(means(), WAVES.values(), strict=True)
    ]
    grown = sum((fact.relation.left * at for fact, at in ways), formula(0))
    uses = [(fact, -2 * sign * at) for fact, at in ways]
    return combine(
        equal(after, before + sign * (2 * grown)),
        assume(equal(after, before + node(theta, sign))),
        *uses,
    )


@cache
def small() -> Fact:
    """The coefficients are at most 1/(W theta**2) in size."""
    large = real(at_most(theta**4, SQUARE**2 + SLANT**2), "0 < theta")
    inverse = real("1/b <= 1/a", "0 < a", "a <= b", "0 < theta")
    least = under(
        given_by(specialize(inverse, a=theta**4, b=SQUARE**2 + SLANT**2), large),
        "0 < theta",
    )
    uses = [(fact, fact.relation.left + fact.relation.right) for fact in means()]
    size = sum((fact.relation.left**2 for fact in means()), formula(0))
    return combine(at_most(size, (1 / W / theta**2) ** 2), *uses, (least, 1 / W**2))


@cache
def steady(way: int) -> Fact:
    """The periodic function does not rise, or fall, faster than at the rate C."""
    given = (*ORDER, *BETWEEN)
    drops = []
    for rate in (t, t + 1):
        tangent = placed(real("1 - exp(-w) <= w"), *given, w=rate * (v - u))
        rest = rate * (v - u) * (1 - exp(-rate * u))
        steep = combine(
            at_most(exp(-rate * u) - exp(-rate * v), rate * (v - u)),
            (tangent, exp(-rate * u)),
            rest=rest,
        )
        falls = real(at_most(0, exp(-rate * u) - exp(-rate * v)), *given)
        drops.append((steep, falls) if way > 0 else (falls, steep))
    first, second = (1 / (1 - exp(-rate * W)) for rate in (t, t + 1))
    claim = at_most(way * (PERIODIC - PERIODIC.at(u=v)), STEEPEST * (v - u))
    spare = (t + 1) * second if way > 0 else t * first
    ordered = real("0 <= v - u", "u <= v")
    return combine(claim, (drops[0][0], first), (drops[1][1], second), (ordered, spare))


def pointwise(part: Statement) -> Iterator[Step]:
    """The coefficients, the nodes left out, and Fourier inversion."""
    sign = 1 if part.name == "above" else -1
    closes = real(equal(PERIODIC.at(u=0), PERIODIC.at(u=W)), *ORDER)
    yield closes, "the periodic function closes up"
    changes = [steady(way) for way in (1, -1)]
    yield from ((fact, "and does not jump") for fact in changes)
    yield from ((fact, "a coefficient") for fact in means())
    summable = under(at_node(small(), N + 1, "N"), *ORDER, Whole("N", 0))
    yield summable, "which are summable"
    wide = inversion(PERIODIC, sign)
    start = combine(
        equal(partial(0), E(U, PERIODIC)),
        part.assuming["first node"],
        (mean_value(), -1),
    )
    more = part.assuming["one more node"]
    step = discharge(
        at_node(one_more(), N + 1, "N", after=partial(N + 1), before=partial(N)), more
    )
    left = left_out(sign, more)
    yield left, "the nodes that are left out"
    there = specialize(
        under(wide, *wide.domain, *ORDER, "1 <= N"),
        T=left.relation.right,
        K=1 / W,
        C=STEEPEST,
    )
    known = (closes, *changes, start, step, summable, left)
    yield under(discharge(there, *known), *part.given), "Fourier inversion"


def left_out(sign: int, more: Fact) -> Fact:
    """The waves of any number of nodes beyond N add at most LEFT, or its opposite."""
    height = angle(N + n + 1)
    values: dict[str, Real] = {"B": 1, "D": 2 * PI / W, "N": N + 1, "theta": height}
    values |= {
        name: wave(height * x) for name, wave in zip("uv", WAVES.values(), strict=True)
    }
    order = (*ORDER, "1 <= N", Whole("N", 0))
    unit = real("cos(v)**2 + sin(v)**2 <= 1")
    modulus = placed(unit, *order, v=height * x)
    beyond = sign * (partial(N + n) - partial(N))
    start = combine(equal(beyond.at(n=0), 0), (more, 0), given=ORDER)
    here = specialize(more, N=N + n)
    grown = combine(
        equal(beyond.at(n=n + 1), beyond + node(height, sign)),
        (here, sign),
        (more, 0),
        given=ORDER,
    )
    found: Fact
    *_, (found, _) = TRUNCATION.left_out(
        sign, beyond, start, grown, modulus, *order, **values
    )
    return found


ALIASES = sums("A", exp(-t * n * W) * (1 - exp(-x - n * W)))
TRUNCATION = module("engine/truncation")
LEFT = TRUNCATION.LEFT.at(B=1, D=2 * PI / W, N=N + 1)


def nodes() -> dict[str, Fact]:
    """What defines S(N, y) for every y, here at x."""
    y = Symbol("y")
    first = equal(partial(0), first_node())
    more = equal(partial(N + 1), partial(N) + node(angle(N + 1)))
    known = {
        "first node": assume(replace(first, {"x": y}), every="y"),
        "one more node": assume(
            replace(more, {"x": y}), Whole("N", 0), every=("N", "y")
        ),
    }
    return {name: specialize(fact, y=x) for name, fact in known.items()}


def side(name: str) -> Statement:
    """The part for one side."""
    sign = 1 if name == "above" else -1
    return Statement(
        name,
        f"{'f(x) exceeds the nodes up to N' if sign > 0 else 'the nodes up to N exceed f(x)'}"
        " by at most W/(2 pi**2 N)",
        at_most(sign * (PERIODIC.at(u=x) - partial(N)), LEFT),
        pointwise,
        (*ORDER, "0 <= x", "x <= W", "1 <= N", Whole("N", 0)),
        nodes(),
    )


def alias_sum(part: Statement) -> Iterator[Step]:
    """Two geometric sums."""
    *order, count = part.given
    first = 1 / (1 - exp(-t * W))
    second = 1 / (1 - exp(-(t + 1) * W))
    value = (1 - exp(-t * W * n)) * first - exp(-x) * (
        1 - exp(-(t + 1) * W * n)
    ) * second
    found = exactly(part.assuming, "A", value, *order)
    yield found, "two geometric sums"
    if part.name == "fewer aliases":
        smaller = real(at_most(second, first), *ORDER)
        faster = real(
            at_most(exp(-x - (t + 1) * W * n), exp(-t * W * n)), *order, "0 <= n"
        )
        uses = (
            (smaller, exp(-x - (t + 1) * W * n)),
            (under(faster, *order, count), first),
        )
        yield combine(part.claim, found, *uses), "what is missing is positive"
    else:
        yield (
            combine(part.claim, found, rest=exp(-x - (t + 1) * W * n) * second),
            "and vanishes as n grows",
        )


def points(seed: int) -> int:
    """Random lines and points of a period: the nodes up to N against the periodic function, in
    balls.
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(20):
        values = {name: Fraction(rng.randint(1, 50), 10) for name in ("t", "W")}
        values["x"] = values["W"] * Fraction(rng.randint(0, 10), 10)
        last = rng.randint(1, 40)
        found = (1 / (W * t * (t + 1))).ball(80, t=values["t"], W=values["W"])
        for number in range(1, last + 1):
            found = found + node(angle(formula(number))).ball(80, **values)
        missing = PERIODIC.at(u=x).ball(80, **values) - found
        allowed = LEFT.at(N=last).ball(80, W=values["W"])
        if (missing - allowed).certainly_positive() or (
            -missing - allowed
        ).certainly_positive():
            raise Refused(
                f"at {values} the first {last} nodes miss {missing}, more than"
                f" {allowed}."
            )
        tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        *COEFFICIENTS.values(),
        side("above"),
        side("below"),
        Statement(
            "fewer aliases",
            "finitely many aliases of a loss at x add up to at most exp(t x) f(x)",
            at_most(total("A"), exp(t * x) * PERIODIC.at(u=x)),
            alias_sum,
            (*ORDER, "0 <= x", Whole("n", 0)),
            ALIASES,
        ),
        Statement(
            "more aliases",
            "and to at least that less exp(-t n W)/(1 - exp(-t W))",
            at_most(
                exp(t * x) * PERIODIC.at(u=x) - exp(-t * W * n) / (1 - exp(-t * W)),
                total("A"),
            ),
            alias_sum,
            (*ORDER, Whole("n", 0)),
            ALIASES,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the sum has no aliases: for a loss that is always eps + u it is 1 -"
            " exp(-u)",
            equal(exp(t * u) * PERIODIC, 1 - exp(-u)),
            ("0 < t", "0 < W", "0 <= u", "u <= W"),
        ),
    ),
    attacks=(Attack("random lines and points of a period, in balls", points),),
)
