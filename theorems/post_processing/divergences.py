"""Data processing: no divergence behind these guarantees grows when the output is processed
    further.

Printed: not in the sources.
Proved: Let p, q be the densities of two output laws with respect to a law that dominates both, and
    p', q' those of what is kept of the output, their conditional means given it. Then E max(p' - k
    q', 0) <= E max(p - k q, 0) for k >= 0: the rules for PureDP, ApproxDP and, at all k,
    GaussianDP. With the ratio R > 0 of laws that have a density with respect to each other, and R'
    its conditional mean: E R' log R' <= E R log R, and E R'**alpha <= E R**alpha for alpha > 1:
    RenyiDP and, at all orders, zCDP. Processing that draws random bits is keeping a part of output
    and bits. ProfileDP is ApproxDP at each point. For approximate zCDP, R is the ratio of the two
    shares that are zCDP: what is kept of a mixture is the mixture, with the same weights, of what
    is kept of its shares.
Idea: Jensen's inequality given what is kept, by the tangent at the conditional mean.
Source: Dwork and Roth, The algorithmic foundations of differential privacy, Proposition 2.1; van
    Erven and Harremoes, Renyi divergence and Kullback-Leibler divergence, Theorem 9; Dong, Roth and
    Su, Gaussian differential privacy.
"""

from rdpacct.book.words import (
    ApproxDP, ApproxZCDP, Attack, Callable, Condition, E, Expr, Fact, Falsehood, Fraction,
    GaussianDP, Iterator, Law, PureDP, Random, Real, Refused, RenyiDP, Sequence, Statement, Status,
    Step, Symbol, Theorem, TypeVar, ZCDP, any_pair, assume, at_most, by_prover, combine,
    conditional, divergences_processed as processed, dominated, equal, example, excess, exp, expect,
    gaussian_delta, given_by, integrable, linear, log, masses, maximum, partial,
    post_process_approx_zcdp, post_process_divergence, post_process_profile, real, relations,
    specialize, tower, under, worst_block, zcdp_to_renyi,
)  # fmt: skip

p, q, p_kept, q_kept, R, R_kept = map(
    Symbol, ("p", "q", "p_kept", "q_kept", "R", "R_kept")
)
k, epsilon, delta, mu, alpha, rho, xi, bound = map(
    Symbol, ("k", "epsilon", "delta", "mu", "alpha", "rho", "xi", "bound")
)
M = Law("M", ("p", "q", "p_kept", "q_kept"), relations("p >= 0", "q >= 0"))
KEPT = ("p_kept", "q_kept")
DENSITIES = {
    "mass": assume(equal(E(M, p), 1)),
    "p of what is kept": assume(equal(E(M, p, KEPT), p_kept)),
    "q of what is kept": assume(equal(E(M, q, KEPT), q_kept)),
}
Q = Law("Q", ("R", "R_kept"), relations("R > 0", "R_kept > 0"))
RATIO = assume(equal(E(Q, R, "R_kept"), R_kept))


def hockey_stick(part: Statement) -> Iterator[Step]:
    """The conditional mean of max(p - k q, 0) is at least both p' - k q' and 0."""
    mass, p_mean, q_mean = (part.assuming[name] for name in DENSITIES)
    stated = (one for one in part.given if isinstance(one, str))
    stick = processed(M, k, mass, p_mean, q_mean, *stated)
    yield stick, "Jensen, given what is kept"


def promised(
    name: str, says: str, factor: Expr, limit: Real, *given: str | Condition
) -> Statement:
    """The part for a guarantee that bounds the hockey stick at a factor."""
    whole = assume(at_most(E(M, excess(p, q, factor)), limit))

    def proof(part: Statement) -> Iterator[Step]:
        mass, p_mean, q_mean = (part.assuming[one] for one in DENSITIES)
        stick = processed(M, factor, mass, p_mean, q_mean)
        yield stick, "data processing"
        stated = tuple(one for one in part.given if isinstance(one, str))
        yield (
            combine(part.claim, stick, part.assuming["promise"], given=stated),
            "the promise about the whole output",
        )

    claim = at_most(E(M, excess(p_kept, q_kept, factor)), limit)
    return Statement(name, says, claim, proof, given, {**DENSITIES, "promise": whole})


