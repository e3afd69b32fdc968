"""The probabilities of {L > eps} under P and under Q, from three points of the profile.

Printed: not in the sources
Proved: Let R = dQ/dP = exp(-L) under P, which is 0 where the loss is infinite, and let g = exp(eps)
    > 0. The profile is delta(g) = E (1 - g R)_+. Let A be the indicator of R < 1/g, the event L >
    eps, so that P(L > eps) = E A and Q(L > eps) = E[R A]. For 0 < a < g < b: (delta(g) -
    delta(b))/(b - g) <= Q(L > eps) <= (delta(a) - delta(g))/(g - a), and P(L > eps) = delta(g) + g
    Q(L > eps). The shipped function takes a and b at eps - 2**-20 and at eps + 2**-20.
Idea: The profile is convex in g, and -Q(L > eps) is a slope of it: chords on both sides bound it.
Source: This package; Dong, Roth and Su (2022), section 2, for the profile as a convex conjugate.
"""

from rdpacct.book.words import (
    Any, AtomsTransform, Attack, ComposedLoss, Condition, Direction, E, Expr, Fact, Falsehood,
    FiniteMechanism, Fraction, Iterator, Law, Loss, Refused, Statement, Status, Step, Symbol,
    Theorem, any_pair, at_most, cases, chord as shipped_chord, combine, dominated, equal, event,
    exp, expect, formula, formulas, given_by, integrable, linear, log, maximum, partial, placed,
    prod, product, random, read, real, relations, specialize, under, under_p,
)  # fmt: skip

a, g, b = (Symbol(name) for name in ("a", "g", "b"))
LAW = event(Law("P", ("R",), relations("0 <= R")), "A", "R < 1/g")
R = LAW.symbol("R")
A = LAW.symbol("A")


def excess(level: Expr) -> Expr:
    """What delta is the mean of."""
    return maximum(0, 1 - level * R)


def delta(level: Expr) -> Expr:
    """The profile."""
    return E(LAW, excess(level))


def mean_of_test(level: Expr) -> Fact:
    """E[A - level R A] = E A - level E[R A]: what the test A gains at this level."""
    parts = []
    for body, bound in ((A, formula(1)), (R * A, 1 / g)):
        upper, lower = (
            cases(LAW, one, "0 < g") for one in (at_most(body, bound), at_most(0, body))
        )
        parts.append(dominated(upper, LAW, lower=lower))
    return linear(LAW, A - level * R * A, {A: 1, R * A: -level}, *parts)


def best(part: Statement) -> Iterator[Step]:
    """The excess is 1 - g R on the event and 0 elsewhere."""
    here = cases(LAW, equal(excess(g), A - g * R * A), *part.given)
    yield here, "the excess is 1 - g R on the event, and 0 elsewhere"
    gain = mean_of_test(g)
    mean = expect(here, LAW, integrable(gain, E(LAW, A - g * R * A)))
    yield combine(part.claim, mean, gain), "on the average"


def any_level(level: Expr, *given: str | Condition) -> Fact:
    """At every level, delta is at least what the test A gains."""
    test = specialize(real("A*x <= max(0, x)", "0 <= A", "A <= 1"), x=1 - level * R)
    allowed = given_by(
        test, cases(LAW, "0 <= A", "0 < g"), cases(LAW, "A <= 1", "0 < g")
    )
    here = combine(at_most(A - level * R * A, excess(level)), allowed)
    gain = mean_of_test(level)
    ends = real("max(0, 1 - x) <= 1", "0 <= x"), real("0 <= max(0, 1 - x)")
    upper, lower = (placed(end, "0 <= R", f"0 < {level}", x=level * R) for end in ends)
    finite = dominated(upper, LAW, lower=lower)
    mean = expect(here, LAW, integrable(gain, E(LAW, A - level * R * A)), finite)
    return under(
        combine(at_most(E(LAW, A) - level * E(LAW, R * A), delta(level)), mean, gain),
        *given,
    )


def chord(part: Statement) -> Iterator[Step]:
    """The test A is the best one at g, and one of many elsewhere."""
    other = a if part.name == "most" else b
    there = any_level(other, *part.given)
    yield there, "the test A at another level"
    here = under(UNDER_P.fact(), *part.given)
    yield here, "the test A at its own level"
    width = g - a if part.name == "most" else b - g
    yield (
        combine(part.claim, (there, 1 / width), (here, -1 / width)),
        "the difference, divided by the width",
    )


def balls(*values: Expr) -> Any:
    """Formulas in the place of balls."""
    return formulas(*values)


def slope(*values: Expr) -> Expr:
    """The shipped chord."""
    return read(shipped_chord(*balls(*values)))


UNDER_P = Statement(
    "under P",
    "P(L > eps) = delta + exp(eps) Q(L > eps)",
    equal(E(LAW, A), read(under_p(*balls(delta(g), g, E(LAW, R * A))))),
    best,
    ("0 < g",),
)


def _itself(loss: Loss) -> Loss:
    return loss


def responses(seed: int) -> int:
    """Random pairs of laws on two outcomes, drawn up to three times: the shipped bounds against
    exact sums.
    """
    rng = random.Random(seed)
    tried = 0
    while tried < 24:
        pair = any_pair(rng, 2)
        count = rng.randint(1, 3)
        level = Fraction(rng.randint(-30, 30), 10) + Fraction(1, 1000)
        ratios = tuple(
            log(formula(one / two)) for one, two in zip(pair.p, pair.q, strict=True)
        )
        atoms = AtomsTransform(tuple(map(formula, pair.p)), ratios)
        loss = FiniteMechanism((pair.p, pair.q)).loss()
        found = ComposedLoss.of(
            [(Direction(atoms), partial(_itself, loss), count)]
        ).event_probabilities(level)
        totals = [Fraction(0), Fraction(0)]
        for picks in product(range(2), repeat=count):
            masses = [
                prod((law[i] for i in picks), start=Fraction(1))
                for law in (pair.p, pair.q)
            ]
            if masses[0] > Fraction(exp(level).bound().lower) * masses[1]:
                totals = [old + new for old, new in zip(totals, masses, strict=True)]
        for exact, bound in zip(totals, found, strict=True):
            if not bound.lower <= exact <= bound.upper:
                raise Refused(
                    f"{count} draws of {pair} at {level} have probability {exact}, not"
                    f" {bound}."
                )
        tried += 1
    return tried


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "most",
            "the chord to the left is at least Q(L > eps)",
            at_most(E(LAW, R * A), slope(delta(a), delta(g), a, g)),
            chord,
            ("0 < a", "a < g"),
        ),
        Statement(
            "least",
            "the chord to the right is at most Q(L > eps)",
            at_most(slope(delta(g), delta(b), g, b), E(LAW, R * A)),
            chord,
            ("0 < g", "g < b"),
        ),
        UNDER_P,
    ),
    falsehoods=(
        Falsehood(
            "the chord to the right is at least Q(L > eps), for a loss that is always"
            " the same",
            at_most(R, (excess(g) - excess(b)) / (b - g)),
            ("0 < g", "g < b", "0 < R", "R < 1/g"),
        ),
    ),
    attacks=(
        Attack(
            "random pairs on two outcomes, drawn up to three times, exactly", responses
        ),
    ),
    rules=(shipped_chord, under_p),
)
