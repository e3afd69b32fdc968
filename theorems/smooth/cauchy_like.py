"""Noise with tails like a power is admissible with delta = 0; in d dimensions its dilation must
shrink with d.

Printed: For g > 1 the density proportional to 1/(1 + |z| g) is (eps/(2 g + 1), eps/(2 g +
    1))-admissible, and so is the product of d copies.
Proved: For the density proportional to 1/(1 + |z|**g), g > 1, with K = (g-1)**((g-1)/g): the log
    density changes by at most K |D| under a slide, so alpha = eps/(2 K) suffices; under a dilation
    by exp(l) the log ratio is at most max(1, g-1) |l|, so beta = eps/(2 max(1, g-1)) suffices, and
    no larger beta does. Both constants cover the printed ones. In d dimensions log ratios add up:
    alpha is the same in the norm |.|_1, and beta = eps/(2 d max(1, g-1)). The printed beta suffices
    if and only if d max(1, g-1) <= g + 1/2. For g = 2 the exact alpha is 2 sinh(eps/4). Slides are
    between a = |z| and b = |z + D|, of which one may be 0.
Idea: K is the maximum of the score, by weighted means; the change is the mean of the score times
    the distance. The ratio of a dilation lies between its values at 0 and at infinity.
Source: Lecture 13 (smoothed sensitivity and median), Lemma 13.2.
Finding (false): The d-dimensional claim is false if and only if d max(1, g-1) > g + 1/2: for d > g
    + 1/2 at z = 0, and for d (g-1) > g + 1/2 at infinity (g = 3 and d = 2 already).
Finding (misprint): The printed density has no finite mass; |z|**g is meant.
Finding: The constant eps/(2 K) is sharp to first order in eps only.
"""

from rdpacct.book.words import (
    Callable, Condition, Density, E, Falsehood, Fraction, Iterator, Statement, Status, Step,
    Stretch, Theorem, at_most, below, by_prover, closed, combine, coordinates, either, equal, exp,
    expect, given_by, integrable, integrate, known, log, maximum, power_admissible, power_slope,
    printed_power_admissible, proves, real, relations, sinh, specialize, symbols, under,
)  # fmt: skip

g, a, b, s, v, x, z, eps, lam, m, w, c, d, k = symbols(
    "g a b s v x z eps lam m w c d k"
)
SCORE = g * v ** (g - 1) / (1 + v**g)
MOST = power_slope(g)
REACH = "(g - 1)**((g - 1)/g)*(b - a) <= eps/2"
FROM_ZERO = "(g - 1)**((g - 1)/g)*b <= eps/2"
ENOUGH = "d*m <= g + 1/2"
LARGE = below(c - exp(-lam), w * (exp((g - 1) * lam) - c))


def times(
    relation: str, *given: str | Condition
) -> Callable[[Statement], Iterator[Step]]:
    """A relation that is given, times the printed beta."""

    def proof(part: Statement) -> Iterator[Step]:
        yield (
            combine(
                part.claim, (known(relation, part), eps / (2 * g + 1)), given=given
            ),
            "times eps/(2 g + 1)",
        )

    return proof


SCORES = Statement(
    "score", "the score is at most K", at_most(SCORE, MOST), given=("1 < g", "0 < v")
)

