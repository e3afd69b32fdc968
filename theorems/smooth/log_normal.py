"""Noise of a log-normal size on a smooth scale: concentrated differential privacy.

Printed: not in the sources. Bun and Steinke have, for Z = X exp(sigma Y) with a standard normal Y
    and a t-smooth bound S, that f(x) + (1/s) S(x) Z is eps**2/2-zCDP: with eps = t/sigma +
    exp(3 sigma**2/2) s for Laplace X, and with eps = t/sigma + exp(3 sigma**2/2) sqrt(2/(pi
    sigma**2)) s for X uniform between -1 and 1 and sigma >= sqrt(2).
Proved: As they have it, for shifts up to alpha = s and ratios of scales up to exp(beta), beta = t.
    A slide by c changes the logarithm of the density by at most c times the shipped slope; so it is
    slope**2 c**2/2-zCDP (conversion/pure-to-zcdp-classical). A dilation by exp(lam) is a shift of Y
    by lam/sigma, followed by a function of Y and X; so it is (lam/sigma)**2/2-zCDP (gaussian/zcdp).
    The roots of rho of two steps add up. Beside that, k releases have at epsilon at most the delta
    of k dilations alone at the shipped epsilon - k slope alpha, which is that of a Gaussian pair
    with mu = sqrt(k) beta/sigma. The size of the uniform noise has the shipped
    probabilities.
Idea: Under the law of Y that is shifted by -sigma, the density of Laplace noise at z is a multiple
    of E exp(-z W), W = exp(-sigma Y), and W and exp(-z W) are negatively correlated. The density of
    uniform noise is a normal tail.
Source: Bun and Steinke 2019, Average-case averages: private algorithms for smooth sensitivity and
    mean estimation, the theorems on Laplace log-normal and uniform log-normal noise.
"""

from rdpacct.book.words import (
    E, Fact, Falsehood, Fraction, Iterator, Law, PI, Statement, Status, Step, Symbol, Theorem,
    Whole, absolute, assume, at_most, before_slide, below_excess, by_prover, combine, discharge,
    dominated, either, equal, erfc, example, excess, excess_is_positive, exp, expect, finite_excess,
    formula, integrable, integrate, laplace_comparison_placed as placed, laplace_slope, lemma,
    linear, log_normal_rho, minimum, module, normal, positive_part, real, relations, size_below,
    specialize, sqrt, under, uniform_slope,
)  # fmt: skip

c, m, p, q, s, v, x, y, z, alpha, sigma, lam = map(
    Symbol, ("c", "m", "p", "q", "s", "v", "x", "y", "z", "alpha", "sigma", "lam")
)
P = Law("P", ("W",), relations("0 <= W"))
W = P.symbol("W")
MEAN = assume(equal(E(P, W), m))
GROUP = module("group/zcdp")
Q, NEXT, A, B = GROUP.Q, GROUP.NEXT, GROUP.A, GROUP.B
N = normal.standard_normal("N", "Y")
Y = N.symbol("Y")
STEP = alpha * (x + y) - y
VALUES = {
    "w": alpha * x / STEP,
    "u": STEP / x,
    "v": alpha * (x + y) / y,
    "a": (STEP / x - 1) * (STEP / x) * (x**2 / 2),
    "b": (alpha * (x + y) / y - 1) * (alpha * (x + y) / y) * (y**2 / 2),
    "e": (alpha - 1) * alpha * log_normal_rho(1, y, 1, x),
}
"""The orders of the two steps at which their bounds add up to that of the sum."""
ORDERS = ("0 < x", "0 < y", "1 < alpha", Whole("j", 0))
MASS = GROUP.MASS
FIRST = assume(
    at_most(E(NEXT, exp(s * A)), exp((s - 1) * s * (x**2 / 2))), "1 < s", every="s"
)
SECOND = assume(
    at_most(E(Q, exp(s * B)), exp((s - 1) * s * (y**2 / 2))), "1 < s", every="s"
)

