"""Optimal partition selection: the largest chances to show a category that epsilon and delta allow.

Printed: not in the sources.
Proved: A category that no user has is never shown. From the chance p, 0 <= p <= 1, for some number
    of users let the shipped next chance p' be the least of exp(eps) p + delta, of 1 - exp(-eps) (1
    - p - delta) and of 1. Then p' >= p, and the decisions with p and with p' are (eps,
    delta)-close in both orders, shown and not shown. No larger chance with one user more is. While
    the first of the three is the least, the chance for n users is the shipped delta (exp(n eps) -
    1)/(exp(eps) - 1); from a start on, while the second is, it is the shipped other form. So the
    decision is (eps, delta)-differentially private, and the worst pair that these allow
    (composition/approx-dp-worst-pair) dominates it. The test curve of a decision with chances p and
    p' has the corner (p, p'). While the first of the three is the least, these corners lie on one
    line of slope exp(eps), and while the second is, on one of slope exp(-eps); the edge from the
    last of the first ones to the first of the others has a slope between these. So the shipped law
    through the ends of both lines is the least that dominates all numbers of users
    (profile/highest), if a user is removed. If a user may be added or removed, corners count with
    those of the exchanged decisions, which lie on the same lines, and the highest one of the first
    line and its mirror image are the ends. Before other releases, too, of which h(g) is the largest
    delta, the numbers of users at the ends of both lines are worst: an outcome of masses x and y
    has x h(g y/x), and with masses on the way between those of two others it has no more than the
    mean of theirs, as h is convex.
Idea: All four inequalities of a decision, of which two are lines in p'.
Source: Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection (2022),
    Theorem 1.
"""

from rdpacct.book.words import (
    Attack, Expr, Fact, Falsehood, Fraction, Iterator, Random, Refused, Statement, Status, Step,
    Symbol, Theorem, at_most, by_prover, combine, equal, exp, formula, given_by, law_at_corners,
    minimum, next_chance, real, removed_user, rising_chance, settling_chance, specialize, under,
)  # fmt: skip

p, q, d, eps, n, s = (Symbol(name) for name in ("p", "q", "delta", "eps", "n", "s"))
GIVEN = ("0 < eps", "0 <= delta", "0 <= p", "p <= 1")
NEXT = next_chance(eps, d, p)
SHOWN = exp(eps) * p + d
HIDDEN = 1 - exp(-eps) * (1 - p - d)


x, y, u, v, m, w = (Symbol(name) for name in ("x", "y", "u", "v", "m", "w"))
CONVEX = "m <= (1 - s)*x/w*u + s*y/w*v"
"""h at the ratio of an outcome of mass w under P, and at those of two others of masses x and y, of
which w is the mean with the weights 1 - s and s.
"""
FIRST_LINE = equal(p, exp(eps) * n + d)
SECOND_LINE = equal(1 - q, exp(-eps) * (1 - p - d))
LAST_OF_FIRST = at_most(exp(-eps) * (1 - n - d), 1 - p)
"""Chances n, p and q one after the other: the first two on the first line, which is the least
there, and the last two on the second one.
"""
REMOVED = removed_user([(formula(0), d), (p, s)])
REPLACED = law_at_corners(d, p, s)


def between(part: Statement) -> Iterator[Step]:
    """Convexity, times the mass."""
    line = under(real(CONVEX, CONVEX, "0 < w"), CONVEX, "0 < w")
    yield (
        combine(part.claim, (line, w)),
        "times the mass of the outcome",
    )


def steeper(part: Statement) -> Iterator[Step]:
    """The first line at both chances."""
    on_line = real(FIRST_LINE, FIRST_LINE)
    below = real(at_most(q, SHOWN), at_most(q, SHOWN))
    yield (
        combine(part.claim, below, (on_line, -1)),
        "the next chance is limited by both",
    )


def flatter(part: Statement) -> Iterator[Step]:
    """The second line at both chances."""
    on_line = real(SECOND_LINE, SECOND_LINE)
    below = real(LAST_OF_FIRST, LAST_OF_FIRST)
    yield (
        combine(part.claim, below, (on_line, -1)),
        "the chance before is limited by both",
    )


def least(which: Expr) -> Fact:
    """The next chance is at most each of the three."""
    text = {SHOWN: "u", HIDDEN: "v"}.get(which, "1")
    return specialize(real(f"min(min(u, v), 1) <= {text}"), u=SHOWN, v=HIDDEN)


def below_all(level: Expr) -> Fact:
    """What is below each of the three is below the next chance."""
    two = real("z <= min(u, v)", "z <= u", "z <= v")
    first = specialize(two, z=level, u=SHOWN, v=HIDDEN)
    return given_by(specialize(two, z=level, u=minimum(SHOWN, HIDDEN), v=1), first)


def grows() -> Fact:
    """The next chance is not smaller."""
    zero, rest, room = (real(text, text) for text in ("0 <= p", "p <= 1", "0 <= delta"))
    given = GIVEN
    shown = combine(at_most(p, SHOWN), (zero, exp(eps) - 1), room, given=given)
    hidden = combine(
        at_most(p, HIDDEN), (rest, 1 - exp(-eps)), (room, exp(-eps)), given=given
    )
    return given_by(below_all(p), shown, hidden)


def up(part: Statement) -> Iterator[Step]:
    """The first of the three."""
    yield combine(part.claim, least(SHOWN)), "it is at most the first"