THEOREM = Theorem(
    verdict=Status.CORRECTED,
    parts=(
        SCORES,
        Statement(
            "slide",
            "from |z| = a to |z + D| = b the log density falls by at most eps/2, alpha"
            " = eps/(2 K)",
            claim=at_most(log(1 + b**g) - log(1 + a**g), eps / 2),
            given=("0 < a", "a < b", "1 < g", REACH),
        ),
        Statement(
            "slide from 0",
            "the same from z = 0, so that the bound holds for all z",
            claim=at_most(log(1 + b**g), eps / 2),
            given=("0 < b", "1 < g", FROM_ZERO),
        ),
        Statement(
            "printed-alpha",
            "K <= g + 1/2, so that eps/(2 g + 1) <= eps/(2 K)",
            claim=at_most(MOST, g + Fraction(1, 2)),
            given=("1 < g",),
        ),
        Statement(
            "shrunk",
            "dilation by exp(lam), w = |z|**g: the ratio is at most exp(m lam), m >="
            " g - 1",
            claim=at_most(exp(-lam) * (1 + w * exp(g * lam)), exp(m * lam) * (1 + w)),
            given=("0 <= lam", "0 <= m", "g - 1 <= m", "0 <= w"),
        ),
        Statement(
            "widened",
            "dilation by exp(-lam): the ratio is at most exp(m lam), m >= 1",
            claim=at_most(exp(lam) * (1 + w * exp(-g * lam)), exp(m * lam) * (1 + w)),
            given=("0 <= lam", "1 <= m", "1 < g", "0 <= w"),
        ),
        coordinates(),
        Statement(
            "printed-beta",
            "in d dimensions eps/(2 g + 1) suffices if d m <= g + 1/2, m = max(1, g-1)",
            claim=at_most(d * m * (eps / (2 * g + 1)), eps / 2),
            given=("0 <= eps", "1 < g", ENOUGH),
            proof=times(ENOUGH, "0 <= eps", "1 < g"),
        ),
        Statement(
            "one-dimension",
            "as it is for d = 1",
            claim=at_most(maximum(1, g - 1), g + Fraction(1, 2)),
            given=("1 < g",),
            proof=by_prover("both are"),
        ),
        Statement(
            "alpha-2",
            "for g = 2 alpha = 2 sinh(eps/4) suffices, with k = exp(eps/4)",
            claim=at_most(1 + (z + k - 1 / k) ** 2, k**2 * (1 + z**2)),
            given=("1 < k",),
            proof=by_prover("the difference is (k**2 - 1) (z - 1/k)**2"),
        ),
    ),
    sharp=(
        Statement(
            "alpha-2-attained",
            "and no larger alpha does: equality at z = 1/k",
            claim=equal(1 + (1 / k + k - 1 / k) ** 2, k**2 * (1 + (1 / k) ** 2)),
            given=("1 < k",),
            proof=by_prover("an identity"),
        ),
        Statement(
            "at-infinity",
            "the ratio of the dilation by exp(lam) exceeds each c < exp((g-1) lam), for"
            " w large",
            claim=below(c * (1 + w), exp(-lam) * (1 + w * exp(g * lam))),
            given=(LARGE,),
        ),
        Statement(
            "beta-at-infinity",
            "so the printed beta fails if d (g - 1) > g + 1/2: the log ratio passes"
            " eps/2 at large z",
            claim=below(eps / 2, d * (g - 1) * (eps / (2 * g + 1))),
            given=("0 < eps", "1 < g", "g + 1/2 < d*(g - 1)"),
            proof=times("g + 1/2 < d*(g - 1)", "0 < eps", "1 < g"),
        ),
        Statement(
            "beta-at-zero",
            "and if d > g + 1/2: the dilation by exp(-beta) has the log ratio d beta at"
            " z = 0",
            claim=below(eps / 2, d * (eps / (2 * g + 1))),
            given=("0 < eps", "1 < g", "g + 1/2 < d"),
            proof=times("g + 1/2 < d", "0 < eps", "1 < g"),
        ),
        Statement(
            "first-order",
            "2 sinh(eps/4) > eps/2 = eps/(2 K) for g = 2",
            below(eps / 2, 2 * sinh(eps / 4)),
            by_prover("sinh x > x"),
            ("0 < eps",),
        ),
    ),
    rules=(power_slope, power_admissible, printed_power_admissible),
)

BETWEEN = Density("Between", ("v",), relations("a <= v"), (Stretch(a, b, 1 / (b - a)),))
WEIGHTED = "exp((g - 1)/g*x) <= (g - 1)/g*exp(x) + 1/g"


@proves("score")
def score(part: Statement) -> Iterator[Step]:
    """The weighted means of v**g/(g-1) and 1."""
    means = specialize(real(WEIGHTED, "1 < g"), x=g * x - log(g - 1))
    yield means, "the weighted geometric mean is at most the arithmetic one"
    powers = combine(
        at_most(g * exp((g - 1) * x), MOST * (1 + exp(g * x))), (means, g * MOST)
    )
    there = specialize(under(powers, "1 < g", "0 < v"), x=log(v))
    whole = combine(at_most(g * v ** (g - 1), MOST * (1 + v**g)), there)
    yield whole, "at x = log v"
    yield combine(part.claim, (whole, 1 / (1 + v**g))), "divided"


