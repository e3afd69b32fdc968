"""Batches of a fixed size, drawn without replacement: adding, removing or replacing a record.

Printed: not in the sources
Proved: A record is in a batch of b out of n records with probability r = b/n. Let T be the rest of
    the batch with the record whose place it would take, a, b and d the densities of T and the
    output without the record, with it, and with another one in its place, and let (P, Q) dominate a
    mechanism for batches that differ in one record: E[max(b - g a, 0) | T] <= E max(P - g Q, 0) for
    every g >= 0, and the same for all three. For neighbors that have the record or do not have it,
    the mixture r P + (1 - r) Q against Q dominates removing it, and Q against the mixture adding
    it. For neighbors in which the record is another one, the outputs have the densities u = r b +
    (1 - r) a and v = r d + (1 - r) a, and E max(u - k v, 0) <= h(k) = E max(r P + (1 - r) Q - k Q,
    0) for k >= 1, and at most 1 - k + k h(1/k) for 0 < k <= 1: the curve of the folded pair, which
    has the losses of the mixture above 0, the same mirrored, and the rest of its mass at 0. That is
    (1 - r) (v - u) + m for a symmetric pair with the mass v above 0 under P, u under Q, and m at 0.
Idea: u - k v = r b - k r d - (k - 1) (1 - r) a. With r g = k - 1 + r this is r times the mean of b
    - g d and b - g a with the weights k/g and 1 - k/g, so that its positive part is at most the
    mean of theirs. The levels below 1 are those above 1 of the exchanged pair.
Source: Zhu, Dong and Wang, Optimal accounting of differential privacy via characteristic function
    (2022), Theorem 11 and Proposition 30, for the two curves.
"""

from rdpacct.book.words import (
    Atom, Attack, E, Fact, Falsehood, Fraction, Iterator, Law, PrivacyLoss, Quantity, Random,
    Refused, Statement, Status, Step, Symbol, Theorem, Whole, above, assume, at_most,
    both_directions, by_prover, combine, dataclasses_replace as replace,
    divergences_processed as processed, drawn_share, either_way, equal, example, excess, expect,
    finite_excess, folded_direction, folded_folded as folded, formula, given_by, induct,
    instances_Masses as Masses, integrable, linear, mass_at_zero, masses, maximum, mixed,
    mixtures_RATE as RATE, mixtures_g as g, mixtures_k as k, mixtures_r as r, module, one_way,
    positive_part, real, relations, specialize, tower, under,
)  # fmt: skip

POISSON = module("sampling/poisson")
a, b, d, x_out, y_out, P, Q = map(
    Symbol, ("without", "with", "other", "x_out", "y_out", "P", "Q")
)
u, v, m, n, j, s = map(Symbol, ("u", "v", "m", "n", "j", "s"))
size = Symbol("b")
i = Symbol("i")
M = Law(
    "M",
    ("T", "without", "with", "other", "x_out", "y_out"),
    tuple(at_most(0, density) for density in (a, b, d)),
)
D = Law("D", ("P", "Q"), relations("P >= 0", "Q >= 0"))
OUT = ("x_out", "y_out")
DRAWN = Quantity("S", (j,))
"""How many of the first j records are in the batch, in the mean."""


def dominating(one: Symbol, two: Symbol) -> Fact:
    """The pair dominates batches that differ in one record."""
    return assume(
        at_most(E(M, excess(one, two, g), "T"), E(D, excess(P, Q, g))),
        "g >= 0",
        every="g",
    )


MASSES = {
    "without": assume(equal(E(M, a), 1)),
    "with": assume(equal(E(M, b), 1)),
    "with the other": assume(equal(E(M, d), 1)),
    "output": assume(equal(E(M, mixed(b, a), OUT), x_out)),
    "other output": assume(equal(E(M, mixed(d, a), OUT), y_out)),
    "P": assume(equal(E(D, P), 1)),
    "Q": assume(equal(E(D, Q), 1)),
}
w = Symbol("w")
LEVEL = relations(
    *RATE, "0 <= w", "w <= 1", "k >= 1", "g >= 1", "r*g == k - 1 + r", "w*g == k"
)
"""The level of the pair, and the weight of the batch with the other record."""
ALIKE = example(
    {"r": "1/2", "k": 2},
    {"M": [((0, 1, 1, 1, 1, 1), 1)], "D": [((1, 1), 1)]},
)


