"""Every pair of laws lies below a maximally divergent pair of the same largest loss.

Printed: For any two distributions D and D' there are maximally divergent M and M' with the same
    largest loss and KL(D || D') <= KL(M || M').
Proved: If the losses of D lie in [-eps, eps], split each outcome of loss L in two, of losses eps
    and -eps, the first with the part (exp(eps) - exp(-L))/(exp(eps) - exp(-eps)) of its mass under
    D. Then E[exp(-loss) | L] = exp(-L), so that merging the parts gives back D and D'; every loss
    is eps or -eps (take for eps the largest loss of D and D'); and KL(D || D') <= KL(M || M'),
    KL(D' || D) <= KL(M' || M), and E exp(t loss) grows for every t >= 0, which is every Renyi
    divergence above 1. So does E f(exp(-loss)) for every convex f, that is, every f-divergence.
Idea: Convexity of each divergence in exp(-loss), outcome by outcome.
Source: Dwork and Rothblum, Lemma 7.
Finding (gap): "Any two distributions" must read: any two of finite largest loss. D = (1, 0) and D'
    = (1/2, 1/2) have an infinite one (D' against D), a maximally divergent pair has a finite one by
    definition.
Finding: No outcome of loss 0 is needed, the split is explicit, holds on any space, and is shipped
    for finite pairs in exact arithmetic; and not only the divergence grows, but every
    f-divergence.
"""

from rdpacct.book.words import (
    BETWEEN, Condition, E, Expr, Fact, Falsehood, Iterator, On, Quantity, Real, Refutation,
    Statement, Status, Step, Symbol, Theorem, absolute, assume, at_most, at_parts, below, bounded,
    by_prover, cases, combine, dominated, drawn, equal, exp, expect, formula, given_by, integrable,
    marginal, maximally_divergent_above, proves, ratios_B as B, ratios_DOWN as DOWN, ratios_L as L,
    ratios_M as M, ratios_MASS as MASS, ratios_P as P, ratios_UP as UP, ratios_d as d,
    ratios_eps as eps, ratios_w as w, real, relations, specialize, symbols, tanh,
    terms_replace as replace, tower,
)  # fmt: skip

t = Symbol("t")
RATIO = exp(-eps * B)


def value(ratio: Real) -> Expr:
    """f at a ratio of the densities."""
    return Quantity("f", (formula(ratio),))


a, b, y, z, C = symbols("a b y z C")
RANGE = ("exp(-eps) <= y", "y <= exp(eps)")
CONVEX = {
    "convex": assume(
        at_most(value(z), w * value(a) + d * value(b)),
        "0 <= w",
        "0 <= d",
        "w + d == 1",
        "w*a + d*b == z",
        "0 < a",
        "0 < b",
        every=("w", "d", "a", "b", "z"),
    ),
    "bounded": assume(at_most(absolute(value(y)), C), *RANGE, every="y"),
}
"""f is convex on the positive numbers, and so bounded between exp(-eps) and exp(eps)."""
EACH = ("eps > 0", On(M))

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        Statement(
            "merges",
            "the parts of an outcome merge into it",
            equal(E(M, RATIO, "L"), exp(-L)),
            given=EACH,
        ),
        Statement(
            "largest",
            "every loss of the split pair is eps or -eps",
            equal(absolute(eps * B), eps),
            given=EACH[1:],
        ),
        Statement(
            "shipped",
            "the shipped split, (r - 1/k)/(k - 1/k) of the mass of D', is the same,"
            " where k = exp(eps) and r = exp(L)",
            equal(
                (exp(L) - exp(-eps)) / (exp(eps) - exp(-eps)) * exp(eps) / exp(L), UP
            ),
            by_prover("the mass of D is r times that of D'"),
            ("eps > 0",),
        ),
        Statement(
            "mass",
            "the other side of it is a law",
            equal(E(M, RATIO), 1),
            given=("eps > 0",),
            assuming={"mass": MASS},
        ),
        Statement(
            "divergence",
            "KL(D || D') <= KL(M || M')",
            at_most(E(P, L), E(M, eps * B)),
            given=("eps > 0",),
        ),
        Statement(
            "reverse",
            "KL(D' || D) <= KL(M' || M), both as means under the first law",
            at_most(E(P, -L * exp(-L)), E(M, -eps * B * RATIO)),
            given=("eps > 0",),
        ),
        Statement(
            "moment",
            "the moment of order 1 + t grows",
            at_most(E(P, exp(t * L)), E(M, exp(t * eps * B))),
            given=("eps > 0", "t >= 0"),
        ),
        Statement(
            "convex",
            "every f-divergence grows: E f(exp(-loss)) for a convex f, of outcomes with"
            " their parts",
            at_most(E(M, value(exp(-L))), E(M, value(RATIO))),
            given=("eps > 0",),
            assuming=CONVEX,
        ),
    ),
    rules=(maximally_divergent_above,),
)


@proves("merges")
def merges(part: Statement) -> Iterator[Step]:
    """The mean over the two parts of an outcome."""
    mean = drawn(M, RATIO, *(one for one in part.given if isinstance(one, str)))
    yield mean, "the two parts of an outcome"
    yield combine(part.claim, mean), "weighted"


