"""The nodes of a quadrature at one loss: its excess, and aliases that are bounded on both sides.

Printed: not in the sources
Proved: Let S(y, N) be the sum of 1/(W t (t + 1)) and of twice the real part of exp(i theta y)/(W z
    (z + 1)), z = t + i theta, at theta = 2 pi m/W for m = 1, ..., N, and let T = W/(2 pi**2 N) be
    the shipped truncation(1, 2 pi N/W), N >= 1. For every real y, which is how far a loss exceeds
    eps: (1) (1 - exp(-y))_+ <= exp(t y) (S(y, N) + T). (2) exp(t y) (S(y, N) - T) <= (1 -
    exp(-y))_+ + a + c exp(s y) r/(1 - r), where a is the shipped bound on the aliases below, r =
    exp((t - s) W), s > t, and 1 - exp(-v) <= c exp(s v) for all v, as it is for the shipped c. (3)
    Where y <= W, the last term may go.
Idea: y is a rest x between 0 and W and a whole number of periods. At x the nodes are the periodic
    function of engine/periodic-sum up to T, and one period more or less changes a sum of aliases by
    one term: both bounds follow by induction, and no infinite sum is needed.
Source: This package.
"""

from rdpacct.book.words import (
    Attack, Callable, Comparison, Condition, Expr, Fact, Falsehood, Fraction, Iterator, Line,
    Refused, Statement, Status, Step, Symbol, Theorem, Whole, aliases_below, assume, at_most, cache,
    chernoff, combine, cos, discharge, either, equal, example, exp, folded, formula, formulas,
    induct, lemma, log, maximum, module, placed, random, read, real, recursive, sin, specialize,
    terms_replace as replace, under, whole_turns,
)  # fmt: skip

FIRST = module("engine/periodic-sum")
t, W, x, N = FIRST.t, FIRST.W, FIRST.x, FIRST.N
T = FIRST.LEFT
c, j, s, y, u, v = (Symbol(name) for name in ("c", "j", "s", "y", "u", "v"))
ORDER = ("0 < t", "0 < W")
TILTS = ("0 < t", "t < s", "0 < W", "0 < c")
NUMBER = Whole("N", 0)
STEPS = Whole("j", 0)
REST = ("0 <= x", "x <= W")
UP = x + j * W
DOWN = -UP
HULL = 1 / (1 - exp(-t * W)) - exp(-x) / (1 - exp(-(t + 1) * W))
"""exp(t x) times the periodic function at x."""
GROWTH = exp(t * j * W) * HULL - HULL.at(x=UP)
"""The aliases above of a loss that is j periods and x above eps."""
SHRINK = exp((t - s) * W)
PEAK = read(chernoff(*formulas(0, s, 0)))
"""The largest (1 - exp(-v)) exp(-s v)."""


def below() -> Expr:
    """The shipped bound on the aliases below."""
    tilt, period, rest = formulas(t, W, 0, given=ORDER)
    return read(aliases_below(Line(tilt, period, period, rest, [], rest, None, None)))


BELOW = below()
ABOVE = c * exp(s * y) * SHRINK / (1 - SHRINK)
CHERNOFF = assume(at_most(1 - exp(-v), c * exp(s * v)), every="v")


def nodes(at: Expr) -> Expr:
    """S(y, N) there."""
    found: Expr = FIRST.partial(N).at(x=at)
    return found


def excess(at: Expr) -> Expr:
    """(1 - exp(-y))_+ there."""
    return maximum(0, 1 - exp(-at))


@cache
def same_nodes(one: Expr, other: Expr) -> Fact:
    """S(., N) at two points of which the first is one period above the other."""
    first, more = FIRST.nodes().values()
    points = [specialize(first, x=at) for at in (one, other)]
    start = combine(
        equal(nodes(one).at(N=0), nodes(other).at(N=0)), *points, given=ORDER
    )
    before = assume(equal(nodes(one), nodes(other)), NUMBER, *ORDER)
    steps = [specialize(more, x=at) for at in (one, other)]
    turned = [same_wave(wave, one, other) for wave in (cos, sin)]
    height = FIRST.angle(N + 1)
    square, slant = (part.at(theta=height) for part in (FIRST.SQUARE, FIRST.SLANT))
    size = 2 / W / (square**2 + slant**2)
    step = combine(
        replace(before.relation, {"N": N + 1}),
        (steps[0], 1),
        (steps[1], -1),
        (before, 1),
        (turned[0], size * square),
        (turned[1], size * slant),
        given=ORDER,
    )
    return induct(start, step, "N")


