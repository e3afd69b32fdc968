"""Every event is a line below the profile of a pair: a law on the middles of the cells of a grid
that is certainly below.

Printed: not in the sources.
Proved: Let D be the profile E max(p - g q, 0) of a pair at g = exp(epsilon), and an event have the
    probabilities A under P and B under Q. (1) The shipped line A - g B is at most D, at every g;
    and 0, the line of no outcome, is. (2) A dot that is the lower of two lines is on or below both.
    The chord of a dot at a distance d before a point of a line and of one e after it, both on or
    below that line, is nowhere above it. So the polygon through the shipped dots, at the middles
    between the points of a grid whose tails are the events, is nowhere above D: between two middles
    it is below the line of the point between them. (3) The outcomes of a cell, pooled into one of
    the shipped loss log(A/B), have the positive part of their line, which is at most what they have
    apart. So a law of pooled cells beside such a polygon for all the others is below the whole.
Idea: A test that rejects on an event gains no more than the best test.
Source: not in the sources; (1) is the definition of a hockey-stick divergence.
"""

from rdpacct.book.words import (
    Attack, Cells, E, Fact, Falsehood, Fraction, Iterator, Law, LawBelow, Mapping, RealBall,
    Refused, Statement, Status, Step, Symbol, Theorem, assume, at_most, by_prover, combine,
    dot_below, equal, event_line, example, excess, excess_is_positive, exp, expect, formula,
    formulas, integrable, linear, minimum, pooled_cell, positive_part, precision, random,
    raw_real as number, read, real, relations, specialize, under,
)  # fmt: skip

g, p, q, hit, A, B, D, v, d, e, t, y, m = (
    Symbol(name)
    for name in ("g", "p", "q", "hit", "A", "B", "D", "v", "d", "e", "t", "y", "m")
)
EVENT = Law(
    "M", ("hit", "p", "q"), relations("0 <= hit", "hit <= 1", "0 <= p", "0 <= q")
)
"""An outcome: how much of it is in the event, and its probabilities."""
KNOWN = {
    "P": assume(equal(E(EVENT, hit * p), A)),
    "Q": assume(equal(E(EVENT, hit * q), B)),
    "profile": assume(equal(E(EVENT, excess(p, q, g)), D)),
}
GAIN = hit * (p - g * q)
LINE = read(event_line(*formulas(A, B, g)))
_ROW = formulas(A, B, p, q, g)
DOT = read(dot_below((_ROW[0], _ROW[1]), (_ROW[2], _ROW[3]), _ROW[4]))
OTHER = LINE.at(A=p, B=q)
"""The dot of two events, and the line of the second one, of the probabilities p and q."""
MASS, LOSS = map(read, pooled_cell(*formulas(A, B)))
CHORD = ((e - t) * A + (t + d) * B) / (d + e)
ONE = example({"g": 1, "A": 1, "B": 0, "D": 1}, {"M": [((1, 1, 0), 1)]})
TRIES = 20


def gained(assuming: Mapping[str, Fact]) -> Fact:
    """The mean of what the event gains is the line."""
    known = [
        integrable(assuming[name], E(EVENT, body))
        for name, body in (("P", hit * p), ("Q", hit * q))
    ]
    mean = linear(EVENT, GAIN, {hit * p: formula(1), hit * q: -g}, *known)
    uses = (mean, assuming["P"], (assuming["Q"], -g))
    return combine(equal(E(EVENT, GAIN), A - g * B), *uses)


def below_profile(part: Statement) -> Iterator[Step]:
    """At each outcome, a share of the difference is at most its positive part."""
    rule = real("hit*v <= max(v, 0)", "0 <= hit", "hit <= 1")
    line = specialize(rule, v=p - g * q)
    yield line, "each outcome"
    value = gained(part.assuming)
    whole = integrable(part.assuming["profile"], E(EVENT, excess(p, q, g)))
    taken = expect(line, EVENT, integrable(value, E(EVENT, GAIN)), whole)
    yield taken, "in the mean"
    uses = (taken, (value, -1), part.assuming["profile"])
    yield combine(part.claim, *uses), "the line"


def nothing(part: Statement) -> Iterator[Step]:
    """A positive part is not negative."""
    line = excess_is_positive(p, q, g)
    yield line, "each outcome"
    whole = integrable(part.assuming["profile"], E(EVENT, excess(p, q, g)))
    taken = expect(line, EVENT, whole)
    yield combine(part.claim, taken, part.assuming["profile"]), "in the mean"


def pooled(part: Statement) -> Iterator[Step]:
    """Both the difference and 0 are at most the positive part, in the mean."""
    inside = hit * excess(p, q, g)
    upper = specialize(real("hit*v <= hit*max(v, 0)", "0 <= hit"), v=p - g * q)
    lower = specialize(real("0 <= hit*max(v, 0)", "0 <= hit"), v=p - g * q)
    yield upper, "each outcome"
    value = gained(part.assuming)
    whole = integrable(part.assuming["apart"], E(EVENT, inside))
    finite = integrable(value, E(EVENT, GAIN))
    taken = expect(upper, EVENT, finite, whole)
    signs = expect(lower, EVENT, whole)
    uses = (taken, (value, -1), part.assuming["apart"])
    first = combine(at_most(A - g * B, D), *uses)
    second = combine(at_most(0, D), signs, part.assuming["apart"])
    yield first, "in the mean"
    yield positive_part(first, second), "and so is 0"


