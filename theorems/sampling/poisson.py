"""Poisson sampling: the mixture of a dominating pair dominates, for removing and for adding a
    record.

Printed: not in the sources
Proved: Let T be the sample of the other records, a and b the densities of T and the output, without
    and with the record in the sample, with respect to a joint law of them, and suppose that (P, Q)
    dominates: E[max(b - g a, 0) | T] <= E max(P - g Q, 0) for every g >= 0. The record is sampled
    with probability r, whatever T is. The output alone has the conditional means given the output
    as its densities. So for every k > 0 it has E max(b' - k a', 0) <= E max(r P + (1 - r) Q - k Q,
    0), b' its density with the record in the data, a' without, and E max(a' - k b', 0) <= E max(Q -
    k (r P + (1 - r) Q), 0). The atoms that the package ships are those of the mixture against Q,
    with loss log(1 - r + r exp(L)). If a null record takes the place of the record, and adds
    nothing to the query, then the output has the density a, whether it is sampled or not: these
    neighbors have the same pairs. The shipped density of a smooth stretch w exp(c L), 0 < c < 1,
    has on every interval of new losses the mass that the mixture has on the losses that become
    these.
Idea: r b + (1 - r) a - k a is r (b - g a) with r g = k - 1 + r, and a - k (r b + (1 - r) a) is k r
    (g a - b) with k r g = 1 - k (1 - r), whose positive part is k r (max(b - g a, 0) + g a - b).
    Where g would be negative, one of the laws is everywhere at least, or at most, k times the
    other. Then forget the sample: that is processing.
Source: Zhu, Dong and Wang, Optimal accounting of differential privacy via characteristic function,
    Theorem 11.
"""

from rdpacct.book.words import (
    Atom, Attack, E, Fact, Falsehood, Fraction, Iterator, Law, On, Piece, PrivacyLoss, Refused,
    Statement, Status, Step, Symbol, Theorem, above, assume, at_most, beyond, by_prover, combine,
    derivative, divergences_processed as processed, dominated, draw, drawn, either, equal, example,
    excess, exp, expect, formula, given_by, instances_Masses as Masses, integrable, interval, level,
    linear, log, masses, mixed, mixtures_RATE as RATE, mixtures_g as g, mixtures_k as k,
    mixtures_r as r, pair, parts_LOSS as LOSS, random, real, relations, sampled, sampled_directions,
    sampled_part, specialize, tower, under,
)  # fmt: skip

a, b, a_out, b_out, P, Q, B = map(Symbol, ("a", "b", "a_out", "b_out", "P", "Q", "B"))
p, q, w, c, loss = map(Symbol, ("p", "q", "w", "c", LOSS.name))
M = Law("M", ("T", "a", "b", "a_out", "b_out"), relations("a >= 0", "b >= 0"))
D = Law("D", ("P", "Q"), relations("P >= 0", "Q >= 0"))
OUT = ("a_out", "b_out")
POSITIVE = (*RATE, "p > 0", "q > 0")
PAIRS = {
    "density with": assume(equal(E(M, b), 1)),
    "density without": assume(equal(E(M, a), 1)),
    "output with": assume(equal(E(M, b, OUT), b_out)),
    "output without": assume(equal(E(M, a, OUT), a_out)),
    "P": assume(equal(E(D, P), 1)),
    "Q": assume(equal(E(D, Q), 1)),
    "dominating": assume(
        at_most(E(M, excess(b, a, g), "T"), E(D, excess(P, Q, g))), "g >= 0", every="g"
    ),
}
SAMPLE = draw(
    Law("M", ("a", "b"), relations("a >= 0", "b >= 0")),
    "B",
    {formula(1): r, formula(0): 1 - r},
)
c_out = Symbol("c")
NULL = relations("a >= 0", "c >= 0")
NULL_SAMPLE = draw(Law("M", ("a", "c"), NULL), "B", {formula(1): r, formula(0): 1 - r})
(ATOM,) = (
    one
    for one in sampled(PrivacyLoss((Atom(p, q, log(p / q)),)), r).parts
    if isinstance(one, Atom)
)
(UNSEEN,) = (
    one
    for one in sampled(PrivacyLoss((), unseen=q, at_infinity=p), r).parts
    if isinstance(one, Atom)
)
(STRETCH,) = (
    one
    for one in sampled(
        PrivacyLoss((Piece(w * exp(c * LOSS), formula(-1), formula(1)),)), r
    ).parts
    if isinstance(one, Piece)
)
NEW_LOSS = log(1 - r + r * exp(loss))


