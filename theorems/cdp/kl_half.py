"""The mean loss of a pair with bounded log ratio, through maximally divergent pairs.

Printed: If the log ratio of P and Q lies in [-eps, eps], then KL(P || Q) <= eps (exp(eps) - 1)/2.
Proved: KL(P || Q) <= eps tanh(eps/2) <= eps (exp(eps) - 1)/2; randomized response attains the first bound.
Idea: Split each outcome in two, with ratios exp(eps) and exp(-eps) (Lemma 7); the divergence only grows, and of the
    split pair only the masses of the two ratios matter.
Source: Dwork and Rothblum, Lemma 6.
Finding: The printed bound can be replaced by eps tanh(eps/2), which is attained: for small eps half of the printed
    bound, for large eps eps instead of eps exp(eps)/2.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import exp, log, tanh
from rdpacct.proof.kernel import (
    E,
    Law,
    assume,
    at_most,
    below,
    cases,
    combine,
    dominated,
    draw,
    drawn,
    equal,
    expect,
    given_by,
    integrable,
    linear,
    marginal,
    real,
    relations,
    specialize,
    tilt,
    tilted,
    tower,
    under,
)
from rdpacct.proof.theorem import Falsehood, Part, Step, Theorem, Verdict, by_prover

eps, R, S, B = (Symbol(name) for name in ("eps", "R", "S", "B"))
Q = Law("Q", ("R",), relations("exp(-eps) <= R", "R <= exp(eps)"))
P = tilted("P", Q, R)
UP = (R - exp(-eps)) / (exp(eps) - exp(-eps))
M = draw(Q, "B", {formula(1): UP, formula(0): 1 - UP})
SPLIT = exp(eps) * B + exp(-eps) * (1 - B)
MASS = assume(equal(E(Q, R), 1))
TANH = at_most(E(P, log(R)), eps * tanh(eps / 2))


def proof(part: Part) -> Iterator[Step]:
    """Lemma 7 and Lemma 8, then the masses."""
    mass = part.assuming["ratio of laws"]
    mean = drawn(M, SPLIT, *part.given)
    same = combine(equal(E(M, SPLIT, "R"), R), mean)
    yield same, "the split ratios average to the ratio that they replace"
    tangent = specialize(real("R*log(R) + (1+log(R))*(S-R) <= S*log(S)", "R > 0", "S > 0"), S=SPLIT)
    tangent = given_by(tangent, cases(M, below(0, SPLIT), *part.given))
    yield tangent, "x log x is convex"
    grow = eps * (exp(eps) * B - exp(-eps) * (1 - B))
    value = cases(M, equal(SPLIT * log(SPLIT), grow), *part.given)
    yield value, "the split ratios are exp(eps) and exp(-eps)"
    grown = combine(at_most(R * log(R) + (1 + log(R)) * (SPLIT - R), grow), tangent, value)
    yield grown, "so the divergence of the split pair is no smaller"
    bounded = dominated(real("abs(R*log(R)) <= exp(eps)*eps", *Q.support, *part.given), Q)
    split = integrable(mean, E(M, SPLIT, "R"))
    inner = linear(
        M,
        grown.relation.left,
        {SPLIT: 1 + log(R)},
        split,
        constant=R * log(R) - (1 + log(R)) * R,
        given="R",
        where=("eps > 0",),
    )
    up = drawn(M, grow, *part.given)
    yield up, "its mean"
    step = expect(
        grown, M, integrable(inner, E(M, grown.relation.left, "R")), integrable(up, E(M, grow, "R")), given="R"
    )
    chord = combine(at_most(R * log(R), UP * eps * exp(eps) - (1 - UP) * eps * exp(-eps)), step, inner, up, same)
    yield chord, "the chord"
    line = linear(
        Q,
        chord.relation.right,
        {R: eps * (exp(eps) + exp(-eps)) / (exp(eps) - exp(-eps))},
        integrable(mass, E(Q, R)),
        constant=-2 * eps / (exp(eps) - exp(-eps)),
        where=("eps > 0",),
    )
    yield line, "linear"
    over = expect(chord, Q, bounded, integrable(line, E(Q, chord.relation.right)))
    tilted_ = tilt(P, log(R), mass, bounded)
    yield combine(part.claim, tilted_, over, line, mass), "E R = 1"


THEOREM = Theorem(
    verdict=Verdict.SHARPENED,
    parts=(
        Part("tanh", "the mean loss is at most eps tanh(eps/2)", TANH, proof, ("eps > 0",), {"ratio of laws": MASS}),
    ),
)