def kept(part: Statement) -> Iterator[Step]:
    """The second of the three."""
    yield combine(part.claim, (least(HIDDEN), exp(eps))), "it is at most the second"


def down(part: Statement) -> Iterator[Step]:
    """The chance never falls."""
    more = grows()
    yield more, "one user more is not shown less often"
    zero = real("0 <= p", "0 <= p")
    room = real("0 <= delta", "0 <= delta")
    yield (
        combine(
            part.claim, (more, exp(eps)), (zero, exp(eps) - 1), room, given=part.given
        ),
        "so this order is harmless",
    )


def hidden(part: Statement) -> Iterator[Step]:
    """The chance never falls."""
    more = grows()
    rest = real("0 <= 1 - p", "p <= 1")
    room = real("0 <= delta", "0 <= delta")
    yield (
        combine(part.claim, more, (rest, exp(eps) - 1), room, given=part.given),
        "not being shown becomes less likely",
    )


def largest(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """Below each of the three."""
    second = combine(at_most(q, HIDDEN), (real(LIMITS[1], LIMITS[1]), exp(-eps)))
    yield given_by(below_all(q), second), "both inequalities are lines in q"


LIMITS = (at_most(q, SHOWN), at_most(1 - p, exp(eps) * (1 - q) + d))


def attack(seed: int) -> int:
    """Random chances, and the next ones tried a little larger, in exact rationals."""
    rng = Random(seed)
    for _ in range(100):
        growth = 1 + Fraction(rng.randint(1, 40), 10)
        extra, chance = (
            Fraction(rng.randint(0, 20), 100),
            Fraction(rng.randint(0, 50), 50),
        )
        both = growth * chance + extra, 1 - (1 - chance - extra) / growth
        following = min(*both, Fraction(1))
        pairs = ((following, chance), (1 - chance, 1 - following))
        if any(x > growth * y + extra for x, y in pairs) or following < chance:
            raise Refused(f"{chance} and {following} are not close at {growth}.")
    return 100


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement("up", "shown with one user more", at_most(NEXT, SHOWN), up),
        Statement(
            "kept",
            "not shown with one user less",
            at_most(1 - p, exp(eps) * (1 - NEXT) + d),
            kept,
        ),
        Statement(
            "down",
            "shown with one user less",
            at_most(p, exp(eps) * NEXT + d),
            down,
            GIVEN,
        ),
        Statement(
            "hidden",
            "not shown with one user more",
            at_most(1 - NEXT, exp(eps) * (1 - p) + d),
            hidden,
            GIVEN,
        ),
        Statement(
            "steeper",
            "the edge to the first corner of the second line is no steeper than the first line",
            at_most(q - p, exp(eps) * (p - n)),
            steeper,
            (FIRST_LINE, at_most(q, SHOWN)),
        ),
        Statement(
            "flatter",
            "and no flatter than the second line",
            at_most(exp(-eps) * (p - n), q - p),
            flatter,
            (SECOND_LINE, LAST_OF_FIRST),
        ),
        Statement(
            "mirrored",
            "the exchanged decision of a corner on the second line has one on the first",
            equal(1 - p, exp(eps) * (1 - q) + d),
            by_prover("solved for the other chance"),
            (SECOND_LINE,),
        ),
        Statement(
            "between",
            "an outcome whose masses are a mean of those of two others has no more than the mean"
            " of what these have",
            at_most(w * m, (1 - s) * x * u + s * y * v),
            between,
            (CONVEX, "0 < w"),
        ),
        Statement(
            "removed",
            "the shipped law has an outcome for each edge, here from none to s users",
            equal(REMOVED.parts[0].p - eps * REMOVED.parts[0].q, s - d - eps * p),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "replaced",
            "and for both orders the middle edge, between a corner and its mirror image",
            equal(REPLACED.parts[1].p, REPLACED.parts[1].q),  # type: ignore[attr-defined]
            by_prover("by its form"),
        ),
        Statement(
            "none",
            "no users are never shown",
            equal(rising_chance(eps, d, formula(0)), 0),
            by_prover("exp(0) is 1"),
        ),
        Statement(
            "rising",
            "the shipped chance while few users are shown",
            equal(
                rising_chance(eps, d, n + 1), exp(eps) * rising_chance(eps, d, n) + d
            ),
            by_prover("a geometric series"),
            ("0 < eps",),
        ),
        Statement(
            "settling",
            "the shipped chance while few are not",
            equal(
                settling_chance(eps, d, s, n + 1),
                1 - exp(-eps) * (1 - settling_chance(eps, d, s, n) - d),
            ),
            by_prover("a geometric series"),
            ("0 < eps",),
        ),
        Statement(
            "start",
            "it starts at the chance before",
            equal(settling_chance(eps, d, s, formula(0)), s),
            by_prover("exp(0) is 1"),
        ),
    ),
    sharp=(
        Statement(
            "largest",
            "no larger chance is (eps, delta)-close to p",
            at_most(q, NEXT),
            largest,
            (*LIMITS, "q <= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "being shown is all that counts",
            at_most(1 - p, exp(eps) * (1 - minimum(SHOWN, 1)) + d),
            GIVEN,
        ),
        Falsehood(
            "the chance grows by exp(eps) without delta",
            at_most(NEXT, exp(eps) * p),
            GIVEN,
        ),
    ),
    attacks=(Attack("random chances", attack),),
    rules=(
        next_chance,
        rising_chance,
        settling_chance,
        removed_user,
        law_at_corners,
    ),
)
