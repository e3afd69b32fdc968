"""The law of the loss of staircase noise, for a move by the sensitivity.

Printed: not in the sources.
Proved: Let n be the cell [n, n + 1) in which the noise lies, of probability proportional to
    exp(-eps m) with m = n or -1 - n, whichever is not negative. The noise is negative with
    probability 1/2, and in the cell 0 with (1 - exp(-eps))/2; there its density is a = (1 -
    exp(-eps))/(2 (gamma + (1 - gamma) exp(-eps))), and exp(-eps) times that beyond gamma. The loss
    against the noise moved by 1 is eps on the negative cells and up to min(gamma, 1 - gamma), and
    none up to max(gamma, 1 - gamma): the shipped masses. The noise falls with the distance, so that
    no smaller move is worse (noise/unimodal).
Idea: A shift and a reflection of the cells.
Source: Geng and Viswanath, The optimal mechanism in differential privacy (2014), who print the
    density and its pure epsilon.
"""

from rdpacct.book.words import (
    Attack, Density, E, Expr, Fact, Falsehood, Fraction, Iterator, Lattice, Random, Real, Refused,
    Statement, Status, Step, Stretch, Symbol, Theorem, absolute, apart, at_most, by_prover, combine,
    dominated, equal, exp, expect, first_height, formula, given_by, integrable, integrate, linear,
    maximum, minimum, real, reindex, specialize, staircase_pair, under,
)  # fmt: skip

n, r, g, u = (Symbol(name) for name in ("n", "r", "g", "u"))
OUT = maximum(n, -1 - n)
WEIGHT = exp(-r * OUT)
CELLS = Lattice("G", ("n",), (), WEIGHT)
NEGATIVE, REST, BEYOND = (minimum(1, maximum(0, one)) for one in (-n, n + 1, n))
"""On the integers, the indicators of n <= -1, n >= 0 and n >= 1."""
CENTER = REST - BEYOND
SCALE = 1 / (g + (1 - g) * exp(-r))
PLACE = Density(
    "U",
    ("u",),
    (),
    (Stretch(formula(0), g, SCALE), Stretch(g, formula(1), SCALE * exp(-r))),
)
"""Where in the cell 0 the noise lies."""
UP, SAME, DOWN = (part.p for part in staircase_pair(r, g).parts)  # type: ignore[attr-defined]


def finite(body: Expr) -> Fact:
    """The mean of an indicator is finite."""
    upper, lower = (real(one, "r > 0") for one in (at_most(body, 1), at_most(0, body)))
    return dominated(upper, CELLS, lower=lower)


def renamed(body: Expr, by: Real, *, reflect: bool = False) -> Fact:
    """The mean of an indicator, with the cells renamed."""
    positive = under(specialize(real("0 < exp(w)"), w=-r * OUT), "r > 0")
    room = real(at_most(absolute(n) - 1, OUT))
    lower = combine(at_most(-r * OUT, r - r * absolute(n)), (room, r), given=("r > 0",))
    grows = specialize(
        real("exp(w) <= exp(z)", "w <= z"), w=-r * OUT, z=r - r * absolute(n)
    )
    product = specialize(real("exp(w - z) == exp(w)*exp(-z)"), w=r, z=r * absolute(n))
    tail = combine(
        at_most(WEIGHT, exp(r) * exp(-r * absolute(n))),
        given_by(grows, lower),
        product,
        given=("r > 0",),
    )
    return reindex(CELLS, finite(body), positive, tail, by, reflect=reflect, rate=r)


Sides = tuple[tuple[Fact, ...], tuple[Fact, ...]]


def moved(fact: Fact, body: Expr, factor: Expr, on: Sides = ((), ())) -> Fact:
    """The right side of a renaming as a multiple of another mean."""
    right = fact.relation.right
    alike = equal(right.body, factor * body)  # type: ignore[attr-defined]
    same = apart(CELLS, alike, 0, "r > 0", on=on)
    over = expect(same, CELLS, integrable(fact, right))
    scaled = linear(CELLS, factor * body, {body: factor}, finite(body))
    return combine(
        equal(fact.relation.left, factor * E(CELLS, body)), fact, over, scaled
    )


def half(part: Statement) -> Iterator[Step]:
    """By reflection."""
    turned = moved(renamed(NEGATIVE, -1, reflect=True), REST, formula(1))
    yield turned, "the two sides are alike"
    either_side = apart(CELLS, equal(NEGATIVE, 1 - REST), 0, "r > 0")
    rest = expect(either_side, CELLS, finite(NEGATIVE))
    split = linear(CELLS, 1 - REST, {REST: -1}, finite(REST), constant=1)
    share = Fraction(1, 2)
    yield (
        combine(part.claim, (turned, share), (rest, share), (split, share)),
        "a half each",
    )