SEEN = Law("M", ("b", "b_out", "F"), relations("b >= 0", "0 <= F <= 1"))
"""A density of the sample and the output, its mean given the output, and a test of the output."""
F = Symbol("F")


def seen(part: Statement) -> Iterator[Step]:
    """A test of the output is known given the output."""
    mass = part.assuming["density"]
    mean = part.assuming["output"]
    given = ("F", "b_out")
    finite = dominated(
        real("b*F <= b", "b >= 0", "0 <= F", "F <= 1"),
        SEEN,
        integrable(mass, E(SEEN, b)),
        lower=real("0 <= b*F", "b >= 0", "0 <= F"),
    )
    pulled = linear(
        SEEN, b * F, {b: F}, integrable(mean, E(SEEN, b, given)), given=given
    )
    inner = combine(equal(E(SEEN, b * F, given), b_out * F), pulled, (mean, F))
    yield inner, "given the output the test is known"
    whole = tower(SEEN, b * F, given, finite)
    over = expect(inner, SEEN, integrable(whole, whole.relation.left))
    yield combine(part.claim, (whole, -1), over), "averaged"


def kept(part: Statement, way: str) -> Fact:
    """Forgetting the sample does not raise the curve."""
    got = part.assuming
    finite = [
        integrable(got[name], E(M, x))
        for name, x in (("density with", b), ("density without", a))
    ]
    given = [
        integrable(got[name], E(M, x, OUT))
        for name, x in (("output with", b), ("output without", a))
    ]
    total = linear(M, mixed(b, a), {b: r, a: 1 - r}, *finite)
    mass = combine(
        equal(E(M, mixed(b, a)), 1),
        total,
        (got["density with"], r),
        (got["density without"], 1 - r),
    )
    there = linear(M, mixed(b, a), {b: r, a: 1 - r}, *given, given=OUT)
    uses = ((got["output with"], r), (got["output without"], 1 - r))
    out = combine(equal(E(M, mixed(b, a), OUT), mixed(b_out, a_out)), there, *uses)
    alone = got["output without"]
    facts = (
        (mass, out, alone) if way == "remove" else (got["density without"], alone, out)
    )
    return processed(M, k, *facts, *RATE, "k > 0")


def domination(way: str) -> Statement:
    """The part for one direction."""

    def proof(part: Statement) -> Iterator[Step]:
        got = part.assuming
        given = relations(*(one for one in part.given if isinstance(one, str)))
        output = kept(part, way)
        yield output, "whoever sees the sample of the others too sees more"
        scale, low = level(way)
        whole, ours = above(M, way, b, a, got["density with"], got["density without"])
        yield ours, "the curve of the mixture, from that with and without the record"
        _, theirs = above(D, way, P, Q, got["P"], got["Q"])
        yield theirs, "the same for the dominating pair"
        joined = tower(M, excess(b, a, g), "T", whole)
        over = expect(got["dominating"], M, integrable(joined, joined.relation.left))
        yield over, "given each sample of the others the pair dominates"
        high = combine(
            part.claim, output, ours, theirs, (over, scale), (joined, -scale)
        )
        there = (*given, at_most(0, low))
        sign = combine(
            at_most(0, low / scale),
            (real(at_most(0, low), *there), 1 / scale),
            given=given,
        )
        high = under(
            given_by(specialize(high, g=low / scale), under(sign, *there)), *there
        )
        ours = beyond(M, way, b, a, got["density with"], got["density without"])
        theirs = beyond(D, way, P, Q, got["P"], got["Q"])
        yield (
            theirs,
            (
                "where one law is everywhere k times the other, or less, nothing"
                " depends on the pair"
            ),
        )
        other = under(
            combine(part.claim, output, ours, theirs), *given, at_most(low, 0)
        )
        yield either(high, other), "the two cases"

    claim = at_most(
        E(M, excess(*pair(way, b_out, a_out), k)), E(D, excess(*pair(way, P, Q), k))
    )
    says = "removing" if way == "remove" else "adding"
    return Statement(
        way,
        f"the pair dominates {says} the record",
        claim,
        proof,
        (*RATE, "k > 0"),
        PAIRS,
    )


