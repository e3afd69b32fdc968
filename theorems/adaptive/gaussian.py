"""A filter for Gaussian privacy: the squares of the mus add up, also if they are chosen on the way.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it e, the square of
    its mu; B is the sum of these squares so far, and no release is made with which it would exceed
    m. Let V be the delta of one Gaussian release with the square m + x - B, at what the loss so far
    leaves of the level eps, with any x > 0. (1) A release that is dominated by a pair,
    followed by an independent draw of another pair, is dominated by the product of both. For the
    Gaussian pairs with e and with m + x - B - e that product is the one with m + x - B
    (gaussian/composition): so V does not rise on average. (2) V is at least what was gained, as
    what is left can only add to it. (3) So the hockey stick of the loss is at most that of the
    Gaussian pair with m + x, at every eps, after any number of releases, and so at most that with
    m: no test is better than against that pair. To stop, or to refuse, is a release that tells
    nothing and costs 0.
Idea: What is left of the budget could be spent on one Gaussian release in the end. With it every
    course of the interaction spends the same, whatever was chosen.
Source: Koskela, Tobaben and Honkela (2023), Individual privacy accounting with Gaussian
    differential privacy; Smith and Thakurta (2022), Fully adaptive composition for Gaussian
    differential privacy.
"""

from rdpacct.book.words import (
    Chain, Condition, E, Expr, Fact, Falsehood, Iterator, Law, Real, Statement, Status, Step,
    Symbol, Theorem, Whole, assume, at_most, below, by_prover, chain, combine,
    compose_gaussian_shifts, disintegrate, dominated, equal, example, exp, expect, formula,
    gaussian_behind_filter, gaussian_delta, given_by, independent_of, integrable, lemma, linear,
    maximum, never_rises, proves, real, relations, specialize, spent_after, sqrt, taken_in, tower,
    under,
)  # fmt: skip

NAMES = ("k", "m", "x", "b", "w", "eps", "S", "B", "e", "L", "n", "y", "a", "s", "v")
k, m, x, b, w, eps, S, B, e, L, n, y, a, s, v = map(Symbol, NAMES)
G = chain(
    "G",
    {"S": (0, S + L), "B": (0, spent_after(B, e)), "e": (b, n)},
    ("L", "n"),
    k,
    relations("0 <= e", "B + e <= m"),
)
"""Behind the filter: the loss and the squares so far, and that of the next release; the loss of the
next release, and the square of the one after it.
"""


def still(spent: Expr) -> Expr:
    """The delta of a Gaussian release with what is left, at what the loss leaves of the level."""
    return gaussian_delta(sqrt(m + x - spent), eps - S)


STILL = still(B)


def gained(ratio: Real) -> Expr:
    """What an output with a ratio adds to the hockey stick."""
    return maximum(1 - formula(ratio), 0)


PAIRS = Law("Z", ("y", "a"), relations("0 <= y", "0 <= a"))
"""A release and the pair that dominates it, by their ratios."""
LEFT = Law("D", ("s",), relations("0 <= s"))
"""The pair of what is left, by its ratio."""
THEN = independent_of(PAIRS, LEFT)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one release",
            "a release that is dominated by a pair, followed by what is left",
            at_most(E(THEN, gained(w * s * y)), E(THEN, gained(w * s * a))),
            given=("0 <= w",),
            assuming={
                "dominated": assume(
                    at_most(E(PAIRS, gained(v * y)), E(PAIRS, gained(v * a))),
                    "0 <= v",
                    every="v",
                ),
            },
            witness=example({"w": 1}, {"Z": [((1, 1), 1)], "D": [(1, 1)]}),
        ),
        Statement(
            "no less",
            "what is left only adds to what was gained",
            at_most(gained(w), E(LEFT, gained(w * s))),
            given=("0 <= w",),
            assuming={"law": assume(equal(E(LEFT, s), 1))},
        ),
        Statement(
            "filter",
            "after any number k of releases, at every level eps; m + x is above the budget",
            at_most(
                E(G, maximum(0, 1 - exp(eps - S))),
                gaussian_delta(gaussian_behind_filter(m + x).mu, eps),
            ),
            given=(Whole("k", 0), "0 <= m", "0 < x"),
            assuming={
                "one release": assume(
                    at_most(E(G, taken_in(G, STILL), G.past), STILL),
                    Whole("k", 0),
                    every="k",
                ),
            },
            witness=example(
                {"k": 2, "m": 1, "x": 1, "b": 0, "eps": 1}, {"G": [((0, 0), 1)]}
            ),
        ),
        Statement(
            "parts",
            "the Gaussian pairs with e and w - e have the product with w",
            equal(compose_gaussian_shifts([(sqrt(e), 1), (sqrt(w - e), 1)]), sqrt(w)),
            by_prover("the squares add up"),
            ("0 <= e", "e <= w"),
        ),
        Statement(
            "shipped",
            "the mu of the shipped pair is the root of m",
            equal(gaussian_behind_filter(m).mu, sqrt(m)),
            by_prover("as it stands"),
            ("0 <= m",),
        ),
    ),
    in_words=(
        "The hypothesis of the filter is the part `one release` at the numbers S, B and e"
        " that were seen, for Gaussian pairs.",
        "The delta of a Gaussian pair is continuous in its shift: what holds for each"
        " budget above m holds for m.",
    ),
    rules=(gaussian_behind_filter,),
)


