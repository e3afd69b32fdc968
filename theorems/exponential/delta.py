"""The largest delta of a bounded range.

Printed: not in the sources.
Proved: If the losses of a pair lie in an interval of length eps, then E max(0, 1 - exp(at - L)) <=
    max(0, 1 - exp((at - eps)/2))**2/(1 - exp(-eps)) for all at >= 0; this mean under P is delta(at)
    of the pair. For each at up to eps a pair with two outcomes attains it.
Idea: A chord in exp(-L) leaves pairs with two losses, eta and eta - eps; the worst eta is (at +
    eps)/2, by the inequality between the arithmetic and the geometric mean.
Source: Dong, Durfee and Rogers, Optimal differential privacy composition for exponential
    mechanisms, Lemma 3.2.
"""

from rdpacct.book.words import (
    Attack, Condition, E, Falsehood, Fraction, HIGH, Iterator, LOW, Refused, Statement, Status,
    Step, Symbol, Table, Theorem, any_pair, at_most, bounded_range_DOWN as DOWN,
    bounded_range_L as L, bounded_range_MASS as MASS, bounded_range_P as P, bounded_range_UP as UP,
    bounded_range_eps as eps, combine, dominated, equal, eta, exp, expect,
    exponential_delta as delta, formula, given_by, integrable, lemma, log, maximum, on_the_chord,
    random, real, specialize, table, under,
)  # fmt: skip

at = Symbol("at")
m = Symbol("m")
EXCESS = maximum(0, 1 - exp(at - L))
TOP = maximum(0, 1 - exp(at - eta))
WORST = Table("P", ("L",), (), (((eta,), HIGH), ((eta - eps,), LOW))).at(
    eta=(at + eps) / 2
)
CLAIM = at_most(E(P, EXCESS), delta(eps, at))


def ends(part: Statement) -> Iterator[Step]:
    """The mean of exp(-L) lies between its ends."""
    mass = part.assuming["ratio of laws"]
    bound = real("exp(-L) <= exp(eps - eta)", *P.support, *part.given)
    over = expect(bound, P, integrable(mass, E(P, exp(-L))))
    yield over, "the smallest loss is eta - eps"
    yield combine(part.claim, over, mass), "E exp(-L) = 1"


def two(part: Statement) -> Iterator[Step]:
    """The chord of a positive part."""
    mass = part.assuming["ratio of laws"]
    short: tuple[str | Condition, ...] = (
        *P.support,
        *(one for one in part.given if one == "eps > 0"),
    )
    down, up = (real(at_most(0, share), *short) for share in (DOWN, UP))
    far_end = real(at_most(0, exp(at + eps - eta) - 1), *part.given)
    top = at_most(1 - exp(at - eta), m)
    product = real("0 <= x*y", "x >= 0", "y >= 0", *short)
    rest = given_by(
        specialize(product, x=DOWN, y=exp(at + eps - eta) - 1), down, far_end
    )
    zero = given_by(specialize(product, x=UP, y=m), up)
    line = combine(
        at_most(1 - exp(at - L), UP * m), (real(top, top), UP), rest, (up, 0)
    )
    yield line, "below the chord, as the smallest loss does not exceed at"
    joined = specialize(
        real("max(0, x) <= y", "x <= y", "0 <= y", *short), x=1 - exp(at - L), y=UP * m
    )
    chord = given_by(joined, line, zero)
    yield chord, "so is the positive part"
    finite = dominated(
        specialize(real("max(0, 1 - exp(x)) <= 1"), x=at - L),
        P,
        lower=specialize(real("0 <= max(0, 1 - exp(x))"), x=at - L),
    )
    split = on_the_chord(chord, finite, mass, m, 0, *part.given)
    yield split, "two losses are worst"
    ends_ = [
        specialize(real(text), x=1 - exp(at - eta))
        for text in ("x <= max(0, x)", "0 <= max(0, x)")
    ]
    yield given_by(specialize(split, m=TOP), *ends_), "with the gain at the upper end"


def attained(part: Statement) -> Iterator[Step]:
    """A pair with two losses."""
    total = table(WORST, EXCESS, *part.given)
    yield total, "two losses"
    yield combine(part.claim, total), "with the upper end (at + eps)/2"


