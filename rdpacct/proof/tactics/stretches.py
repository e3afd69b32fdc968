"""A stretch of losses with the density w exp(c L) under P, carried to the losses log(1 - r + r
exp(L)) of a mixture.
"""

from collections.abc import Iterator

from rdpacct.exact.formula import Expr, Symbol
from rdpacct.exact.functions import exp, log
from rdpacct.proof.kernel import (
    Density,
    E,
    Stretch,
    below,
    combine,
    equal,
    given_by,
    integrate,
    real,
    specialize,
    under,
)
from rdpacct.proof.tactics.mixtures import r
from rdpacct.proof.theorem import Statement, Step

w, c, low, high, loss, x = map(Symbol, ("w", "c", "low", "high", "loss", "x"))


def before(new: Expr) -> Expr:
    """The loss that becomes this one."""
    return log((exp(new) - (1 - r)) / r)


NEW = Density("Y", (loss.name,), (), (Stretch(low, high, 1 / (high - low)),))
"""Uniform on an interval of new losses."""
START, END = map(Symbol, ("start", "end"))
OLD_BETWEEN = Density("V", ("x",), (), (Stretch(START, END, 1 / (END - START)),))
OLD = OLD_BETWEEN.at(start=before(low), end=before(high))
"""Uniform on the old losses that become these."""
MIXTURE = w * exp(c * x) * (r + (1 - r) * exp(-x))


def total(old: Expr) -> Expr:
    """An antiderivative of the mixture."""
    return w * (r * exp(c * old) / c + (1 - r) * exp((c - 1) * old) / (c - 1))


def interval(density: Expr, *rate: str) -> Statement:
    """That a density has on every interval of new losses the mass that the mixture has on the old
    ones: one antiderivative, in both.
    """

    def proof(part: Statement) -> Iterator[Step]:
        given = tuple(map(str, part.given))
        (piece,) = NEW.pieces
        inside = real(
            below(0, exp(loss) - (1 - r)), *rate, "log(1 - r) < low", "low <= loss"
        )
        sign = real("0 <= w*exp(u)*exp(v)*exp(2*loss)/s", "0 < w", "0 < s")
        sign = given_by(specialize(sign, s=exp(loss) - (1 - r)), inside)
        sign = under(sign, *given, *piece.where(loss.name))
        sign = specialize(sign, u=c * before(loss), v=-before(loss))
        width = high - low
        new = integrate(
            NEW,
            density,
            (total(before(loss)) / width,),
            (loss / width,),
            *given,
            on=((sign,),),
        )
        yield new, "the new losses"
        width = END - START
        old = integrate(
            OLD_BETWEEN,
            MIXTURE,
            (total(x) / width,),
            (x / width,),
            *given[:5],
            "start < end",
        )
        yield old, "the old losses"
        ends = [inside.relation.right.at(loss=end) for end in (low, high)]
        positive = [
            real(below(0, end), *rate, "log(1 - r) < low", "low < high") for end in ends
        ]
        rising = specialize(
            real("log(u/r) < log(v/r)", "0 < u", "0 < v", "u < v", "0 < r"),
            u=ends[0],
            v=ends[1],
        )
        order = given_by(rising, *positive, real(below(*ends), "low < high"))
        moved = specialize(
            under(old, *old.domain, *given), start=before(low), end=before(high)
        )
        there = under(given_by(moved, under(order, *given)), *given)
        scale = before(high) - before(low)
        yield (
            combine(part.claim, (new, high - low), (there, -scale), given=given),
            "both are the growth of it",
        )

    return Statement(
        "interval",
        "the shipped density has on every interval of new losses the mass of the"
        " mixture on the old ones",
        equal(
            (high - low) * E(NEW, density),
            (before(high) - before(low)) * E(OLD, MIXTURE),
        ),
        proof,
        (*rate, "0 < w", "0 < c", "c < 1", "low < high", "log(1 - r) < low"),
    )