def at_most_one(law: Law, ratio: Expr) -> tuple[Fact, Fact]:
    """What an output adds is at most 1, so that its mean is finite; and not negative."""
    positive = real(at_most(0, ratio), *law.support, "0 <= w")
    small = specialize(real("max(1 - x, 0) <= 1", "0 <= x"), x=ratio)
    least = specialize(real("0 <= max(x, 0)"), x=1 - ratio)
    return dominated(given_by(small, positive), law, lower=least), least


@proves("one release")
def one_release(part: Statement) -> Iterator[Step]:
    """Given what is left, the release is replaced by its pair."""
    known = under(part.assuming["dominated"], "0 <= v", "0 <= w", "0 <= s")
    inner = under(specialize(known, v=w * s), "0 <= w", "0 <= s")
    sides = []
    for ratio, side in ((y, inner.relation.left), (a, inner.relation.right)):
        finite, _ = at_most_one(THEN, w * s * ratio)
        body = gained(w * s * ratio)
        split = disintegrate(THEN, body, "s", integrable(inner, side))
        sides.append((split, tower(THEN, body, "s", finite)))
    splits = [split for split, _ in sides]
    given_s = [split.relation.left for split in splits]
    line = combine(at_most(*given_s), inner, *splits)
    yield line, "given what is left"
    towers = [flat for _, flat in sides]
    over = expect(
        line,
        THEN,
        *(
            integrable(one, E(THEN, mean))
            for one, mean in zip(towers, given_s, strict=True)
        ),
    )
    yield combine(part.claim, over, *towers), "averaged"


@proves("no less")
def no_less(part: Statement) -> Iterator[Step]:
    """The positive part is convex."""
    mass = part.assuming["law"]
    line = specialize(real("x <= max(x, 0)"), x=1 - w * s)
    body = gained(w * s)
    finite, least = at_most_one(LEFT, w * s)
    flat = linear(LEFT, 1 - w * s, {s: -w}, integrable(mass, E(LEFT, s)), constant=1)
    over = expect(line, LEFT, integrable(flat, flat.relation.left), finite)
    yield over, "averaged"
    upper = combine(at_most(1 - w, E(LEFT, body)), over, flat, (mass, -w))
    least = expect(least, LEFT, finite)
    larger = specialize(
        real("max(x, 0) <= z", "x <= z", "0 <= z"), x=1 - w, z=E(LEFT, body)
    )
    yield given_by(larger, upper, least), "and not negative"


@proves("filter")
def proof(part: Statement) -> Iterator[Step]:
    """With what was spent so far."""
    yield from behind_filter(part, G, B)


def behind_filter(part: Statement, law: Chain, spent: Expr) -> Iterator[Step]:
    """What is still to be gained does not rise on average, and is no less than what was gained."""
    release = part.assuming["one release"]
    given = part.given[1:]
    value = still(spent)
    domain = (*law.support, *given)
    positive, _ = _no_less(taken_in(law, spent), eps - (S + L), *domain)
    first = gaussian_delta(sqrt(m + x), eps)
    steps = list(never_rises(law, value, first, release, positive, *given))
    yield from steps
    whole = steps[-1][0]
    least, line = _no_less(spent, eps - S, *domain)
    larger = given_by(
        specialize(
            real("max(0, y) <= z", "y <= z", "0 <= z", *domain),
            y=line.relation.left,
            z=value,
        ),
        line,
        least,
    )
    yield larger, "what was gained is at most what is still to be gained"
    bound = integrable(whole, E(law, value))
    zero = specialize(real("0 <= max(0, x)"), x=1 - exp(eps - S))
    over = expect(larger, law, dominated(larger, law, bound, lower=zero), bound)
    yield combine(part.claim, over, whole), "averaged"


def _no_less(spent: Expr, level: Expr, *domain: str | Condition) -> tuple[Fact, Fact]:
    """The delta of what is left is at least 0, and at least 1 - exp(level)."""
    left = m + x - spent
    room = real(below(0, sqrt(left)), *domain)
    found = []
    for name in ("positive", "not-below-certainty"):
        fact = specialize(lemma("gaussian/delta", name), eps=level)
        fact = given_by(specialize(under(fact, "mu > 0", *domain), mu=sqrt(left)), room)
        found.append(fact)
    return found[0], found[1]


FALSEHOODS = (
    Falsehood(
        "the largest mu decides",
        at_most(compose_gaussian_shifts([(a, 1), (b, 1)]), maximum(a, b)),
        ("0 < a", "0 < b"),
    ),
)