SLOPE, EPS = map(Symbol, ("slope", "eps"))
p_, q_, r_ = map(Symbol, ("f", "g", "h"))
SLID = Law(
    "D",
    ("f", "g", "h"),
    (
        *relations("0 <= f", "0 <= g", "0 <= h"),
        at_most(exp(-SLOPE * alpha) * r_, q_),
    ),
)
"""The densities of a law, of another one, and of the same without its slide."""
LEVEL = before_slide(EPS, alpha, SLOPE)


def slid(part: Statement) -> Iterator[Step]:
    """More is left of the first law, output by output."""
    mass = part.assuming["mass"]
    lower = real(at_most(exp(-SLOPE * alpha) * r_, q_), *SLID.support)
    same = real(equal(exp(EPS) * exp(-SLOPE * alpha), exp(LEVEL)))
    claim = at_most(p_ - exp(EPS) * q_, excess(p_, r_, exp(LEVEL)))
    larger = below_excess(p_, r_, exp(LEVEL))
    upper = combine(claim, (lower, exp(EPS)), (same, r_), larger)
    line = positive_part(upper, excess_is_positive(p_, r_, exp(LEVEL)))
    yield line, "the slide takes away at most a factor"
    whole = integrable(mass, E(SLID, p_))
    finite = [
        finite_excess(SLID, p_, one, exp(level), whole)
        for one, level in ((q_, EPS), (r_, LEVEL))
    ]
    yield expect(line, SLID, *finite), "averaged"


def correlated(part: Statement) -> Iterator[Step]:
    """W and exp(-z W) move in opposite directions."""
    given = part.given
    mean = part.assuming["mean"]
    line = at_most((W - m) * exp(-z * W), (W - m) * exp(-z * m))
    point = real(line, "0 <= z", "0 <= W")
    yield point, "one rises where the other falls"
    finite = integrable(mean, E(P, W))
    bounded = dominated(
        real(at_most(exp(-z * W), 1), "0 <= z", "0 <= W"),
        P,
        lower=real(at_most(0, exp(-z * W))),
    )
    small = dominated(
        real(at_most(W * exp(-z * W), W), "0 <= z", "0 <= W"),
        P,
        finite,
        lower=real(at_most(0, W * exp(-z * W)), "0 <= W"),
    )
    left = linear(
        P, line.left, {W * exp(-z * W): formula(1), exp(-z * W): -m}, small, bounded
    )
    shrink = exp(-z * m)
    right = linear(P, line.right, {W: shrink}, finite, constant=-m * shrink)
    over = expect(
        point, P, integrable(left, E(P, line.left)), integrable(right, E(P, line.right))
    )
    yield over, "averaged"
    yield combine(part.claim, over, left, right, (mean, exp(-z * m)), given=given), "so"


def slides(part: Statement) -> Iterator[Step]:
    """exp lies above its tangent at m."""
    mean = part.assuming["mean"]
    below = correlated_fact(part)
    yield below, "the mean of W exp(-z W)"
    low, high = exp(-z * W), exp(-(z + s) * W)
    line = at_most(exp(-s * m) * (low - s * (W * low) + s * m * low), high)
    tangent = specialize(real("exp(x)*(1 + y - x) <= exp(y)"), x=-s * m, y=-s * W)
    point = combine(line, (tangent, low))
    yield point, "exp(-s W) lies above its tangent"
    finite = integrable(mean, E(P, W))
    bounded = dominated(
        real(at_most(low, 1), "0 <= z", "0 <= W"), P, lower=real(at_most(0, low))
    )
    farther = dominated(
        real(at_most(high, 1), "0 <= z", "0 <= s", "0 <= W"),
        P,
        lower=real(at_most(0, high)),
    )
    small = dominated(
        real(at_most(W * low, W), "0 <= z", "0 <= W"),
        P,
        finite,
        lower=real(at_most(0, W * low), "0 <= W"),
    )
    shrink = exp(-s * m)
    left = linear(
        P, line.left, {low: shrink * (1 + s * m), W * low: -s * shrink}, small, bounded
    )
    over = expect(point, P, integrable(left, E(P, line.left)), farther)
    yield over, "averaged"
    uses = (over, exp(s * m)), (left, exp(s * m)), (below, s)
    yield combine(part.claim, *uses, given=part.given), "so the density falls no faster"


