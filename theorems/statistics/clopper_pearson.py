"""Confidence limits from counts, and audits that rest on them.

Printed: not in the sources.
Proved: Let X count the successes of n independent trials that succeed with probability p, F(k; p)
    be the probability of X <= k, and U(k) a number with F(k; U(k)) < err, or 1. F falls as p grows.
    If U(X) < p then F(X; p) < err, and this has a probability of at most err; so U(X) >= p but for
    err. The lower limit is the same for failures. Let L be the lower limit of p = P(S) and U the
    upper limit of q = Q(S). If they are right and U < L, then a coin that looks at the event S only
    turns it into one of the probabilities L and U, so that a guarantee that no processing weakens
    holds for L and U too; for ApproxDP it is L <= exp(eps) U + delta. An audit that calls a claim
    refuted if it fails at L and U, for one event in each order of the neighbors and each limit but
    for error/8 given the events, which other runs may have chosen, is wrong with a probability of
    at most error/2.
Idea: X counts the uniform draws that are at most p: with r >= p there are at least as many. With
    A(j) the probability that X <= j and U(X) < p: where F(j; p) <= err it is at most F(j; p), and
    elsewhere it does not grow.
Source: Clopper and Pearson 1934, The use of confidence or fiducial limits illustrated in the case
    of the binomial.
"""

from rdpacct.book.words import (
    Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Law, Quantity, Real, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, absolute, add, assume, at_most, audit_samples, below,
    by_prover, cases, comb, combine, conditional, dominated, draw, drawn, either, equal, event, exp,
    expect, formula, given_by, induct, integrable, linear, lower_limit, marginal, random, real,
    relation, relations, specialize, tower, under, upper_limit,
)  # fmt: skip

eps, delta, err, n, p, q, error = (
    Symbol(name) for name in ("eps", "delta", "err", "n", "p", "q", "error")
)
wrong = Symbol("wrong")
LIMITS = tuple(Symbol(name) for name in ("above", "under", "above2", "under2"))
L = Symbol("L")
U = Symbol("U")
r, k, j, x, y, u = map(Symbol, ("r", "k", "j", "x", "y", "u"))
COUNTS = Law("C", ("x", "y"), relations("x <= y"))
"""How many of some uniform draws are at most p, and how many are at most r >= p: successes of
independent trials of these probabilities.
"""
FEW_Y = event(COUNTS, "few", "y <= k")
FEW_X = event(FEW_Y, "less", "x < k + 1")
"""Whether at most k draws are at most r, and whether at most k are at most p: counts are whole."""
few = Symbol("few")
less = Symbol("less")
AUDIT = Law(
    "A",
    ("events", "wrong", "above", "under", "above2", "under2"),
    relations(
        "0 <= wrong <= 1",
        "0 <= above <= 1",
        "0 <= under <= 1",
        "0 <= above2 <= 1",
        "0 <= under2 <= 1",
        "wrong <= above + under + above2 + under2",
    ),
)
"""The events that are tested, whether a true claim is called refuted, and whether lower and upper
limits, in each order, are on the wrong side.
"""
LIMITS_RIGHT = {"lower": assume(at_most(L, p)), "upper": assume(at_most(q, U))}


OUT = (U * p - L * q) / (p - q)
IN = 1 - ((1 - U) * (p - q) - (1 - q) * (L - U)) / (p - q)
"""With which probability the coin is kept outside and inside of S."""
S, KEPT, inside, outside = map(Symbol, ("S", "Z", "inside", "outside"))
KEEP = outside + S * (inside - outside)
COIN = draw(
    Law("P", ("S",), relations("0 <= S", "S <= 1")),
    "Z",
    {formula(1): KEEP, formula(0): 1 - KEEP},
)
"""Whether S happens, and whether the coin is kept, which hangs on S alone."""


def at(name: str, number: Real) -> Expr:
    """F(j; p), and A(j), the probability that X <= j and U(X) < p."""
    return Quantity(name, (formula(number),))