def counted(part: Statement) -> Iterator[Step]:
    """One record more adds its probability."""
    before = assume(equal(DRAWN, j * s), Whole("j", 0))
    each = part.assuming["each"]
    step = combine(equal(DRAWN.at(j=j + 1), (j + 1) * s), before, each)
    yield step, "one record more"
    base = combine(equal(DRAWN.at(j=0), 0 * s), part.assuming["none"])
    yield base, "no record"
    total = specialize(induct(base, step, "j"), j=n)
    yield total, "all records"
    found = combine(
        part.claim,
        (total, 1 / n),
        (part.assuming["all"], -1 / n),
        given=("n >= 1",),
    )
    yield under(found, *part.given), "which are b"


def mass_of(one: Symbol, mass: Fact) -> Fact:
    """The density with a record in the data has mass 1."""
    without = MASSES["without"]
    finite = [integrable(mass, E(M, one)), integrable(without, E(M, a))]
    total = linear(M, mixed(one, a), {one: r, a: 1 - r}, *finite)
    return combine(equal(E(M, mixed(one, a)), 1), total, (mass, r), (without, 1 - r))


def of_pair(one: Symbol, two: Symbol, mass: Fact, bound: Fact) -> Fact:
    """The mean of the excess of two batches that differ in one record is at most that of the
    pair.
    """
    whole = finite_excess(M, one, two, g, integrable(mass, E(M, one)), "g >= 0")
    joined = tower(M, excess(one, two, g), "T", whole)
    over = expect(bound, M, integrable(joined, joined.relation.left))
    claim = at_most(E(M, excess(one, two, g)), E(D, excess(P, Q, g)))
    return combine(claim, over, (joined, -1))


def mean_of_two(one: Symbol, other: Symbol) -> Iterator[Step]:
    """max(u - k v, 0) is at most a mean of the excesses of one batch over two others."""
    there = (*M.support, *LEVEL)
    weights = (r * w, r * (1 - w))
    signs = tuple(real(at_most(0, weight), *LEVEL[:4]) for weight in weights)
    gaps = (one - g * other, one - g * a)
    product = real("0 <= x*y", "0 <= x", "0 <= y")
    floors = list[Fact]()
    slack = list[Fact]()
    for gap, weight, sign in zip(gaps, weights, signs, strict=True):
        stick = maximum(gap, 0)
        low = specialize(real("0 <= max(x, 0)"), x=gap)
        floors.append(given_by(specialize(product, x=weight, y=stick), sign, low))
        line = specialize(real("0 <= max(x, 0) - x"), x=gap)
        slack.append(given_by(specialize(product, x=weight, y=stick - gap), sign, line))
    most = weights[0] * maximum(gaps[0], 0) + weights[1] * maximum(gaps[1], 0)
    whole = mixed(one, a) - k * mixed(other, a)
    levels = [real(one, *LEVEL) for one in LEVEL[-2:]]
    uses = ((levels[0], a), (levels[1], r * (other - a)))
    upper = combine(at_most(whole, most), *slack, *uses, given=there)
    lower = combine(at_most(0, most), *floors, given=there)
    yield under(positive_part(upper, lower, *there), *there), "pointwise"


def bounded(one: Symbol, other: Symbol, known: dict[str, Fact]) -> Iterator[Step]:
    """A mean of two excesses, each of which the pair bounds."""
    mass = mass_of(one, known["mass"])
    outputs = (known["output"], known["other output"])
    output = processed(M, k, mass, *outputs, *RATE, "k >= 1")
    yield output, "whoever sees the rest of the batch too sees more"
    *before, (pointwise, says) = mean_of_two(one, other)
    yield from before
    yield pointwise, says
    finite_one = integrable(known["mass"], E(M, one))
    sticks = (excess(one, other, g), excess(one, a, g))
    weights = (r * w, r * (1 - w))
    whole = [finite_excess(M, one, two, g, finite_one, "g >= 1") for two in (other, a)]
    parts = dict(zip(sticks, weights, strict=True))
    most = pointwise.relation.right
    mean = linear(M, most, parts, *whole, where=LEVEL)
    first = mixed(one, a)
    finite = finite_excess(
        M, first, mixed(other, a), k, integrable(mass, E(M, first)), *RATE, "k >= 1"
    )
    taken = expect(pointwise, M, finite, integrable(mean, E(M, most)))
    yield taken, "in the mean"
    drawn = of_pair(one, other, known["mass"], known["drawn"])
    not_drawn = of_pair(one, a, known["mass"], known["not drawn"])
    _, theirs = above(D, "remove", P, Q, MASSES["P"], MASSES["Q"])
    outs = (known["output"].relation.right, known["other output"].relation.right)
    claim = at_most(E(M, excess(*outs, k)), E(D, excess(mixed(P, Q), Q, k)))
    uses = ((drawn, weights[0]), (not_drawn, weights[1]))
    joined = combine(claim, output, taken, mean, *uses, theirs, given=LEVEL)
    yield joined, "which the pair bounds"
    top = (k - 1 + r) / r
    share = k * r / (k - 1 + r)
    here = specialize(under(joined, *LEVEL), g=top, w=share)
    given = (*RATE, "k >= 1")
    facts = (
        real(at_most(1, top), *given),
        real(at_most(0, share), *given),
        real("k*r/(k - 1 + r) <= 1", *given),
        real(equal(r * top, k - 1 + r), *given),
        real(equal(share * top, k), *given),
    )
    yield under(given_by(here, *facts), *given), "at r g = k - 1 + r"