def same_wave(wave: Callable[[Expr], Expr], one: Expr, other: Expr) -> Fact:
    """A wave of the node N + 1 at two points that are one period apart."""
    height = FIRST.angle(N + 1)
    sign = 1 if wave is cos else -1
    cosine, sine = (
        specialize(whole_turns(name, "N"), N=N + 1) for name in ("cos", "sin")
    )
    here, across = wave(height * other), (sin if wave is cos else cos)(height * other)
    return combine(
        equal(wave(height * one), here),
        (cosine, here),
        (sine, -sign * across),
        given=ORDER,
    )


@cache
def at_the_rest(place: Expr, rest: Expr) -> Fact:
    """S(., N) at a rest and whole periods is S(., N) at the rest."""
    claim = equal(nodes(place), nodes(rest))
    _, more = FIRST.nodes().values()
    next_ = place.at(j=j + 1)
    if place == UP:
        start = combine(
            replace(claim, {"j": 0}), (specialize(more, x=rest), 0), given=ORDER
        )
        uses = (same_nodes(next_, place), 1)
    else:
        start = combine(replace(claim, {"j": 0}), (same_nodes(rest, place.at(j=0)), -1))
        uses = (same_nodes(place, next_), -1)
    before = assume(claim, NUMBER, STEPS, *ORDER)
    step = combine(replace(claim, {"j": j + 1}), uses, before)
    return induct(start, step, "j")


@cache
def rises() -> Fact:
    """0 <= exp(t j W) HULL(x) - HULL(x + j W): one period more adds one excess, and scales all."""
    given = (*ORDER, "0 <= x")
    claim = at_most(0, GROWTH)
    start = real(replace(claim, {"j": 0}), *given)
    before = assume(claim, STEPS, *given)
    positive = under(real(at_most(0, 1 - exp(-UP)), *given, "0 <= j"), *given, STEPS)
    step = combine(
        replace(claim, {"j": j + 1}), (before, exp(t * W)), (positive, exp(t * W))
    )
    return induct(start, step, "j")


@cache
def rises_slowly() -> Fact:
    """exp(t j W) HULL(x) - HULL(x + j W) is at most a geometric sum of Chernoff's bounds."""
    given = (*TILTS, "0 <= x")
    claim = at_most(GROWTH, ABOVE.at(y=UP))
    start = real(replace(claim, {"j": 0}), *given)
    before = assume(claim, STEPS, *given)
    one = under(specialize(CHERNOFF, v=UP), *given, STEPS)
    step = combine(
        replace(claim, {"j": j + 1}), (before, exp(t * W)), (one, exp(t * W))
    )
    return induct(start, step, "j")


def largest(part: Statement) -> Iterator[Step]:
    """Two tangents of the exponential."""
    w = v + log(s / (1 + s))
    first, second = (placed(real("1 + z <= exp(z)"), "0 < s", z=z) for z in (s * w, -w))
    yield (
        combine(part.claim, (first, 1 / (1 + s)), (second, s / (1 + s))),
        "exp(s w) >= 1 + s w and exp(-w) >= 1 - w",
    )


ALLOWED = ("1 <= N", NUMBER)


def near(side: str, at: Expr, place: Expr, *given: str | Condition) -> Fact:
    """f(at) - S(place, N) <= T, or its opposite, at a rest."""
    sign = 1 if side == "above" else -1
    f = FIRST.PERIODIC.at(u=at)
    known = placed(lemma("engine/periodic-sum", side), *given, *ALLOWED, x=at)
    if place == at:
        return known
    same = at_the_rest(place, at)
    return combine(at_most(sign * (f - nodes(place)), T), known, (same, -sign))


def positive_part(at: Expr, *given: str | Condition) -> tuple[Fact, Fact]:
    """(1 - exp(-y))_+ <= 1 - exp(-y) where y >= 0, and the opposite."""
    above = real("max(0, 1 - exp(-v)) <= 1 - exp(-v)", "0 <= v")
    below_ = real("1 - exp(-v) <= max(0, 1 - exp(-v))")
    return placed(above, *given, v=at), placed(below_, *given, v=at)


