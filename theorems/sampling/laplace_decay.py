"""How the transform of a sampled Laplace loss falls along a line.

Printed: not in the sources
Proved: In the notation of sampling/laplace-transform let L = log R(l), 0 < q < 1, and g = exp((a +
    1) L - (l + mu)/2 - l)/(4 q), which is exp(a L) times the density of L under Q. The slope of log
    g along l is (a + 1) q exp(l)/R - 3/2, and where it is not negative it stays so: g falls and
    then rises. For theta > 0 and any direction w, g cos(theta L - w) is at most the slope along L
    of g (sin(theta L - w) - 1)/theta where g falls, and of g (sin(theta L - w) + 1)/theta where it
    rises; the growth of these is at most 2 (g(low) + g(high))/theta. So |I(a + i theta)| is at most
    the two atoms plus 2 (g(low) + g(high))/theta, which falls with theta.
Idea: Integration by parts; the variation of g is at most g(low) + g(high).
Source: elementary.
"""

from rdpacct.book.words import (
    Attack, Callable, Comparison, Expr, Falsehood, Formal, Fraction, Iterator, Nodes, Refused,
    SampledLaplaceTransform, Statement, Status, Step, Symbol, Theorem, at_most, below, by_prover,
    combine, cos, declared, derivative, equal, exp, formula, formulas, given_by, log, minimum,
    precision, random, raw_real as exactly, read, real, relations, sin, specialize, under,
)  # fmt: skip

q, a, mu, x, y, theta, w, b = map(Symbol, ("q", "a", "mu", "x", "y", "theta", "w", "b"))
v, s, t, first, last, middle, more = map(
    Symbol, ("v", "s", "t", "first", "last", "middle", "more")
)
RATE = ("0 < q", "q < 1")
RATIO = 1 - q + q * exp(x)
LOSS = log(RATIO)
DENSITY = exp((a + 1) * LOSS - (x + mu) / 2 - x) / (4 * q)
SHARE = q * exp(x) / RATIO
TURN = theta * LOSS - w
ORDER = a + 1
HALVES = formula(Fraction(3, 2))
STEEP = at_most(HALVES, ORDER * SHARE)
FLAT = at_most(ORDER * SHARE, HALVES)


def known_of(part: Statement) -> tuple[Comparison, ...]:
    """What is given, as relations."""
    return relations(*(one for one in part.given if isinstance(one, str | Comparison)))


def stays(part: Statement) -> Iterator[Step]:
    """The share q exp(l)/R rises with l, and its factor is positive where the slope is not
    negative.
    """
    given = known_of(part)
    known = relations("s <= t", "0 < s", "0 < t", *RATE)
    below_s = 1 - q + q * s
    below_t = 1 - q + q * t
    share = combine(
        at_most(q * s / below_s, q * t / below_t),
        (real(known[0], *known), q * (1 - q) / below_s / below_t),
    )
    ends = real("exp(x) <= exp(y)", "x <= y"), real("0 < exp(x)"), real("0 < exp(y)")
    moved = given_by(specialize(share, s=exp(x), t=exp(y)), *ends)
    yield moved, "the share rises"
    known = relations("0 < s", "3/2 <= b*s")
    sign = combine(
        at_most(0, b), (real(known[1], *known), 1 / s), rest=3 / (2 * s), given=known
    )
    yield sign, "its factor is positive where the slope is not negative"
    part_of = real(below(0, SHARE), *RATE)
    positive = given_by(
        specialize(under(sign, *known, *RATE), b=ORDER, s=SHARE), part_of
    )
    total = combine(part.claim, real(STEEP, *given), (moved, ORDER), (positive, 0))
    yield under(total, *given), "so the slope stays"


def majorant(sign: int) -> Callable[[Statement], Iterator[Step]]:
    """The derivative of the sine times g, and what is added to keep the rest positive."""

    def proof(part: Statement) -> Iterator[Step]:
        given = known_of(part)
        text, where = (
            ("0 <= d*(sin(v) + 1)/theta", "0 <= d")
            if sign > 0
            else ("0 <= d*(sin(v) - 1)/theta", "d <= 0")
        )
        room = real(text, where, "theta > 0")
        steep = DENSITY * (ORDER * SHARE - HALVES)
        known = real(STEEP if sign > 0 else FLAT, *given)
        claim = at_most(0, steep) if sign > 0 else at_most(steep, 0)
        side = under(combine(claim, (known, DENSITY), given=given), *given)
        yield side, "the sign of the slope"
        rest = given_by(
            specialize(under(room, *room.domain, *RATE), d=steep, v=TURN), side
        )
        yield combine(part.claim, rest, given=given), "the product rule"

    return proof