ABOVE = {
    **{name: one for name, one in MASSES.items() if name != "with the other"},
    "drawn": dominating(b, d),
    "not drawn": dominating(b, a),
}
BELOW = {**MASSES, "drawn": dominating(d, b), "not drawn": dominating(d, a)}


def above_one(part: Statement) -> Iterator[Step]:
    """As it stands."""
    yield from bounded(b, d, {**part.assuming, "mass": part.assuming["with"]})


def below_one(part: Statement) -> Iterator[Step]:
    """The exchanged pair at the level 1/k."""
    got = part.assuming
    other = {
        **got,
        "mass": got["with the other"],
        "output": got["other output"],
        "other output": got["output"],
    }
    *_, (turned, _) = bounded(d, b, other)
    yield turned, "the exchanged pair above 1"
    given = relations(*RATE, "0 < k", "k <= 1", "1 <= i", "k*i == 1")
    here = under(specialize(turned, k=i), *given)
    yield here, "at i = 1/k"
    rule = real("max(v, 0) == v + s*max(z, 0)", "s > 0", "v == -s*z")
    gap = x_out - k * y_out
    turned_gap = y_out - i * x_out
    line = combine(equal(gap, -k * turned_gap), (real(given[-1], *given), -x_out))
    same = under(given_by(specialize(rule, v=gap, s=k, z=turned_gap), line), *given)
    yield same, "the levels below 1 from those above"
    means = list[Fact]()
    for name, mass, one, out in (
        ("output", "with", b, x_out),
        ("other output", "with the other", d, y_out),
    ):
        full = mass_of(one, got[mass])
        joined = tower(M, mixed(one, a), OUT, integrable(full, E(M, mixed(one, a))))
        over = expect(got[name], M, integrable(joined, joined.relation.left))
        means.append(combine(equal(E(M, out), 1), (over, -1), joined, full))
    finite = [integrable(one, one.relation.left) for one in means]
    stick = excess(y_out, x_out, i)
    finite.append(integrable(here, here.relation.left))
    body = x_out - k * y_out + k * stick
    parts = {x_out: formula(1), y_out: -k, stick: k}
    total = linear(M, body, parts, *finite, where=given)
    taken = expect(same, M, integrable(total, E(M, body)))
    uses = (taken, total, means[0], (means[1], -k), (here, k))
    claim = at_most(
        E(M, excess(x_out, y_out, k)),
        1 - k + k * E(D, excess(mixed(P, Q), Q, i)),
    )
    found = under(combine(claim, *uses, given=given), *given)
    yield found, "together"
    facts = (
        real(at_most(1, 1 / k), "0 < k", "k <= 1"),
        real(equal(k * (1 / k), 1), "0 < k"),
    )
    yield under(given_by(specialize(found, i=1 / k), *facts), *part.given), "i is 1/k"


def hockey(one: Masses, two: Masses, factor: Fraction) -> Fraction:
    """The hockey-stick divergence of two finite laws."""
    pairs = zip(one, two, strict=True)
    return sum((max(Fraction(0), x - factor * y) for x, y in pairs), Fraction(0))


def average(laws: dict[str, Masses], names: tuple[str, ...]) -> Masses:
    """The law of the output, if each of these batches is as likely."""
    columns = zip(*(laws[name] for name in names), strict=True)
    return tuple(sum(column, Fraction(0)) / len(names) for column in columns)


def curve(laws: dict[str, Masses], level: Fraction, rate: Fraction) -> Fraction:
    """The bound at a level of at least 1, from all batches that differ in one record."""
    inner = (level - 1 + rate) / rate
    near = [(x, y) for x in laws for y in laws if x != y and set(x) & set(y)]
    return rate * max(hockey(laws[x], laws[y], inner) for x, y in near)