@proves("slide")
def slide(part: Statement) -> Iterator[Step]:
    """The mean of the score between a and b."""
    order = "0 < a", "a < b", "1 < g"
    mean = integrate(BETWEEN, SCORE, (log(1 + v**g) / (b - a),), (v / (b - a),), *order)
    yield mean, "the mean of the score is the change over the distance"
    bound = under(THEOREM.part("score").fact(), "1 < g", "0 < v", "0 < a")
    over = expect(bound, BETWEEN, integrable(mean, E(BETWEEN, SCORE)))
    yield over, "the score is at most K"
    limit = known(REACH, part, "1 < g")
    yield (
        combine(part.claim, (mean, a - b), (over, b - a), (limit, 1)),
        "and the distance at most alpha",
    )


@proves("slide from 0")
def from_zero(part: Statement) -> Iterator[Step]:
    """Slides from points that come close to 0."""
    given = (*part.given, "0 < s")
    near, far = below(s, b**g), at_most(b**g, s)
    start = s ** (1 / g)
    reach = known(FROM_ZERO, part, "1 < g")
    less = real(at_most(0, MOST * start), "0 < s", "1 < g")
    shorter = combine(at_most(MOST * (b - start), eps / 2), reach, less)
    inside = real(below(start, b), "0 < s", "1 < g", "0 < b", near)
    slid = THEOREM.part("slide")
    moved = specialize(under(slid.fact(), *slid.given, "0 < s"), a=start)
    moved = given_by(moved, shorter, inside)
    small = real(at_most(log(1 + start**g), s), "0 < s", "1 < g")
    claim = at_most(part.claim.left, eps / 2 + s)
    close = under(combine(claim, moved, small), *given, near)
    yield close, "from the point whose power is s"
    rest = real("log(1 + x) <= s", "0 < s", "0 < x", "x <= s")
    rest = specialize(under(rest, *rest.domain, "0 < b"), x=b**g)
    positive = real(at_most(0, MOST * b), "1 < g", "0 < b")
    beyond = under(combine(claim, rest, reach, positive), *given, far)
    yield beyond, "or not even that far"
    yield closed(either(close, beyond), "s"), "for every s"


@proves("printed-alpha")
def printed_alpha(part: Statement) -> Iterator[Step]:
    """The weighted mean of g - 1 and 1."""
    means = specialize(real(WEIGHTED, "1 < g"), x=log(g - 1))
    yield (
        combine(part.claim, means, rest="g + 1/2 - ((g - 1)/g*(g - 1) + 1/g)"),
        "K <= (g-1)**2/g + 1/g",
    )


@proves("shrunk")
def shrunk(part: Statement) -> Iterator[Step]:
    """Both ends of the range of w."""
    at_zero = real("exp(-lam) <= exp(m*lam)", "0 <= lam", "0 <= m")
    far = real("exp((g - 1)*lam) <= exp(m*lam)", "0 <= lam", "g - 1 <= m")
    yield far, "at infinity"
    yield combine(part.claim, at_zero, (far, w), given=("0 <= w",)), "and between"


@proves("widened")
def widened(part: Statement) -> Iterator[Step]:
    """At 0 the ratio is exp(lam)."""
    at_zero = real("exp(lam) <= exp(m*lam)", "0 <= lam", "1 <= m")
    yield at_zero, "at 0"
    far = real("exp(lam - g*lam) <= exp(m*lam)", "0 <= lam", "1 <= m", "1 < g")
    yield combine(part.claim, at_zero, (far, w), given=("0 <= w",)), "and between"


@proves("at-infinity")
def at_infinity(part: Statement) -> Iterator[Step]:
    """Linear in w."""
    yield combine(part.claim, known(LARGE, part)), "w large enough"


FALSEHOODS = (
    Falsehood(
        "the printed density has finite mass C up to every t",
        at_most(log(1 + g * z) / g, c),
        ("1 < g", "0 < z", "0 < c"),
    ),
    Falsehood(
        "beta = eps/(2 g + 1) in d dimensions, at z = 0",
        at_most(exp(d * (eps / (2 * g + 1))), exp(eps / 2)),
        ("1 < g", "0 < eps", "1 <= d"),
    ),
    Falsehood(
        "the same for g = 3 and d = 2, at large z: eps = 7 lam",
        at_most(
            (exp(-lam) * (1 + w * exp(3 * lam))) ** 2,
            exp(7 * lam / 2) * (1 + w) ** 2,
        ),
        ("0 < lam", "0 <= w"),
    ),
)
