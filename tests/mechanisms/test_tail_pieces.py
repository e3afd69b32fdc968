"""Polynomials for the tails of the loss of two mixtures: against mpmath, against values one by one,
and without what they leave out.
"""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from rdpacct import profile
from rdpacct.exact.ball import RealBall, precision
from rdpacct.exact.formula import formula
from rdpacct.exact.raw import real
from rdpacct.mechanisms.mixtures.exponential_sum import (
    ExponentialSum,
    one_term,
    two_terms,
)
from rdpacct.mechanisms.mixtures.mixture_pair import MixturePair
from rdpacct.mechanisms.mixtures.mixture_transform import MixtureTransform
from rdpacct.mechanisms.mixtures.tail_pieces import (
    TailPiece,
    TailPieces,
    planned_disk,
)
from rdpacct.mechanisms.mixtures.tails_in_order import (
    LEVEL_WORK,
    events_in_order,
    profiles_in_order,
)
from rdpacct.work import question

BITS = 144
Rows = list[tuple[Fraction, Fraction]]
"""The weights of a mixture with the places of its components."""
MIXTURES: list[Rows] = [
    [
        (Fraction(1, 4), Fraction(0)),
        (Fraction(1, 2), Fraction(1)),
        (Fraction(1, 4), Fraction(2)),
    ],
    [(Fraction(99, 100), Fraction(1, 10)), (Fraction(1, 100), Fraction(3, 5))],
    [(Fraction(9, 10), Fraction(0)), (Fraction(1, 10), Fraction(30))],
]
PLACES = [(0, -4.0), (0, 0.5), (0, 9.0), (1, -4.0), (1, 3.0), (1, 9.0), (2, 15.1)]
"""Which mixture is looked at, and where."""


def pair_of(rows: Rows) -> MixturePair:
    """A mixture against the standard normal law."""
    terms = tuple((formula(w), formula(c)) for w, c in rows)
    return MixturePair(ExponentialSum(terms), one_term())


def piece_at(pair: MixturePair, x: float) -> TailPiece:
    """The piece about a point of the line."""
    radius, _ = planned_disk(pair.first, pair.second, x)
    piece = TailPieces(pair.first, pair.second).about(x, radius)
    assert piece is not None
    return piece


def by_mpmath(rows: Rows, level: RealBall, near: float) -> tuple[mpmath.mpf, ...]:
    """The tails of both laws beyond the place of a loss, which is not far from a point, and the
    profile.
    """
    exact = [(mpmath.mpf(w.numerator) / w.denominator, c) for w, c in rows]
    exact = [(w, mpmath.mpf(c.numerator) / c.denominator) for w, c in exact]
    at = mpmath.mpf(level.str(60, radius=False).strip("[]"))

    def gap(x: mpmath.mpf) -> mpmath.mpf:
        total = sum(w * mpmath.exp(c * x - c * c / 2) for w, c in exact)
        return mpmath.log(total) - at

    root = mpmath.findroot(gap, near)
    p = sum(w * mpmath.ncdf(c - root) for w, c in exact)
    q = mpmath.ncdf(-root)
    return p, q, p - mpmath.exp(at) * q


def holds(ball: RealBall, number: mpmath.mpf) -> bool:
    """Whether a number that is known to 40 digits may lie in a ball."""
    known = RealBall(mpmath.nstr(number, 50)) * RealBall(1, 1e-40)
    return bool(ball.overlaps(known))


@pytest.mark.parametrize(("which", "x"), PLACES)
@pytest.mark.parametrize("side", [-0.99, 0.4, 0.99])
def test_a_piece_holds_what_mpmath_finds(which: int, x: float, side: float) -> None:
    """Both tails and the profile, to 40 bits and more."""
    rows = MIXTURES[which]
    with mpmath.workdps(60), precision(BITS):
        piece = piece_at(pair_of(rows), x)
        level = real(float(piece.middle + side * piece.radius))
        assert piece.holds(level)
        expected = by_mpmath(rows, level, x)
        found = (*piece.events(level), piece.profile(level))
        for ball, number in zip(found, expected, strict=True):
            assert holds(ball, number)
            assert ball.rel_accuracy_bits() > 40


@pytest.mark.parametrize("rows", MIXTURES[:2])
def test_without_what_it_leaves_out_a_piece_is_wrong(rows: Rows) -> None:
    """The check above can fail: so far out the polynomials are not what they stand for."""
    with mpmath.workdps(60), precision(BITS):
        piece = piece_at(pair_of(rows), 0.5)
        nothing = real(0)
        bare = replace(piece, left_out=(nothing, nothing), profile_leaves_out=nothing)
        level = real(float(piece.middle + 5 * piece.radius))
        assert not bare.holds(level)
        expected = by_mpmath(rows, level, 0.5)
        found = (*bare.events(level), bare.profile(level))
        for ball, number in zip(found, expected, strict=True):
            assert not holds(ball, number)


def levels_from(low: float, high: float, number: int) -> list[RealBall]:
    """So many rising levels."""
    return [real(low + (high - low) * k / number) for k in range(number)]


@pytest.mark.parametrize("rows", MIXTURES)
@pytest.mark.parametrize("turned", [False, True])
def test_many_levels_are_as_one_by_one(rows: Rows, turned: bool) -> None:
    """Also beyond the losses that there are, and far apart; and they take less work."""
    pair = pair_of(rows)
    if turned:
        pair = pair.reversed()
    with precision(BITS):
        levels = [
            *levels_from(-30.0, -4.0, 20),
            *levels_from(*((-1.3, 0.1) if turned else (-0.1, 1.3)), 1200),
            *levels_from(4.0, 30.0, 20),
        ]
        events = events_in_order(pair, levels)
        with question() as budget:
            deltas = profiles_in_order(pair, levels)
        assert budget.spent < LEVEL_WORK * len(levels) / 3
        sample = range(0, len(levels), 29)
        alone = pair.events_in_order([levels[k] for k in sample])
        for k, (p, q) in zip(sample, alone, strict=True):
            assert events[k][0].overlaps(p)
            assert events[k][1].overlaps(q)
            assert deltas[k].overlaps((p - levels[k].exp() * q).max(real(0)))


def test_a_folded_pair_has_the_same_values_at_many_levels() -> None:
    """Below 0 they come from those above."""
    pair = MixturePair(
        two_terms(formula(Fraction(1, 3)), formula(2)), one_term(), formula(1)
    )
    transform = MixtureTransform(pair)
    with precision(BITS):
        levels = levels_from(-3.0, 3.0, 240)
        together = transform.profiles(levels)
        for k in range(0, len(levels), 7):
            delta = together[k]
            assert delta is not None
            assert delta.overlaps(transform.profile(levels[k]))
            assert delta.rel_accuracy_bits() > 40


def test_a_mixture_far_out_is_narrow() -> None:
    """A plan that equal cells leave 1.4e-6 wide."""
    mixture = (
        "GaussianMixture(sigma=5, sensitivities=[0.5, 3], probabilities=[0.99, 0.01])"
    )
    answer = profile(f"Exponential(epsilon=0.1) + {mixture}").delta(1)
    assert answer.relative_width < 2e-7