def batches(seed: int) -> int:
    """Random mechanisms on batches of two out of three records, one of which is replaced: a law for
    each batch, and the largest curve of any two batches that differ in one record.
    """
    rng = Random(seed)
    rate = Fraction(2, 3)
    for _ in range(100):
        laws = {name: masses(rng, 3) for name in ("xy", "xz", "wy", "wz", "yz", "xw")}
        data = average(laws, ("xy", "xz", "yz"))
        other = average(laws, ("wy", "wz", "yz"))
        level = Fraction(rng.randint(1, 40), 12)
        if level >= 1:
            most = curve(laws, level, rate)
        else:
            most = 1 - level + level * curve(laws, 1 / level, rate)
        if hockey(data, other, level) > most:
            raise Refused(f"replacing a record exceeds its bound at {level}: {laws}.")
    return 100


def shipped(seed: int) -> int:
    """The curve of the shipped atoms, against that of the mixture of a random symmetric pair."""
    rng = Random(seed)
    for _ in range(60):
        rest, likely, rare = sorted(masses(rng, 3))
        rows = [(likely, rest), (rest, likely), (rare, rare)]
        rate = Fraction(rng.randint(1, 9), 10)
        loss = PrivacyLoss(tuple(Atom.of(*row) for row in rows), symmetric=True)
        found = [
            (one.p.bound().lower, one.q.bound().lower)
            for one in folded(loss, formula(rate)).parts
            if isinstance(one, Atom)
        ]
        level = 1 + Fraction(rng.randint(0, 20), 10)
        first, second = zip(*found, strict=True)
        mixture = [rate * x + (1 - rate) * y for x, y in rows]
        wanted = hockey(tuple(mixture), tuple(y for _, y in rows), level)
        if sum(first) != 1 or sum(second) != 1:
            raise Refused(f"the folded pair of {rows} has masses {first}, {second}.")
        both = (hockey(first, second, level), hockey(second, first, level))
        if both != (wanted, wanted):
            raise Refused(f"the folded pair of {rows} at {rate} is not what it says.")
    return 60


HALF = formula(Fraction(1, 2))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "share",
            "each record is in the batch with the same probability, which is that shipped",
            equal(s, drawn_share(size, n)),
            counted,
            (Whole("n", 1),),
            {
                "none": assume(equal(DRAWN.at(j=0), 0)),
                "each": assume(equal(DRAWN.at(j=j + 1), DRAWN + s), every="j"),
                "all": assume(equal(DRAWN.at(j=n), size)),
            },
        ),
        POISSON.domination("remove"),
        POISSON.domination("add"),
        Statement(
            "replaced",
            "the pair for removing dominates replacing the record at levels above 1",
            at_most(E(M, excess(x_out, y_out, k)), E(D, excess(mixed(P, Q), Q, k))),
            above_one,
            (*RATE, "k >= 1"),
            ABOVE,
            ALIKE,
        ),
        Statement(
            "replaced, below 1",
            "and the same curve, exchanged, at levels below 1",
            at_most(
                E(M, excess(x_out, y_out, k)),
                1 - k + k * E(D, excess(mixed(P, Q), Q, 1 / k)),
            ),
            below_one,
            (*RATE, "0 < k", "k <= 1"),
            BELOW,
            replace(ALIKE, values={**ALIKE.values, "k": HALF}),
        ),
        Statement(
            "mass at 0",
            "what is left at the loss 0 of the folded pair, as it is shipped",
            equal(1 - ((1 - r) * u + r * v) - u, mass_at_zero(v - u, m, r)),
            by_prover("the masses of a symmetric pair add up to 1"),
            ("u + v + m == 1",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the pair for removing dominates replacing at levels below 1, too",
            at_most(
                1 - k + k * E(D, excess(mixed(P, Q), Q, 1 / k)),
                E(D, excess(mixed(P, Q), Q, k)),
            ),
            (*RATE, "k > 0"),
            assuming={name: MASSES[name] for name in ("P", "Q")},
            instance=example(
                {"r": "1/2", "k": "2/3"},
                {"D": [(("3/2", "1/2"), "1/2"), (("1/2", "3/2"), "1/2")]},
            ),
        ),
    ),
    attacks=(
        Attack("random mechanisms on batches of two of three records", batches),
        Attack("shipped folded pairs of random symmetric ones, exactly", shipped),
    ),
    rules=(
        drawn_share,
        one_way,
        either_way,
        both_directions,
        folded_direction,
        mass_at_zero,
    ),
)
