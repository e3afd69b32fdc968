"""A noisy count from a threshold on: the noise, and the mass at infinity of new categories.

Printed: not in the sources.
Proved: Let v be the delta at exp(at) of the noise for a count that moves by the sensitivity, and d
    the probability that a category of one user is released. Against no users, that category has
    the delta d + max(0, 1 - d - exp(at)), and in the other order max(0, 1 - exp(at) (1 - d)). The
    shipped pair, d at infinity and the share 1 - d of the noise, has d + (1 - d) v, which is at
    least each of these and v, at all epsilons. Releasing or not is post-processing of the noise
    where both neighbors have the category. Laplace noise of scale b is at least a level with the
    shipped probability, and so is discrete noise, the level included: it is exp(-1/b) times the
    other for levels that differ by 1. A smaller count of a new category has a smaller d. So the
    shipped least law that dominates the noise and the new category (profile/highest) dominates all
    counts, and with many users the threshold hardly ever matters: at each epsilon a count comes as
    near to its delta as one likes.
Idea: d is the largest delta of a new category, and the rest of the mass has the noise.
Source: Korolova, Kenthapadi, Mishra and Ntoulas, Releasing search queries and clicks privately
    (2009), for the mechanism.
"""

from rdpacct.book.words import (
    Atom, Attack, E, Expr, Fact, Falsehood, Fraction, Iterator, Lattice, Piece, PrivacyLoss, Random,
    Refused, Statement, Status, Step, Symbol, Theorem, Whole, absolute, apart, at_most, below,
    by_prover, combine, discrete_laplace_tail, dominated, equal, exp, expect, given_by, integrable,
    laplace_tail, lemma, linear, log, maximum, minimum, new_category, noise_or_new, real, reindex,
    specialize, with_new_categories,
)  # fmt: skip

v, w, d, at, b, k, n, x, y, p, q, r = (
    Symbol(name)
    for name in ("v", "w", "d", "at", "b", "k", "n", "x", "y", "p", "q", "r")
)
SHIPPED = d + (1 - d) * v
GIVEN = ("0 <= d", "d <= 1", "0 <= v")
ATOM = with_new_categories(PrivacyLoss((Atom(p, q, log(p / q)),)), d)
NEW = new_category(d)
LEAST = noise_or_new(PrivacyLoss((Piece(exp(-absolute(w)) / 2, -v, v),)), (NEW,))
WEIGHT = exp(-r * absolute(n))
NOISE = Lattice("G", ("n",), (), WEIGHT)
REST, BEYOND = (minimum(1, maximum(0, one)) for one in (n + 1, n - k + 1))
"""On the integers, the indicators of n >= 0 and of n >= k."""


def line(text: str) -> Fact:
    """What is given."""
    return real(text, text)


def noise(part: Statement) -> Iterator[Step]:
    """The mass at infinity is not below v."""
    yield (
        combine(part.claim, (line("v <= 1"), d), given=part.given),
        "v is at most 1",
    )


def new(part: Statement) -> Iterator[Step]:
    """Both terms of the maximum."""
    least = real("max(0, y) <= z", "0 <= z", "y <= z")
    rest = (1 - d) * v
    zero = combine(at_most(0, rest), (line("0 <= v"), 1 - d), given=part.given)
    known = real("1 - exp(at) <= v", "1 - exp(at) <= v")
    more = combine(
        at_most(1 - d - exp(at), rest),
        (known, 1 - d),
        rest=d * exp(at),
        given=part.given,
    )
    top = given_by(specialize(least, y=1 - d - exp(at), z=rest), zero, more)
    yield top, "the noise has at least 1 - exp(at)"
    yield combine(part.claim, top), "beside d"


def other(part: Statement) -> Iterator[Step]:
    """Both terms of the maximum."""
    least = real("max(0, y) <= z", "0 <= z", "y <= z")
    zero = combine(
        at_most(0, SHIPPED),
        (line("0 <= v"), 1 - d),
        (line("0 <= d"), 1),
        given=part.given,
    )
    known = real("1 - exp(at) <= v", "1 - exp(at) <= v")
    more = combine(
        at_most(1 - exp(at) * (1 - d), SHIPPED), (known, 1 - d), given=part.given
    )
    yield (
        given_by(specialize(least, y=1 - exp(at) * (1 - d), z=SHIPPED), zero, more),
        "so",
    )


def hidden(part: Statement) -> Iterator[Step]:
    """The other law takes something off."""
    more = combine(at_most(p - b * q, p), (line("0 <= q"), b), given=part.given)
    yield more, "the other law takes something off"
    least = real("max(0, y) <= z", "0 <= z", "y <= z")
    yield given_by(specialize(least, y=p - b * q, z=p), more), "so"


def finite(body: Expr, *given: str) -> Fact:
    """The mean of an indicator is finite."""
    upper, lower = (real(one, *given) for one in (at_most(body, 1), at_most(0, body)))
    return dominated(upper, NOISE, lower=lower)