def center(part: Statement) -> Iterator[Step]:
    """The cells from 0 on less those from 1 on."""
    negative = part_fact("half")
    either_side = apart(CELLS, equal(NEGATIVE, 1 - REST), 0, "r > 0")
    other = expect(either_side, CELLS, finite(NEGATIVE))
    split = linear(CELLS, 1 - REST, {REST: -1}, finite(REST), constant=1)
    on = combine(equal(E(CELLS, REST), Fraction(1, 2)), (negative, -1), other, split)
    yield on, "from 0 on: a half"
    outside = (real(equal(REST, 0), "n <= -1"),)
    inside = (
        real(equal(OUT, n), "1 <= n"),
        real(equal(OUT.at(n=n + 1), n + 1), "1 <= n"),
    )
    shifted = moved(renamed(BEYOND, 1), REST, exp(-r), (outside, inside))
    yield shifted, "from 1 on: exp(-r) times that"
    apart_ = linear(CELLS, CENTER, {REST: 1, BEYOND: -1}, finite(REST), finite(BEYOND))
    total = combine(
        part.claim,
        apart_,
        (shifted, -1),
        (on, 1 - exp(-r)),
    )
    yield total, "so"


def part_fact(name: str) -> Fact:
    """What a part of this entry says."""
    return THEOREM.part(name).fact()


def place(part: Statement) -> Iterator[Step]:
    """The two steps of the cell."""
    steps = SCALE, SCALE * exp(-r)
    found = integrate(
        PLACE,
        u,
        tuple(one * u**2 / 2 for one in steps),
        tuple(one * u for one in steps),
        *part.given,
    )
    yield found, "it is a law, and this is its mean"
    yield combine(part.claim, found), "over one denominator"


def attack(seed: int) -> int:
    """The mass of the largest loss, by adding up steps, for random moves up to the sensitivity."""
    rng = Random(seed)
    for _ in range(30):
        first = Fraction(rng.randint(0, 12), 12)
        rate = Fraction(rng.randint(1, 30), 10)
        move = Fraction(rng.randint(0, 12), 12)
        high = first_height(formula(rate), formula(first))
        outer = min(move, first) + move * exp(-rate) / (1 - exp(-rate))
        inner = max(Fraction(0), min(first, move - first))
        mass = high * (outer + inner)
        worst = staircase_pair(formula(rate), formula(first)).parts[0].p  # type: ignore[attr-defined]
        if (mass - worst).ball(96).certainly_positive():
            raise Refused(f"a move by {move} is worse than 1 for {rate} and {first}.")
        if move == 1 and (worst - mass).ball(96).certainly_positive():
            raise Refused(f"the mass for {rate} and {first} is not the shipped one.")
    return 30


LOW, HIGH = ("0 <= g", "2*g <= 1"), ("1 <= 2*g", "g <= 1")
INSIDE = ("0 <= g", "g <= 1")
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "which loss an output in each cell has, from the numbers of the steps, and that the"
        " density falls with the distance, so that noise/unimodal applies",
    ),
    parts=(
        Statement(
            "half",
            "the noise is negative with probability 1/2",
            equal(E(CELLS, NEGATIVE), Fraction(1, 2)),
            half,
            ("r > 0",),
        ),
        Statement(
            "center",
            "the noise is in the cell 0 with probability (1 - exp(-r))/2",
            equal(E(CELLS, CENTER), (1 - exp(-r)) / 2),
            center,
            ("r > 0",),
        ),
        Statement(
            "place",
            "the density of the noise in the cell 0 is a law",
            equal(E(PLACE, u), SCALE * (g**2 + exp(-r) * (1 - g**2)) / 2),
            place,
            INSIDE,
        ),
        Statement(
            "height",
            "the shipped height of the first step is the probability of the cell times that",
            equal(first_height(r, g), (1 - exp(-r)) / 2 * SCALE),
            by_prover("one fraction"),
            INSIDE,
        ),
        Statement(
            "upper",
            "the shipped mass of the largest loss: the negative cells, and the cell 0 up to"
            " min(g, 1 - g)",
            equal(UP, Fraction(1, 2) + (1 - exp(-r)) / 2 * SCALE * minimum(g, 1 - g)),
            by_prover("one fraction"),
            INSIDE,
        ),
        Statement(
            "middle, low steps",
            "the shipped mass of no loss: the cell 0 from g to 1 - g, on its second step",
            equal(SAME, (1 - exp(-r)) / 2 * SCALE * exp(-r) * (1 - 2 * g)),
            by_prover("one fraction"),
            LOW,
        ),
        Statement(
            "middle, high steps",
            "or from 1 - g to g, on its first step",
            equal(SAME, (1 - exp(-r)) / 2 * SCALE * (2 * g - 1)),
            by_prover("one fraction"),
            HIGH,
        ),
        *(
            Statement(
                f"total, {name} steps",
                "the shipped masses add up to 1",
                equal(UP + SAME + DOWN, 1),
                by_prover("one fraction"),
                given,
            )
            for name, given in (("low", LOW), ("high", HIGH))
        ),
    ),
    falsehoods=(
        Falsehood(
            "it is as hard to tell as one randomized response of half the mass",
            at_most(UP, Fraction(1, 2)),
            ("r > 0", "0 <= g", "g <= 1"),
        ),
        Falsehood(
            "the height does not depend on the first step",
            at_most(first_height(r, formula(0)), first_height(r, g)),
            ("r > 0", *INSIDE),
        ),
    ),
    attacks=(Attack("random moves up to the sensitivity", attack),),
    rules=(staircase_pair, first_height),
)
