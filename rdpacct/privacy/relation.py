"""Which data sets are neighbors, and how far a query may move between them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real
from rdpacct.exact.functions import sqrt
from rdpacct.exact.number import Number
from rdpacct.exact.parameter import Parameter


class Relation(Enum):
    """A neighboring relation between data sets."""

    ADD_OR_REMOVE_ONE = "add_or_remove_one"
    """One data set has one record more than the other."""
    REPLACE_ONE = "replace_one"
    """The data sets have the same size and differ in one record."""
    ZERO_OUT = "zero_out"
    """One record of one data set is a null record in the other, which adds nothing to any query."""

    @classmethod
    def named(cls, text: str) -> "Relation":
        """The relation of that name, in either case; zero_out is also called replace_special."""
        asked = text.strip().lower().replace("-", "_")
        for relation in cls:
            if asked == relation.value:
                return relation
        if asked == "replace_special":
            return cls.ZERO_OUT
        known = ", ".join(relation.value for relation in cls)
        raise InputError(
            f"the relation {text[:60]!r} is not known; give one of {known}."
        )

    def __str__(self) -> str:
        return self.value


class RelationIn:
    """A field that holds a relation, given as such or by name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Relation:
        if instance is None:
            return Relation.ADD_OR_REMOVE_ONE
        return instance.__dict__[self.name]  # type: ignore[no-any-return]

    def __set__(self, instance: Any, given: Relation | str) -> None:
        instance.__dict__[self.name] = (
            given if isinstance(given, Relation) else Relation.named(str(given))
        )


class Norm(Enum):
    """How the distance between two values of a query is measured."""

    L1 = "L1"
    L2 = "L2"
    LINF = "Linf"

    def length(self, moves: Iterable[Fraction]) -> Expr:
        """The length of a vector of rationals."""
        return sqrt(self.square(moves))

    def square(self, moves: Iterable[Fraction]) -> Fraction:
        """The square of the length of a vector of rationals."""
        vector = list(moves)
        unit = math.lcm(*(move.denominator for move in vector))
        sizes = [abs(move.numerator) * (unit // move.denominator) for move in vector]
        if self is Norm.L2:
            return Fraction(sum(size**2 for size in sizes), unit**2)
        if self is Norm.LINF:
            return Fraction(max(sizes, default=0), unit) ** 2
        return Fraction(sum(sizes), unit) ** 2

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """The largest distance, in a norm, between values of a query on data sets that a relation makes
    neighbors.
    """

    value: Parameter = Parameter(above_least=True, called="sensitivity")
    _: KW_ONLY
    norm: Norm = Norm.L1
    relation: RelationIn = RelationIn()

    def is_exceeded_by(self, moves: Sequence[Fraction]) -> bool:
        """Whether a vector of rationals is certainly longer."""
        square = self.norm.square(moves)
        return (square - self.value**2).bound().certainly_above(0)

    def __repr__(self) -> str:
        return f"Sensitivity({self.value}, norm={self.norm}, relation={self.relation})"


class SensitivityIn(Parameter):
    """A field that holds a sensitivity in one norm; a bare number is one for adding or removing one
    record.

    A sensitivity in one of the norms ``also`` is taken for one in that norm, as it is not smaller.
    """

    def __init__(self, norm: Norm, also: tuple[Norm, ...] = ()) -> None:
        super().__init__()
        self.norm = norm
        self.also = also

    def __get__(self, instance: Any, owner: type | None = None) -> Sensitivity:  # type: ignore[override]
        if instance is None:
            return Sensitivity(1, norm=self.norm)
        return instance.__dict__[self.name]  # type: ignore[no-any-return]

    def __set__(self, instance: Any, given: Number | Real | Sensitivity) -> None:
        if isinstance(given, Sensitivity) and given.norm not in (self.norm, *self.also):
            raise InputError(
                f"the sensitivity is in the norm {given.norm}, but"
                f" {type(instance).__name__} is calibrated in {self.norm}; give the"
                f" sensitivity in {self.norm}."
            )
        instance.__dict__[self.name] = (
            given
            if isinstance(given, Sensitivity)
            else Sensitivity(given, norm=self.norm)
        )
