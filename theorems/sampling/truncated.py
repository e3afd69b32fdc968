"""Poisson samples that are cut at a cap: samples that are not cut and samples that are, side by
    side, dominate.

Printed: not in the sources
Proved: Let the other records alone fill the cap with probability t. If they do not, then no sample
    is cut, with the record or without it, and the pair of a Poisson sample dominates. If they do, a
    cut sample of m + 1 records has the record with probability cap/(m + 1) < 1, in the place of
    another one; else it is a random choice of the others, as without the record. So given the
    others the release is a mixture at a rate of at most r of samples in which one record takes the
    place of another: the condition of sampling/without-replacement, for the mechanism with two
    records, of which one is removed and one added; or, if a null record or another one is in the
    place of the record, of three such samples. A smaller rate is a mixture with equal laws. The
    cases have the same probabilities, so that their pairs, side by side, dominate, and so they do
    with any larger t, as a cut sample is worse. If all others add nothing, the record is in the
    sample at the rate r (1 - t) at least, which is a pair that can happen.
Idea: Condition on the others. The probability that a sample is cut costs what a cut sample costs
    then, and not a delta of its own.
Source: Chua, Ghazi, Harrison, Leeman, Kamath, Kumar, Manurangsi, Sinha and Zhang (2024), Scalable
    DP-SGD: shuffling vs. Poisson subsampling, who add (1 + exp(epsilon)) t to delta.
"""

from rdpacct.book.words import (
    Attack, Falsehood, Fraction, Iterator, Random, Refused, Statement, Status, Step, Symbol,
    Theorem, at_most, by_prover, combine, cut_directions, cut_loss, equal,
    instances_Masses as Masses, kept_rate, masses, maximum, mixtures_RATE as RATE, mixtures_r as r,
    module, positive_part, product, real, relations, specialize, under,
)  # fmt: skip

WITH = module("sampling/with-replacement")
t, u, v, m, p, c, x, y, a, b = map(
    Symbol, ("t", "u", "v", "m", "p", "c", "x", "y", "a", "b")
)
CHANCE = ("0 <= t", "t <= 1")


def convex(part: Statement) -> Iterator[Step]:
    """A mean is at most the mean of the positive parts, which is not negative."""
    given = relations(*CHANCE)
    rest = real("0 <= 1 - t", *given)
    first = specialize(real("x <= max(x, 0)"), x=x)
    second = specialize(real("x <= max(x, 0)"), x=y)
    most = t * maximum(x, 0) + (1 - t) * maximum(y, 0)
    upper = combine(
        at_most(t * x + (1 - t) * y, most), (first, t), (second, 1 - t), given=given
    )
    yield under(upper, *given), "each is at most its positive part"
    lower = real("0 <= t*max(x, 0) + (1 - t)*max(y, 0)", *given)
    found = positive_part(under(upper, *given), under(lower, *given), *given)
    yield rest, "both weights are not negative"
    yield under(combine(part.claim, found), *part.given), "together"


def worse(part: Statement) -> Iterator[Step]:
    """The difference is a product."""
    rule = real("0 <= (u - t)*(b - a)", "t <= u", "a <= b")
    yield rule, "a product of what is not negative"
    yield under(combine(part.claim, rule), *part.given), "which is the difference"


def hockey(one: Masses, two: Masses, factor: Fraction) -> Fraction:
    """The hockey-stick divergence of two finite laws."""
    pairs = zip(one, two, strict=True)
    return sum((max(Fraction(0), i - factor * j) for i, j in pairs), Fraction(0))


def subsets(records: str) -> list[str]:
    """All sets of these records."""
    found = [""]
    for one in records:
        found += [other + one for other in found]
    return found


def release(
    laws: dict[str, Masses], records: str, rate: Fraction, cap: int
) -> list[Fraction]:
    """The law of the output on a Poisson sample that is cut at the cap."""
    total = [Fraction(0)] * 3
    for sample in subsets(records):
        chance = rate ** len(sample) * (1 - rate) ** (len(records) - len(sample))
        kept = [one for one in subsets(sample) if len(one) == min(cap, len(sample))]
        for one in kept:
            law = laws["".join(sorted(one))]
            total = [
                i + chance * j / len(kept) for i, j in zip(total, law, strict=True)
            ]
    return total


def samples(seed: int) -> int:
    """Random mechanisms on cut samples of up to three records, against the bound from the exact
    curves of one record and of two.
    """
    rng = Random(seed)
    for _ in range(60):
        laws = {"".join(sorted(one)): masses(rng, 3) for one in subsets("xyz")}
        rate = Fraction(rng.randint(1, 9), 10)
        cap = rng.randint(1, 2)
        level = 1 + Fraction(rng.randint(0, 30), 10)
        inner = 1 + (level - 1) / rate
        one = [(i, j) for i, j in product(laws, laws) if len(set(i) ^ set(j)) <= 1]
        two = [(i, j) for i, j in product(laws, laws) if len(set(i) ^ set(j)) <= 2]
        near, far = (
            rate * max(hockey(laws[i], laws[j], inner) for i, j in pairs)
            for pairs in (one, two)
        )
        chance = 1 - (1 - rate) ** 2 if cap == 1 else rate**2
        most = (1 - chance) * near + chance * far
        first = tuple(release(laws, "xyz", rate, cap))
        second = tuple(release(laws, "yz", rate, cap))
        if hockey(first, second, level) > most:
            raise Refused(f"a cut at {cap} exceeds the bound at {level}: {laws}.")
    return 60


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        WITH.cases(),
        Statement(
            "kept",
            "a cut sample of m + 1 records has the record with at most the rate",
            at_most(r * c / (m + 1), r),
            by_prover("a quotient below 1"),
            (*RATE, "1 <= c", "c <= m"),
        ),
        Statement(
            "cut sample",
            "given the others the record is in the sample at the rate r v, v that it is kept",
            equal(r * (v * p + (1 - v) * a) + (1 - r) * a, (1 - r * v) * a + r * v * p),
            by_prover("as it stands"),
        ),
        Statement(
            "smaller rates",
            "a mixture with equal laws has at most the mean of the excesses",
            at_most(
                maximum(t * x + (1 - t) * y, 0),
                t * maximum(x, 0) + (1 - t) * maximum(y, 0),
            ),
            convex,
            CHANCE,
        ),
        Statement(
            "larger chances",
            "more cut samples are worse, if a cut sample is",
            at_most((1 - t) * a + t * b, (1 - u) * a + u * b),
            worse,
            ("t <= u", "a <= b"),
        ),
        Statement(
            "what can happen",
            "the record is in samples that are not cut at the shipped rate, and in others",
            at_most(kept_rate(r, t), r * (1 - t) + r * t * v),
            by_prover("a product"),
            ("0 < r", "0 <= t", "0 <= v"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "cut samples cost nothing",
            at_most((1 - t) * a + t * b, a),
            ("0 < t", "t < 1", "0 <= a", "a < b"),
        ),
    ),
    attacks=(Attack("random mechanisms on cut samples of three records", samples),),
    rules=(kept_rate, cut_loss, cut_directions),
)
