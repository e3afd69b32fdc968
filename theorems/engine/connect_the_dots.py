"""A loss on a grid: above by moving each cell to its ends, below by pooling it and lowering its
loss.

Printed: not in the sources.
Proved: Let U = exp(-L) lie between the ends a and b of its cell, U = a + T (b - a), and K be
    exp(epsilon) over the exponential of the loss of other releases: whatever the joint law, the
    delta of all together is E max(1 - K U, 0). (1) Move each outcome to an end of its cell, to b
    with probability T: the delta is at least as large. (2) Of a cell of masses p and q under P and
    Q, the shipped mass moves to a. (3) An atom of mass m and ratio u beside independent others adds
    m E max(1 - K u, 0), m times their profile. (4) Put its mean w in the place of U, given the cell
    and the others: the delta is at most as large. (5) More mass under Q, a smaller loss, has at
    most the delta. (6) The atoms that the package puts at dots (g, h), with the last height as the
    mass at infinity, have the polygon through the dots as their profile: at x, the atoms from the
    last one down to a dot m add up to the line from dot m to the next one before it. For two dots
    also from the shipped function as a whole. (7) A profile is at most the polygon through dots on
    or above it: between two dots, before the first and beyond the last.
Idea: A hockey stick is convex in exp(-L), and a profile is convex in exp(epsilon): chords lie
    above. The differences of slopes telescope.
Source: Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, Connect the dots: tighter discrete
    approximations of privacy loss distributions, for (1) and (6).
"""

from rdpacct.book.words import (
    Attack, CELLS, CellSums, Cells, E, Falsehood, Fraction, GaussianCurve, INSIDE, Iterator, Law,
    POOL, RealBall, Refused, Statement, Status, Step, Symbol, Table, Theorem, any_pair, assume,
    at_most, below_excess, by_prover, cells_K as K, cells_T as T, cells_U as U, cells_a as a,
    cells_b as b, cells_stick as stick, cells_w as w, combine, connect_the_dots, dominated,
    dominating_table, equal, example, excess, excess_is_positive, exp, expect, formula, formulas,
    given_by, hit, integrable, least_law, lemma, linear, math, maximum, pairwise, positive_part,
    precision, random, raw_real as ball, read, real, relations, specialize, split_atom, telescoped,
    two_sums, under,
)  # fmt: skip

x, y, p, q, g, h, dg, dh = map(Symbol, ("x", "y", "p", "q", "g", "h", "dg", "dh"))
SHARE = Law("C", ("hit", "T"), relations("0 <= hit", "hit <= 1", "0 <= T", "T <= 1"))
"""Whether an outcome is in one cell, and its place there."""
PAIR = Law("M", ("p", "q"), relations("0 <= p", "0 <= q"))
DOTS = [(Symbol(f"g{i}"), Symbol(f"h{i}")) for i in (1, 2)]
ATOMS = connect_the_dots(DOTS)
RISING = ("g1 > 0", "g1 < g2")
TRIES = 60


HIGH, LOW = map(Symbol, ("high", "low"))
MASS_P, MASS_Q = formulas(p, q)
ABOVE, _ = two_sums(formulas(HIGH, LOW), [(MASS_P, MASS_Q)])
TO_HIGH = ABOVE[0][1]
PLACE = exp(-HIGH) + T * (exp(-LOW) - exp(-HIGH))


def shares(part: Statement) -> Iterator[Step]:
    """Two equations for the two masses, which are not negative."""
    first = part.assuming["p"]
    second = part.assuming["q"]
    given = tuple(map(str, part.given))
    kept = hit * (1 - T)
    width = exp(-LOW) - exp(-HIGH)
    known = integrable(first, E(SHARE, hit)), integrable(second, E(SHARE, hit * PLACE))
    mean = linear(
        SHARE,
        kept,
        {hit: exp(-LOW) / width, hit * PLACE: -1 / width},
        *known,
        where=given,
    )
    moved = (p * exp(-LOW) - q) / width
    value = combine(
        equal(E(SHARE, kept), moved),
        mean,
        (first, exp(-LOW) / width),
        (second, -1 / width),
        given=given,
    )
    yield value, "the masses under P and Q are kept"
    finite = integrable(value, E(SHARE, kept))
    signs = expect(real(at_most(0, kept), *SHARE.support), SHARE, finite)
    low = combine(at_most(0, moved), signs, (value, 1), given=given)
    most = expect(real(at_most(kept, hit), *SHARE.support), SHARE, finite, known[0])
    high = combine(at_most(moved, p), most, (value, -1), first, given=given)
    cut = real("c == min(max(c, 0), p)", "0 <= c", "c <= p")
    same = given_by(specialize(under(cut, *cut.domain, *given), c=moved), low, high)
    yield combine(part.claim, value, same), "so the shipped mass is not cut"


