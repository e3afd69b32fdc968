"""Post-processing of concentrated differential privacy.

Printed: not in the sources
Proved: With L the loss of an output and M that of a function of it, E exp(t M) <= E exp(t L) for
    all t >= 0. So the one-sided form E exp(t (L - mu)) <= exp(t**2 tau**2/2), t >= 0, which is
    zCDP, is closed. The centered form of Dwork and Rothblum is not, for any tau > 0
    (cdp/processed-gaussian). For tau >= 3 it is enough to ask whether a Gaussian output exceeds its
    own mean: the loss of that answer has variance above tau**2.
Idea: Given M, the mean of exp(-L) is exp(-M), and exp(t L) lies above its tangent in exp(-L). A
    threshold makes two losses out of many, far apart where one of the two outcomes is rare under Q
    only.
Source: This package; Bun and Steinke (2016) note that the centered form is not closed.
Finding (false): (mu, tau)-MeanCDP does not survive post-processing, for any tau > 0. For tau = 3,
    the sign of a Gaussian output about its own mean has a loss of variance 10.911 > 9. The package
    refuses to post-process MeanCDP and asks for mean_cdp_to_zcdp first.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status, Step, Symbol, Table,
    Theorem, any_pair, assume, at_most, below, combine, conditional, dataclasses_replace as replace,
    dominated, equal, example, exp, expect, formula, given_by, integrable, lemma, linear, log,
    normal_cdf, post_process_mean_cdp, random, real, specialize, subgaussian, table, tower,
)  # fmt: skip

t, mu, tau, X, B, g = (Symbol(name) for name in ("t", "mu", "tau", "X", "B", "g"))
P = Law("P", ("L", "M"))
L = P.symbol("L")
M = P.symbol("M")
PROCESSED = assume(equal(E(P, exp(-L), "M"), exp(-M)))


def jensen(part: Statement) -> Iterator[Step]:
    """The tangent of exp(t L) as a function of exp(-L), given M."""
    before = part.assuming["before"]
    ratio = part.assuming["processed"]
    tangent = specialize(real("1 + t*(1 - exp(-u)) <= exp(t*u)", *part.given), u=L - M)
    line = exp(t * M) * (1 + t) - t * exp((t + 1) * M) * exp(-L)
    moment = exp(t * L)
    above = combine(at_most(line, moment), (tangent, exp(t * M)))
    yield above, "exp(t L) lies above its tangent in exp(-L)"
    inner = linear(
        P,
        line,
        {exp(-L): -t * exp((t + 1) * M)},
        integrable(ratio, E(P, exp(-L), "M")),
        constant=exp(t * M) * (1 + t),
        given="M",
    )
    whole = integrable(before, E(P, moment))
    given_m = expect(
        above, P, integrable(inner, E(P, line, "M")), conditional(whole, "M"), given="M"
    )
    least = combine(
        at_most(exp(t * M), E(P, moment, "M")),
        given_m,
        inner,
        (ratio, t * exp((t + 1) * M)),
    )
    yield least, "given M, where the mean of exp(-L) is exp(-M)"
    back = tower(P, moment, "M", whole)
    mean = integrable(back, E(P, E(P, moment, "M")))
    small = dominated(least, P, mean, lower=real(at_most(0, exp(t * M))))
    yield (
        combine(part.claim, expect(least, P, small, mean), back, before),
        "integrated over M",
    )


def one_sided(part: Statement) -> Iterator[Step]:
    """The same, about mu."""
    before = part.assuming["before"]
    bound = exp(t * mu) * exp(t**2 * tau**2 / 2)
    raw = linear(
        P,
        exp(t * L),
        {exp(t * (L - mu)): exp(t * mu)},
        integrable(before, E(P, exp(t * (L - mu)))),
    )
    moments = combine(at_most(E(P, exp(t * L)), bound), raw, (before, exp(t * mu)))
    yield moments, "the moments of L"
    after = at_most(E(P, exp(t * M)), bound)
    *_, (kept, _) = jensen(
        replace(part, claim=after, assuming={**part.assuming, "before": moments})
    )
    yield kept, "those of M are no larger"
    back = linear(
        P,
        exp(t * (M - mu)),
        {exp(t * M): exp(-t * mu)},
        integrable(kept, E(P, exp(t * M))),
    )
    yield combine(part.claim, back, (kept, exp(-t * mu))), "about mu again"


def threshold(part: Statement) -> Iterator[Step]:
    """Two outcomes of probability 1/2 under P; under Q one of them has probability Phi(-tau)."""
    gap = equal((log(HALF / RARE) - log(HALF / (1 - RARE))) / 2, LOSSES)
    yield real(gap, *part.given), "half the gap between the two losses"
    square = table(TWO, X**2)
    yield square, "the centered loss is plus or minus that"
    anywhere = combine(
        below(tau**2, E(TWO, X**2)),
        square,
        (real("tau < g", "tau < g"), g + tau),
        given=part.given,
    )
    larger = given_by(specialize(anywhere, g=LOSSES), WIDE.fact())
    yield larger, "its variance exceeds tau**2"
    bridge = lemma("cdp/variance", "variance")
    yield from subgaussian.absurd(part.assuming["centered"], larger, bridge, SIGN, X, 0)


def never_more(seed: int) -> int:
    """Outcomes of random finite pairs merged at random: moments at whole rates, exactly."""
    rng = random.Random(seed)
    for _ in range(200):
        pair = any_pair(rng, 6)
        rate = rng.randint(1, 4)
        label = [rng.randrange(3) for _ in pair.p]
        merged = [
            tuple(
                sum(m for m, g in zip(law, label, strict=True) if g == group)
                for law in (pair.p, pair.q)
            )
            for group in set(label)
        ]
        before = sum(p * (p / q) ** rate for p, q in zip(pair.p, pair.q, strict=True))
        if sum(p * (p / q) ** rate for p, q in merged) > before:
            raise Refused(f"{pair} merged by {label} has a larger moment at {rate}.")
    return 200


HALF = Fraction(1, 2)
RARE = normal_cdf(-tau)
LOSSES = log((1 - RARE) / RARE) / 2
TWO = Table("S", ("X",), (), (((g,), formula(HALF)), ((-g,), formula(HALF))))
SIGN = TWO.at(g=LOSSES)
WIDE = Statement(
    "gap",
    "the two losses are more than 2 tau apart",
    below(tau, LOSSES),
    lambda part: iter([(real(part.claim, *part.given), "a normal tail")]),
    ("tau >= 3",),
)
CENTERED = at_most(E(SIGN, exp(t * X)), exp(t**2 * tau**2 / 2))
THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "moments",
            "no function of the output has larger moments of the loss",
            at_most(E(P, exp(t * M)), B),
            jensen,
            ("t >= 0",),
            {"before": assume(at_most(E(P, exp(t * L)), B)), "processed": PROCESSED},
        ),
        Statement(
            "one-sided",
            "the one-sided form about mu is closed",
            at_most(E(P, exp(t * (M - mu))), exp(t**2 * tau**2 / 2)),
            one_sided,
            ("t >= 0",),
            {
                "before": assume(
                    at_most(E(P, exp(t * (L - mu))), exp(t**2 * tau**2 / 2)),
                    "t >= 0",
                    every="t",
                ),
                "processed": PROCESSED,
            },
        ),
        WIDE,
        Statement(
            "centered-refuted",
            "if the sign of a Gaussian output about its mean had a tau-subgaussian"
            " centered loss, then 0 < 0",
            below(0, 0),
            threshold,
            ("tau >= 3",),
            {"centered": assume(CENTERED, every="t")},
        ),
    ),
    falsehoods=(
        Falsehood(
            "the centered form is closed: here for the sign of a Gaussian output about"
            " its own mean",
            CENTERED,
            ("tau >= 3",),
            instance=example({"tau": 3, "t": "1/3"}),
        ),
    ),
    attacks=(Attack("merged outcomes of random finite pairs, exactly", never_more),),
    rules=(post_process_mean_cdp,),
)
