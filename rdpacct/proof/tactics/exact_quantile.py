"""Dilations of Laplace noise when the quantile is below the dimension: delta near 1.

A quantile rho that the norm exceeds with probability delta/2 <= 1/2 is at least d/2, since d P(N <=
rho) <= rho; that is all that is needed of it.
"""

from collections.abc import Iterator
from fractions import Fraction

from rdpacct.exact.formula import Expr
from rdpacct.exact.functions import exp
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    E,
    Fact,
    at_most,
    combine,
    given_by,
    real,
    relation,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace
from rdpacct.proof.tactics.arrivals import Arrivals
from rdpacct.proof.tactics.dilation import (
    DELTA,
    DIM,
    EPS,
    RHO,
    WHOLE,
    Dilation,
)
from rdpacct.proof.tactics.one_arrival import tail_of_one
from rdpacct.proof.tactics.smooth import A, T, far
from rdpacct.proof.theorem import Statement, Step
from rdpacct.proof.witness import Witness

NOISE = Dilation(1)
TAIL = E(far(NOISE.law, RHO), A)
GIVEN = (
    "0 <= lam",
    "lam <= eps/(2*rho)",
    "0 < eps",
    "eps <= 1",
    "0 < rho",
    "rho <= d",
    "delta <= 1",
    WHOLE,
)
QUANTILE = {"quantile": NOISE.tail}


def parts() -> tuple[Statement, ...]:
    """How often the norm is small, and both dilations for quantiles below d."""
    return (
        Statement(
            "few",
            "the norm is at most rho with a probability of at most rho/d",
            at_most(DIM * (1 - TAIL), RHO),
            Arrivals(NOISE.law, NOISE.one).few,
            ("0 <= rho", WHOLE),
        ),
        *(
            Statement(
                f"{name} below d",
                f"dilation by {by}, beta = eps/(2 rho), for eps <= 1 and every delta <="
                " 1, rho <= d: E[T] <= exp(eps/2) E'[T] + delta/2",
                at_most(E(NOISE.law, T), exp(EPS / 2) * E(law, T) + DELTA / 2),
                proof,
                (*GIVEN, *more),
                QUANTILE,
                one_dimension,
            )
            for name, by, law, proof, more in (
                ("shrunk", "exp(lam)", NOISE.shrunk, shrunk, ("1 <= d",)),
                ("widened", "exp(-lam)", NOISE.widened, widened, ("0 <= delta",)),
            )
        ),
    )


def one_dimension() -> Witness:
    """P(N > 1) <= exp(-7/8) < 9/20 in one dimension."""
    tail = specialize(tail_of_one(NOISE.law, NOISE.one), rho=1, w=Fraction(1, 8))
    number = Fraction(9, 20)
    below_ = real(at_most(tail.relation.right, number))
    small = combine(at_most(tail.relation.left, number), tail, below_)
    values: dict[str, int | str] = {
        "d": 1,
        "rho": 1,
        "eps": 1,
        "delta": "9/10",
        "lam": 0,
    }
    return Witness(example({**values}), (small,))


def half(part: Statement) -> tuple[Fact, Fact]:
    """d - rho <= d delta/2, and d <= 2 rho."""
    (few, *_) = parts()
    given = ("0 < rho", "rho <= d", "delta <= 1")
    quantile = part.assuming["quantile"]
    gap = combine(
        at_most(DIM - RHO, DIM * DELTA / 2),
        under(few.fact(), "0 < rho", WHOLE),
        (quantile, DIM),
    )
    least = real("0 <= 1 - delta", "delta <= 1")
    twice = combine(
        at_most(DIM, 2 * RHO), (gap, 2), (least, DIM), given=("0 < rho", "rho <= d")
    )
    return under(gap, *given, WHOLE), under(twice, *given, WHOLE)


def widened(part: Statement) -> Iterator[Step]:
    """The part small-quantile."""
    gap, twice = half(part)
    yield twice, "the quantile is at least d/2"
    beta = EPS / (2 * RHO)
    small = real("0 <= 1 - eps", "eps <= 1")
    limit = combine(
        at_most(beta * (DIM - RHO), DELTA / 2),
        (gap, beta),
        (twice, DELTA * beta / 2),
        (small, DELTA / 2),
        given=("0 < eps", "0 < rho", "0 <= delta"),
    )
    yield limit, "the excess beta (d - rho) is at most delta/2"
    (_, _, plain) = NOISE.parts()
    yield _placed(part, plain, beta, limit), "the part small-quantile"


def shrunk(part: Statement) -> Iterator[Step]:
    """The part shrunk: exp(beta) - 1 <= 2 beta."""
    _, twice = half(part)
    yield twice, "the quantile is at least d/2"
    beta = EPS / (2 * RHO)
    given = ("0 < eps", "eps <= 1", "0 < rho", "rho <= d", "1 <= d")
    unit = combine(
        at_most(beta, 1),
        (twice, 1 / (2 * RHO)),
        (real("0 <= d - eps", "eps <= 1", "1 <= d"), 1 / (2 * RHO)),
        given=given,
    )
    growth = real("exp(b) - 1 <= 2*b", "0 <= b", "b <= 1")
    growth = specialize(under(growth, *growth.domain, *given), b=beta)
    growth = given_by(growth, unit, real(at_most(0, beta), *given))
    grown = combine(
        replace(relation(NOISE.growth), {"beta": beta}),
        (growth, RHO),
        (real("0 <= d - rho", "rho <= d"), beta),
        given=given,
    )
    yield grown, "so that exp(beta) - 1 <= 2 beta"
    (plain, *_) = NOISE.parts()
    yield _placed(part, plain, beta, grown), "the part shrunk"


def _placed(part: Statement, plain: Statement, beta: Expr, condition: Fact) -> Fact:
    """A part of the dilation at beta = eps/(2 rho), where its condition holds."""
    fact = plain.fact()
    fact = specialize(under(fact, *fact.domain, "0 < rho"), beta=beta)
    fact = given_by(fact, under(condition, *part.given))
    return combine(part.claim, under(fact, *part.given))