def attack(seed: int) -> int:
    """Random pairs of laws; the length of their range is rounded up."""
    rng = random.Random(seed)
    for _ in range(150):
        pair = any_pair(rng, rng.randint(2, 5))
        ratios = pair.ratios()
        length = (
            log(max(ratios) / min(ratios)) if max(ratios) > min(ratios) else formula(1)
        )
        threshold = Fraction(rng.randint(0, 20), 8)
        gap = sum(
            (
                maximum(0, p - q * exp(threshold))
                for p, q in zip(pair.p, pair.q, strict=True)
            ),
            formula(0),
        )
        if (gap - delta(length, threshold)).ball(128).certainly_positive():
            raise Refused(f"the pair {pair} breaks the bound at {threshold}.")
    return 150


def near(part: Statement) -> Iterator[Step]:
    """The worst upper end of the range, for at up to eps."""
    split = lemma("exponential/delta", "two")
    yield split, "two losses are worst"
    given = ("eps > 0", "0 <= at", "at <= eps", "eta <= eps")
    scale = 1 - exp(eta - eps)
    gain = 1 - exp(at - eta)
    best = (1 - exp((at - eps) / 2)) ** 2
    square = specialize(
        real("0 <= (x - y)**2"), x=exp((at - eta) / 2), y=exp((eta - eps) / 2)
    )
    means = combine(at_most(scale * gain, best), square)
    yield means, "the arithmetic and the geometric mean"
    zero = specialize(real("0 <= x**2"), x=1 - exp((at - eps) / 2))
    joined = specialize(
        real("max(0, x) <= y", "x <= y", "0 <= y"), x=scale * gain, y=best
    )
    out = specialize(real("c*max(0, x) == max(0, c*x)", "c >= 0"), c=scale, x=gain)
    raised = specialize(
        real("max(0, x)**2 == x**2", "x >= 0"), x=1 - exp((at - eps) / 2)
    )
    uses = [
        under(fact, *given) for fact in (given_by(joined, means, zero), out, raised)
    ]
    factor = 1 / (1 - exp(-eps))
    yield (
        combine(
            part.claim,
            split,
            *(
                (fact, sign * factor)
                for fact, sign in zip(uses, (1, 1, -1), strict=True)
            ),
        ),
        "so",
    )


def far(part: Statement) -> Iterator[Step]:
    """No loss exceeds eps."""
    split = lemma("exponential/delta", "two")
    yield split, "two losses are worst"
    nothing = real(equal(TOP, 0), "eta <= eps", "eps <= at")
    stated = real(equal(delta(eps, at), 0), "eps > 0", "eps <= at")
    yield (
        combine(part.claim, (split, 1), (nothing, HIGH), (stated, -1)),
        "no loss exceeds eps",
    )


MASSES = {"ratio of laws": MASS}
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "ends",
            "the upper end is at most eps",
            at_most(1, exp(eps - eta)),
            ends,
            (),
            MASSES,
        ),
        Statement(
            "two",
            "two losses are worst",
            at_most(E(P, EXCESS), HIGH * TOP),
            two,
            ("eps > 0", "0 <= at", "eta <= eps"),
            MASSES,
        ),
        Statement(
            "near",
            "delta up to eps",
            CLAIM,
            near,
            ("eps > 0", "0 <= at", "at <= eps", "eta <= eps"),
            MASSES,
        ),
        Statement(
            "far",
            "delta from eps on",
            CLAIM,
            far,
            ("eps > 0", "0 <= at", "eps <= at", "eta <= eps"),
            MASSES,
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "two losses, the upper one (at + eps)/2, attain it",
            equal(E(WORST, EXCESS), delta(eps, at)),
            attained,
            ("eps > 0", "0 <= at", "at <= eps"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "randomized response, whose losses are eps/2 and -eps/2, is the worst pair",
            at_most(delta(eps, at), (exp(eps / 2) - exp(at)) / (exp(eps / 2) + 1)),
            ("eps > 0", "0 <= at", "at <= eps / 2"),
        ),
    ),
    attacks=(Attack("random finite pairs", attack),),
    rules=(delta,),
)