@proves("largest")
def largest(part: Statement) -> Iterator[Step]:
    """Case by case."""
    yield (
        cases(M, part.claim, *(one for one in part.given if isinstance(one, str))),
        "B is 1 or -1",
    )


@proves("mass")
def mass(part: Statement) -> Iterator[Step]:
    """The tower over the outcomes."""
    merged = THEOREM.part("merges").fact()
    yield merged, "merging the parts gives back the outcome"
    finite = bounded(M, RATIO, exp(eps), *part.given)
    whole = tower(M, RATIO, "L", finite)
    back = marginal(
        M, P, exp(-L), integrable(part.assuming["mass"], E(P, exp(-L))), *part.given
    )
    outer = expect(merged, M, integrable(back, E(M, exp(-L))))
    yield (
        combine(part.claim, whole, outer, back, part.assuming["mass"]),
        "averaged over the outcomes",
    )


def grows(
    chord: Fact, split: Expr, most: Expr, *given: str | Condition
) -> Iterator[Step]:
    """From f(L) <= the mean of f over the two parts, pointwise, to E f(L) <= E f(eps B)."""
    body = chord.relation.left
    base = dominated(real(at_most(absolute(body), most), *P.support, *given), P)
    same = marginal(M, P, body, base, *given)
    finite = bounded(M, split, most, *given)
    *steps, over = averaged(chord, finite, integrable(same, E(M, body)), *given)
    yield from steps
    yield combine(at_most(E(P, body), E(M, split)), same, over[0]), "outcome by outcome"


def averaged(
    chord: Fact, split: Fact, whole: Fact, *given: str | Condition
) -> Iterator[Step]:
    """The same where both means are finite, of outcomes with their parts."""
    body = chord.relation.left
    parts = split.integrable.body
    yield chord, "below the chord"
    inner = combine(at_most(body, E(M, parts, "L")), drawn(M, parts, *given), chord)
    yield inner, "which is the mean over the two parts"
    joined = tower(M, parts, "L", split)
    over = expect(inner, M, whole, integrable(joined, joined.relation.left))
    yield combine(at_most(E(M, body), E(M, parts)), over, joined), "averaged"


@proves("divergence")
def forward(part: Statement) -> Iterator[Step]:
    """-log y is convex in y = exp(-loss)."""
    chord = real(at_most(L, eps * UP - eps * DOWN), *P.support, *part.given)
    yield from grows(chord, eps * B, eps, *part.given)


@proves("reverse")
def backward(part: Statement) -> Iterator[Step]:
    """y log y is convex."""
    chord = real(
        at_most(-L * exp(-L), -eps * exp(-eps) * UP + eps * exp(eps) * DOWN),
        *P.support,
        *part.given,
    )
    yield from grows(chord, -eps * B * RATIO, eps * exp(eps), *part.given)


@proves("moment")
def moment(part: Statement) -> Iterator[Step]:
    """y**-t is above its tangent at exp(-L), at both ends."""
    tangent = real("1 + t*(1 - exp(-z)) <= exp(t*z)", "t >= 0")
    yield tangent, "a power lies above its tangents"
    up = specialize(tangent, z=eps - L)
    down = specialize(tangent, z=-eps - L)
    total, center = (real(one, one) for one in BETWEEN[2:])
    body = exp(t * L)
    chord = combine(
        at_most(body, exp(t * eps) * w + exp(-t * eps) * d),
        (up, w * body),
        (down, d * body),
        (total, -(1 + t) * body),
        (center, t * body * exp(L)),
        given=BETWEEN[:2],
    )
    chord = at_parts(chord, *part.given)
    yield from grows(chord, exp(t * eps * B), exp(t * eps), *part.given)


@proves("convex")
def convex(part: Statement) -> Iterator[Step]:
    """The two parts keep the mean of exp(-loss)."""
    ends = specialize(part.assuming["convex"], a=exp(-eps), b=exp(eps), z=exp(-L))
    positive = [real(below(0, end)) for end in (exp(-eps), exp(eps))]
    chord = at_parts(given_by(ends, *positive), *part.given)
    size = part.assuming["bounded"]
    outer = [
        real(replace(one, {"y": exp(-L)}), *P.support) for one in relations(*RANGE)
    ]
    inner = [
        cases(M, replace(one, {"y": RATIO}), *part.given) for one in relations(*RANGE)
    ]
    whole = dominated(given_by(specialize(size, y=exp(-L)), *outer), M)
    split = dominated(given_by(specialize(size, y=RATIO), *inner), M)
    yield from averaged(chord, split, whole, *part.given)


FALSEHOODS = (
    Falsehood(
        "any two distributions will do: for every pair there is an eps with"
        " exp(-eps) <= ratio, here the ratio 0 of D = (1, 0) to D' = (1/2, 1/2)",
        at_most(exp(-eps), 0),
        refutation=lambda: Refutation(
            "exp(-eps) > 0 for every eps", (real("0 < exp(-eps)"),)
        ),
    ),
    Falsehood(
        "half of the largest loss suffices, here for randomized response, which is"
        " maximally divergent itself",
        at_most(eps * tanh(eps / 2), eps / 2 * tanh(eps / 4)),
        ("eps > 0",),
    ),
)
