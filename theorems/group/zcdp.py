"""Zero-concentrated differential privacy of groups.

Printed: not in the sources.
Proved: Let P_0, ..., P_m be a chain of laws, each pair of neighbors rho-zCDP. Then the Renyi
    divergence of order alpha > 1 of P_0 against P_m is at most m**2 rho alpha. In steps: for c > j
    + 1 and laws j + 1 steps apart, the divergence of order c/(j+1) is at most rho c plus that of
    order c/j of the laws j steps apart (Hoelder, here by convexity of exp); for one step it is at
    most rho c, so j rho c for j steps, and c = alpha m is the claim. (In the part "all steps" the
    divergences beyond the m-th are read as the m-th.)
Idea: Choose the order with the number of steps left, so that each step costs the same.
Source: Bun and Steinke, Concentrated differential privacy: simplifications, extensions, and lower
    bounds, Proposition 1.9.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, FiniteMechanism, Fraction, Iterator, Law, Quantity, Random, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, ZCDP, assume, at_most, by_prover, combine,
    dominated, equal, exp, expect, formula, given_by, group_zcdp, induct,
    instances_Masses as Masses, integrable, linear, masses, real, specialize, tilt, tilted, under,
)  # fmt: skip

c, j, rho, d, A, B, alpha, m = map(
    Symbol, ("c", "j", "rho", "d", "A", "B", "alpha", "m")
)
w, u, v, a, b, e, s = map(Symbol, ("w", "u", "v", "a", "b", "e", "s"))
Q = Law("Q", ("A", "B"))
"""The last law of the chain; A is the log ratio of P_0 to P_1, and B that of P_1 to Q."""
NEXT = tilted("P1", Q, exp(B))
MASS = assume(equal(E(Q, exp(B)), 1))
FIT = "w*u == alpha", "w + (1 - w)*v == alpha", "w*a + (1 - w)*b == e"
"""The order and the bound wanted are means of those of the first step and of the others."""


def holder(part: Statement) -> Iterator[Step]:
    """exp is convex: the mean exponent of a mixture of two log moments."""
    both = alpha * (A + B) - e
    near = u * A + B - a
    far = v * B - b
    tangent = real("exp(z)*(1 + x - z) <= exp(x)")
    one = specialize(tangent, z=both, x=near)
    two = specialize(tangent, z=both, x=far)
    yield one, "exp lies above its tangents"
    fit = zip((real(one, one) for one in FIT), (A, B, formula(-1)), strict=True)
    mean = combine(equal(w * near + (1 - w) * far, both), *fit)
    yield mean, "the orders fit"
    line = at_most(exp(both), w * exp(near) + (1 - w) * exp(far))
    given = tuple(one for one in part.given if isinstance(one, str))
    convex = combine(line, (one, w), (two, 1 - w), (mean, -exp(both)), given=given)
    yield convex, "so exp is convex"
    mass, first, rest = (
        part.assuming[name] for name in ("mass", "first step", "other steps")
    )
    moved = tilt(NEXT, exp(u * A), mass, integrable(first, E(NEXT, exp(u * A))))
    product = exp(B) * exp(u * A)
    scaled = linear(Q, exp(near), {product: exp(-a)}, integrable(moved, E(Q, product)))
    first_moment = combine(
        at_most(E(Q, exp(near)), 1), scaled, (moved, -exp(-a)), (first, exp(-a))
    )
    yield first_moment, "the first step, seen from the last law"
    scaled = linear(
        Q, exp(far), {exp(v * B): exp(-b)}, integrable(rest, E(Q, exp(v * B)))
    )
    second_moment = combine(at_most(E(Q, exp(far)), 1), scaled, (rest, exp(-b)))
    known = [
        integrable(fact, fact.relation.left) for fact in (first_moment, second_moment)
    ]
    sum_ = linear(Q, line.right, {exp(near): w, exp(far): 1 - w}, *known)
    finite = integrable(sum_, E(Q, line.right))
    over = expect(
        convex,
        Q,
        dominated(convex, Q, finite, lower=real(at_most(0, exp(both)))),
        finite,
    )
    weights = (first_moment, w), (second_moment, 1 - w)
    total = combine(at_most(E(Q, exp(both)), 1), over, sum_, *weights, given=given)
    yield total, "averaged"
    final = exp(alpha * (A + B))
    limit = exp(e)
    whole = linear(Q, final, {exp(both): limit}, integrable(total, E(Q, exp(both))))
    yield combine(at_most(E(Q, final), limit), whole, (total, limit)), "multiplied out"


HOLDER = Statement(
    "Hoelder",
    "the log moment of order alpha of P_0 against Q is at most a mean of those of P_0"
    " against P_1 and of P_1 against Q",
    at_most(E(Q, exp(alpha * (A + B))), exp(e)),
    holder,
    ("0 <= w <= 1", *FIT),
    {
        "mass": MASS,
        "first step": assume(at_most(E(NEXT, exp(u * A)), exp(a))),
        "other steps": assume(at_most(E(Q, exp(v * B)), exp(b))),
    },
)
TOTAL = j + 1 + s
"""The number c of the statement, above j + 1."""
ORDER = TOTAL / (j + 1)
NEAR = s + 1
FAR = TOTAL / j
WEIGHT = TOTAL / ((j + 1) * (s + 1))
FIRST = s * (s + 1) * rho
REST = (FAR - 1) * d
WHOLE = (ORDER - 1) * (TOTAL * rho + d)
VALUES = {
    "w": WEIGHT,
    "u": NEAR,
    "v": FAR,
    "alpha": ORDER,
    "a": FIRST,
    "b": REST,
    "e": WHOLE,
}


def one_step(part: Statement) -> Iterator[Step]:
    """Hoelder's inequality at the orders that make each step cost the same."""
    given = tuple(one for one in part.given if isinstance(one, str))
    x, y, z = map(Symbol, "xyz")
    costs = real("w*x == z*c", "w*x == z*c"), real("(1 - w)*y == z", "(1 - w)*y == z")
    mean = combine(
        equal(w * (x * rho) + (1 - w) * (y * d), z * (c * rho + d)),
        (costs[0], rho),
        (costs[1], d),
    )
    mean = specialize(
        under(mean, *(one.relation for one in costs), *given),
        w=WEIGHT,
        x=s * (s + 1),
        y=FAR - 1,
        z=ORDER - 1,
        c=TOTAL,
    )
    first = real(equal(WEIGHT * (s * (s + 1)), (ORDER - 1) * TOTAL), *given)
    rest = real(equal((1 - WEIGHT) * (FAR - 1), ORDER - 1), *given)
    mean = given_by(mean, first, rest)
    yield mean, "the first step costs rho c, the others what they did"
    orders = [
        real(equal(left.at(**VALUES), ORDER), *given)
        for left in (w * u, w + (1 - w) * v)
    ]
    *_, (general, _) = holder(HOLDER)
    there = specialize(under(general, *HOLDER.given, *given), **VALUES)
    yield under(given_by(there, *orders, mean), *given), "Hoelder, at these orders"