def bounded(law: Law, symbol: Symbol, most: int = 1) -> Fact:
    """The mean of an indicator is finite."""
    upper, lower = (
        real(one, *law.support) for one in (at_most(symbol, most), at_most(0, symbol))
    )
    return dominated(upper, law, lower=lower)


def counts(part: Statement) -> Iterator[Step]:
    """A draw that is at most p is at most r."""
    so_far = assume(at_most(at("X", j), at("Y", j)))
    step = combine(
        at_most(at("X", j + 1), at("Y", j + 1)), part.assuming["next draw"], so_far
    )
    yield step, "one draw more"
    yield induct(part.assuming["no draws"], step, "j"), "draw after draw"


def falls(part: Statement) -> Iterator[Step]:
    """Few successes at r are few at p."""
    low, high, near = (
        cases(FEW_Y, one) for one in ("0 <= few", "few <= 1", "0 <= few*(k - y)")
    )
    least, most, far = (
        cases(FEW_X, one)
        for one in ("0 <= less", "less <= 1", "0 <= (1 - less)*(x - k - 1)")
    )
    yield near, "few successes at r"
    order = real("x <= y", "x <= y")
    both = combine(
        at_most(few * (1 - less), 0),
        (near, 1 - less),
        (far, few),
        (order, few * (1 - less)),
        (low, 0),
        (most, 0),
    )
    yield both, "and many at p do not go together"
    point = combine(at_most(few, less), both, (high, less), (least, 0))
    finite = (
        dominated(high, FEW_X, lower=low),
        dominated(most, FEW_X, lower=least),
    )
    over = expect(point, FEW_X, *finite)
    yield combine(part.claim, over), "averaged"


SYMBOLS = {"a0": at("A", j), "a1": at("A", j + 1), "f1": at("F", j + 1)}


def no_more() -> Fact:
    """a1 <= err, from a0 <= err, a1 <= f1 and (f1 - err) (a1 - a0) <= 0."""
    a0, a1, f1 = map(Symbol, SYMBOLS)
    stays = relation("(a1 - a0)*(f1 - err) <= 0")
    known = (at_most(a0, err), at_most(a1, f1), stays)
    claim = at_most(a1, err)
    small = combine(
        claim,
        *(real(one, one) for one in (at_most(a1, f1), at_most(f1, err))),
    )
    share = specialize(
        real("x <= z/y", "x*y <= z", "0 < y"), x=a1 - a0, y=f1 - err, z=0
    )
    large = combine(claim, share, real(at_most(a0, err), at_most(a0, err)))
    large = under(large, *known, below(err, f1))
    return either(under(small, *known, at_most(f1, err)), large)


def covers(part: Statement) -> Iterator[Step]:
    """One value of X after the other."""
    got = part.assuming
    generic = no_more()
    yield generic, "where F is above err nothing is added, elsewhere F bounds all of it"
    so_far = assume(at_most(at("A", j), err), "0 <= err")
    step = given_by(
        specialize(generic, **SYMBOLS),
        so_far,
        specialize(got["count"], j=j + 1),
        got["limit"],
    )
    first = specialize(generic, a0=0, a1=at("A", 0), f1=at("F", 0))
    base = given_by(first, specialize(got["count"], j=0), got["first"])
    yield base, "no success"
    yield induct(base, step, "j"), "one value after the other"


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


def coin(part: Statement) -> Iterator[Step]:
    """The mean over the coin, and then over the event."""
    mass = part.assuming["p"]
    given = tuple(map(str, part.given))
    tossed = drawn(COIN, KEPT, *given)
    yield tossed, "given the event"
    whole = tower(
        COIN, KEPT, "S", dominated(cases(COIN, at_most(absolute(KEPT), 1)), COIN)
    )
    base = integrable(mass, E(COIN.base, S))
    same = marginal(COIN, COIN.base, S, base, *given)
    right = tossed.relation.right
    flat = linear(
        COIN,
        right,
        {S: inside - outside},
        integrable(same, E(COIN, S)),
        constant=outside,
    )
    over = expect(tossed, COIN, integrable(flat, flat.relation.left))
    uses = ((whole, -1), over, flat, (same, inside - outside), (mass, inside - outside))
    yield combine(part.claim, *uses), "averaged"