def lower_one(part: Statement) -> Iterator[Step]:
    """The smaller of two numbers is at most each of them."""
    each = "v" if part.name == "dot, left" else "y"
    fact = specialize(real(f"min(v, y) <= {each}"), v=LINE, y=OTHER)
    yield combine(part.claim, fact), "the smaller of two"


def on_chord(part: Statement) -> Iterator[Step]:
    """The two dots, weighted."""
    place = ("d > 0", "e > 0", "-d <= t", "t <= e")
    left, right = (
        under(real(one, one), one, *place) for one in ("A <= y + m*d", "B <= y - m*e")
    )
    yield left, "the dot before the point"
    weights = ((e - t) / (d + e), (t + d) / (d + e))
    yield (
        combine(part.claim, (left, weights[0]), (right, weights[1])),
        "weighted",
    )


def _profile(rows: list[tuple[RealBall, RealBall]], at: RealBall) -> RealBall:
    """The hockey stick of a law, by its masses and losses."""
    gains = (mass * (1 - at * (-loss).exp()).max(number(0)) for mass, loss in rows)
    return sum(gains, number(0))


def attack(seed: int) -> int:
    """Random atoms on a grid: the shipped laws, with some cells alone, against the profile."""
    rng = random.Random(seed)
    with precision(128):
        for _ in range(TRIES):
            step = Fraction(1, rng.randint(3, 9))
            count = rng.randint(5, 12)
            atoms = []
            inside = []
            for k in range(count):
                rows = []
                for _ in range(rng.randint(1, 3)):
                    share = Fraction(rng.randint(1, 49), 50)
                    mass = number(Fraction(rng.randint(1, 30), 40 * count))
                    rows.append((mass, number(step * (k + share) - 1)))
                atoms += rows
                under_q = sum((w * (-x).exp() for w, x in rows), number(0))
                inside.append((sum((w for w, _ in rows), number(0)), under_q))
            cells = Cells(Fraction(-1), step, inside, None, None)
            alone = tuple(rng.sample(range(count), rng.randint(0, 2)))
            law = LawBelow(cells, alone).law()
            found = list(law.beside)
            for k, mass in enumerate(law.masses):
                found.append((mass, number(law.origin + law.step * k)))
            for _ in range(40):
                at = number(Fraction(rng.randint(-300, 700), 200)).exp()
                if _profile(found, at) > _profile(atoms, at):
                    raise Refused(f"the law below the cells of {atoms} is above.")
    return TRIES


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "line",
            "the shipped line of an event is at most the profile",
            at_most(LINE, D),
            below_profile,
            (),
            KNOWN,
            ONE,
        ),
        Statement(
            "no outcome",
            "and so is 0",
            at_most(0, D),
            nothing,
            (),
            {"profile": KNOWN["profile"]},
            ONE,
        ),
        *(
            Statement(
                f"dot, {side}",
                "a shipped dot, the lower of the lines of the two points beside it, is"
                f" on or below that from the {side}",
                at_most(DOT, line_there),
                lower_one,
            )
            for side, line_there in (("left", LINE), ("right", OTHER))
        ),
        Statement(
            "chord",
            "the chord of two dots on or below a line, on both sides of a point of it,"
            " is nowhere above the line",
            at_most(CHORD, y - m * t),
            on_chord,
            (
                *("d > 0", "e > 0", "A <= y + m*d", "B <= y - m*e"),
                *("-d <= t", "t <= e"),
            ),
        ),
        Statement(
            "pooled",
            "the positive part of the line of a cell is at most what its outcomes have"
            " apart",
            at_most(excess(A, B, g), D),
            pooled,
            (),
            {
                "P": KNOWN["P"],
                "Q": KNOWN["Q"],
                "apart": assume(equal(E(EVENT, hit * excess(p, q, g)), D)),
            },
            ONE,
        ),
        Statement(
            "pooled, shipped",
            "and it is what an atom of the shipped mass and loss has",
            equal(MASS * (1 - g * exp(-LOSS)), A - g * B),
            by_prover("exp undoes log"),
            ("0 < A", "0 < B"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a dot on or below one of the two lines is enough",
            at_most(CHORD, y - m * t),
            ("d > 0", "e > 0", "A <= y + m*d", "-d <= t", "t <= e"),
        ),
        Falsehood(
            "the upper one of two lines will do",
            at_most(-minimum(-A, -B), A),
        ),
    ),
    attacks=(Attack("random atoms in cells, some of them alone, in balls", attack),),
    rules=(event_line, dot_below, pooled_cell),
)