def hull(sign: int) -> Fact:
    """1 - exp(-v) <= HULL(v) <= 1 - exp(-v) + BELOW."""
    gap = HULL.at(x=v) - (1 - exp(-v))
    claim = at_most(0, gap) if sign > 0 else at_most(gap, BELOW)
    return real(claim, *ORDER, "0 <= v")


def whole_line(claim: Comparison, up: Fact, down: Fact, *given: str) -> Fact:
    """A relation for every y, from y = x + j W and y = -(x + j W)."""
    first = folded(up, claim, "y", W)
    second = folded(down, replace(claim, {"y": -u}), "u", W)
    turned = under(specialize(second, u=-y), *given, *ALLOWED, "y <= 0")
    return either(under(first, *given, *ALLOWED, "0 <= y"), turned)


def over(part: Statement) -> Iterator[Step]:
    """The periodic function is above the excess."""
    given = (*ORDER, *REST, STEPS)
    yield rises(), "aliases are not negative"
    close = near("above", x, UP, *given)
    yield close, "the nodes at the rest"
    plain = 1 - exp(-UP)
    right = replace(part.claim, {"y": UP}).right
    own = combine(
        at_most(plain, right),
        placed(hull(1), *given, v=UP),
        rises(),
        (close, exp(t * UP)),
    )
    wide = combine("low <= most", assume("low <= plain"), assume("plain <= most"))
    there = placed(wide, *given, *ALLOWED, low=excess(UP), plain=plain, most=right)
    up = discharge(there, positive_part(UP, *given)[0], own)
    yield up, "a loss above eps"
    close = near("above", W - x, DOWN, *given)
    none = placed(real("max(0, 1 - exp(v)) <= 0", "0 <= v"), *given, v=UP)
    positive = real(at_most(0, FIRST.PERIODIC.at(u=v)), *ORDER, "0 <= v")
    least = placed(positive, *given, v=W - x)
    size = exp(t * DOWN)
    down = combine(replace(part.claim, {"y": DOWN}), none, (least, size), (close, size))
    yield down, "a loss below eps"
    yield whole_line(part.claim, up, down, *ORDER), "every loss is one of these"


def beneath(part: Statement) -> Iterator[Step]:
    """The periodic function is the excess, and aliases that are bounded."""
    given = (*TILTS, *REST, STEPS)
    yield rises_slowly(), "the aliases above"
    close = near("below", x, UP, *given)
    yield close, "the nodes at the rest"
    plain = 1 - exp(-UP)
    left = exp(t * UP) * (nodes(UP) - T)
    own = combine(
        at_most(left, plain + BELOW + GROWTH),
        (close, exp(t * UP)),
        placed(hull(-1), *given, v=UP),
    )
    yield own, "the excess, the aliases below, and those above"
    wide = combine(
        "low <= most + less + more",
        assume("low <= plain + less + grown"),
        assume("grown <= more"),
        assume("plain <= most"),
    )
    values = {"low": left, "most": excess(UP), "less": BELOW, "more": ABOVE.at(y=UP)}
    there = placed(wide, *given, *ALLOWED, **values, plain=plain, grown=GROWTH)
    up = discharge(there, own, rises_slowly(), positive_part(UP, *given)[1])
    yield up, "a loss above eps"
    above = under(real(at_most(0, ABOVE.at(y=DOWN)), *TILTS), *given)
    below_eps = far_below(given)
    claim = replace(part.claim, {"y": DOWN})
    wide = combine("low <= most + more", assume("low <= most"), assume("0 <= more"))
    values = {"low": claim.left, "most": excess(DOWN) + BELOW, "more": ABOVE.at(y=DOWN)}
    there = placed(wide, *given, *ALLOWED, **values)
    down = discharge(there, below_eps, above)
    yield down, "a loss below eps"
    yield whole_line(part.claim, up, down, *TILTS), "every loss is one of these"


