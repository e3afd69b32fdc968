"""Integers at distance ``steps`` are worst for the discrete Laplace noise, among pairs at most that
far apart.

Printed: not in the sources.
Proved: Let n have probability proportional to exp(-r |n|) on the integers. The chance that n <= 0
    is 1/(1 + exp(-r)), the mass of the largest loss in the shipped law, and the chance of n = k is
    exp(-r k) (1 - exp(-r))/(1 + exp(-r)), for whole k >= 0: these are its other masses. For the
    loss r (|n + b| - |n|) of a shift by b and a smaller shift p b, 0 <= p <= 1, E max(0, 1 -
    exp(eps - L)) is at most that of the shift b, for all eps >= 0, whatever the law of the noise.
    The noise is symmetric, so that exchanging the pair only turns the shift around: delta(-eps) is
    1 - exp(-eps) (1 - delta(eps)), so that negative epsilons follow.
Idea: |n + b| - |n| is convex in b and 0 at b = 0, so that the loss of the smaller shift is at most
    p times that of the larger one. The masses follow from a shift and a reflection of the integers.
Source: Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, for
    the mechanism.
"""

from rdpacct.book.words import (
    Atom, Attack, Condition, DiscreteLaplace, E, Expr, Fact, Falsehood, Fraction, Iterator, Lattice,
    Law, Real, Refused, Statement, Status, Step, Symbol, Theorem, Whole, absolute, apart, at_most,
    at_negative, below, combine, discrete_laplace_worst_pair as worst_pair, dominated, equal, exp,
    expect, farther, formula, given_by, integrable, lemma, linear, maximum, minimum, mirrored,
    mirrored_noise_smaller as smaller, pairwise, random, real, reindex, specialize, under,
)  # fmt: skip

x, b, p, r, n, k, eps = (Symbol(name) for name in ("x", "b", "p", "r", "n", "k", "eps"))
NOISE = Law("N", ("x",))
FAR = r * (absolute(x + b) - absolute(x))
NEAR = r * (absolute(p * (x + b) + (1 - p) * x) - absolute(x))
"""The loss of a shift by p b: x + p b is a mix of x + b and x."""


def delta(loss: Expr) -> Expr:
    """The mean excess of a loss over eps."""
    return E(NOISE, maximum(0, 1 - exp(eps - loss)))


