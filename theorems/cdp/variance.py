"""What a subgaussian bound says of the mean and of the variance.

Printed: not in the sources
Proved: If E exp(t X) <= exp(t**2 tau**2/2) for all real t, then E X**2 <= tau**2. If it holds for
    all t >= 0 and X is integrable, then E X <= 0. Both for tau > 0. So a loss that is
    tau-subgaussian about its mean has variance at most tau**2, and a one-sided bound about mu has
    mean at most mu.
Idea: cosh(u) >= 1 + u**2/2, or exp(u) >= 1 + u, integrated at the rate t and divided by t**2, or t;
    then t goes to 0.
Source: Classical; see Vershynin, High-Dimensional Probability (2018), section 2.5.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Symbol, Table, Theorem, assume, at_most,
    combine, equal, example, exp, formula, integrable, real, subgaussian, table,
)  # fmt: skip

t, tau, X = (Symbol(name) for name in ("t", "tau", "X"))
ANY = Law("P", ("X",))
SUBGAUSSIAN = at_most(E(ANY, exp(t * X)), exp(t**2 * tau**2 / 2))
SIGN = Table(
    "S", ("X",), (), (((formula(1),), formula(1) / 2), ((formula(-1),), formula(1) / 2))
)


def variance(part: Statement) -> Iterator[Step]:
    """cosh(u) >= 1 + u**2/2 at small rates."""
    yield from subgaussian.variance_at_most(ANY, X, part.assuming["subgaussian"])


def mean(part: Statement) -> Iterator[Step]:
    """exp(u) >= 1 + u at small rates."""
    known = integrable(part.assuming["finite"], E(ANY, X))
    yield from subgaussian.mean_at_most(ANY, X, part.assuming["one-sided"], known)


def sign(part: Statement) -> Iterator[Step]:
    """A fair sign is 1-subgaussian and has variance 1."""
    moment = table(SIGN, exp(t * X))
    yield moment, "its moment is cosh(t)"
    yield (
        combine(
            at_most(E(SIGN, exp(t * X)), exp(t**2 / 2)),
            moment,
            real("(exp(t) + exp(-t))/2 <= exp(t**2/2)"),
        ),
        "which is below that of a normal variable",
    )
    yield combine(part.claim, table(SIGN, X**2)), "its variance"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "variance",
            "a tau-subgaussian variable has second moment at most tau**2",
            at_most(E(ANY, X**2), tau**2),
            variance,
            ("tau > 0",),
            {"subgaussian": assume(SUBGAUSSIAN, every="t")},
        ),
        Statement(
            "mean",
            "a variable that is tau-subgaussian to the right has mean at most 0",
            at_most(E(ANY, X), 0),
            mean,
            ("tau > 0",),
            {
                "one-sided": assume(SUBGAUSSIAN, "t >= 0", every="t"),
                "finite": assume(equal(E(ANY, X), Symbol("m"))),
            },
        ),
    ),
    sharp=(
        Statement(
            "sign",
            "a fair sign is 1-subgaussian and has variance 1",
            equal(E(SIGN, X**2), 1),
            sign,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the one-sided bound also gives E X**2 <= tau**2",
            at_most(E(ANY, X**2), tau**2),
            ("tau > 0",),
            assuming={"one-sided": assume(SUBGAUSSIAN, "t >= 0", every="t")},
            instance=example({"tau": 1}, {"P": [(-2, 1)]}),
        ),
    ),
)