def chord_above(_: Statement) -> Iterator[Step]:
    """A profile is convex."""
    yield lemma("tradeoff/from-profile", "convex"), "a profile is convex"


def beyond(part: Statement) -> Iterator[Step]:
    """A profile does not rise."""
    known = part.assuming["at g"]
    given = tuple(map(str, part.given))
    less = specialize(real("0 <= c*q", "0 <= c", "0 <= q"), c=x - g)
    upper = combine(at_most(p - x * q, excess(p, q, g)), less, below_excess(p, q, g))
    line = under(positive_part(upper, excess_is_positive(p, q, g)), *given, "0 <= q")
    yield line, "less is left at each outcome"
    most = integrable(known, E(PAIR, excess(p, q, g)))
    size = dominated(line, PAIR, most, lower=excess_is_positive(p, q, x))
    over = expect(line, PAIR, size, most)
    yield combine(part.claim, over, known), "averaged"


def start(part: Statement) -> Iterator[Step]:
    """All of P."""
    mass = part.assuming["P"]
    whole = real("max(p, 0) == p", "0 <= p")
    over = expect(whole, PAIR, integrable(mass, E(PAIR, p)))
    yield combine(part.claim, over, mass), "p is not negative"


def polygon(at: int) -> Statement:
    """The profile of the atoms at a dot, or at 0: what lies beyond it, and the mass at infinity."""
    g, h = DOTS[at - 1] if at else (formula(0), formula(1))
    beyond = ATOMS[at:]
    total = sum((one - g * two for one, two in beyond), DOTS[-1][1])
    place = f"dot {at}" if at else "0, where it is their mass"
    return Statement(
        f"polygon at {at}",
        f"the profile of the atoms at {place}",
        equal(total, h),
        by_prover("algebra"),
        RISING[at:],
    )


SPREAD = Table(
    "P",
    ("w", "U", "K"),
    POOL.support,
    tuple(
        ((formula(1), formula(Fraction(n, 2)), formula(1)), formula(Fraction(1, 2)))
        for n in (1, 3)
    ),
)
"""Half of the cell at each end, alone and at epsilon = 0."""


def attained(part: Statement) -> Iterator[Step]:
    """Where the grid is fine enough the chord is the stick."""
    yield real(part.claim, *part.given), "both are linear between the ends"