def proof(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """Outcome by outcome."""
    mix = real(
        "abs(p*y + (1 - p)*z) <= p*abs(y) + (1 - p)*abs(z)", "0 <= p", "p <= 1", "r > 0"
    )
    star = combine(at_most(NEAR, p * FAR), (specialize(mix, y=x + b, z=x), r))
    yield star, "the absolute value is convex"
    yield (
        farther(NEAR, FAR, star, NOISE),
        "so the excess over eps is larger, and its mean",
    )


Sides = tuple[tuple[Fact, ...], tuple[Fact, ...]]
WEIGHT = exp(-r * absolute(n))
GEOMETRIC = Lattice("G", ("n",), (), WEIGHT)
LARGEST, SMALLEST, INNER = (part.p for part in worst_pair(r, 2).parts)  # type: ignore[attr-defined]
BELOW, UNDER, ABOVE = (minimum(1, maximum(0, step)) for step in (1 - n, -n, n))
"""On the integers, the indicators of n <= 0, n <= -1 and n >= 1."""
POINT = maximum(0, 1 - absolute(n - k))
CENTER = POINT.at(k=0)
"""The indicators of n = k and of n = 0."""


def finite(body: Expr, *given: str | Condition) -> Fact:
    """The mean of a formula with values in [0, 1] is finite."""
    upper, lower = (real(one, *given) for one in (at_most(body, 1), at_most(0, body)))
    return dominated(upper, GEOMETRIC, lower=lower)


def renamed(
    body: Expr, by: Real, *given: str | Condition, reflect: bool = False
) -> Fact:
    """The mean of a formula with values in [0, 1], with the integers renamed."""
    weights = real(below(0, WEIGHT), "r > 0"), real(at_most(WEIGHT, WEIGHT), "r > 0")
    return reindex(
        GEOMETRIC, finite(body, *given), *weights, by, reflect=reflect, rate=r
    )


def moved(
    fact: Fact,
    body: Expr,
    factor: Expr,
    finite: Fact,
    *given: str | Condition,
    on: Sides = ((), ()),
) -> Fact:
    """The right side of a renaming as a multiple of another mean, by looking at integers only."""
    right = fact.relation.right
    same = apart(GEOMETRIC, equal(right.body, factor * body), 0, *given, on=on)  # type: ignore[attr-defined]
    over = expect(same, GEOMETRIC, integrable(fact, right))
    scaled = linear(GEOMETRIC, factor * body, {body: factor}, finite)
    return combine(
        equal(fact.relation.left, factor * E(GEOMETRIC, body)), fact, over, scaled
    )


def shift_down(*given: str | Condition) -> Fact:
    """The chance of n <= -1 is exp(-r) times that of n <= 0."""
    return moved(
        renamed(UNDER, -1, *given), BELOW, exp(-r), finite(BELOW, *given), *given
    )


def largest(part: Statement) -> Iterator[Step]:
    """A shift, a reflection, and the total."""
    given = tuple(map(str, part.given))
    shifted = shift_down(*given)
    yield shifted, "the chance of n <= -1 is exp(-r) times that of n <= 0"
    turned = moved(
        renamed(UNDER, 0, *given, reflect=True),
        ABOVE,
        formula(1),
        finite(ABOVE, *given),
        *given,
    )
    yield turned, "and that of n >= 1"
    both = real(equal(BELOW, 1 - ABOVE), *given)
    rest = expect(both, GEOMETRIC, finite(BELOW, *given))
    split = linear(GEOMETRIC, 1 - ABOVE, {ABOVE: -1}, finite(ABOVE, *given), constant=1)
    yield rest, "n <= 0 or n >= 1"
    share = 1 / (1 + exp(-r))
    yield (
        combine(
            part.claim,
            (rest, share),
            (split, share),
            (turned, share),
            (shifted, -share),
        ),
        "so",
    )


def inner(part: Statement) -> Iterator[Step]:
    """One point, shifted to 0."""
    mass = lemma("discrete-laplace/worst-pair", "largest")
    below_zero = shift_down("r > 0")
    same = apart(GEOMETRIC, equal(CENTER, BELOW - UNDER), 0, "r > 0")
    over = expect(same, GEOMETRIC, finite(CENTER, "r > 0"))
    bounded = (finite(one, "r > 0") for one in (BELOW, UNDER))
    split = linear(GEOMETRIC, BELOW - UNDER, {BELOW: 1, UNDER: -1}, *bounded)
    zero = combine(
        equal(E(GEOMETRIC, CENTER), (1 - exp(-r)) / (1 + exp(-r))),
        over,
        split,
        below_zero,
        mass,
    )
    yield zero, "n = 0 is n <= 0 less n <= -1"
    given = tuple(str(one) for one in part.given if not isinstance(one, Whole))
    outside = (real(equal(CENTER, 0), "n <= -1"),), (real(equal(CENTER, 0), "n >= 1"),)
    bound = finite(CENTER, *given)
    shifted = moved(
        renamed(POINT, k, *given), CENTER, exp(-r * k), bound, *given, on=outside
    )
    yield shifted, "n = k has exp(-r k) times the weight"
    yield combine(part.claim, shifted, (zero, exp(-r * k))), "so"


j = Symbol("j")
SHORTER, LONGER = (r * (absolute(n + shift) - absolute(n)) for shift in (j, k))
"""The losses of shifts by j and by k whole steps."""
STEPS = ("r > 0", "eps >= 0", Whole("j", 0), Whole("k", 1), "j <= k")


def exchange(shift: Symbol, here: Expr) -> Fact:
    """The profile of a shift at -eps: its weights are those of the reflected noise."""
    weights = real(below(0, WEIGHT), "r > 0"), real(at_most(WEIGHT, WEIGHT), "r > 0")
    there = absolute(-shift - n)
    opposite = specialize(
        real("abs(a) == abs(b)", "a == -b"), a=-shift - n, b=n + shift
    )
    size = given_by(opposite, real(equal(-shift - n, -(n + shift))))
    alike = specialize(
        real("exp(-r*a)/exp(-r*c) == exp(-r*(b - c))", "a == b"), a=there
    )
    alike = specialize(alike, b=absolute(n + shift), c=absolute(n))
    ratio = combine(
        equal(WEIGHT.at(n=-shift - n) / WEIGHT, exp(-here)), given_by(alike, size)
    )
    minus = specialize(real("abs(a) == abs(b)", "a == -b"), a=-shift - n + shift, b=n)
    turned = combine(
        equal(here.at(n=-shift - n), -here),
        (given_by(minus, real(equal(-shift - n + shift, -n))), r),
        (size, -r),
    )
    return mirrored(GEOMETRIC, here, shift, weights, ratio, turned, "r > 0", rate=r)


def negative(part: Statement) -> Iterator[Step]:
    """By symmetry of the noise."""
    mix = real(
        "abs(p*y + (1 - p)*z) <= p*abs(y) + (1 - p)*abs(z)", "0 <= p", "p <= 1", "r > 0"
    )
    mix = specialize(mix, y=n + k, z=n)
    same = specialize(real("abs(y) == abs(z)", "y == z"), y=n + j)
    same = specialize(same, z=p * (n + k) + (1 - p) * n)
    share = under(real("j == p*k", "j == p*k"), "j == p*k", "1 <= k")
    place = combine(equal(n + j, p * (n + k) + (1 - p) * n), share)
    star = combine(at_most(SHORTER, p * LONGER), (mix, r), (given_by(same, place), r))
    near = specialize(farther(SHORTER, LONGER, star, GEOMETRIC), p=j / k)
    near = under(near, *STEPS)
    yield near, "the smaller shift at eps"
    both = [exchange(j, SHORTER), exchange(k, LONGER)]
    for fact, name in zip(both, ("smaller", "larger"), strict=True):
        yield fact, f"the {name} shift at -eps"
    yield under(at_negative(part.claim, near, *both), *STEPS), "so"


def attack(seed: int) -> int:
    """The shipped losses of growing shifts, at random thresholds."""
    rng = random.Random(seed)
    count = 0
    for _ in range(12):
        rate = formula(Fraction(rng.randint(1, 40), 10))
        threshold = Fraction(rng.randint(0, 12), 4)
        found = []
        for steps in (1, 2, 3, 5):
            parts = worst_pair(rate, steps).parts
            atoms = [one for one in parts if isinstance(one, Atom)]
            gains = [maximum(0, one.p - one.q * exp(threshold)) for one in atoms]
            found.append(sum(gains, formula(0)))
        for less, more in pairwise(found):
            if (less - more).ball(128).certainly_positive():
                raise Refused(
                    f"a larger shift has a smaller delta({threshold}) at the rate"
                    f" {rate}."
                )
            count += 1
    return count


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "largest",
            "the mass of the largest loss",
            equal(E(GEOMETRIC, BELOW), LARGEST),
            largest,
            ("r > 0",),
        ),
        Statement(
            "inner",
            "the masses of the losses between",
            equal(E(GEOMETRIC, POINT), INNER * exp(-(k - 1) * r)),
            inner,
            ("r > 0", "k >= 0", Whole("k", 0)),
        ),
        Statement(
            "farther",
            "a smaller shift has a smaller delta",
            at_most(delta(NEAR), delta(FAR)),
            proof,
            ("r > 0", "0 <= p", "p <= 1", "eps >= 0"),
        ),
        Statement(
            "negative",
            "at negative epsilons too, for whole shifts of the noise on the integers",
            smaller(GEOMETRIC, SHORTER, LONGER),
            negative,
            STEPS,
        ),
    ),
    falsehoods=(
        Falsehood(
            "each outcome has a larger loss under the larger shift",
            at_most(NEAR.at(p=Fraction(1, 2), r=1), FAR.at(r=1)),
            ("b > 0",),
        ),
    ),
    attacks=(Attack("the shipped losses of shifts by 1, 2, 3 and 5", attack),),
    rules=(worst_pair, DiscreteLaplace.directions),
)
