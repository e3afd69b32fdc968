"""A density that is at least a sum of blocks has a transform that falls along the line.

Printed: not in the sources.
Proved: Let f be the tilted density of a loss, and f >= sum of own_j on the j-th of some intervals,
    of length n_j. For every y >= h, the part of the mean of f exp(i y L) in any direction w is at
    most the mass of f minus the sum of n_j own_j s_j, where s_j is the shipped share v**2/6 -
    v**4/120 with v = min(n_j h/2, 15/8). A block alone, the integral of cos(y L - w) over an
    interval of length n, is at most n (1 - s).
Idea: What is left of f under the blocks is not negative, and at most its mass. The integral over a
    block is 2 sin(y n/2)/y times a cosine, and |sin(t)| <= t (1 - v**2/6 + v**4/120) for all t >=
    v, v <= 15/8: the series of the sine up to 2, and then |sin| <= 1.
Source: original to this package.
"""

from rdpacct.book.words import (
    Attack, Comparison, Falsehood, Fraction, Iterator, Quantity, Random, Refused, Statement, Status,
    Step, Symbol, Theorem, Whole, absolute, assume, at_most, by_prover, combine, cos, either, equal,
    formula, formulas, given_by, induct, lost_in_blocks, minimum, precision, raw_real as number,
    read, real, relations, sin, specialize, turned_share, under,
)  # fmt: skip

t, v, n, y, h, start, w, j, m, s = map(
    Symbol, ("t", "v", "n", "y", "h", "l", "w", "j", "m", "s")
)
SHARE = v**2 / 6 - v**4 / 120
ANGLE = ("0 <= v", "v <= 15/8", "v <= t")
BLOCK = sin(y * (start + n) - w) - sin(y * start - w)
"""y times the integral of cos(y L - w) over a block from l on."""
ENDS = ("-1 <= cos(u)", "cos(u) <= 1")
NEAR = read(turned_share(*formulas(n, h, given=("n*h/2 <= 1",))))
FAR = read(turned_share(*formulas(v, formula(2), given=("1 < v",))))
"""The share of an angle v above 1: of a block of length v, at the height 2."""
o = Symbol("o")
_ROW = formulas(n, o, h, given=("n*h/2 <= 1",))
ONE_LOST = read(lost_in_blocks([(_ROW[0], _ROW[1])], _ROW[2]))
LEFT, MASS, OWN, LENGTH, LOST = (
    Quantity(name, (j,)) for name in ("Part", "Mass", "own", "length", "lost")
)
"""What is left under the first j blocks, in a direction and in all; the blocks; and what all of
them lose.
"""


def near(part: Statement) -> Iterator[Step]:
    """The sine is below its series up to 2, and at most 1 from there on."""
    low = (*ANGLE, "t <= 2")
    series = real("sin(t) <= t*(1 - t**2/6 + t**4/120)", "0 <= t", "t <= 2")
    yield series, "the series"
    positive = real("0 <= sin(t)", "0 <= t", "t <= 2")
    rises = real("v**2/6 - v**4/120 <= t**2/6 - t**4/120", *low)
    yield rises, "its share rises"
    most = combine(at_most(sin(t), t * (1 - SHARE)), series, (rises, t), given=low)
    size = real("abs(x) <= z", "x <= z", "0 <= x")
    first = under(
        given_by(specialize(size, x=sin(t), z=t * (1 - SHARE)), most, positive),
        *low,
    )
    yield first, "up to 2"
    high = (*ANGLE, "2 <= t")
    half = real("1/2 <= 1 - (v**2/6 - v**4/120)", "0 <= v", "v <= 15/8")
    yield half, "at most a half is lost"
    one = specialize(real("abs(sin(t)) <= 1"), t=t)
    second = under(
        combine(
            part.claim,
            one,
            (half, t),
            (real("2 <= t", *high), formula(1) / 2),
            given=high,
        ),
        *high,
    )
    yield second, "beyond"
    yield either(first, second), "together"


def cut(part: Statement) -> Iterator[Step]:
    """The angle is cut at 15/8."""
    angle = minimum(n * h / 2, Fraction(15, 8))
    sine = specialize(THEOREM.part("sine").fact(), v=angle)
    yield sine, "the sine"
    known = ("0 <= n", "0 <= h")
    product = real("0 <= n*h/2", *known)
    least = real("0 <= min(x, 15/8)", "0 <= x")
    facts = (
        given_by(specialize(least, x=n * h / 2), product),
        specialize(real("min(x, 15/8) <= 15/8"), x=n * h / 2),
        combine(
            at_most(angle, t),
            specialize(real("min(x, 15/8) <= x"), x=n * h / 2),
            real("n*h/2 <= t", "n*h/2 <= t"),
        ),
    )
    found = under(given_by(sine, *facts), *part.given)
    yield combine(part.claim, found), "as it is shipped"


def far(part: Statement) -> Iterator[Step]:
    """The better of two shares."""
    given = relations("1 < v", "v <= t")
    near_share = specialize(THEOREM.part("share").fact(), n=v, h=formula(2))
    known = real("0 <= v", "1 < v"), real("0 <= 2")
    first = under(given_by(near_share, *known), *given)
    yield first, "the share of a small angle"
    one = specialize(real("abs(sin(t)) <= 1"), t=t)
    order = real("v <= t", *given)
    claim = at_most(absolute(sin(t)), t * (1 - (1 - 1 / v)))
    second = under(combine(claim, one, (order, 1 / v), given=given), *given)
    yield second, "and that of a large one"
    shares = ("x <= t*(1 - p)", "x <= t*(1 - r)", "0 <= t")
    rule = under(real("x <= t*(1 - max(p, r))", *shares), *shares, *given)
    place = specialize(rule, x=absolute(sin(t)), p=NEAR.at(n=v, h=2), r=1 - 1 / v)
    least = real("0 <= t", *given)
    found = under(given_by(place, first, second, least), *given)
    yield combine(part.claim, found), "as it is shipped"


