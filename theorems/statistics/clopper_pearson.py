"""Confidence limits from counts, and audits that rest on them.

Printed: not in the sources.
Proved: Let X count the successes of n independent trials that succeed with probability p, F(k; p)
    be the probability of X <= k, and U(k) the largest u with F(k; u) >= err. F falls as p grows. If
    U(X) < p then F(X; p) < err, and this has a probability below err; so U(X) >= p but for err. The
    lower limit is the same for failures. Let L be the lower limit of p = P(S) and U the upper limit
    of q = Q(S). If they are right and U < L, then coins turn the event S into one of the
    probabilities L and U, so that a guarantee that no processing weakens holds for L and U too; for
    ApproxDP it is L <= exp(eps) U + delta. An audit that calls a claim refuted if it fails at L and
    U, for one event in each order of the neighbors and each limit but for error/8, is wrong with a
    probability of at most error/2.
Idea: F of one trial more is p F(k - 1) + (1 - p) F(k) of those before. The values k with F(k; p) <
    err are those up to the largest of them, whose probability is its own F.
Source: Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case
    of the binomial.
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from math import comb

from rdpacct.auditing.sampled import audit_samples
from rdpacct.exact.binomial import lower_limit, upper_limit
from rdpacct.exact.formula import Symbol, add
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Quantity,
    Refused,
    assume,
    at_most,
    below,
    combine,
    dominated,
    expect,
    integrable,
    linear,
    real,
    relation,
    relations,
)
from rdpacct.proof.theorem import (
    Attack,
    Falsehood,
    Statement,
    Status,
    Step,
    Theorem,
    by_prover,
)

eps, delta, err, n, p, q, error = (
    Symbol(name) for name in ("eps", "delta", "err", "n", "p", "q", "error")
)
miss, low, wrong = (Symbol(name) for name in ("miss", "low", "wrong"))
LIMITS = tuple(Symbol(name) for name in ("above", "under", "above2", "under2"))
L = Symbol("L")
U = Symbol("U")
r = Symbol("r")
F_P, F_R = (
    tuple(Quantity("F", (k, at)) for k in map(Symbol, ("less", "k"))) for at in (p, r)
)
"""F of the trials before the last, for k - 1 and k successes, at p and at r >= p."""
COUNT = Law("X", ("miss", "low"), relations("0 <= miss", "miss <= low", "low <= 1"))
"""Whether U(X) < p, and whether X is at most the largest k with F(k; p) < err."""
AUDIT = Law(
    "A",
    ("wrong", "above", "under", "above2", "under2"),
    relations(
        "0 <= wrong <= 1",
        "0 <= above <= 1",
        "0 <= under <= 1",
        "0 <= above2 <= 1",
        "0 <= under2 <= 1",
        "wrong <= above + under + above2 + under2",
    ),
)
"""Whether a true claim is called refuted, and whether lower and upper limits, in each order, are on
the wrong side.
"""
LIMITS_RIGHT = {"lower": assume(at_most(L, p)), "upper": assume(at_most(q, U))}
LARGEST = Quantity("F", (Symbol("k"),))


def bounded(law: Law, symbol: Symbol, most: int = 1) -> Fact:
    """The mean of an indicator is finite."""
    upper, lower = (
        real(one, *law.support) for one in (at_most(symbol, most), at_most(0, symbol))
    )
    return dominated(upper, law, lower=lower)


def falls(part: Statement) -> Iterator[Step]:
    """The last trial alone, and then the others."""
    given = tuple(part.given)
    last = combine(
        at_most(r * F_R[0] + (1 - r) * F_R[1], p * F_R[0] + (1 - p) * F_R[1]),
        (part.assuming["fewer"], r - p),
        given=given,
    )
    yield last, "a success more often leaves room for one success less"
    less = part.assuming["k - 1"]
    same = part.assuming["k"]
    yield (
        combine(part.claim, last, (less, p), (same, 1 - p), given=given),
        "the trials before, by induction",
    )


def covers(part: Statement) -> Iterator[Step]:
    """The largest k with F(k; p) < err."""
    over = expect(
        real("miss <= low", *COUNT.support),
        COUNT,
        bounded(COUNT, miss),
        bounded(COUNT, low),
    )
    yield over, "U(X) < p means F(X; p) < err, so X is at most the largest such k"
    yield (
        combine(part.claim, over, part.assuming["its own F"], part.assuming["largest"]),
        "whose F is below err",
    )


def sound(part: Statement) -> Iterator[Step]:
    """The limits, if both were right, would obey the claim."""
    grown = (part.assuming["upper"], exp(eps))
    yield (
        combine(part.claim, part.assuming["true"], grown, part.assuming["refuted"]),
        "so the lower limit is wrong",
    )


def processed(part: Statement) -> Iterator[Step]:
    """Each limit may be moved towards the other one."""
    lower = part.assuming["lower"]
    upper = part.assuming["upper"]
    for_lower, for_upper = {"kept outside": (q, p), "kept inside": (1 - q, 1 - p)}[
        part.name
    ]
    yield (
        combine(
            part.claim, (lower, for_lower), (upper, for_upper), given=tuple(part.given)
        ),
        "L <= p and q <= U",
    )


def union(part: Statement) -> Iterator[Step]:
    """One of the four limits."""
    total = add(*LIMITS)
    split = linear(
        AUDIT,
        total,
        dict.fromkeys(LIMITS, 1),
        *(bounded(AUDIT, limit) for limit in LIMITS),
    )
    together = integrable(split, E(AUDIT, total))
    over = expect(
        real(at_most(wrong, total), *AUDIT.support),
        AUDIT,
        bounded(AUDIT, wrong),
        together,
    )
    yield over, "a true claim is refuted only if a limit is wrong"
    yield combine(part.claim, over, split, *part.assuming.values()), "an eighth each"


def coverage(seed: int) -> int:
    """The shipped limits for all counts of a few trials: the exact probability of a miss, at random
    p and near U(k).
    """
    rng = random.Random(seed)
    tried = 0
    for _ in range(6):
        trials = rng.randint(1, 7)
        level = Fraction(1, rng.choice((3, 20, 1000)))
        upper = [upper_limit(count, trials, level) for count in range(trials + 1)]
        lower = [lower_limit(count, trials, level) for count in range(trials + 1)]
        points = [Fraction(rng.randint(0, 100), 100) for _ in range(8)] + [
            one + Fraction(1, 10**9) for one in upper[:-1]
        ]
        for chance in points:
            mass = [
                comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
                for k in range(trials + 1)
            ]
            high = sum(
                (m for m, limit in zip(mass, upper, strict=True) if limit < chance),
                Fraction(0),
            )
            below_ = sum(
                (m for m, limit in zip(mass, lower, strict=True) if limit > chance),
                Fraction(0),
            )
            if max(high, below_) > level:
                raise Refused(
                    f"{trials} trials at {chance} miss with probability"
                    f" {max(high, below_)}, above {level}."
                )
            tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "F is continuous in p, and of no trials it is 0 or 1, whatever p: the"
            " induction of `falls` begins there"
        ),
        (
            "the values k with F(k; p) < err are those up to the largest of them, since"
            " F grows with k"
        ),
        (
            "the events of an audit are chosen from other runs than those that test"
            " them, so they are fixed for these"
        ),
        (
            "an outcome that is kept by a coin, inside and outside of S with different"
            " probabilities, is a processing of S (post-processing/divergences)"
        ),
    ),
    parts=(
        Statement(
            "falls",
            "F(k; p) falls as p grows, with one trial more if it does before, for k - 1"
            " and for k successes",
            at_most(r * F_R[0] + (1 - r) * F_R[1], p * F_P[0] + (1 - p) * F_P[1]),
            falls,
            ("0 <= p", "p <= r", "p <= 1"),
            {
                "fewer": assume(at_most(F_R[0], F_R[1])),
                "k - 1": assume(at_most(F_R[0], F_P[0])),
                "k": assume(at_most(F_R[1], F_P[1])),
            },
        ),
        Statement(
            "covers",
            "the upper limit is below p with a probability below err; k is the largest"
            " with F(k; p) < err",
            below(E(COUNT, miss), err),
            covers,
            assuming={
                "its own F": assume(at_most(E(COUNT, low), LARGEST)),
                "largest": assume(below(LARGEST, err)),
            },
        ),
        Statement(
            "refuted",
            "if the claim is true and the upper limit right, a refutation has a wrong"
            " lower limit",
            below(p, L),
            sound,
            assuming={
                "true": assume(relation("p <= exp(eps)*q + delta")),
                "upper": assume(at_most(q, U)),
                "refuted": assume(relation("exp(eps)*U + delta < L")),
            },
        ),
        Statement(
            "kept outside",
            "the coin that moves S to L and U is kept outside of S with probability (U"
            " p - L q)/(p - q), at least 0",
            at_most(0, U * p - L * q),
            processed,
            ("0 <= q", "0 <= p"),
            LIMITS_RIGHT,
        ),
        Statement(
            "kept inside",
            "it is kept inside of S with probability 1 - ((1 - U)(p - q) - (1 - q)(L -"
            " U))/(p - q), at most 1",
            at_most(0, (1 - U) * (p - q) - (1 - q) * (L - U)),
            processed,
            ("q <= 1", "p <= 1"),
            LIMITS_RIGHT,
        ),
        Statement(
            "audit",
            "so a true claim is called refuted with a probability of at most error/2",
            at_most(E(AUDIT, wrong), error / 2),
            union,
            assuming={
                str(limit): assume(at_most(E(AUDIT, limit), error / 8))
                for limit in LIMITS
            },
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "without successes U(0) = 1 - err**(1/n): at p = U(0) no success has the"
            " probability err",
            relation("(1 - (1 - err**(1/n)))**n == err"),
            by_prover("the n-th root"),
            ("err > 0", "n >= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the frequency plus some standard errors of it is an upper limit: it is 0"
            " without successes",
            relation("(1 - p)**n <= err"),
            ("0 < p < 1", "n >= 1", "0 < err < 1"),
        ),
    ),
    attacks=(Attack("the exact coverage of the shipped limits", coverage),),
    rules=(audit_samples,),
)
