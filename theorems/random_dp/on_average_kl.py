"""On-average KL privacy implies random differential privacy, and is not implied by it.

Printed: not in the sources. Wang, Lei and Fienberg call a mechanism eps-on-average KL-private if
    the mean, over n + 1 independent draws, of the divergence KL(A(X) || A(X')) is at most eps.
Proved: Then it is (0, eta, gamma)-random DP with gamma = eps/(2 eta**2), for every eta > 0: if the
    outputs on X and X' are apart by more than eta in total variation, which is the same in both
    orders, then their divergence is more than 2 eta**2 (Pinsker), and that is rare. Nothing of the
    kind holds the other way: a mechanism that is (0, 0, gamma)-random DP may show all of the data
    with probability gamma, so that its mean divergence is infinite for every gamma > 0.
Idea: (r - 1)**2 is at most (2 r + 4)/3 times r log(r) - r + 1; with the weight eta instead of the
    best one the mean of |r - 1| is below (eta + KL/(2 eta)) at once.
Source: Wang, Lei and Fienberg 2016, On-average KL-privacy and its equivalence to generalization for
    max-entropy mechanisms; Hall, Rinaldo and Wasserman, Random differential privacy.
"""

from rdpacct.book.words import (
    Attack, Callable, E, Falsehood, Fraction, Iterator, Law, Refused, Statement, Status, Step,
    Symbol, Theorem, assume, at_most, bad_share, cases, combine, dominated, equal, event, example,
    exp, expect, integrable, laplace_comparison_placed as placed, linear, log, marginal, maximum,
    on_average_kl, random, random_dp_Masses as Masses, real, relations, smallest_gamma, specialize,
    under,
)  # fmt: skip

a, b, r, t, u, v, eps = map(Symbol, ("a", "b", "r", "t", "u", "v", "eps"))
Q = Law("Q", ("L",))
L = Q.symbol("L")
K = Symbol("K")
MASS = assume(equal(E(Q, exp(L)), 1))
DIVERGENCE = assume(equal(E(Q, L * exp(L)), K))
D = Law("D", ("K", "T"), relations("0 <= K", "4*t*T <= 2*t**2 + K"))
"""The divergence of the outputs on the two data sets, and how far they are apart in total
variation: at most (t + K/(2 t))/2, here times 4 t.
"""
BAD = event(D, "A", "t < T")
A = BAD.symbol("A")
MEAN = assume(at_most(E(D, K), eps))
WEIGHT = (2 * r + 4) / 3
REST = r * log(r) - r + 1
HALF = t * WEIGHT / 2 + REST / (2 * t)


def one_ratio(sign: int) -> Callable[[Statement], Iterator[Step]]:
    """Half of the weighted sum of two numbers is at least the root of their product."""

    def proof(part: Statement) -> Iterator[Step]:
        given = part.given
        below = real("3*(r - 1)**2 <= (2*r + 4)*(r*log(r) - r + 1)", "0 < r")
        yield below, "an inequality in one variable"
        product = combine(at_most((r - 1) ** 2, WEIGHT * REST), (below, Fraction(1, 3)))
        half = t * WEIGHT / 2 - REST / (2 * t)
        apart = placed(real("0 <= x**2"), given, x=half)
        move = sign * (r - 1)
        square = combine(at_most(move**2, HALF**2), product, apart, given=given)
        yield square, "the square of the sum is at least four times the product"
        leg = placed(
            real("u <= sqrt(v)", "u**2 <= v"), given, square, u=move, v=HALF**2
        )
        rest = real(at_most(0, REST), "0 < r")
        weight = real(at_most(0, WEIGHT), "0 < r")
        positive = combine(
            at_most(0, HALF), (rest, 1 / (2 * t)), (weight, t / 2), given=given
        )
        root = placed(real("sqrt(v**2) == v", "0 <= v"), given, positive, v=HALF)
        yield combine(part.claim, leg, root), "so the difference is below the sum"

    return proof