def one_block(part: Statement) -> Iterator[Step]:
    """A sine times a cosine, at most the sine."""
    turned = THEOREM.part("block").fact()
    yield turned, "the integral"
    known = relations(*map(str, part.given))
    order = combine(
        at_most(n * h / 2, y * n / 2), (real("h <= y", *known), n / 2), given=known
    )
    sine = given_by(specialize(THEOREM.part("share").fact(), t=y * n / 2), order)
    yield sine, "the sine"
    rule = real("x*z <= abs(x)", "-1 <= z", "z <= 1")
    cosine = cos(y * start - w + y * n / 2)
    ends = [specialize(real(f"{text}"), u=y * start - w + y * n / 2) for text in ENDS]
    most = given_by(specialize(rule, x=sin(y * n / 2), z=cosine), *ends)
    found = combine(part.claim, turned, (most, 2), (sine, 2), given=known)
    yield under(found, *part.given), "together"


def summed(part: Statement) -> Iterator[Step]:
    """One block more loses its share."""
    got = part.assuming
    claim = at_most(LEFT.at(j=0) - LEFT, MASS.at(j=0) - MASS - LOST)
    before = assume(claim, Whole("j", 0))
    after = at_most(
        LEFT.at(j=0) - LEFT.at(j=j + 1),
        MASS.at(j=0) - MASS.at(j=j + 1) - LOST.at(j=j + 1),
    )
    uses = (got["part"], (got["mass"], -1), got["loses"])
    step = combine(after, before, *uses)
    yield step, "one block more"
    base = combine(claim_at_zero(), got["nothing"])
    yield base, "no block"
    total = specialize(induct(base, step, "j"), j=m)
    yield total, "all blocks"
    yield (
        combine(part.claim, total, got["rest"]),
        "and what is left is at most its mass",
    )


def claim_at_zero() -> Comparison:
    """Nothing is lost without blocks."""
    return at_most(
        LEFT.at(j=0) - LEFT.at(j=0), MASS.at(j=0) - MASS.at(j=0) - LOST.at(j=0)
    )


def tried(seed: int) -> int:
    """Random steps as densities, their transforms in doubles, against the shipped bound."""
    import cmath

    rng = Random(seed)
    for _ in range(100):
        blocks = [(rng.uniform(0.1, 3), rng.uniform(0.1, 2)) for _ in range(3)]
        begin = rng.uniform(-1, 1)
        height = rng.uniform(0.1, 6)
        with precision(64):
            rows = [(number(a), number(b)) for a, b in blocks]
            lost = float(lost_in_blocks(rows, number(height)))
        for more in (1.0, 1.3, 4.0):
            turn = 1j * height * more
            total = sum(
                own
                * (cmath.exp(turn * (begin + long)) - cmath.exp(turn * begin))
                / turn
                for long, own in blocks
            )
            mass = sum(own * long for long, own in blocks)
            if abs(total) > mass - lost + 1e-9:
                raise Refused(f"the blocks {blocks} lose less than {lost} at {height}.")
    return 300


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "sine",
            "|sin(t)| is below t by a share that is at least that of every smaller angle",
            at_most(absolute(sin(t)), t * (1 - SHARE)),
            near,
            ANGLE,
        ),
        Statement(
            "block",
            "y times the integral of cos(y L - w) over a block is a sine times a cosine",
            equal(BLOCK, 2 * sin(y * n / 2) * cos(y * start - w + y * n / 2)),
            by_prover("the difference of two sines"),
        ),
        Statement(
            "share",
            "so is the sine at every height from h on, with the shipped share",
            at_most(absolute(sin(t)), t * (1 - NEAR)),
            cut,
            ("0 <= n", "0 <= h", "n*h/2 <= t"),
        ),
        Statement(
            "share of a large angle",
            "and with that for angles above 1",
            at_most(absolute(sin(t)), t * (1 - FAR)),
            far,
            ("1 < v", "v <= t"),
        ),
        Statement(
            "one block",
            "so that y times the integral over a block is at most y n (1 - share), y >= h",
            at_most(BLOCK, y * n * (1 - NEAR)),
            one_block,
            ("0 <= n", "0 <= h", "h <= y"),
        ),
        Statement(
            "one block, shipped",
            "which is what is shipped for one block of the height o",
            equal(ONE_LOST, n * o * NEAR),
            by_prover("the same product"),
        ),
        Statement(
            "blocks",
            "the part of the whole in a direction is at most the mass less what all blocks lose",
            at_most(LEFT.at(j=0), MASS.at(j=0) - LOST.at(j=m)),
            summed,
            (Whole("m", 0),),
            {
                "nothing": assume(equal(LOST.at(j=0), 0)),
                "loses": assume(
                    equal(LOST.at(j=j + 1), LOST + LENGTH * OWN * s), every="j"
                ),
                "mass": assume(equal(MASS, MASS.at(j=j + 1) + LENGTH * OWN), every="j"),
                "part": assume(
                    at_most(LEFT, LEFT.at(j=j + 1) + OWN * LENGTH * (1 - s)), every="j"
                ),
                "rest": assume(at_most(LEFT.at(j=m), MASS.at(j=m))),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "a block loses v**2/5, as if its sine were smaller",
            at_most(absolute(sin(t)), t * (1 - v**2 / 5)),
            (*ANGLE, "0 < t"),
        ),
    ),
    attacks=(Attack("random blocks in doubles, at three heights each", tried),),
    rules=(turned_share, lost_in_blocks),
)
