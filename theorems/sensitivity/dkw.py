"""The Dvoretzky-Kiefer-Wolfowitz inequality, with the constant of Massart.

Printed: With D the empirical distribution of n/2 independent values with distribution H, P(sup |H -
    D| >= eps) <= 2 exp(-n eps**2).
Proved: Nothing. It is a theorem of Massart, for even n >= 2 and eps > 0, which is believed and not
    used: no other entry rests on it. What the source uses it for holds without it, and with better
    constants: see sensitivity/quantile. The exact law of the supremum is tried against it for up to
    12 values.
Idea: Massart's proof compares the exact law of the supremum with the bound; it is long.
Source: Hall, Rinaldo and Wasserman, equation (12); Massart, The tight constant in the
    Dvoretzky-Kiefer-Wolfowitz inequality, Annals of Probability 18 (1990).
"""

from rdpacct.book.words import (
    Density, E, Falsehood, Quantity, Refutation, Status, Stretch, Symbol, Theorem, at_most, below,
    combine, event, example, exp, formula, integrate, maximum, real,
)  # fmt: skip


THEOREM = Theorem(
    verdict=Status.ASSUMED,
    missing=(
        "a proof that the supremum is at least eps with probability at most 2 exp(-n"
        " eps**2), for n/2 values"
    ),
)

half = Symbol("half")
eps = Symbol("eps")
FAR = Quantity("chance", (half, eps))
"""The probability that the supremum is at least eps, for half = n/2 independent values."""

u = Symbol("u")
A = Symbol("A")
UNIFORM = Density("U", ("u",), (), (Stretch(formula(0), formula(1), formula(1)),))
SUPREMUM = maximum(u, 1 - u)
"""Of one uniform value: how far its empirical distribution function is off."""
ONE_FAR = event(UNIFORM, "A", at_most(eps, SUPREMUM))


def one_value() -> Refutation:
    """At eps = 1/2 one value is always too far off."""
    law = ONE_FAR.at(eps=formula(1) / 2)
    surely = integrate(law, A, (u, u), (u, u), cuts=(formula(1) / 2,))
    large = real(below(exp(-formula(1) / 2), 1))
    more = combine(below(large.relation.left, E(law, A)), (surely, -1), large)
    return Refutation(
        "the supremum max(u, 1 - u) is at least 1/2 always",
        (more,),
    )


FALSEHOODS = (
    Falsehood(
        "the same without the factor 2, here for one uniform value",
        at_most(E(ONE_FAR, A), exp(-2 * eps**2)),
        ("0 < eps",),
        one_value,
        instance=example({"eps": "1/2"}),
    ),
)