def pinsker(part: Statement) -> Iterator[Step]:
    """The line, at r = exp(L), on average."""
    given = part.given
    mass, divergence = part.assuming["mass"], part.assuming["divergence"]
    bound = HALF.at(r=exp(L))
    up, down = (
        under(specialize(THEOREM.part(name).fact(), r=exp(L)), *given)
        for name in ("above", "below")
    )
    yield up, "at one output"
    half = (bound + (exp(L) - 1)) / 2
    both = placed(
        real("max(u, 0) <= (v + u)/2", "u <= v", "-u <= v"),
        given,
        up,
        down,
        u=exp(L) - 1,
        v=bound,
    )
    yield both, "and where the other law has more"
    known = integrable(mass, E(Q, exp(L))), integrable(divergence, E(Q, L * exp(L)))
    rate = t / 6 - 1 / (4 * t) + Fraction(1, 2)
    parts = {exp(L): rate, L * exp(L): 1 / (4 * t)}
    constant = t / 3 + 1 / (4 * t) - Fraction(1, 2)
    right = linear(Q, half, parts, *known, constant=constant, where=given)
    stick = maximum(exp(L) - 1, 0)
    finite = integrable(right, E(Q, half))
    lower = real(at_most(0, stick))
    over = expect(both, Q, dominated(both, Q, finite, lower=lower), finite)
    yield over, "averaged"
    uses = (mass, rate), (divergence, 1 / (4 * t))
    yield combine(part.claim, over, right, *uses, given=given), "a half of each"


def rare(part: Statement) -> Iterator[Step]:
    """Markov's inequality."""
    given = part.given
    mean = part.assuming["mean"]
    point = cases(BAD, at_most(2 * t**2 * A, K), *given)
    yield point, "if the outputs are apart, the divergence is large"
    same = marginal(BAD, D, K, integrable(mean, E(D, K)))
    one = dominated(cases(BAD, at_most(A, 1)), BAD, lower=cases(BAD, at_most(0, A)))
    left = linear(BAD, 2 * t**2 * A, {A: 2 * t**2}, one)
    known = integrable(left, E(BAD, 2 * t**2 * A)), integrable(same, E(BAD, K))
    over = expect(point, BAD, *known)
    yield over, "averaged"
    factor = 1 / (2 * t**2)
    uses = (over, factor), (left, factor), (same, factor), (mean, factor)
    yield combine(part.claim, *uses, given=given), "so such data are rare"


def enumerated(seed: int) -> int:
    """Random releases of two records from small populations: gamma by enumeration against the
    bound.
    """
    rng = random.Random(seed)
    for _ in range(40):
        rows: dict[object, Masses] = {}

        def release(data: object, rows: dict[object, Masses] = rows) -> Masses:
            if data not in rows:
                weights = [rng.randint(1, 9) for _ in range(3)]
                rows[data] = {
                    k: Fraction(w, sum(weights)) for k, w in enumerate(weights)
                }
            return rows[data]

        share = Fraction(rng.randint(1, 9), 10)
        population = {0: share, 1: 1 - share}
        mean = on_average_kl(release, population, 2)
        eta = Fraction(rng.randint(1, 30), 100)
        gamma = smallest_gamma(release, population, 2, Fraction(1), eta, both_ways=True)
        if bad_share(Fraction(mean.upper), eta).bound().certainly_below(gamma):
            raise Refused(f"gamma is {gamma} at eta = {eta} and a mean of {mean}.")
    return 40


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        (
            "a mechanism that shows its data with probability gamma, and else nothing, is (0, 0,"
            " gamma)-random DP if gamma is over the data, and has an infinite mean divergence"
        ),
    ),
    parts=(
        *(
            Statement(
                name,
                f"how far the ratio r of two densities is {name} 1, for every weight t",
                at_most(sign * (r - 1), HALF),
                one_ratio(sign),
                ("0 < r", "0 < t"),
            )
            for name, sign in (("above", 1), ("below", -1))
        ),
        Statement(
            "pinsker",
            "the total variation of two laws with the divergence K; L is the log ratio, under the"
            " second",
            at_most(E(Q, maximum(exp(L) - 1, 0)), (t + K / (2 * t)) / 2),
            pinsker,
            ("0 < t",),
            {"mass": MASS, "divergence": DIVERGENCE},
            example({"t": 1, "K": 0}, {"Q": [((0,), 1)]}),
        ),
        Statement(
            "rare",
            "the probability of data on which the outputs are apart by more than t",
            at_most(E(BAD, A), bad_share(eps, t)),
            rare,
            ("0 < t",),
            {"mean": MEAN},
        ),
    ),
    falsehoods=(
        Falsehood(
            "gamma is at most the mean divergence, whatever eta is",
            at_most(bad_share(eps, t), eps),
            ("0 < eps", "0 < t"),
        ),
        Falsehood(
            "half of that gamma is enough: Pinsker's bound is nearly attained by a fair coin and"
            " one with 3/5, at t = 0.099",
            at_most(
                1,
                bad_share(
                    -(log(Fraction(6, 5)) + log(Fraction(4, 5))) / 2, Fraction(99, 1000)
                )
                / 2,
            ),
        ),
    ),
    attacks=(Attack("random releases of two records, by enumeration", enumerated),),
    rules=(bad_share,),
)