def correlated_fact(part: Statement) -> Fact:
    """The statement before, under the same hypothesis."""
    return under(THEOREM.part("correlated").fact(), *part.given)


def laplace_mean(part: Statement) -> Iterator[Step]:
    """A moment of the normal law."""
    found = normal.exponential_moment(N, -sigma)
    yield found, "the mean of exp(-sigma Y)"
    moved = linear(
        N,
        exp(-sigma * (Y - sigma)),
        {exp(-sigma * Y): exp(sigma**2)},
        integrable(found, E(N, exp(-sigma * Y))),
    )
    yield combine(part.claim, moved, (found, exp(sigma**2))), "with Y shifted by -sigma"


def hazard(part: Statement) -> Iterator[Step]:
    """At s = 2 it is an inequality in one variable; the exponents move apart from there."""
    right = real("exp(-v**2 - 2*v) <= exp(1)*erfc(v)", "0 <= v")
    yield right, "to the right of 0, at s = 2"
    more = real("-v**2 - s*v + 1 <= -v**2 - 2*v + s**2/4", "0 <= v", "2 <= s")
    yield more, "and for larger s"
    left = real("1 <= erfc(v)", "v <= 0")
    yield left, "to the left of 0"
    grown = real("exp(p) <= exp(q)", "p <= q")
    far = placed(
        grown, ("0 <= v", "2 <= s"), more, p=more.relation.left, q=more.relation.right
    )
    beyond = combine(
        part.claim,
        (right, exp(s**2 / 4 - 1)),
        (far, exp(-1)),
        given=("0 <= v", "2 <= s"),
    )
    square = real("-v**2 - s*v <= s**2/4")
    near = placed(
        grown, ("v <= 0",), square, p=square.relation.left, q=square.relation.right
    )
    before = combine(part.claim, near, (left, exp(s**2 / 4)), given=("v <= 0",))
    yield (
        either(under(beyond, "2 <= s", "0 <= v"), under(before, "2 <= s", "v <= 0")),
        "both",
    )


def two_steps(part: Statement) -> Iterator[Step]:
    """Hoelder's inequality, at the orders at which the bounds add up."""
    general = lemma("group/zcdp", "Hoelder")
    yield general, "Hoelder's inequality"
    given = part.given
    here = specialize(under(general, *general.domain, *given), **VALUES)
    first = placed(part.assuming["first"], given, s=VALUES["u"])
    second = placed(part.assuming["second"], given, s=VALUES["v"])
    found = discharge(under(here, *given), first, second)
    yield found, "at these orders"
    yield combine(part.claim, found), "so"