def union(part: Statement) -> Iterator[Step]:
    """One of the four limits, given the events; then whatever these are."""
    total = add(*LIMITS)
    known = part.assuming
    split = linear(
        AUDIT,
        total,
        dict.fromkeys(LIMITS, 1),
        *(integrable(known[str(limit)], E(AUDIT, limit, "events")) for limit in LIMITS),
        given="events",
    )
    together = integrable(split, E(AUDIT, total, "events"))
    whole = bounded(AUDIT, wrong)
    over = expect(
        real(at_most(wrong, total), *AUDIT.support),
        AUDIT,
        conditional(whole, "events"),
        together,
        given="events",
    )
    yield over, "a true claim is refuted only if a limit is wrong"
    inner = combine(
        at_most(E(AUDIT, wrong, "events"), error / 2), over, split, *known.values()
    )
    yield inner, "an eighth each"
    joined = tower(AUDIT, wrong, "events", whole)
    outer = expect(inner, AUDIT, integrable(joined, joined.relation.left))
    yield combine(part.claim, outer, joined), "averaged over the events"


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
    parts=(
        Statement(
            "counts",
            "of any uniform draws at least as many are at most r as at most p",
            at_most(at("X", j), at("Y", j)),
            counts,
            (Whole("j", 0),),
            {
                "no draws": assume(at_most(at("X", 0), at("Y", 0))),
                "next draw": assume(
                    at_most(at("X", j + 1) - at("X", j), at("Y", j + 1) - at("Y", j)),
                    every="j",
                ),
            },
        ),
        Statement(
            "falls",
            "so F(k; r) <= F(k; p)",
            at_most(E(FEW_X, few), E(FEW_X, less)),
            falls,
        ),
        Statement(
            "covers",
            "X <= j and U(X) < p have a probability A(j) of at most err, for every j",
            at_most(at("A", j), err),
            covers,
            ("0 <= err", Whole("j", 0)),
            {
                "count": assume(at_most(at("A", j), at("F", j)), every="j"),
                "first": assume(at_most((at("A", 0) - 0) * (at("F", 0) - err), 0)),
                "limit": assume(
                    at_most((at("A", j + 1) - at("A", j)) * (at("F", j + 1) - err), 0),
                    every="j",
                ),
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
        *(
            Statement(
                name,
                f"so kept, S has the probability {limit} under {law}",
                equal(OUT + (IN - OUT) * chance, limit),
                by_prover("algebra"),
                ("q < p",),
            )
            for name, law, chance, limit in (
                ("moved to L", "P", p, L),
                ("moved to U", "Q", q, U),
            )
        ),
        Statement(
            "inside more",
            "and the coin keeps more inside of S than outside",
            at_most(OUT, IN),
            by_prover("the difference is (L - U)/(p - q)"),
            ("q < p", "U < L"),
        ),
        Statement(
            "coin",
            "a coin that looks at S only: the probability of what it keeps",
            equal(E(COIN, KEPT), outside + (inside - outside) * p),
            coin,
            ("0 <= outside", "outside <= inside", "inside <= 1"),
            {"p": assume(equal(E(COIN.base, S), p))},
        ),
        Statement(
            "audit",
            "so a true claim is called refuted with a probability of at most error/2,"
            " whatever other runs chose the events",
            at_most(E(AUDIT, wrong), error / 2),
            union,
            assuming={
                str(limit): assume(at_most(E(AUDIT, limit, "events"), error / 8))
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
