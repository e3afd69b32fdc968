"""A filter for a menu: releases that are fixed in advance, chosen on the way, by what the best
strategy can still gain.

Printed: not in the sources.
Proved: Outputs are drawn under P; y is the ratio of the probabilities under Q and P of the next
    output, and r that of all outputs so far. A menu has finitely many releases, each dominated by a
    pair, with a price in whole units. With a budget of n units and the ratio r let V(n, r) be the
    largest of V(n - 1, r) and, for each release that n can pay, of the mean of V(n - price, r a)
    over the ratio a of its pair; V(0, r) is the shipped gain max(1 - exp(eps) r, 0) at the loss
    -log(r). An adversary chooses each release after the outputs before it, and
    none with which the prices would exceed the budget. (1) If a value W starts at d, is at least
    max(1 - exp(eps) r, 0), and no release raises it on average, given all that was seen, then E
    max(1 - exp(eps) r, 0) <= d, which is ApproxDP(eps, d), as shipped, after any number of
    releases. (2) V(n, r) is such a value, with d = V(n, 1): where V is the mean of max(1 - s r, 0)
    over some law of s, a release that is dominated by a pair raises it at most as the pair does.
    (3) The largest gain is at least each of them. (4) V does not rise with r, and is
    at most 1: beyond the ends of a grid it is bounded by the value at the end, and by 1. (5) The
    shipped grid of a release without small masses at its ends gains at least as much.
Idea: Instead of adding up prices of losses, work out backwards what the best strategy gains. It is
    a maximum over choices, after each output, and no course can do better than that on average.
Source: the authors of this package; backward induction is of Bellman (1957), pairs that dominate
    of Zhu, Dong and Wang (2022).
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Moves, Real, Statement, Status, Step, Theorem, Whole,
    approx_behind_menu, assume, at_most, by_prover, chain, combine, dominated, equal, example, exp,
    expect, formula, formulas, gain_at, given_by, integrable, lemma, maximum, module, never_rises,
    positive_part, proves, read, real, relations, specialize, symbols, under, without_ends,
)  # fmt: skip

k, r, y, W, w, d, eps, s, u, x = symbols("k r y W w d eps s u x")
p1, p2, p3, v1, v2, v3, i = symbols("p1 p2 p3 v1 v2 v3 i")
SIGNS = relations("0 <= r", "0 <= y", "0 <= W", "0 <= w")
ENOUGH = at_most(maximum(1 - exp(eps) * r, 0), W)
STEPS: dict[str, tuple[Real, Expr]] = {"r": (1, r * y), "W": (d, w)}
G = chain("G", STEPS, ("y", "w"), k, (*SIGNS, ENOUGH))
"""The ratio of the outputs so far and what can still be gained; the next ratio and the next
value.
"""
FREE = chain("F", STEPS, ("y", "w"), k, SIGNS)
"""The same with any value, of which nothing is asked."""
WHOLE = approx_behind_menu(eps, d)
GAUSSIAN = module("adaptive/gaussian")
LEFT = GAUSSIAN.LEFT
gained = GAUSSIAN.gained
APPROX = module("adaptive/approx")
AT_END = read(gain_at(*formulas(eps, x)))
LARGEST = maximum(maximum(u, v1), v2)
MASSES = [*formulas(p1, about=0.0), *formulas(p2, about=1.0), *formulas(p3, about=0.0)]
MOVED = without_ends(Moves(1, 0, MASSES, formulas(i, about=0.0)[0]), 0.5)


def larger(part: Statement) -> Iterator[Step]:
    """A maximum is at least its parts, and so is a maximum of it."""
    both = maximum(u, v1)
    outer = [specialize(real(f"{one} <= max(x, y)"), x=both, y=v2) for one in "xy"]
    inner = [specialize(real(f"{one} <= max(x, y)"), x=u, y=v1) for one in "xy"]
    ways: dict[Real, tuple[Fact, ...]] = {
        u: (inner[0], outer[0]),
        v1: (inner[1], outer[0]),
        v2: (outer[1],),
    }
    yield combine(part.claim, *ways[part.claim.left]), "one maximum after the other"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "filter",
            "after any number k of releases",
            at_most(E(G, maximum(1 - exp(WHOLE.epsilon) * r, 0)), WHOLE.delta),
            given=(Whole("k", 0),),
            assuming={
                "no release raises it": assume(
                    at_most(E(G, w, G.past), W), Whole("k", 0), every="k"
                )
            },
            witness=example({"k": 2, "d": 1, "eps": 0}, {"G": [((1, 1), 1)]}),
        ),
        Statement(
            "one release",
            "a release that is dominated by a pair, where V is a mean over s",
            GAUSSIAN.THEOREM.part("one release").claim,
            given=("0 <= w",),
            assuming=GAUSSIAN.THEOREM.part("one release").assuming,
            witness=GAUSSIAN.THEOREM.part("one release").witness,
        ),
        Statement(
            "at the end",
            "the shipped gain at a loss x, by the ratio exp(-x)",
            equal(AT_END, maximum(1 - exp(eps) * exp(-x), 0)),
            by_prover("the same exponential"),
        ),
        *(
            Statement(
                f"largest, {name}",
                f"the largest of the gains is at least that of {name}",
                at_most(one, LARGEST),
                larger,
            )
            for name, one in (("stopping", u), ("a release", v1), ("another", v2))
        ),
        Statement(
            "falls with r",
            "V does not rise with the ratio, where it is a mean over s",
            at_most(E(LEFT, gained(u * s)), E(LEFT, gained(x * s))),
            given=("0 <= x", "x <= u"),
        ),
        Statement(
            "at most 1",
            "nothing gains more than 1",
            at_most(E(LEFT, gained(x * s)), 1),
            given=("0 <= x",),
        ),
        Statement(
            "moved up",
            "masses at three losses with the gains v1, v2 and v3, the outer ones moved up",
            at_most(
                p1 * v1 + p2 * v2 + p3 * v3 + i,
                read(MOVED.masses[0]) * v2 + read(MOVED.infinite),
            ),
            given=("0 <= p1", "0 <= p3", "v1 <= v2", "v3 <= 1"),
        ),
    ),
    in_words=(
        "A function that is convex in r, falls from 1 at r = 0 and is not negative is the"
        " mean of max(1 - s r, 0) over a law of s >= 0: so V(0, r) is, means over a pair"
        " are, and the largest of finitely many such functions is. The hypothesis of the"
        " filter is then the part `one release` with the choice that was made, and `largest`.",
        "A release on another part of the data, and one that is not made, leave r and V as"
        " they are. More units than a release costs may be taken for it, as V does not rise"
        " with what is taken.",
    ),
    rules=(approx_behind_menu, gain_at, without_ends),
)


@proves("filter")
def proof(part: Statement) -> Iterator[Step]:
    """The value does not rise on average, and is at least what was gained."""
    release = part.assuming["no release raises it"]
    positive = under(real("0 <= w", "0 <= w"), *G.support)
    steps = list(never_rises(G, W, d, release, positive))
    yield from steps
    whole = steps[-1][0]
    line = real(ENOUGH, *G.support)
    yield line, "what was gained is at most the value"
    bound = integrable(whole, E(G, W))
    zero = specialize(real("0 <= max(x, 0)"), x=1 - exp(eps) * r)
    over = expect(line, G, dominated(line, G, bound, lower=zero), bound)
    yield combine(part.claim, over, whole), "averaged"


@proves("one release")
def one_release(_: Statement) -> Iterator[Step]:
    """As in the filter for Gaussian privacy, where s is that of one pair."""
    yield lemma("adaptive/gaussian", "one release"), "for any law of s"


@proves("falls with r")
def falls(part: Statement) -> Iterator[Step]:
    """Each of the functions falls."""
    given = tuple(map(str, part.given))
    less = real("1 - u*s <= 1 - x*s", "x <= u", "0 <= s")
    larger = specialize(real("y <= max(y, 0)"), y=1 - x * s)
    upper = combine(at_most(1 - u * s, gained(x * s)), less, larger)
    least = specialize(real("0 <= max(y, 0)"), y=1 - x * s)
    line = under(positive_part(upper, least), *given, "0 <= s")
    yield line, "at each s"
    finite = [_finite(u, *given), _finite(x, *given)]
    yield expect(line, LEFT, *finite), "averaged"


@proves("at most 1")
def most(part: Statement) -> Iterator[Step]:
    """Each of the functions is at most 1."""
    given = tuple(map(str, part.given))
    line = _small(x, *given)
    yield expect(line, LEFT, _finite(x, *given)), "averaged"


@proves("moved up")
def moved(part: Statement) -> Iterator[Step]:
    """Each mass moves to where more is gained."""
    first = real("p1*v1 <= p1*v2", "0 <= p1", "v1 <= v2")
    last = real("p3*v3 <= p3", "0 <= p3", "v3 <= 1")
    yield combine(part.claim, first, last), "mass by mass"


def _small(ratio: Expr, *given: str) -> Fact:
    """max(1 - s r, 0) is at most 1."""
    line = specialize(real("max(1 - y, 0) <= 1", "0 <= y"), y=ratio * s)
    sign = real(at_most(0, ratio * s), *given, "0 <= s")
    return given_by(under(line, *given, "0 <= s"), sign)


def _finite(ratio: Expr, *given: str) -> Fact:
    """Its mean is finite."""
    least = specialize(real("0 <= max(y, 0)"), y=1 - ratio * s)
    return dominated(_small(ratio, *given), LEFT, lower=least)


FALSEHOODS = (
    Falsehood(
        "a value that no release raises on average is enough, also if it is less than"
        " what was gained",
        at_most(E(FREE, maximum(1 - exp(eps) * r, 0)), d),
        (Whole("k", 0),),
        assuming={
            "no release raises it": assume(
                at_most(E(FREE, w, FREE.past), W), Whole("k", 0), every="k"
            )
        },
        instance=example({"k": 1, "d": 0, "eps": 0}, {"F": [((0, 0), 1)]}),
    ),
    Falsehood(
        "compose exactly and stop: if each plan within the prices has at most delta, so"
        " has each strategy within them",
        at_most(E(APPROX.TREE, APPROX.chosen_at(formula(1))), APPROX.d),
        assuming=APPROX.EXACT,
        instance=example({"d": "1/2"}, {"T": APPROX._outcomes()}),
    ),
)
