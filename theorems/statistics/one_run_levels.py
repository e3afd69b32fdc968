"""How many fair coins can be guessed right, where privacy has a delta at several epsilons.

Printed: not in the sources.
Proved: Let a mechanism be (eps_j, delta_j)-DP in each of m fair coins for j = 1, ..., J, and W of r
    guesses be right. Let 0 <= lam_j(w) <= kappa_j, total(w) the sum of the lam_j(w) and grown(w)
    that of exp(eps_j) lam_j(w). If w total(w) - (r - w) grown(w + 1) is at least 1 - tau for w >= v
    and at least -tau for w < v, then P(W >= v) <= tau + m (kappa_1 delta_1 + ... + kappa_J
    delta_J), and half of the second term is enough if all guesses are of one kind. The shipped
    checker takes for lam_j(w) the part of total(w) that lies in step j of a ladder with the heights
    kappa_j, below v the largest totals with (r - w) grown(w + 1) <= w total(w) + tau, and from v on
    the least with w total(w) >= 1 - tau + (r - w) grown(w + 1).
Idea: statistics/one-run at each level, added up.
Source: Mahloujifar, Melis and Chaudhuri (2025), Auditing f-differential privacy in one run, have a
    recursion for claims with a whole trade-off curve, which uses the events that W is at least some
    number; the weights here are the multipliers of the linear program of all mechanisms.
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, On, Quantity, Real, Statement, Status, Step, Symbol, Theorem,
    Whole, assume, at_most, combine, equal, example, formula, given_by, induct, ladder_limit,
    maximum, minimum, on_average, proves, real, relations, specialize, tail_limit,
    terms_replace as replace, without,
)  # fmt: skip

tau, kinds, beta, mass, kappa, delta = map(
    Symbol, ("tau", "kinds", "beta", "mass", "kappa", "delta")
)
w, r, v, m, j, J, W, hit = map(Symbol, ("w", "r", "v", "m", "j", "J", "W", "hit"))
t, g, under, weight = map(Symbol, ("t", "g", "under", "weight"))


def at(name: str, number: Real) -> Expr:
    """A quantity of a number: total(w) and grown(w); and of the first j levels, P(j) and Q(j), the
    sums of the mean weights of right guesses, and of wrong ones times exp(eps), and C(j), that of
    kappa times delta.
    """
    return Quantity(name, (formula(number),))


RUN = Law("R", ("W", "hit"), relations("0 <= hit <= 1"))
"""The number of right guesses, and whether it is at least v."""
GAIN = W * at("total", W) - (r - W) * at("grown", W + 1)
LEVELS = {
    "no level, right": assume(equal(at("P", 0), 0)),
    "no level, wrong": assume(equal(at("Q", 0), 0)),
    "no level, delta": assume(equal(at("C", 0), 0)),
    "one more level": assume(
        at_most(
            at("P", j + 1) - at("P", j),
            at("Q", j + 1)
            - at("Q", j)
            + ladder_limit(0, at("C", j + 1) - at("C", j), m, kinds),
        ),
        every="j",
    ),
}
"""Each level by itself is statistics/one-run, summed over the coins."""
PART = minimum(maximum(t - under, 0), weight)
"""The part of a total in a step that begins at ``under`` and has a weight."""

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "levels",
            "the weights of right guesses against those of wrong ones, at all levels",
            at_most(at("P", j), at("Q", j) + ladder_limit(0, at("C", j), m, kinds)),
            given=(Whole("j", 0),),
            assuming=LEVELS,
        ),
        Statement(
            "tail",
            "so v right guesses or more have at most the shipped probability",
            at_most(E(RUN, hit), ladder_limit(tau, at("C", J), m, kinds)),
            given=(Whole("J", 0),),
            assuming={
                **LEVELS,
                "each number": assume(at_most(hit - tau, GAIN), On(RUN)),
                "right": assume(equal(E(RUN, W * at("total", W)), at("P", J))),
                "wrong": assume(
                    equal(E(RUN, (r - W) * at("grown", W + 1)), at("Q", J))
                ),
            },
        ),
        Statement(
            "below v",
            "totals that leave this room are enough for w < v",
            at_most(0 - tau, w * t - (r - w) * g),
            given=("(r - w)*g <= w*t + tau",),
        ),
        Statement(
            "from v on",
            "and totals that reach this need for w >= v",
            at_most(1 - tau, w * t - (r - w) * g),
            given=("1 - tau + (r - w)*g <= w*t",),
        ),
        Statement(
            "not negative",
            "the part of a total in a step is not negative",
            at_most(0, PART),
            given=("0 <= weight",),
        ),
        Statement(
            "not above",
            "and at most the weight of the step",
            at_most(PART, weight),
        ),
    ),
    sharp=(
        Statement(
            "one level",
            "with the one level of statistics/one-run, whose tau is beta and whose kappa"
            " is the largest weight there, it is the limit that is attained",
            equal(
                ladder_limit(beta, beta * (1 - beta) / (v * mass) * delta, m, kinds),
                tail_limit(beta, 1 - beta, mass, v, m, delta, kinds),
            ),
            given=("0 < v", "0 < mass"),
        ),
    ),
    rules=(ladder_limit,),
)


@proves("levels")
def levels(part: Statement) -> Iterator[Step]:
    """One level after the other."""
    known = part.assuming
    base = combine(
        replace(part.claim, {"j": 0}),
        known["no level, right"],
        (known["no level, wrong"], -1),
        (known["no level, delta"], -m * kinds / 2),
    )
    yield base, "no level"
    before = assume(part.claim, Whole("j", 0))
    after = replace(part.claim, {"j": j + 1})
    more = combine(after, before, known["one more level"])
    yield more, "one more level"
    yield induct(base, more, "j"), "level after level"


@proves("tail")
def tail(part: Statement) -> Iterator[Step]:
    """What each number gains, averaged over the runs."""
    known = part.assuming
    mean = on_average(known["each number"], RUN, known["right"], known["wrong"])
    yield mean, "averaged"
    all_levels = specialize(THEOREM.part("levels").fact(), j=J)
    yield all_levels, "all levels"
    sums = (known["right"], (known["wrong"], -1))
    yield combine(part.claim, mean, all_levels, *sums), "together"


@proves("below v", "from v on", "one level")
def algebra(part: Statement) -> Iterator[Step]:
    """Between numbers."""
    yield real(part.claim, *part.given), "algebra"


@proves("not negative")
def not_negative(part: Statement) -> Iterator[Step]:
    """Neither of the two numbers is."""
    above = real("0 <= max(t - under, 0)")
    yield above, "what is above the beginning of the step"
    smaller = real("0 <= min(x, weight)", "0 <= x", *part.given)
    smaller = specialize(smaller, x=above.relation.right)
    yield given_by(smaller, above), "and the smaller of two numbers"


@proves("not above")
def not_above(part: Statement) -> Iterator[Step]:
    """The smaller of two numbers is at most the second."""
    smaller = real("min(x, weight) <= weight")
    yield specialize(smaller, x=maximum(t - under, 0)), part.says


FALSEHOODS = (
    without(
        THEOREM.part("tail"),
        "each number",
        "any weights show something",
        example(
            {"tau": 0, "r": 1, "m": 1, "kinds": 2, "J": 0},
            {"R": [((1, 1), 1)]},
            total=("w", "0"),
            grown=("w", "0"),
            P=("j", "0"),
            Q=("j", "0"),
            C=("j", "0"),
        ),
    ),
    Falsehood(
        "a need that is met but for tau is enough",
        at_most(1 - tau, w * t - (r - w) * g),
        (
            "1 - 2*tau + (r - w)*g <= w*t",
            "0 < tau",
            "0 <= w",
            "w <= r",
            "0 <= t",
            "0 <= g",
        ),
        instance=example({"tau": "1/4", "w": 1, "r": 1, "t": "1/2", "g": 0}),
    ),
)