def lines(seed: int) -> int:
    """The shipped bound against the shipped transform at random points of random lines, in
    balls.
    """
    rng = random.Random(seed)
    with precision(128):
        for _ in range(10):
            shift = formula(Fraction(rng.randint(2, 30), 10))
            rate = formula(Fraction(rng.randint(1, 19), 20))
            transform = SampledLaplaceTransform(shift, rate, rng.random() < 0.5)
            tilt = exactly(Fraction(rng.randint(1, 50), 10))
            step = exactly(Fraction(rng.randint(1, 90), 10))
            values = transform.at(Nodes(tilt, step, 6), 40.0)
            for start in range(1, 6):
                most = transform.decay(tilt, step * start, values[0].real)
                if any(abs(value) > most for value in values[start:]):
                    raise Refused(
                        f"the transform of {transform} exceeds its bound at {tilt} +"
                        f" {step * start} i."
                    )
    return 10


GROWTH = (
    last * (sin(v) + 1)
    - middle * (sin(b) + 1)
    + middle * (sin(b) - 1)
    - first * (sin(w) - 1)
) / theta
TURNED = DENSITY * cos(TURN) * derivative(LOSS, "x")
MOMENT = Symbol("moment")
ATOMS = (exp(a * LOSS.at(x=-mu)) + exp(-mu) * exp(a * LOSS.at(x=mu))) / 2
BOUND = ATOMS + 2 * (DENSITY.at(x=-mu) + DENSITY.at(x=mu)) / theta
"""The atoms, and what the density adds."""


def same_bound(part: Statement) -> Iterator[Step]:
    """The same formula, beside the moment."""
    found = part.claim.left.parts()[0]
    bound = part.claim.right.parts()[0]
    same = real(equal(found, bound), *part.given)
    yield same, "the same formula"
    rule = real("min(u, moment) == min(v, moment)", "u == v")
    here = specialize(under(rule, "u == v", *part.given), u=found, v=bound)
    yield given_by(here, same), "the smaller of it and the moment"


def shipped(removing: bool) -> Expr:
    """What is shipped, for the moment at the tilt."""
    pair = declared(Formal(mu)), declared(Formal(q))
    transform = SampledLaplaceTransform(*pair, removing)
    tilt, height, moment = formulas(t, theta, MOMENT)
    return read(transform.decay(tilt, height, moment))


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "a function that is at most a derivative has an integral that is at most"
            " the growth of what is derived, on the stretch where g falls and on that"
            " where it rises"
        ),
        (
            "the modulus of an integral is its projection on some direction w; the"
            " atoms add their masses times exp(a L)"
        ),
    ),
    parts=(
        Statement(
            "density",
            "g is exp(a L) times the density of L under Q",
            equal(
                DENSITY * derivative(LOSS, "x"), exp(a * LOSS) * exp(-(x + mu) / 2) / 4
            ),
            by_prover("the substitution rule"),
            RATE,
        ),
        Statement(
            "slope",
            "the slope of log g along l",
            equal(derivative(DENSITY, "x"), DENSITY * (ORDER * SHARE - HALVES)),
            by_prover("as it stands"),
            RATE,
        ),
        Statement(
            "stays",
            "once the slope is not negative it stays so",
            at_most(HALVES, ORDER * SHARE.at(x=y)),
            stays,
            (*RATE, STEEP, "x <= y"),
        ),
        Statement(
            "falling",
            "where g falls, g cos(theta L - w) dL is at most the slope of g (sin(theta"
            " L - w) - 1)/theta",
            at_most(TURNED, derivative(DENSITY * (sin(TURN) - 1) / theta, "x")),
            majorant(-1),
            (*RATE, "theta > 0", FLAT),
        ),
        Statement(
            "rising",
            "where g rises, at most that of g (sin(theta L - w) + 1)/theta",
            at_most(TURNED, derivative(DENSITY * (sin(TURN) + 1) / theta, "x")),
            majorant(1),
            (*RATE, "theta > 0", STEEP),
        ),
        Statement(
            "growth",
            "the growth of both, from the first value of g to the one in the middle and"
            " to the last",
            at_most(GROWTH, 2 * (first + last) / theta),
            by_prover("a sine lies between -1 and 1"),
            ("theta > 0", "first >= 0", "last >= 0", "middle >= 0"),
        ),
        *(
            Statement(
                name,
                f"the shipped bound where the record is {name}, a = {power}, is this"
                " one, or the moment itself if that is smaller",
                equal(shipped(name == "removed"), minimum(BOUND.at(a=power), MOMENT)),
                same_bound,
                (*RATE, "theta > 0"),
            )
            for name, power in (("removed", 1 + t), ("added", -t))
        ),
        Statement(
            "falls",
            "the bound falls with theta",
            at_most(first / more, first / theta),
            by_prover("as it stands"),
            ("theta > 0", "theta <= more", "first >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "g(low) + g(high) over theta suffices, here for the growth of a rising g",
            at_most(last * (sin(v) + 1), last),
            ("last >= 0", "0 <= v", "v <= 1"),
        ),
    ),
    attacks=(
        Attack("the shipped bound against the shipped transform, in balls", lines),
    ),
    rules=(SampledLaplaceTransform.decay,),
)