F = Quantity("F", (j,))
"""The divergence of order c/j between laws j steps apart."""


def telescope(part: Statement) -> Iterator[Step]:
    """Each step costs rho c."""
    first = part.assuming["first step"]
    more = part.assuming["one more step"]
    before = assume(part.claim, *part.given)
    step = combine(at_most(F.at(j=j + 1), (j + 1) * rho * c), more, before)
    yield step, "one step more"
    yield induct(combine(at_most(F.at(j=1), rho * c), first), step, "j"), "from one on"


def attack(seed: int) -> int:
    """The step at c = 4, j = 1, cubed, on random triples of laws, in rationals; and the rule on a
    few chains.
    """
    rng = Random(seed)

    def moment(p: Masses, q: Masses, order: int) -> Fraction:
        return sum(
            (a**order / b ** (order - 1) for a, b in zip(p, q, strict=True)),
            Fraction(0),
        )

    for _ in range(200):
        first, middle, last = (masses(rng, 3) for _ in range(3))
        if moment(first, last, 2) ** 3 > moment(first, middle, 3) ** 2 * moment(
            middle, last, 4
        ):
            raise Refused(f"the laws {first}, {middle}, {last} break the step.")
    for _ in range(2):
        rows = [
            (weight, 1 - weight)
            for weight in (Fraction(rng.randint(12, 28), 40) for _ in range(3))
        ]
        mechanism = FiniteMechanism(rows)
        steps = [
            mechanism.loss_between(*pair).zcdp_rho(0).upper
            for pair in ((0, 1), (1, 0), (1, 2), (2, 1))
        ]
        promise = group_zcdp(ZCDP(Fraction(max(steps))), 2)
        for order in (2, 3, 7):
            if (
                exp((order - 1) * promise.rho * order)
                .bound()
                .certainly_below(moment(rows[0], rows[2], order))
            ):
                raise Refused(f"the laws {rows} are further apart than {promise}.")
    return 202


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=("the divergences of `all steps` are those of `Hoelder` and `one step`",),
    parts=(
        HOLDER,
        Statement(
            "one step",
            "with c = j + 1 + s: the log moment of order c/(j+1), from those of the"
            " first step and of the others",
            at_most(E(Q, exp(ORDER * (A + B))), exp(WHOLE)),
            one_step,
            ("s > 0", "j >= 1"),
            {
                "mass": MASS,
                "first step": assume(at_most(E(NEXT, exp(NEAR * A)), exp(FIRST))),
                "other steps": assume(at_most(E(Q, exp(FAR * B)), exp(REST))),
            },
        ),
        Statement(
            "all steps",
            "j steps cost j rho c",
            at_most(F, j * rho * c),
            telescope,
            (Whole("j", 1),),
            {
                "first step": assume(at_most(F.at(j=1), rho * c)),
                "one more step": assume(at_most(F.at(j=j + 1), F + rho * c), every="j"),
            },
        ),
        Statement(
            "the rule at size 3",
            "with c = 3 alpha, three steps cost what the package computes",
            equal(
                (j * rho * c).at(j=3, c=3 * alpha), group_zcdp(ZCDP(rho), 3).rho * alpha
            ),
            by_prover("the same product"),
        ),
    ),
    sharp=(
        Statement(
            "attained",
            "m shifts of a Gaussian by mu have the divergence of one shift by m mu:"
            " m**2 rho alpha, for rho = mu**2/2",
            equal(
                alpha * (m * Symbol("mu")) ** 2 / 2,
                m**2 * (Symbol("mu") ** 2 / 2) * alpha,
            ),
            by_prover("the same product"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "rho is multiplied by the size only: two shifts of a Gaussian by mu",
            at_most(
                alpha * (2 * Symbol("mu")) ** 2 / 2, 2 * (Symbol("mu") ** 2 / 2) * alpha
            ),
            ("alpha > 1", "mu > 0"),
        ),
    ),
    attacks=(
        Attack("random triples of laws, and chains of three binary laws", attack),
    ),
    rules=(group_zcdp,),
)
