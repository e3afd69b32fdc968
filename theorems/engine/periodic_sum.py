"""The aliases of one loss, summed up: a periodic function, and its Fourier series.

Printed: not in the sources
Proved: Let t, W > 0 and f(x) = exp(-t x)/(1 - exp(-t W)) - exp(-(t + 1) x)/(1 - exp(-(t + 1) W)).
    (1) For x >= 0 the sum of exp(-t j W) (1 - exp(-x - j W)) over j = 0, ..., n - 1 is at most
    exp(t x) f(x), and at least that less exp(-t n W)/(1 - exp(-t W)), which vanishes as n grows.
    (2) For all real theta the integrals of exp(-t u) (1 - exp(-u)) cos(theta u) and sin(theta u)
    over u >= 0 are the real and minus the imaginary part of 1/(z (z + 1)), z = t + i theta, which
    is at most 1/theta**2 in modulus. So, by Poisson summation, f(x), which is the sum of exp(-t u)
    (1 - exp(-u)) over u = x, x + W, ..., for 0 <= x <= W is within the shipped truncation(1, 2 pi
    N/W) of the sum of Re exp(i theta x)/(W z (z + 1)) over the nodes theta = 2 pi m/W with |m| <=
    N, for every N >= 1.
Idea: Poisson summation, done for one value of the loss, where both sums are elementary.
Source: Stein and Weiss (1971), Introduction to Fourier Analysis on Euclidean Spaces, chapter VII,
    Corollary 2.6, for Poisson summation.
"""

from rdpacct.book.words import (
    Attack, Axiom, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, PI, Quantity, Real,
    Refused, Statement, Status, Step, Stretch, Symbol, Theorem, Whole, absolute, assume, at_most,
    axiom, cache, combine, cos, discharge, dominated, equal, exactly, example, exp, formula,
    given_by, integrable, integrate, linear, mean_of, module, placed, random, real, recursive,
    relations, series_n as n, series_sums as sums, sin, specialize, terms_replace as replace, total,
    under,
)  # fmt: skip

t, W, theta, x, u, v, N = (
    Symbol(name) for name in ("t", "W", "theta", "x", "u", "v", "N")
)
T, K, C, B, V, c = (Symbol(name) for name in ("T", "K", "C", "B", "V", "c"))
ORDER = ("0 < t", "0 < W")
BETWEEN = ("0 <= u", "u <= v")
LINE = Density(
    "D", ("u",), relations("0 <= u"), (Stretch(formula(0), None, t * exp(-t * u)),)
)
"""A loss beyond the level, at the rate t."""
ALIAS = exp(-t * u) * (1 - exp(-u))
"""What is summed over u = x, x + W, x + 2 W, ...; it is 0 below 0."""
SQUARE = t * (t + 1) - theta**2
SLANT = (2 * t + 1) * theta
WAVES = {"cos": cos, "sin": sin}
PERIODIC = exp(-t * u) / (1 - exp(-t * W)) - exp(-(t + 1) * u) / (1 - exp(-(t + 1) * W))
"""exp(-t u) times the sum of exp(-t j W) (1 - exp(-u - j W)) over j >= 0, for 0 <= u <= W."""
FIRST, SECOND = (1 / (1 - exp(-rate * W)) for rate in (t, t + 1))
SUM = (
    exp(-t * x) * (1 - exp(-t * W * n)) * FIRST
    - exp(-(t + 1) * x) * (1 - exp(-(t + 1) * W * n)) * SECOND
)
"""The sum of the first n of them."""
VALUES = {
    "cos": t * SQUARE / (SQUARE**2 + SLANT**2),
    "sin": t * SLANT / (SQUARE**2 + SLANT**2),
}
"""t times the real part and minus the imaginary part of 1/(z (z + 1))."""


def angle(number: Expr) -> Expr:
    """The height of a node."""
    return 2 * PI * number / W


def wave_mean(wave: str, shift: int) -> Fact:
    """E exp(-shift u) wave(theta u): with z = t + shift + i theta, from t/z."""
    fall = exp(-shift * u)
    body = fall * WAVES[wave](theta * u)
    rate = t + shift
    c = cos(theta * u)
    s = sin(theta * u)
    turned = theta * s - rate * c if wave == "cos" else -rate * s - theta * c
    small = real(at_most(absolute(body), 1), "0 <= u")
    mass = (-exp(-t * u),)
    whole = t * exp(-rate * u) * turned / (rate**2 + theta**2)
    known = dominated(small, LINE)
    found = integrate(LINE, body, (whole,), mass, "0 < t", finite=known)
    value = t * (rate if wave == "cos" else theta) / (rate**2 + theta**2)
    return combine(equal(E(LINE, body), value), found, given=("0 < t",))