def is_mixture(part: Statement) -> Iterator[Step]:
    """The mean over whether the record is sampled."""
    mean = drawn(
        SAMPLE, a + B * (b - a), *(one for one in part.given if isinstance(one, str))
    )
    yield (
        mean,
        "the record is in the sample with probability r, whatever the others are",
    )
    yield combine(part.claim, mean), "the mixture"


def of_null(part: Statement) -> Iterator[Step]:
    """Sampled or not, it adds nothing."""
    given = tuple(one for one in part.given if isinstance(one, str))
    mean = drawn(NULL_SAMPLE, a + B * (c_out - a), *given)
    yield mean, "the null record is in the sample with probability r"
    none = part.assuming["adds nothing"]
    yield combine(part.claim, mean, (none, r)), "where it adds nothing"


def hockey(one: Masses, two: Masses, factor: Fraction) -> Fraction:
    """The hockey-stick divergence of two finite laws."""
    return sum(
        (max(Fraction(0), x - factor * y) for x, y in zip(one, two, strict=True)),
        Fraction(0),
    )


def mechanisms(seed: int) -> int:
    """Random mechanisms on the samples of two other records, by the largest curve given a
    sample.
    """
    rng = random.Random(seed)
    for _ in range(200):
        rate = Fraction(rng.randint(1, 9), 10)
        factor = Fraction(rng.randint(1, 40), 12)
        chance = [(1 - rate) ** 2, rate * (1 - rate), rate * (1 - rate), rate**2]
        laws = [(masses(rng, 3), masses(rng, 3)) for _ in chance]
        with_it, without = (
            tuple(
                sum(
                    (
                        weight * law[i][x]
                        for weight, law in zip(chance, laws, strict=True)
                    ),
                    Fraction(0),
                )
                for x in range(3)
            )
            for i in (0, 1)
        )
        new = tuple(
            rate * x + (1 - rate) * y for x, y in zip(with_it, without, strict=True)
        )
        scale = rate
        low = factor - 1 + rate
        bound = (
            rate * max(hockey(*law, low / scale) for law in laws)
            if low >= 0
            else 1 - factor
        )
        if hockey(new, without, factor) > bound:
            raise Refused(
                f"removing the record from {laws} at the rate {rate} exceeds its bound"
                f" at {factor}."
            )
        scale = rate * factor
        low = 1 - factor * (1 - rate)
        largest = (
            low - scale + scale * max(hockey(*law, low / scale) for law in laws)
            if low >= 0
            else Fraction(0)
        )
        if hockey(without, new, factor) > largest:
            raise Refused(
                f"adding the record to {laws} at the rate {rate} exceeds its bound at"
                f" {factor}."
            )
    return 200