def attack(seed: int) -> int:
    """Random pairs: dots on the larger of two profiles, connected, and the shipped least pair above
    both.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        tables = [
            list(zip(pair.p, pair.q, strict=True))
            for pair in (any_pair(rng, 3), any_pair(rng, 4))
        ]
        last = max(p / q for pairs in tables for p, q in pairs)
        places = sorted(
            {
                *(Fraction(rng.randint(1, 40), rng.randint(4, 12)) for _ in range(4)),
                last,
            }
        )
        places = [g for g in places if g <= last]
        dots = [(g, max(_profile(pairs, g) for pairs in tables)) for g in places]
        chords = connect_the_dots(dots)
        least = dominating_table(tables)
        for g in (
            *places,
            *(Fraction(rng.randint(0, 60), rng.randint(3, 12)) for _ in range(6)),
        ):
            exact = max(_profile(pairs, g) for pairs in tables)
            if _profile(chords, g) + dots[-1][1] < exact:
                raise Refused(
                    f"connected dots lie below the profile of {tables} at {g}."
                )
            if _profile(least[0], g) + least[1] != exact:
                raise Refused(f"the least pair above {tables} is not that at {g}.")
    return TRIES


def attack_cells(seed: int) -> int:
    """Random atoms in cells beside a Gaussian release: the shipped sums against the exact profile,
    in balls.
    """
    rng = random.Random(seed)
    for _ in range(TRIES):
        with precision(128):
            others = GaussianCurve(ball(Fraction(rng.randint(1, 30), 10)))
            edges = sorted(
                (Fraction(rng.randint(-40, 40), 10) for _ in range(5)), reverse=True
            )
            atoms = [
                [_inside(rng, low, high) for _ in range(3)]
                for high, low in pairwise(edges)
                if low < high
            ]
            ends = [ball(edge) for edge in sorted(set(edges), reverse=True)]
            masses = [(_total(cell, 0), _total(cell, 1)) for cell in atoms]
            upper, lower = two_sums(ends, masses)
            level = ball(Fraction(rng.randint(-30, 60), 10))
            exact = sum(
                (
                    p * others.enclosure(level - loss)
                    for cell in atoms
                    for loss, p in cell
                ),
                start=ball(0),
            )
            found = CellSums(upper, lower, others, None, math.inf).enclosure(level)
            if not found.overlaps(exact):
                raise Refused(
                    f"the cells between {edges} break the sums over them at {level}."
                )
    return TRIES


def _inside(
    rng: random.Random, low: Fraction, high: Fraction
) -> tuple[RealBall, RealBall]:
    """A loss in a cell, with a mass under P."""
    return ball(low + (high - low) * Fraction(rng.randint(0, 12), 12)), ball(
        Fraction(rng.randint(1, 9), 100)
    )


def _total(cell: list[tuple[RealBall, RealBall]], under_q: int) -> RealBall:
    return sum((p * (-loss).exp() if under_q else p for loss, p in cell), start=ball(0))


def _profile(pairs: list[tuple[Fraction, Fraction]], g: Fraction) -> Fraction:
    return sum((max(p - g * q, Fraction(0)) for p, q in pairs), start=Fraction(0))


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        *CELLS,
        Statement(
            "shares",
            "the shipped mass at the higher end of a cell, of masses p and q, is what"
            " moves there",
            equal(E(SHARE, hit * (1 - T)), read(TO_HIGH)),
            shares,
            ("low < high",),
            {
                "p": assume(equal(E(SHARE, hit), p)),
                "q": assume(equal(E(SHARE, hit * PLACE), q)),
            },
        ),
        *(polygon(at) for at in range(2)),
        telescoped(connect_the_dots),
        Statement(
            "counted",
            "an atom of ratio g at or beyond x counts in full",
            equal(maximum(g * q - x * q, 0), g * q - x * q),
            by_prover("g - x is not negative"),
            ("0 <= q", "x <= g"),
        ),
        Statement(
            "not counted",
            "and one before x does not",
            equal(maximum(g * q - x * q, 0), 0),
            by_prover("g - x is not positive"),
            ("0 <= q", "g <= x"),
        ),
        Statement(
            "chord",
            "between two dots a profile is below the polygon",
            at_most(E(PAIR, excess(p, q, (1 - w) * g + w * h)), (1 - w) * dg + w * dh),
            chord_above,
            ("0 <= w", "w <= 1"),
            {
                "at g": assume(at_most(E(PAIR, excess(p, q, g)), dg)),
                "at h": assume(at_most(E(PAIR, excess(p, q, h)), dh)),
            },
        ),
        Statement(
            "start",
            "at 0 a profile is 1, the first of all dots",
            equal(E(PAIR, excess(p, q, 0)), 1),
            start,
            (),
            {"P": assume(equal(E(PAIR, p), 1))},
        ),
        Statement(
            "beyond",
            "beyond the last dot it is at most its height",
            at_most(E(PAIR, excess(p, q, x)), dg),
            beyond,
            ("g <= x",),
            {"at g": assume(at_most(E(PAIR, excess(p, q, g)), dg))},
        ),
    ),
    sharp=(
        Statement(
            "no kink",
            "where the stick has no kink in the cell, moving it to its ends changes"
            " nothing",
            equal((1 - T) * (1 - K * a) + T * (1 - K * b), 1 - K * INSIDE),
            attained,
        ),
    ),
    falsehoods=(
        Falsehood(
            "a cell moved to its middle has at least its delta",
            at_most((maximum(x, 0) + maximum(y, 0)) / 2, maximum((x + y) / 2, 0)),
        ),
        Falsehood(
            "a pooled cell has at least its delta",
            at_most(E(SPREAD, stick(U)), E(SPREAD, stick(w))),
            instance=example(),
        ),
    ),
    attacks=(
        Attack(
            "random pairs, with their dots connected and with the least pair above"
            " them",
            attack,
        ),
        Attack("random cells beside a loss of two values, in balls", attack_cells),
    ),
    rules=(
        Cells.above,
        Cells.below,
        split_atom,
        connect_the_dots,
        two_sums,
        CellSums.enclosures,
        least_law,
    ),
)
