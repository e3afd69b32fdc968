"""Zero-concentrated differential privacy of groups.

Printed: not in the sources.
Proved: Let P_0, ..., P_m be a chain of laws, each pair of neighbors rho-zCDP. Then the Renyi
    divergence of order alpha > 1 of P_0 against P_m is at most m**2 rho alpha. In steps, from P_m
    back: for c > j + 1 and laws j + 1 steps apart, the divergence of order c/(j+1) is at most rho c
    plus that of order c/j of the laws j steps apart (Hoelder, here by convexity of exp); for one
    step it is at most rho c, so j rho c for j steps, and c = alpha m is the claim. (The chain goes
    on before P_0, as with equal laws.)
Idea: Choose the order with the number of steps left, so that each step costs the same.
Source: Bun and Steinke, Concentrated differential privacy: simplifications, extensions, and lower
    bounds, Proposition 1.9.
"""

from rdpacct.book.words import (
    Attack, E, Fact, Falsehood, FiniteMechanism, Fraction, Iterator, Random, Refused, Statement,
    Status, Step, Symbol, Theorem, Whole, ZCDP, assume, at_most, by_prover, chain, combine,
    discharge, dominated, equal, example, exists_by, exp, expect, formula, given_by, group_zcdp,
    induct, instances_Masses as Masses, integrable, linear, masses, one_more, real, relation,
    specialize, terms_replace as replace, tilt, tilted, under,
)  # fmt: skip

c, j, rho, d, A, B, alpha, m = map(
    Symbol, ("c", "j", "rho", "d", "A", "B", "alpha", "m")
)
w, u, v, a, b, e, s = map(Symbol, ("w", "u", "v", "a", "b", "e", "s"))
Q = chain("Q", {"B": (0, B + A)}, ("A",), j)
"""The last law of the chain. B is the log ratio to it of the law j steps before, and A that of the
law before that one to it.
"""
NEXT = tilted("P", Q, exp(B))
"""The law j steps before the last one."""
MASS = assume(equal(E(Q, exp(B)), 1), Whole("j", 0), every="j")
EQUAL_LAWS = {"Q": [((0,), 1)]}
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
    "the log moment of order alpha of the law j + 1 steps before Q is at most a mean of"
    " those of that law against the next, and of the next against Q",
    at_most(E(Q, exp(alpha * (A + B))), exp(e)),
    holder,
    (Whole("j", 0), "0 <= w <= 1", *FIT),
    {
        "mass": MASS,
        "first step": assume(at_most(E(NEXT, exp(u * A)), exp(a))),
        "other steps": assume(at_most(E(Q, exp(v * B)), exp(b))),
    },
    example(
        {"j": 1, "w": "1/2", "u": 2, "v": 1, "alpha": 1, "a": 0, "b": 0, "e": 0},
        EQUAL_LAWS,
    ),
)
REACHED = at_most(E(Q, exp((j + s) / j * B)), exp(s * (j + s) * rho))
"""The log moment of order c/j of laws j steps apart, c = j + s: at most c/j - 1 times j rho c."""
VALUES = {
    "w": (j + 1 + s) / ((j + 1) * (s + 1)),
    "u": s + 1,
    "v": ((j + s) / j).at(s=s + 1),
    "alpha": ((j + s) / j).at(j=j + 1),
    "a": s * (s + 1) * rho,
    "b": (s * (j + s) * rho).at(s=s + 1),
    "e": (s * (j + s) * rho).at(j=j + 1),
}
STEPS = {
    "mass": MASS,
    "each step": assume(
        at_most(E(NEXT, exp((s + 1) * A)), exp(s * (s + 1) * rho)),
        Whole("j", 0),
        "s > 0",
        every=("j", "s"),
    ),
    "first step": assume(
        at_most(E(Q.at(j=1), exp((1 + s) * B)), exp(s * (1 + s) * rho)),
        "s > 0",
        every="s",
    ),
}


def one_step(part: Statement, before: Fact) -> Fact:
    """Hoelder's inequality at the orders that make each step cost rho c."""
    given = ("s > 0", "j >= 1")
    *_, (general, _) = holder(HOLDER)
    general = given_by(general, exists_by(NEXT, part.assuming["mass"]))
    here = specialize(under(general, *general.domain, *given), **VALUES)
    fits = [real(replace(relation(one), VALUES), *given) for one in FIT]
    here = under(given_by(here, *fits), Whole("j", 1), *given)
    here = discharge(here, part.assuming["each step"], specialize(before, s=s + 1))
    body = exp(VALUES["alpha"] * (A + B))
    moved = exp(VALUES["alpha"] * (B + A))
    same = expect(real(equal(body, moved), *given), Q, integrable(here, E(Q, body)))
    grown = one_more(Q, exp(VALUES["alpha"] * B), integrable(same, E(Q, moved)))
    return combine(replace(REACHED, {"j": j + 1}), grown, same, here)


def all_steps(part: Statement) -> Iterator[Step]:
    """Induction over the steps, at the same c: one step more, and s less by one."""
    first = part.assuming["first step"]
    at_one = replace(REACHED, {"j": 1})
    base = combine(at_one, first)
    yield base, "one step"
    before = assume(REACHED, Whole("j", 1), "s > 0", every="s")
    step = under(one_step(part, before), Whole("j", 1), "s > 0")
    yield step, "one step more"
    whole = induct(base, step, "j")
    yield whole, "step after step"
    order = specialize(under(whole, *whole.domain, "alpha > 1"), s=j * (alpha - 1))
    found = order.relation.left
    lines = equal(found.body, exp(alpha * B))  # type: ignore[attr-defined]
    same = expect(real(lines, "j >= 1"), Q, integrable(order, found))
    value = real(equal(order.relation.right, part.claim.right), "j >= 1")
    total = combine(part.claim, same, order, value)
    yield under(total, *part.given), "at c = j alpha"


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
    parts=(
        HOLDER,
        Statement(
            "all steps",
            "the log moment of order alpha of laws j steps apart is at most alpha - 1"
            " times j**2 rho alpha",
            at_most(E(Q, exp(alpha * B)), exp((alpha - 1) * (j**2 * rho * alpha))),
            all_steps,
            (Whole("j", 1), "alpha > 1"),
            STEPS,
            example({"j": 2, "alpha": 2, "rho": 1}, EQUAL_LAWS),
        ),
        Statement(
            "the rule at size 3",
            "which is what the package computes for three steps",
            equal((j**2 * rho * alpha).at(j=3), group_zcdp(ZCDP(rho), 3).rho * alpha),
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
