"""A pair with smaller hockey sticks has smaller Renyi divergences, of every order above 1.

Printed: not in the sources.
Proved: Let L be the loss of one pair and M that of another, which is finite, and let the hockey
    stick of the first be at most that of the second at every real eps. The loss L may be infinite:
    F is 1 where it is finite and 0 elsewhere, and its hockey stick is E (1 - F) + E F max(0, 1 -
    exp(eps - L)). If E exp(t M) <= B for some t > 0, L is almost surely finite, and E exp(t L) <=
    B: the Renyi divergence of order 1 + t is no larger. If M <= B, then L <= B almost surely: E
    (1 - F) + E F max(0, 1 - exp(B - L)) is 0.
Idea: exp(t x) is t (t + 1) times the integral over all levels e of exp(t e) max(0, 1 - exp(e - x));
    by Tonelli's theorem its mean is the same integral of hockey sticks. At a high level the hockey
    stick of M is small, and that of L is at least the probability that it is infinite.
Source: the representation of f-divergences by hockey sticks: Liese and Vajda (2006), On divergences
    and informations in statistics and information theory; Sason and Verdu (2016), f-divergence
    inequalities. That the first pair is a processing of the second (Blackwell 1953) is not needed.
"""

from rdpacct.book.words import (
    Attack, DOMINATED, E, EVEN, Expr, Fact, Falsehood, Fraction, Iterator, LEVEL, Law, Pair, Real,
    Refused, STICK, Statement, Status, Step, Symbol, Theorem, above_all, add, any_pair, assume,
    at_most, closed, combine, equal, exp, expect, finite, formula, given_by, independent_of,
    infinite_share, integrable, is_law, linear, log, marginal, mean_loss, over_levels, placed,
    profile_sides_P as P, profile_sides_Q as Q, profiles_averaged as averaged,
    profiles_stick as stick, random, real, relations, share_at_most_one, share_is_finite,
    specialize, sqrt, stick_is_bounded,
)  # fmt: skip

t, x, eps, B, e, slack = (Symbol(name) for name in ("t", "x", "eps", "B", "e", "slack"))
L, F, M = (Symbol(name) for name in ("L", "F", "M"))
HALF = Fraction(1, 2)
MOMENT = assume(at_most(E(Q, exp(t * M)), B))
TOP = Law("Q", ("M",), relations("M <= B"))


def moments(part: Statement) -> Iterator[Step]:
    """Both moments are integrals of hockey sticks."""
    pair = independent_of(P, Q)
    law = independent_of(pair, LEVEL)
    weight = exp(t * e) * EVEN
    of_large = above_all(t, M, *part.given)
    yield of_large, "the moment as an integral of hockey sticks over their level"
    known = part.assuming["moment"]
    value = of_large.relation.right
    finite_moment = integrable(known, E(Q, exp(t * M)))
    factors = {exp(t * M): 1 / (t * (t + 1))}
    scale = linear(Q, value, factors, finite_moment, where=part.given)
    there = marginal(law, Q, value, finite(scale))
    total = over_levels(law, 1, of_large, _positive(weight, M, 1), finite(there))
    yield total, "its mean, by Tonelli's theorem"
    inner = _at_each_level(pair, weight, part.assuming["dominated"])
    yield inner, "at each level the hockey stick is smaller"
    small = weight * (F * stick(e, L))
    positive = _positive(weight, L, F)
    less = averaged(law, small, weight * stick(e, M), inner, positive, finite(total))
    yield less, "so is their integral"
    of_small = above_all(t, L, *part.given)
    value = F * of_small.relation.right
    sums = over_levels(law, F, of_small, positive, finite(less))
    back = marginal(law, P, value, integrable(sums, E(law, value)))
    factors = {value: t * (t + 1)}
    known_value = integrable(back, E(P, value))
    plain = linear(P, F * exp(t * L), factors, known_value, where=part.given)
    whole = combine(part.claim, plain, back, sums, less, total, there, scale, known)
    yield given_by(whole, is_law(LEVEL)), "which is the moment"


def _positive(weight: Expr, loss: Expr, factor: Real) -> Fact:
    """A weight times a factor and a hockey stick is not negative."""
    sign = specialize(real("0 <= max(0, x)"), x=1 - exp(e - loss))
    given = () if factor == 1 else ("0 <= F",)
    claim = at_most(0, weight * (factor * stick(e, loss)))
    return combine(claim, (sign, weight * factor), given=given)


def _at_each_level(pair: Law, weight: Expr, promise: Fact) -> Fact:
    """The hockey stick where the first loss is finite, against the other one, with a weight."""
    small = F * stick(e, L)
    large = stick(e, M)
    of_small = stick_is_bounded(P, e, L, F)
    of_large = stick_is_bounded(Q, e, M)
    split = linear(
        P,
        STICK.at(eps=e),
        {F: -1, small: 1},
        share_is_finite(P, F),
        of_small,
        constant=1,
    )
    uses = list[Fact]()
    for law, body, known in ((P, small, of_small), (Q, large, of_large)):
        scale = linear(law, weight * body, {body: weight}, known)
        uses += [marginal(pair, law, weight * body, finite(scale)), scale]
    claim = at_most(E(pair, weight * small), E(pair, weight * large))
    here = specialize(promise, eps=e)
    most = share_at_most_one(P, F)
    return combine(claim, *uses, (here, weight), split, (most, weight))