def shipped(seed: int) -> int:
    """Random finite pairs, with outcomes that only one of the laws has: the shipped atoms are those
    of the mixture.
    """
    rng = random.Random(seed)
    for _ in range(100):
        one = masses(rng, 4)
        two = masses(rng, 4)
        rate = Fraction(rng.randint(1, 9), 10)
        atoms = tuple(Atom.of(one[i], two[i]) for i in range(3))
        two = (*two[:3], Fraction(0)) if rng.random() < 0.5 else two
        lost = 1 - sum(two[:3], Fraction(0))
        found = sampled(
            PrivacyLoss(atoms, at_infinity=formula(one[3]), unseen=formula(lost)),
            formula(rate),
        )
        new = [
            (rate * x + (1 - rate) * y, y)
            for x, y in zip(one[:3], two[:3], strict=True)
        ]
        new += [((1 - rate) * lost, lost)] if lost else []
        seen = [(atom.p, atom.q) for atom in found.parts if isinstance(atom, Atom)]
        if seen != [
            (formula(x), formula(y)) for x, y in new
        ] or found.at_infinity != formula(rate * one[3]):
            raise Refused(
                f"the mixture of {one} and {two} at {rate} is not what is shipped."
            )
    return 100


HALF = Fraction(1, 2)
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "output",
            "the conditional mean given the output is the density of the output alone:"
            " every test F of it has the same mean",
            equal(E(SEEN, b * F), E(SEEN, b_out * F)),
            seen,
            (),
            {
                "density": assume(equal(E(SEEN, b), 1)),
                "output": assume(equal(E(SEEN, b, ("b_out", "F")), b_out)),
            },
        ),
        Statement(
            "sample",
            "the density of the output given the sample of the others is the mixture",
            equal(E(SAMPLE, a + B * (b - a), ("a", "b")), mixed(b, a)),
            is_mixture,
            (*RATE, On(SAMPLE)),
        ),
        Statement(
            "null record",
            "a null record in the place of the record leaves the density without it",
            equal(E(NULL_SAMPLE, a + B * (c_out - a), ("a", "c")), a),
            of_null,
            (*RATE, On(NULL_SAMPLE)),
            {"adds nothing": assume(equal(c_out, a))},
            example({"r": "1/2", "a": 1, "c": 1}, {"M": [((1, 1), 1)]}),
        ),
        domination("remove"),
        domination("add"),
        Statement(
            "atoms",
            "a shipped atom has the masses of the mixture and of Q: p - k q becomes r"
            " (p - g q) with r g = k - 1 + r",
            equal(ATOM.p - k * ATOM.q, r * p - (k - 1 + r) * q),
            by_prover("as it stands"),
        ),
        Statement(
            "loss",
            "and their loss",
            equal(ATOM.loss, log(ATOM.p / ATOM.q)),
            by_prover("p = q p/q"),
            POSITIVE,
        ),
        Statement(
            "unseen",
            "so has an atom that P has not",
            equal(exp(UNSEEN.loss) * UNSEEN.q, UNSEEN.p),
            by_prover("exp of a log"),
            ("r < 1",),
        ),
        Statement(
            "stretch",
            "the shipped density at the new loss, times its slope, is the old density"
            " times the mixture over P",
            equal(
                STRETCH.density.at(loss=NEW_LOSS) * derivative(NEW_LOSS, loss.name),
                w * exp(c * loss) * (r + (1 - r) * exp(-loss)),
            ),
            by_prover("the substitution rule"),
            RATE,
        ),
        interval(STRETCH.density, *RATE),
    ),
    falsehoods=(
        Falsehood(
            "the pair for removing dominates adding too",
            at_most(
                E(D, excess(*pair("add", P, Q), k)),
                E(D, excess(*pair("remove", P, Q), k)),
            ),
            (*RATE, "k > 0"),
            assuming={name: PAIRS[name] for name in ("P", "Q")},
            instance=example(
                {"r": "1/2", "k": "2/3"},
                {"D": [(("3/2", "1/2"), "1/2"), (("1/2", "3/2"), "1/2")]},
            ),
        ),
    ),
    attacks=(
        Attack(
            "random mechanisms on samples of two other records, exactly", mechanisms
        ),
        Attack("shipped mixtures of random finite pairs, exactly", shipped),
    ),
    rules=(sampled, sampled_part, sampled_directions),
)