def sizes(part: Statement) -> Iterator[Step]:
    """Below the place p the size of X decides nothing; above it, it is at most exp(sigma (p -
    Y)).
    """
    inside = minimum(1, exp(sigma * (p - Y)))
    whole = normal.antiderivative(Y)
    beyond = exp(sigma * p + sigma**2 / 2) * normal.antiderivative(Y + sigma)
    found = integrate(
        N, inside, (whole, beyond), (whole, whole), *part.given, cuts=(p,)
    )
    yield found, "integrated on both sides of p"
    yield combine(part.claim, found, given=part.given), "as shipped"


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "the neighbor of a release is slid and dilated, in either order: the slide is taken off"
            " the second law. A dilation by exp(lam) is a function of a normal draw that is shifted"
            " by lam/sigma, so that its hockey sticks are at most those of the Gaussian pair"
        ),
        (
            "the second law of a Gaussian pair with its mass shrunk by a factor, and the rest of it"
            " elsewhere, makes a pair with these hockey sticks; the product of k such pairs is one"
            " again (gaussian/composition), and is above k releases (composition/dominating-pairs)"
        ),
        (
            "exp(lam) X exp(sigma Y) is the same function of X and Y + lam/sigma as the noise is of"
            " X and Y"
        ),
        (
            "the density of X exp(sigma Y) at z is, for Laplace X, exp(sigma**2/2)/2 times E"
            " exp(-|z| W) for W = exp(-sigma (Y - sigma)), and for uniform X, exp(sigma**2/2)/4"
            " times erfc(v), v = (log(|z|)/sigma + sigma)/sqrt(2): so it falls with |z|"
        ),
        (
            "a function whose logarithm has a derivative of at least -k falls by at most exp(k c)"
            " on a way of length c: that of log(erfc(v)) in z is -2 exp(-v**2)/(sqrt(pi) erfc(v))"
            " times 1/(sigma sqrt(2) z), and z is exp(sigma sqrt(2) v - sigma**2)"
        ),
    ),
    parts=(
        Statement(
            "correlated",
            "the mean of W exp(-z W) is at most the product of the means",
            at_most(E(P, W * exp(-z * W)), m * E(P, exp(-z * W))),
            correlated,
            ("0 <= z",),
            {"mean": MEAN},
        ),
        Statement(
            "slides",
            "so E exp(-z W), a multiple of the density, falls by at most exp(m s) on a way s",
            at_most(E(P, exp(-z * W)), exp(s * m) * E(P, exp(-(z + s) * W))),
            slides,
            ("0 <= z", "0 <= s"),
            {"mean": MEAN},
        ),
        Statement(
            "laplace-slope",
            "and m is the shipped slope",
            equal(E(N, exp(-sigma * (Y - sigma))), laplace_slope(sigma)),
            laplace_mean,
        ),
        Statement(
            "hazard",
            "s = sigma sqrt(2): the density of a normal law against its tail, everywhere",
            at_most(exp(-(v**2) - s * v), exp(s**2 / 4) * erfc(v)),
            hazard,
            ("2 <= s",),
        ),
        Statement(
            "uniform-slope",
            "that bound is the shipped slope: z = exp(sigma sqrt(2) v - sigma**2)",
            equal(
                2 / sqrt(PI) * exp(sigma**2 / 2) / (sigma * sqrt(2)) * exp(sigma**2),
                uniform_slope(sigma),
            ),
            by_prover("the same product"),
            ("0 < sigma",),
        ),
        Statement(
            "either side",
            "a slide by c changes the distance from the center by at most c",
            at_most(absolute(z - c), absolute(z) + c),
            by_prover("the triangle inequality"),
            ("0 <= c",),
        ),
        Statement(
            "two steps",
            "x = slope alpha and y = beta/sigma: a slide with rho = x**2/2 and a dilation with rho"
            " = y**2/2 have rho = (x + y)**2/2 together",
            at_most(
                E(Q, exp(alpha * (A + B))),
                exp((alpha - 1) * alpha * log_normal_rho(1, y, 1, x)),
            ),
            two_steps,
            ORDERS,
            {"mass": MASS, "first": FIRST, "second": SECOND},
            example({"j": 1, "x": 1, "y": 1, "alpha": 2}, GROUP.EQUAL_LAWS),
        ),
        Statement(
            "slid",
            "a law against another one, and against the same without its slide",
            at_most(
                E(SLID, excess(p_, q_, exp(EPS))), E(SLID, excess(p_, r_, exp(LEVEL)))
            ),
            slid,
            (),
            {"mass": assume(equal(E(SLID, p_), 1))},
        ),
        Statement(
            "sizes",
            "the probability that |X| exp(sigma Y) is below z = exp(sigma p), given Y and then on"
            " average, for uniform X",
            equal(
                E(N, minimum(1, exp(sigma * (p - Y)))),
                size_below(exp(sigma * p), sigma),
            ),
            sizes,
            ("0 < sigma",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the slide costs nothing at a smaller epsilon",
            at_most(EPS, before_slide(EPS, alpha, SLOPE)),
            ("0 < alpha", "0 < slope"),
        ),
        Falsehood(
            "the bound on the density of uniform noise holds for every sigma: here s = 1/2",
            at_most(exp(-(v**2) - v / 2), exp(Fraction(1, 16)) * erfc(v)),
            ("0 <= v",),
        ),
        Falsehood(
            "the rho of two steps add up",
            at_most(log_normal_rho(1, y, 1, x), x**2 / 2 + y**2 / 2),
            ("0 < x", "0 < y"),
        ),
    ),
    rules=(before_slide, laplace_slope, log_normal_rho, size_below, uniform_slope),
)