def convex(
    whole: Expr, tangent: Callable[[], Fact], slope: Expr, lower: Callable[[], Fact]
) -> Callable[[Statement], Iterator[Step]]:
    """E f(R') <= E f(R) from the tangent f(R') + slope (R - R') <= f(R) and a line below f."""

    def proof(part: Statement) -> Iterator[Step]:
        promise = part.assuming["promise"]
        mean = part.assuming["ratio of what is kept"]
        kept = whole.at(R=R_kept)
        given = "R_kept"
        line = tangent()
        yield line, "the tangent at the conditional mean"
        finite = integrable(promise, E(Q, whole))
        flat = linear(
            Q,
            line.relation.left,
            {R: slope},
            integrable(mean, mean.relation.left),
            constant=kept - slope * R_kept,
            given=given,
            where=tuple(one for one in part.given if isinstance(one, str)),
        )
        over = expect(
            line,
            Q,
            integrable(flat, E(Q, line.relation.left, given)),
            conditional(finite, given),
            given=given,
        )
        jensen = combine(at_most(kept, E(Q, whole, given)), over, flat, mean)
        yield jensen, "Jensen, given what is kept"
        joined = tower(Q, whole, given, finite)
        outer = integrable(joined, E(Q, E(Q, whole, given)))
        inside = lower_bound(jensen, outer, lower())
        yield (
            combine(part.claim, expect(jensen, Q, inside, outer), joined, promise),
            "averaged",
        )

    return proof


def lower_bound(jensen: Fact, outer: Fact, lower: Fact) -> Fact:
    """f(R') is integrable: it is at least -1 and at most an integrable mean."""
    kept = jensen.relation.left
    mean = jensen.relation.right
    wide = specialize(
        real("abs(x) <= y + 2", "x <= y", "-1 <= x", "R_kept > 0"), x=kept
    )
    wide = specialize(wide, y=mean)
    sum_ = linear(Q, mean + 2, {mean: 1}, outer, constant=2)
    return dominated(given_by(wide, jensen, lower), Q, integrable(sum_, E(Q, mean + 2)))


def power_tangent() -> Fact:
    """Bernoulli's inequality, scaled."""
    line = real("1 + a*(u - 1) <= u**a", "u > 0", "a > 1", "R_kept > 0")
    line = specialize(line, u=R / R_kept, a=alpha)
    claim = at_most(
        R_kept**alpha + alpha * R_kept ** (alpha - 1) * (R - R_kept), R**alpha
    )
    domain = ("R > 0", "R_kept > 0", "alpha > 1")
    return combine(claim, (under(line, *domain), R_kept**alpha), given=domain)


def log_tangent() -> Fact:
    """x log x is convex."""
    found = real("S*log(S) + (1 + log(S))*(x - S) <= x*log(x)", "x > 0", "S > 0")
    return specialize(found, x=R, S=R_kept)


def moment(name: str, says: str, renyi: RenyiDP) -> Statement:
    """The part for a guarantee that bounds E R**alpha."""
    limit = exp((alpha - 1) * renyi.epsilon)
    proof = convex(
        R**alpha,
        power_tangent,
        alpha * R_kept ** (alpha - 1),
        lambda: specialize(real("-1 <= S**alpha", "S > 0"), S=R_kept),
    )
    promise = assume(at_most(E(Q, R**alpha), limit))
    return Statement(
        name,
        says,
        at_most(E(Q, R_kept**alpha), limit),
        proof,
        ("alpha > 1",),
        {"ratio of what is kept": RATIO, "promise": promise},
    )


def attack(seed: int) -> int:
    """Random pairs through random channels: hockey sticks and moments of orders 2, 3 and 5,
    exactly.
    """
    rng = Random(seed)
    for _ in range(150):
        size = rng.randint(2, 5)
        outputs = rng.randint(1, 4)
        pair = any_pair(rng, size)
        channel = [masses(rng, outputs) for _ in range(size)]
        new_p, new_q = (
            [
                sum(
                    (m * row[j] for m, row in zip(law, channel, strict=True)),
                    Fraction(0),
                )
                for j in range(outputs)
            ]
            for law in (pair.p, pair.q)
        )
        for factor in (
            Fraction(0),
            Fraction(1, 2),
            Fraction(1),
            Fraction(rng.randint(4, 12), 4),
        ):
            _compare(new_p, new_q, pair.p, pair.q, partial(_stick, factor))
        for order in (2, 3, 5):
            _compare(new_p, new_q, pair.p, pair.q, partial(_power, order))
    return 150