def transform(part: Statement) -> Iterator[Step]:
    """Two exponentials, each integrated against a wave."""
    first, second = (wave_mean(part.name, shift) for shift in (0, 1))
    yield first, "one exponential"
    yield second, "the other"
    body = part.claim.left.body  # type: ignore[attr-defined]
    parts = {mean_of(first).body: 1, mean_of(second).body: -1}
    finite = [integrable(one, one.relation.left) for one in (first, second)]
    both = linear(LINE, body, parts, *finite, where=part.given)
    yield (
        combine(part.claim, both, first, second),
        "1/z - 1/(z + 1) = 1/(z (z + 1))",
    )


def transformed(wave: str, height: Expr = theta) -> Expr:
    """The mean whose t-th part is the integral of the alias times a wave."""
    return E(LINE, (1 - exp(-u)) * WAVES[wave](height * u))


TRANSFORMS = {
    wave: Statement(
        wave,
        f"t times the integral of exp(-t u) (1 - exp(-u)) {wave}(theta u) over u >= 0",
        equal(transformed(wave), VALUES[wave]),
        transform,
        ("0 < t",),
    )
    for wave in WAVES
}


def waves(number: Expr) -> Expr:
    """What a pair of conjugate nodes contributes at x."""
    means = (
        (transformed(wave, angle(number)), WAVES[wave](angle(number) * x))
        for wave in WAVES
    )
    return 2 / (t * W) * sum((mean * at for mean, at in means), formula(0))


def partial(number: Real) -> Expr:
    """S(x, N), the sum of the nodes up to N at x."""
    return Quantity("S", (x, formula(number)))


NAME = "Poisson summation"


def summation(sign: int) -> Fact:
    """V = f(x) + f(x + W) + ... is the limit of S(x, N), the sum of the transforms of f up to N
    with their waves: so a bound T on what any number of nodes beyond N add bounds what is missing.

    f is 0 at 0 and below; that it does not rise or fall faster than at the rate C makes it
    continuous. SUM is the sum of f(x + m W) for m < n, 0 for n = 0, and V its limit.
    """
    size = sum(((transformed(wave) / t) ** 2 for wave in WAVES), formula(0))
    known = (
        *(
            assume(
                at_most(way * (ALIAS - ALIAS.at(u=v)), C * (v - u)),
                *BETWEEN,
                every=("u", "v"),
            )
            for way in (1, -1)
        ),
        assume(at_most(size, (K / theta**2) ** 2), "0 < theta", every="theta"),
        assume(
            equal(SUM.at(n=n + 1), SUM + ALIAS.at(u=x + n * W)),
            Whole("n", 0),
            every="n",
        ),
        assume(at_most(SUM, V), Whole("n", 0), every="n"),
        assume(at_most(V - SUM, B * exp(-c * n)), Whole("n", 0), every="n"),
        assume(equal(partial(0), E(LINE, 1 - exp(-u)) / (t * W))),
        assume(
            equal(partial(N + 1), partial(N) + waves(N + 1)), Whole("N", 0), every="N"
        ),
        assume(
            at_most(sign * (partial(N + n) - partial(N)), T), Whole("n", 0), every="n"
        ),
    )
    given = (*ORDER, "0 <= x", "x <= W", "0 < c", Whole("N", 0))
    return axiom(NAME, at_most(sign * (V - partial(N)), T), *given, assuming=known)