def far_below(given: tuple[str | Condition, ...]) -> Fact:
    """exp(t y) (S(y, N) - T) <= (1 - exp(-y))_+ + BELOW at y = -(x + j W)."""
    close = near("below", W - x, DOWN, *given)
    size = exp(t * DOWN)
    largest = at_most(FIRST.PERIODIC.at(u=v), exp(-t * v) / (1 - exp(-t * W)))
    value = placed(real(largest, *ORDER), *given, v=W - x)
    falls = under(real(at_most(exp(-t * j * W), 1), *ORDER, "0 <= j"), *given)
    gain = placed(real("0 <= max(0, 1 - exp(v))"), *given, v=UP)
    return combine(
        at_most(size * (nodes(DOWN) - T), excess(DOWN) + BELOW),
        (close, size),
        (value, size),
        (falls, BELOW),
        gain,
    )


def bounded(part: Statement) -> Iterator[Step]:
    """Up to one period above eps there are no aliases above."""
    given = (*ORDER, *REST)
    close = near("below", x, x, *given)
    rest = combine(
        replace(part.claim, {"y": x}),
        (close, exp(t * x)),
        placed(hull(-1), *given, v=x),
        positive_part(x, *given)[1],
    )
    yield rest, "a loss above eps"
    down = far_below((*ORDER, *REST, STEPS))
    claim = replace(part.claim, {"y": -u})
    negative = folded(down, claim, "u", W)
    first = under(specialize(rest, x=y), *part.given, "0 <= y")
    second = under(specialize(negative, u=-y), *part.given, "y <= 0")
    yield either(first, second), "and one below"


def random_losses(seed: int) -> int:
    """Random lines and losses: the nodes up to N against both sides, in balls."""
    rng = random.Random(seed)
    tried = 0
    for _ in range(30):
        values = {name: Fraction(rng.randint(1, 50), 10) for name in ("t", "W")}
        values["s"] = values["t"] + Fraction(rng.randint(1, 30), 10)
        values["y"] = Fraction(rng.randint(-100, 100), 10)
        last = rng.randint(1, 30)
        found = FIRST.first_node().ball(80, t=values["t"], W=values["W"])
        for number in range(1, last + 1):
            term = FIRST.node(FIRST.angle(formula(number))).at(x=y)
            found = found + term.ball(80, t=values["t"], W=values["W"], y=values["y"])
        size = exp(t * y).ball(80, t=values["t"], y=values["y"])
        missing = T.at(N=last).ball(80, W=values["W"])
        gain = excess(y).ball(80, y=values["y"])
        aliases = (BELOW + ABOVE.at(c=PEAK)).ball(80, **values)
        for gap in (
            gain - size * (found + missing),
            size * (found - missing) - gain - aliases,
        ):
            if gap.certainly_positive():
                raise Refused(f"at {values} and {last} nodes a side is off by {gap}.")
        tried += 1
    return tried


WITNESS = example({"t": 1, "s": 2, "c": 1, "W": 1, "N": 1, "y": "1/2"}, S=recursive())
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "over",
            "the nodes of a loss, and what is left out of them, are above its excess",
            at_most(excess(y), exp(t * y) * (nodes(y) + T)),
            over,
            (*ORDER, *ALLOWED),
            FIRST.nodes(),
            WITNESS,
            (FIRST.POISSON,),
        ),
        Statement(
            "chernoff",
            "the c of Chernoff's bound, which the shipped code has",
            at_most(1 - exp(-v), PEAK * exp(s * v)),
            largest,
            ("0 < s",),
        ),
        Statement(
            "beneath",
            "they are at most its excess and the bounds on its aliases",
            at_most(exp(t * y) * (nodes(y) - T), excess(y) + BELOW + ABOVE),
            beneath,
            (*TILTS, *ALLOWED),
            {**FIRST.nodes(), "chernoff": CHERNOFF},
            WITNESS,
            (FIRST.POISSON,),
        ),
        Statement(
            "beneath, bounded",
            "where the loss is at most one period above eps, it has no aliases above",
            at_most(exp(t * y) * (nodes(y) - T), excess(y) + BELOW),
            bounded,
            (*ORDER, *ALLOWED, "y <= W"),
            FIRST.nodes(),
            WITNESS,
            (FIRST.POISSON,),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a loss two periods above eps has no aliases above",
            at_most(exp(2 * t * W) * HULL.at(x=0), 1 - exp(-2 * W) + BELOW),
            ORDER,
        ),
    ),
    attacks=(Attack("random lines and losses, in balls", random_losses),),
)