def _stick(factor: Fraction, a: Fraction, b: Fraction) -> Fraction:
    return max(a - factor * b, Fraction(0))


def _power(order: int, a: Fraction, b: Fraction) -> Fraction:
    return a**order / b ** (order - 1)


def _compare(
    new_p: Sequence[Fraction],
    new_q: Sequence[Fraction],
    old_p: Sequence[Fraction],
    old_q: Sequence[Fraction],
    term: Callable[[Fraction, Fraction], Fraction],
) -> None:
    new, old = (
        sum(map(term, a, b), Fraction(0)) for a, b in ((new_p, new_q), (old_p, old_q))
    )
    if new > old:
        raise Refused(f"processing raised a divergence from {old} to {new}.")


Kept = TypeVar("Kept", PureDP, ApproxDP, GaussianDP, RenyiDP, ZCDP)


def kept(guarantee: Kept) -> Kept:
    """What the shipped rule makes of a guarantee, which is one of the same kind."""
    found = post_process_divergence(guarantee)
    if not isinstance(found, type(guarantee)):
        raise Refused(f"{guarantee} became {found}.")
    return found


PURE = kept(PureDP(epsilon))
APPROX = kept(ApproxDP(epsilon, delta))
GAUSSIAN = kept(GaussianDP(mu))
RENYI = kept(RenyiDP(alpha, epsilon))
CONCENTRATED = kept(ZCDP(rho, xi))
SHARE = post_process_approx_zcdp(ApproxZCDP(rho, delta, xi))

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "hockey stick",
            "processing does not raise the hockey stick at any factor",
            at_most(E(M, excess(p_kept, q_kept, k)), E(M, excess(p, q, k))),
            hockey_stick,
            ("k >= 0",),
            DENSITIES,
        ),
        promised("pure", "PureDP stays", exp(PURE.epsilon), 0),
        promised("approx", "ApproxDP stays", exp(APPROX.epsilon), APPROX.delta),
        promised(
            "gaussian",
            "GaussianDP stays: its hockey stick at every real epsilon is at most that"
            " of the Gaussian pair",
            exp(epsilon),
            gaussian_delta(GAUSSIAN.mu, epsilon),
            "mu > 0",
        ),
        moment("renyi", "RenyiDP stays", RENYI),
        moment("zcdp", "zCDP stays, at each order", zcdp_to_renyi(CONCENTRATED, alpha)),
        moment(
            "approximate zcdp",
            "approximate zCDP stays: its share that is zCDP stays so",
            zcdp_to_renyi(ZCDP(SHARE.rho, SHARE.xi), alpha),
        ),
        Statement(
            "mean loss",
            "processing does not raise the Kullback-Leibler divergence",
            at_most(E(Q, R_kept * log(R_kept)), bound),
            convex(
                R * log(R),
                log_tangent,
                1 + log(R_kept),
                lambda: real("-1 <= R_kept*log(R_kept)", "R_kept > 0"),
            ),
            assuming={
                "ratio of what is kept": RATIO,
                "promise": assume(at_most(E(Q, R * log(R)), bound)),
            },
        ),
    ),
    sharp=(
        Statement(
            "merging on one side",
            "merging outcomes on the same side of the factor loses nothing",
            equal(
                maximum(Symbol("a"), 0) + maximum(Symbol("b"), 0),
                maximum(Symbol("a") + Symbol("b"), 0),
            ),
            by_prover("both excesses are the differences themselves"),
            ("a >= 0", "b >= 0"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "processing keeps the hockey stick",
            at_most(E(M, excess(p, q, 1)), E(M, excess(p_kept, q_kept, 1))),
            assuming=DENSITIES,
            instance=example(
                laws={"M": [((2, 0, 1, 1), "1/2"), ((0, 2, 1, 1), "1/2")]}
            ),
        ),
        Falsehood(
            "the tangent of x**a lies below it for orders below 1",
            at_most(1 + alpha * (R - 1), R**alpha),
            ("0 < alpha < 1", "R > 0"),
        ),
    ),
    attacks=(Attack("random pairs through random channels", attack),),
    rules=(
        post_process_divergence,
        post_process_profile,
        post_process_approx_zcdp,
        worst_block,
    ),
)