def finite_by_moment(part: Statement) -> Iterator[Step]:
    """At a high level the hockey stick of the other pair is small."""
    known = integrable(part.assuming["moment"], E(Q, exp(t * M)))
    line = specialize(real("max(0, 1 - exp(x)) <= exp(-t*x)", "t > 0"), x=eps - M)
    total = linear(Q, line.relation.right, {exp(t * M): exp(-t * eps)}, known)
    yield line, "a hockey stick is at most an exponential"
    part_of = infinite_share(part.assuming["dominated"], line, total)
    yield part_of, "so the probability of an infinite loss is small"
    small = combine(
        at_most(E(P, 1 - F), exp(-t * eps) * B),
        part_of,
        (part.assuming["moment"], exp(-t * eps)),
    )
    there = placed(small, *part.given, "0 < slack", eps=log(B / slack) / t)
    almost = combine(at_most(E(P, 1 - F), 0 + slack), there)
    yield closed(almost, "slack"), "smaller than any number"


def largest(part: Statement) -> Iterator[Step]:
    """The hockey stick of the other pair is 0 at its largest loss."""
    none = real(equal(stick(B, M), 0), "M <= B")
    over = expect(none, TOP)
    yield over, "no loss of the other pair is above its largest"
    promise = specialize(part.assuming["dominated"], eps=B)
    yield combine(part.claim, promise, over), "so none of this pair is"


def attack(seed: int) -> int:
    """Random pairs of which one has the smaller hockey sticks: at the ratios of both, between which
    they are linear in exp(eps).
    """
    rng = random.Random(seed)
    tried = 0
    while tried < 60:
        small, large = (any_pair(rng, rng.randint(2, 3)) for _ in range(2))
        if rng.random() < 0.5:
            small = Pair(
                tuple((p + q) / 2 for p, q in zip(large.p, large.q, strict=True)),
                large.q,
            )
        if all(
            _profile(small, ratio) <= _profile(large, ratio)
            for ratio in (*small.ratios(), *large.ratios())
        ):
            _is_smaller(small, large)
            tried += 1
    return tried


def _profile(pair: Pair, factor: Fraction) -> Fraction:
    rows = zip(pair.p, pair.q, strict=True)
    return sum((max(p - factor * q, Fraction(0)) for p, q in rows), Fraction(0))


def _is_smaller(small: Pair, large: Pair) -> None:
    """Compare moments at 1 and 2, in rationals, and the mean and the moment at -1/2, in balls."""
    for rate in (1, 2):
        one, two = (
            sum(p * (p / q) ** rate for p, q in zip(pair.p, pair.q, strict=True))
            for pair in (small, large)
        )
        if one > two:
            raise Refused(f"{small} has a larger moment at {rate} than {large}.")
    means = [mean_loss(pair.p, pair.q) for pair in (small, large)]
    if at_most(*means).at({}) is False:
        raise Refused(f"{small} has a larger mean loss than {large}.")
    roots = [
        add(*(sqrt(formula(p) * q) for p, q in zip(pair.p, pair.q, strict=True)))
        for pair in (large, small)
    ]
    if at_most(*roots).at({}) is False:
        raise Refused(f"{small} has a smaller moment at -1/2 than {large}.")


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "moments",
            "the moment of the loss with smaller hockey sticks",
            at_most(E(P, F * exp(t * L)), B),
            moments,
            ("t > 0",),
            {"dominated": DOMINATED, "moment": MOMENT},
        ),
        Statement(
            "finite",
            "a loss with smaller hockey sticks than one with a finite moment is almost"
            " surely finite",
            at_most(E(P, 1 - F), 0),
            finite_by_moment,
            ("t > 0", "B > 0"),
            {"dominated": DOMINATED, "moment": MOMENT},
        ),
        Statement(
            "largest",
            "where the other loss is at most B, so is this one: its hockey stick there"
            " is 0",
            at_most(E(P, STICK.at(eps=B)), 0),
            largest,
            (),
            {
                "dominated": assume(
                    at_most(E(P, STICK), E(TOP, stick(eps, M))), every="eps"
                )
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "the smaller hockey stick at eps = 0 is enough, here for two outcomes with"
            " total variation 1/2 and t = 1, against (3/4, 1/4) and (1/4, 3/4)",
            at_most((x + HALF) ** 2 / x + (HALF - x) ** 2 / (1 - x), formula(7) / 3),
            ("0 < x", "x < 1/2"),
        ),
    ),
    attacks=(Attack("random pairs, one with the smaller hockey sticks", attack),),
)
