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
    cases,
    combine,
    dominated,
    draw,
    drawn,
    equal,
    expect,
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
    grow = eps * (exp(eps) * B - exp(-eps) * (1 - B))
    mean = drawn(M, SPLIT, *part.given)
    same = combine(equal(E(M, SPLIT, "R"), R), mean)
    yield same, "the split ratios average to the ratio that they replace"
    tangent = specialize(real("R*log(R) + (1+log(R))*(S-R) <= S*log(S)", "R > 0", "S > 0"), S=SPLIT)
    yield tangent, "x log x is convex"
    value = cases(M, equal(SPLIT * log(SPLIT), grow), *part.given)
    yield value, "the split ratios are exp(eps) and exp(-eps)"


THEOREM = Theorem(
    verdict=Verdict.SHARPENED,
    parts=(
        Part("tanh", "the mean loss is at most eps tanh(eps/2)", TANH, proof, ("eps > 0",), {"ratio of laws": MASS}),
    ),
)