def discrete(part: Statement) -> Iterator[Step]:
    """The integers from k on are those from 0 on, moved by k."""
    given = ("r > 0", "k >= 0")
    weights = real(below(0, WEIGHT), "r > 0"), real(at_most(WEIGHT, WEIGHT), "r > 0")
    moved = reindex(NOISE, finite(BEYOND, *given), *weights, k, rate=r)
    yield moved, "moved by k"
    right = moved.relation.right
    outside = (real(equal(REST, 0), "n <= -1"),)
    same = apart(
        NOISE,
        equal(right.body, exp(-r * k) * REST),  # type: ignore[attr-defined]
        0,
        *given,
        on=(outside, ()),
    )
    over = expect(same, NOISE, integrable(moved, right))
    scaled = linear(
        NOISE, exp(-r * k) * REST, {REST: exp(-r * k)}, finite(REST, *given)
    )
    tail = combine(
        equal(E(NOISE, BEYOND), exp(-r * k) * E(NOISE, REST)), moved, over, scaled
    )
    yield tail, "with exp(-r k) times the weight"
    turned = reindex(NOISE, finite(REST, "r > 0"), *weights, 0, reflect=True, rate=r)
    other_side = minimum(1, maximum(0, 1 - n))
    mirror = apart(NOISE, equal(turned.relation.right.body, other_side), 0, "r > 0")  # type: ignore[attr-defined]
    mirrored = expect(mirror, NOISE, integrable(turned, turned.relation.right))
    half = lemma("discrete-laplace/worst-pair", "largest")
    start = combine(equal(E(NOISE, REST), half.relation.right), turned, mirrored, half)
    yield start, "the integers from 0 on are as likely as those up to 0"
    value = real(equal(part.claim.right, exp(-r * k) * half.relation.right), "r > 0")
    yield combine(part.claim, tail, (start, exp(-r * k)), value), "so"


def attack(seed: int) -> int:
    """Random deltas of noise and of new categories, in exact rationals."""
    rng = Random(seed)
    for _ in range(200):
        factor = Fraction(rng.randint(1, 40), 10)
        chance = Fraction(rng.randint(0, 20), 20)
        least = max(Fraction(0), 1 - factor)
        delta = least + (1 - least) * Fraction(rng.randint(0, 20), 20)
        above = chance + (1 - chance) * delta
        new = chance + max(Fraction(0), 1 - chance - factor)
        other = max(Fraction(0), 1 - factor * (1 - chance))
        if max(delta, new, other) > above:
            raise Refused(f"{chance} and {delta} break the bound at {factor}.")
    return 200


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that a count of a category that both neighbors have is post-processed noise, and that"
        " Laplace noise has the density exp(-|x|/b)/(2 b)",
    ),
    parts=(
        Statement(
            "noise", "the noise alone", at_most(v, SHIPPED), noise, ("0 <= d", "v <= 1")
        ),
        Statement(
            "new",
            "a category of one user against none",
            at_most(d + maximum(0, 1 - d - exp(at)), SHIPPED),
            new,
            (*GIVEN, "1 - exp(at) <= v"),
        ),
        Statement(
            "other",
            "none against one",
            at_most(maximum(0, 1 - exp(at) * (1 - d)), SHIPPED),
            other,
            (*GIVEN, "1 - exp(at) <= v"),
        ),
        Statement(
            "shares",
            "the shipped pair has the share 1 - d of each part of the noise, under P",
            equal(ATOM.parts[0].p, (1 - d) * p),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "shares of the other",
            "and under Q",
            equal(ATOM.parts[0].q, (1 - d) * q),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "infinite",
            "and d at infinity",
            equal(ATOM.at_infinity, d),
            by_prover("by its form"),
        ),
        Statement(
            "hidden",
            "a new category that is not released has the rest",
            equal(NEW.parts[0].p, 1 - NEW.at_infinity),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "censored",
            "an output that the threshold hides has at most its mass under P in delta, and many"
            " users make the mass of all of these as small as one likes",
            at_most(maximum(0, p - b * q), p),
            hidden,
            ("0 <= p", "0 <= q", "0 <= b"),
        ),
        Statement(
            "least infinite",
            "the shipped least law has d at infinity",
            equal(LEAST.at_infinity, maximum(0, d)),
            by_prover("by its form"),
        ),
        Statement(
            "laplace",
            "the shipped tail of Laplace noise is that of the chance in selection/noisy-max",
            equal(
                laplace_tail(b, x),
                1 - exp(minimum(x / b, 0)) + exp(-absolute(x / b)) / 2,
            ),
            by_prover("on this side of 0"),
            ("0 < b", "0 <= x"),
        ),
        Statement(
            "fewer",
            "a smaller count of a new category is released less often",
            at_most(laplace_tail(b, y), laplace_tail(b, x)),
            by_prover("a larger distance from the threshold"),
            ("0 < b", "x <= y"),
        ),
        Statement(
            "discrete",
            "the shipped tail of discrete Laplace noise, the level included",
            equal(E(NOISE, BEYOND), discrete_laplace_tail(1 / r, k)),
            discrete,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the larger of the two is enough",
            at_most(SHIPPED, maximum(d, v)),
            ("0 < d", "d < 1", "0 < v", "v < 1"),
        ),
        Falsehood(
            "the delta of discrete noise is the chance to be above the threshold",
            at_most(discrete_laplace_tail(b, k), discrete_laplace_tail(b, k + 1)),
            ("0 < b", "0 <= k"),
        ),
    ),
    attacks=(Attack("new categories and random noise", attack),),
    rules=(
        *(with_new_categories, new_category, noise_or_new),
        *(laplace_tail, discrete_laplace_tail),
    ),
)