POISSON = Axiom(
    NAME,
    "Stein and Weiss 1971, Introduction to Fourier Analysis on Euclidean Spaces, chapter"
    " VII, Corollary 2.6, in one dimension",
    "Let f be continuous on the real line, F(r) the integral of f(u) exp(-2 pi i r u),"
    " and both be at most a multiple of (1 + abs(u))**(-1 - d) in modulus, for some d > 0."
    " Then the sum of f(x + m) over the integers m is that of F(m) exp(2 pi i m x), and"
    " both series converge absolutely, for every x. (Here f is real, so that the terms at"
    " m and -m are twice the real part of one; and f(W u) is taken for f(u).)",
    (summation(1), summation(-1)),
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
    """The transforms, proved once."""
    return tuple(one.fact() for one in TRANSFORMS.values())


@cache
def mean_value() -> Fact:
    """The transform at 0."""
    second = integrate(
        LINE,
        exp(-u),
        (-t * exp(-(t + 1) * u) / (t + 1),),
        (-exp(-t * u),),
        "0 < t",
    )
    finite = integrable(second, E(LINE, exp(-u)))
    both = linear(LINE, 1 - exp(-u), {exp(-u): -1}, finite, constant=1)
    claim = equal(E(LINE, 1 - exp(-u)), 1 / (t + 1))
    return combine(claim, both, second, given=("0 < t",))


@cache
def one_more() -> Fact:
    """A sum that grows by a node grows by its two transforms times their waves."""
    height = angle(N + 1)
    uses = [
        (placed(fact, *ORDER, theta=height), -2 / (t * W) * wave(height * x))
        for fact, wave in zip(means(), WAVES.values(), strict=True)
    ]
    grown = nodes()["one more node"]
    claim = equal(partial(N + 1), partial(N) + waves(N + 1))
    return combine(claim, grown, *uses, given=ORDER)


@cache
def small() -> Fact:
    """The transforms are at most 1/theta**2 in size."""
    large = real(at_most(theta**4, SQUARE**2 + SLANT**2), "0 < theta")
    inverse = real("1/b <= 1/a", "0 < a", "a <= b", "0 < theta")
    least = under(
        given_by(specialize(inverse, a=theta**4, b=SQUARE**2 + SLANT**2), large),
        "0 < theta",
    )
    uses = [
        (fact, (fact.relation.left + fact.relation.right) / t**2) for fact in means()
    ]
    size = sum(((fact.relation.left / t) ** 2 for fact in means()), formula(0))
    return combine(at_most(size, (1 / theta**2) ** 2), *uses, least, given=("0 < t",))


@cache
def steady(way: int) -> Fact:
    """What is summed does not rise, or fall, faster than at the rate 2 t + 1."""
    given = ("0 < t", *BETWEEN)
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
    claim = at_most(way * (ALIAS - ALIAS.at(u=v)), (2 * t + 1) * (v - u))
    spare = t + 1 if way > 0 else t
    ordered = real("0 <= v - u", "u <= v")
    return combine(claim, drops[0][0], drops[1][1], (ordered, spare))


def aliases() -> tuple[Fact, ...]:
    """The sum of the first n aliases, from the first on, and what it is next to f(x)."""
    given = (*ORDER, "0 <= x")
    step = real(equal(SUM.at(n=n + 1), SUM + ALIAS.at(u=x + n * W)), *ORDER)
    smaller = real(at_most(SECOND, FIRST), *ORDER)
    faster = real(
        at_most(exp(-(t + 1) * (x + W * n)), exp(-t * (x + W * n))), *given, "0 <= n"
    )
    whole = (*given, Whole("n", 0))
    fewer = combine(
        at_most(SUM, PERIODIC.at(u=x)),
        (smaller, exp(-(t + 1) * (x + W * n))),
        (under(faster, *whole), FIRST),
    )
    short = real(at_most(exp(-t * x), 1), *given)
    more = combine(
        at_most(PERIODIC.at(u=x) - SUM, FIRST * exp(-t * W * n)),
        (short, FIRST * exp(-t * W * n)),
        rest=exp(-(t + 1) * (x + W * n)) * SECOND,
        given=ORDER,
    )
    return step, fewer, more


def pointwise(part: Statement) -> Iterator[Step]:
    """The transforms, the aliases, the nodes left out, and Poisson summation."""
    sign = 1 if part.name == "above" else -1
    changes = [steady(way) for way in (1, -1)]
    yield from ((fact, "what is summed does not jump") for fact in changes)
    yield from ((fact, "its transform") for fact in means())
    yield small(), "which falls as 1/theta**2"
    shifts = aliases()
    yield shifts[-1], "f(x) is the sum over all shifts by the period"
    first = combine(
        equal(partial(0), E(LINE, 1 - exp(-u)) / (t * W)),
        part.assuming["first node"],
        (mean_value(), -1 / (t * W)),
        given=ORDER,
    )
    left = left_out(sign, part.assuming["one more node"])
    yield left, "the nodes that are left out"
    form = POISSON.forms[0 if sign > 0 else 1]
    there = specialize(
        under(form, *form.domain, "1 <= N"),
        T=left.relation.right,
        K=1,
        C=2 * t + 1,
        V=PERIODIC.at(u=x),
        B=FIRST,
        c=t * W,
    )
    known = (*changes, small(), *shifts, first, one_more(), left)
    yield under(discharge(there, *known), *part.given), "Poisson summation"


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
    steps = TRUNCATION.left_out(sign, beyond, start, grown, modulus, *order, **values)
    found: Fact = list(steps)[-1][0]
    return found


ALIASES = sums("A", exp(-t * n * W) * (1 - exp(-x - n * W)))
TRUNCATION = module("engine/truncation")
LEFT = TRUNCATION.LEFT.at(B=1, D=2 * PI / W, N=N + 1)


def nodes() -> dict[str, Fact]:
    """What defines S(y, N) for every y, here at x."""
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
        example({"t": 1, "W": 1, "N": 1, "x": "1/2"}, S=recursive()),
        (POISSON,),
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
        *TRANSFORMS.values(),
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
