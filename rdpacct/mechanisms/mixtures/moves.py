"""How far a record moves a query, at random: lengths with their probabilities."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from rdpacct.errors import InputError
from rdpacct.exact.formula import ONE, ZERO, Expr, Rational
from rdpacct.exact.number import decimal_text, listed, shorten
from rdpacct.exact.parameter import CheckedField, number_in
from rdpacct.privacy.constants import about
from rdpacct.provenance import by

Moves: TypeAlias = tuple[tuple[Expr, Expr], ...]
"""The probability of each length, and the length; the lengths rise."""
MOST_MOVES = 300
"""The most lengths of a law."""
MOST_BITS = 3000
"""The most bits of a probability that is worked out for a group."""


class NumbersIn(CheckedField[Sequence[Any], tuple[Expr, ...]]):
    """A field that holds a list of exact numbers, each at least 0."""

    def __init__(self, each: str) -> None:
        self.each = each

    def checked(self, given: Sequence[Any]) -> tuple[Expr, ...]:
        numbers = listed(given)
        if isinstance(numbers, str) or not isinstance(numbers, Sequence) or not numbers:
            raise InputError(
                f"{self.name} is {shorten(str(given))}, but must be a list of numbers;"
                f" give one, as in {self.name}=[0, 1]."
            )
        if len(numbers) > MOST_MOVES:
            raise InputError(
                f"{self.name} has {len(numbers)} numbers, more than the {MOST_MOVES}"
                " that are followed; round lengths up to fewer, which stays above."
            )
        return tuple(self._number(number) for number in numbers)

    def _number(self, given: Any) -> Expr:
        value = number_in(given, self.each)
        if value == ZERO:
            return value
        if value.symbols() or not value.bound().certainly_above(0):
            raise InputError(
                f"{self.each} is {shorten(str(value))}, but must be 0 or above 0; give"
                " such a number."
            )
        return value


def law_of_moves(lengths: Sequence[Expr], shares: Sequence[Expr]) -> Moves:
    """The law that has each length with its probability, if these are the probabilities of one."""
    if len(lengths) != len(shares):
        raise InputError(
            f"there are {len(lengths)} sensitivities and {len(shares)} probabilities;"
            " give one probability for each sensitivity."
        )
    for share in shares:
        if not isinstance(share, Rational):
            raise InputError(
                f"a probability is {shorten(str(share))}, which is not rational; give"
                " one such as 1/3."
            )
    total = sum((exact(share) for share in shares), Fraction(0))
    if total != 1:
        raise InputError(
            f"the probabilities sum to {shorten(decimal_text(total))}, not to 1; give"
            " exact ones, as text such as '1/3'."
        )
    return merged(zip(shares, lengths, strict=True))


def exact(share: Expr) -> Fraction:
    """The fraction that a probability is."""
    if not isinstance(share, Rational):
        raise TypeError(f"{share} is not rational")
    return share.value


def merged(rows: Iterable[tuple[Expr, Expr]]) -> Moves:
    """The same law with each length once, in order, and none that has no probability."""
    shares: dict[Expr, Expr] = {}
    for share, length in rows:
        if share != ZERO:
            shares[length] = shares.get(length, ZERO) + share
    kept = ((share, length) for length, share in shares.items())
    return tuple(sorted(kept, key=lambda row: about(row[1])))


def grouped(moves: Moves, size: int) -> Moves | None:
    """The law for several records that move a query independently; None if it is too long."""
    if len(moves) == 1:
        [(_, length)] = moves
        return ((ONE, length * size),)
    if size * (len(moves) - 1) >= MOST_MOVES:  # sums of lengths are at least so many
        return None
    law = moves
    for _ in range(size - 1):
        law = merged(both_moves(law, moves))
        bits = max(exact(share).denominator.bit_length() for share, _ in law)
        if len(law) > MOST_MOVES or bits > MOST_BITS:
            return None
    return law


@by("matrix/gaussian-mixture")
def both_moves(
    first: Sequence[tuple[Expr, Expr]], second: Sequence[tuple[Expr, Expr]]
) -> list[tuple[Expr, Expr]]:
    """The law of two moves that are drawn independently: probabilities multiply, lengths add
    up.
    """
    return [
        (share * other, length + further)
        for share, length in first
        for other, further in second
    ]


def drawn(shares: Sequence[Expr], randrange: Any) -> int:
    """An index with exactly these probabilities."""
    exactly = [exact(share) for share in shares]
    common = math.lcm(*(share.denominator for share in exactly))
    ticket = randrange(common)
    for index, share in enumerate(exactly):
        ticket -= int(share * common)
        if ticket < 0:
            return index
    raise AssertionError("probabilities sum to one")
