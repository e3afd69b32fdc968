"""The two divergences of a maximally divergent pair are the same.

Printed: If every log ratio of M and M' is -eps, 0 or eps, then KL(M || M') = KL(M' || M).
Proved: The loss eps has probability (1 - n) exp(eps)/(1 + exp(eps)) under M, the loss -eps (1 -
    n)/(1 + exp(eps)), where n is that of the loss 0. So the loss of M against M' has the law of the
    loss of M' against M: all exponential moments agree, and both divergences are eps tanh(eps/2) (1
    - n).
Idea: E exp(-loss) = 1 has one unknown, once n is known; (1 + exp(-x)) x is a multiple of 1 -
    exp(-x) at x = -eps, 0, eps.
Source: Dwork and Rothblum, Lemma 8.
Finding: Not only the divergences agree, but the laws of the two losses, and so every divergence of
    the pair.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Table, Theorem, assume, at_most, balanced,
    bounded, combine, equal, example, exp, formula, integrable, linear,
    maximally_divergent_masses as masses, proves, ratios_B as B, ratios_eps as eps, symbols, table,
    tanh, tilt, tilted,
)  # fmt: skip

a, n, t, x = symbols("a n t x")
P = Table(
    "P",
    ("B",),
    rows=(((formula(1),), a), ((formula(0),), n), ((formula(-1),), 1 - n - a)),
)
Q = tilted("Q", P, exp(-eps * B))
MASS = assume(equal(E(P, exp(-eps * B)), 1))
IS_LAW = ("0 <= a", "0 <= n", at_most(0, 1 - n - a))
LIKELY, RARE = masses(eps, n)

THEOREM = Theorem(
    verdict=Status.SHARPENED,
    parts=(
        Statement(
            "masses",
            "the loss eps has the probability that the package gives it",
            equal(a, LIKELY),
            given=("eps > 0", *IS_LAW),
            assuming={"mass": MASS},
        ),
        Statement(
            "rare",
            "the loss -eps has the probability that the package gives it",
            equal(1 - n - a, RARE),
            given=("eps > 0", *IS_LAW),
            assuming={"mass": MASS},
        ),
        Statement(
            "divergences",
            "KL(M || M') = KL(M' || M)",
            equal(E(P, eps * B), E(Q, -eps * B)),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
        Statement(
            "moments",
            "the two losses have the same exponential moments",
            equal(E(P, exp(t * eps * B)), E(Q, exp(-t * eps * B))),
            given=("eps > 0", *IS_LAW),
            assuming={"mass": MASS},
        ),
        Statement(
            "value",
            "both divergences are eps tanh(eps/2) times the mass of the losses other"
            " than 0",
            equal(E(P, eps * B), eps * tanh(eps / 2) * (1 - n)),
            given=("eps > 0", *IS_LAW),
            assuming={"mass": MASS},
        ),
    ),
    rules=(masses,),
)


@proves("masses", "rare")
def likely(part: Statement) -> Iterator[Step]:
    """One equation with one unknown."""
    total = table(P, exp(-eps * B), *part.given)
    yield total, "the mean of exp(-loss)"
    factor = exp(eps) / (exp(2 * eps) - 1)
    signs = (1, -1) if part.claim.left == a else (-1, 1)
    factors = [sign * factor for sign in signs]
    yield (
        combine(part.claim, (total, factors[0]), (part.assuming["mass"], factors[1])),
        "it is 1",
    )


@proves("divergences")
def divergences(part: Statement) -> Iterator[Step]:
    """The pointwise identity, averaged."""
    mass = part.assuming["mass"]
    line, same = balanced(P, mass, *part.given)
    yield line, "at each of the three losses"
    yield same, "averaged, with E exp(-loss) = 1"
    reverse = -eps * B
    ratio = exp(-eps * B)
    finite = bounded(P, ratio * reverse, eps * exp(eps), *part.given)
    other = tilt(Q, reverse, mass, finite)
    yield other, "the divergence of M' from M, under M"
    turned = linear(
        P,
        ratio * reverse,
        {eps * B * ratio: -1},
        bounded(P, eps * B * ratio, eps * exp(eps), *part.given),
    )
    yield combine(part.claim, same, other, turned), "the same"


@proves("moments")
def moments(part: Statement) -> Iterator[Step]:
    """Both sides are sums of three terms."""
    mass = part.assuming["mass"]
    ratio = exp(-eps * B)
    first = table(P, exp(t * eps * B), *part.given)
    yield first, "the moment of the loss"
    second = table(P, ratio * exp(-t * eps * B), *part.given)
    finite = integrable(second, E(P, ratio * exp(-t * eps * B)))
    other = tilt(Q, exp(-t * eps * B), mass, finite)
    yield other, "and of the reverse loss"
    known = THEOREM.part("masses").fact()
    yield known, "the masses"
    difference = exp(t * eps) * (1 + exp(eps)) - exp(-t * eps) * (1 + exp(-eps))
    yield (
        combine(part.claim, first, other, second, (known, difference)),
        "with the masses known",
    )


@proves("value")
def value(part: Statement) -> Iterator[Step]:
    """The mean of the loss, with the masses known."""
    mean = table(P, eps * B, *part.given)
    known = THEOREM.part("masses").fact()
    yield known, "the masses"
    yield (
        combine(part.claim, mean, (known, 2 * eps)),
        "eps times the difference of the two masses",
    )


ANY = Law("P", ("x",))

FALSEHOODS = (
    Falsehood(
        "two losses of different sizes do as well: KL(M' || M) <= KL(M || M')",
        at_most(E(ANY, -x * exp(-x)), E(ANY, x)),
        assuming={"mass": assume(equal(E(ANY, exp(-x)), 1))},
        instance=example(laws={"P": [("log(2)", "4/5"), ("-log(3)", "1/5")]}),
    ),
    Falsehood(
        "the masses of the losses eps and -eps are equal, here without a neutral"
        " outcome",
        equal(LIKELY.at(n=formula(0)), RARE.at(n=formula(0))),
        ("eps > 0",),
    ),
)
