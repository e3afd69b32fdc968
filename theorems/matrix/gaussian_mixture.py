"""A record that moves a Gaussian query by a random length: mixtures in one direction are worst.

Printed: not in the sources.
Proved: Given the sample T of the others, a is the density of the output without the record, and b
    with it, where the query is moved by at most m standard deviations; m is drawn independently of
    T. For levels g of each m, with mean k given the output, E max(u - k v, 0) <= E max(b - g a, 0)
    for the densities u with the record and v without, and so with another record in the place of
    none (`levels`). Each excess on the right is at most that of a move by m along the line
    (`shorter`). With the levels at one point c of the line, g = exp(m c - m**2/2), the mean over m
    of these excesses is that of the shipped mixture at every x, whether the record is removed or
    added: all ratios pass their levels at once. So the shipped pairs dominate at every level k,
    and they are attained by moves along one line. Two records that draw their moves independently
    have the shipped law of the sum of the lengths.
Idea: A positive part of a sum is at most the sum of those, and equal to it where all the terms have
    the same sign, as on a half-line.
Source: Choquette-Choo, Ganesh, Steinke and Thakurta (2024), Privacy amplification for matrix
    mechanisms, on mixtures of Gaussians; original to this package for replaced records.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Law, Mapping, MixtureLoss, Statement, Status, Step, Symbol,
    Theorem, assume, at_most, both_moves, by_prover, combine, either, equal, exp, expect, formula,
    gaussian_delta, given_by, integrable, lemma, linear, maximum, mixture_loss, mixture_pair,
    proves, real, relations, specialize, theorem, under,
)  # fmt: skip

m, x, c, S, k, p, r, t = map(Symbol, ("m", "x", "c", "S", "k", "p", "r", "t"))
d, mu, eps, c1, c2, d1, d2 = map(Symbol, ("d", "mu", "eps", "c1", "c2", "d1", "d2"))
J = Law("J", ("m",), relations("0 <= m"))
"""The law of the length of the move, in standard deviations."""
MOVED = exp(m * x - m**2 / 2)
"""The ratio at x of a move by m, whose mean is that of the mixture."""
LEVEL = exp(m * c - m**2 / 2)
MEANS = {
    "mixture": assume(equal(E(J, MOVED), S)),
    "level": assume(equal(E(J, LEVEL), k)),
}
SEVERAL = theorem("sampling/several-records").part("levels")
LOSS = mixture_loss(formula(2), ((p, formula(3)), (1 - p, formula(5))), replaced=True)
(PAIR,) = (part.pair for part in LOSS.parts if isinstance(part, MixtureLoss))
ONE = ((p, c1), (1 - p, c2))
OTHER = ((r, d1), (1 - r, d2))
TOGETHER = both_moves(ONE, OTHER)


def transform(rows: tuple[tuple[Expr, Expr], ...]) -> Expr:
    """The mean of exp(t length)."""
    [first, second] = (share * exp(t * length) for share, length in rows)
    return first + second


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "The excess of a pair of laws is the mean over the line of the excess at x: that of"
        " the mixture is the mean over m of the excesses of moves by m at their levels.",
    ),
    parts=(
        Statement(
            "levels",
            "the excess of the outputs is at most the sum of those over the output without"
            " the record, and below it, at levels of each move",
            SEVERAL.claim,
            given=SEVERAL.given,
            assuming=SEVERAL.assuming,
            witness=SEVERAL.witness,
        ),
        Statement(
            "shorter",
            "a shorter move has a smaller excess at every level",
            at_most(gaussian_delta(d, eps), gaussian_delta(mu, eps)),
            given=("0 < d", "d <= mu"),
        ),
        Statement(
            "removing",
            "at every x the excesses of the moves at their levels add up to that of the"
            " mixture",
            equal(E(J, maximum(MOVED - LEVEL, 0)), maximum(S - k, 0)),
            assuming=MEANS,
        ),
        Statement(
            "adding",
            "and so do those below their levels; for moves the other way, at -x and -c",
            equal(E(J, maximum(LEVEL - MOVED, 0)), maximum(k - S, 0)),
            assuming=MEANS,
        ),
        Statement(
            "two records",
            "the law of both moves has the product of their transforms",
            equal(
                sum((w * exp(t * length) for w, length in TOGETHER), start=formula(0)),
                transform(ONE) * transform(OTHER),
            ),
            by_prover("exp(s + t) = exp(s) exp(t)"),
        ),
        Statement(
            "shipped",
            "the shipped pair has the sensitivities over sigma with their probabilities,"
            " here 3/2 and 5/2, and the same the other way",
            equal(
                sum((w * place for w, place in PAIR.first.terms), start=formula(0)),
                p * formula(3) / 2 + (1 - p) * formula(5) / 2,
            ),
            by_prover("as it stands"),
        ),
        Statement(
            "shipped, replaced",
            "its mirror image is the second law for replaced records",
            equal(
                sum((w * place for w, place in PAIR.second.terms), start=formula(0)),
                -p * formula(3) / 2 - (1 - p) * formula(5) / 2,
            ),
            by_prover("as it stands"),
        ),
    ),
    rules=(mixture_pair, mixture_loss, both_moves),
)


@proves("levels")
def levels(_: Statement) -> Iterator[Step]:
    """With a drawn move in the place of the number of sampled records."""
    yield lemma("sampling/several-records", "levels"), "of whatever is drawn"


@proves("shorter")
def shorter(_: Statement) -> Iterator[Step]:
    """The best test of the shorter move has more power for the longer one."""
    yield lemma("gaussian/worst-pair", "delta"), "the excess rises with the move"


def ordered(low: Expr, high: Expr) -> Fact:
    """exp(m low - m**2/2) <= exp(m high - m**2/2) for low <= high."""
    given = (*J.support, at_most(low, high))
    line = combine(
        at_most(m * low - m**2 / 2, m * high - m**2 / 2),
        (real(at_most(low, high), *given), m),
        given=J.support,
    )
    rises = specialize(
        real("exp(v) <= exp(z)", "v <= z"),
        v=m * low - m**2 / 2,
        z=m * high - m**2 / 2,
    )
    return under(given_by(rises, line), *given)


def passed(part: Statement, gap: Expr, share: Expr, sign: str) -> Fact:
    """Where all the gaps have one sign, the mean of their positive parts is that of the mean."""
    known = part.assuming
    finite = [
        integrable(known["mixture"], E(J, MOVED)),
        integrable(known["level"], E(J, LEVEL)),
    ]
    above = sign == "above"
    high, low = (x, c) if (gap == MOVED - LEVEL) is above else (c, x)
    rises = ordered(low, high)
    apart = (MOVED, LEVEL) if gap == MOVED - LEVEL else (LEVEL, MOVED)
    total = linear(J, gap, {apart[0]: 1, apart[1]: -1}, *finite)
    mean = integrable(total, E(J, gap))
    value = combine(equal(E(J, gap), share), total, *_signed(known, gap))
    where = at_most(low, high)
    if above:
        rule = specialize(real("max(v, 0) == v", "0 <= v"), v=gap)
        line = given_by(rule, combine(at_most(0, gap), rises))
        whole = expect(line, J, mean)
        most = expect(combine(at_most(0, gap), rises), J, mean)
        floor = combine(at_most(0, share), most, value)
        same = given_by(specialize(real("max(v, 0) == v", "0 <= v"), v=share), floor)
        return under(combine(part.claim, whole, value, (same, -1)), where)
    rule = specialize(real("max(v, 0) == 0", "v <= 0"), v=gap)
    line = given_by(rule, combine(at_most(gap, 0), rises))
    whole = expect(line, J)
    least = expect(combine(at_most(gap, 0), rises), J, mean)
    ceiling = combine(at_most(share, 0), least, value)
    same = given_by(specialize(real("max(v, 0) == 0", "v <= 0"), v=share), ceiling)
    return under(combine(part.claim, whole, (same, -1)), where)


def _signed(known: Mapping[str, Fact], gap: Expr) -> tuple[tuple[Fact, int], ...]:
    sign = 1 if gap == MOVED - LEVEL else -1
    return (known["mixture"], sign), (known["level"], -sign)


@proves("removing")
def removing(part: Statement) -> Iterator[Step]:
    """Beyond c all ratios are above their levels, before it below."""
    beyond = passed(part, MOVED - LEVEL, S - k, "above")
    yield beyond, "beyond c"
    before = passed(part, MOVED - LEVEL, S - k, "below")
    yield before, "before c"
    yield either(beyond, before), "everywhere"


@proves("adding")
def adding(part: Statement) -> Iterator[Step]:
    """The other way round."""
    before = passed(part, LEVEL - MOVED, k - S, "above")
    yield before, "before c"
    beyond = passed(part, LEVEL - MOVED, k - S, "below")
    yield beyond, "beyond c"
    yield either(before, beyond), "everywhere"


FALSEHOODS = (
    Falsehood(
        "a mixture of moves by 0 and by 2 has no larger ratios than a move by 1",
        at_most(formula(1) / 2 + exp(2 * x - 2) / 2, exp(x - formula(1) / 2)),
        ("1 <= x",),
    ),
    Falsehood(
        "two records draw one length: both have it with its probability",
        equal(TOGETHER[0][0], p),
        ("0 < p", "p < 1", "0 < r", "r < 1"),
    ),
)
