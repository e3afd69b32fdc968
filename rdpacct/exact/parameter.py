"""Parameters with declared limits: exact numbers or formulas, checked when they are given."""

from abc import abstractmethod
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, Rational, Real, formula
from rdpacct.exact.number import Number, rational

Given = TypeVar("Given")
Kept = TypeVar("Kept")
OF_PYTHON = (Fraction, str, int, float, Decimal)


def number_in(value: Number | Expr | Any, name: str) -> Expr:
    """The exact number or formula that a user gives, whatever library it is from."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, OF_PYTHON):
        return formula(rational(value, name))
    from rdpacct.exact.others import number_of_others

    return number_of_others(value, name)


class CheckedField(Generic[Given, Kept]):
    """A field of a frozen dataclass that checks what it is given, and keeps what it makes of it."""

    name: str
    written_as: ClassVar[str] = "value"
    """What stands for it in a plan file, by the name that this has in the schema."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Kept:
        if instance is None:
            return self.default_value()
        return instance.__dict__[self.name]  # type: ignore[no-any-return]

    def __set__(self, instance: Any, given: Given) -> None:
        instance.__dict__[self.name] = self.checked(given)

    @abstractmethod
    def checked(self, given: Given) -> Kept:
        """What is kept of a value; one that does not fit is refused."""

    def default_value(self) -> Kept:
        """What is kept if nothing is given; most fields have to be given."""
        raise AttributeError(self.name)


class Parameter(CheckedField[Number | Real, Expr]):
    """A field that takes an exact number within its limits or a formula, and reads as a formula."""

    written_as: ClassVar[str] = "number"

    def __init__(
        self,
        least: int | None = 0,
        most: int | None = None,
        above_least: bool = False,
        default: int | None = None,
        called: str | None = None,
        remedy: str = "give such a value",
    ) -> None:
        self.least = least
        self.most = most
        self.above_least = above_least
        self.default = default
        self.called = called
        self.remedy = remedy

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        self.called = self.called or name

    def default_value(self) -> Expr:
        if self.default is None:
            raise AttributeError(self.name)
        return formula(self.default)

    def checked(self, given: Number | Real) -> Expr:
        value = number_in(given, str(self.called))
        if isinstance(value, Rational) and self._allows(value.value):
            return value
        if not value.symbols():
            self._check(value)
        return value

    def _check(self, value: Expr) -> None:
        """Refuse a number that is certainly outside of the limits."""
        bound = value.bound()
        if isinstance(bound.lower, float) or isinstance(bound.upper, float):
            raise InputError(
                f"{self.called} is {value}, which has no finite value; give a number"
                " that has one."
            )
        if self.least is not None and self._too_small(bound):
            wanted = (
                f"above {self.least}" if self.above_least else f"at least {self.least}"
            )
            raise InputError(
                f"{self.called} is {value}, but must be {wanted}; {self.remedy}."
            )
        if self.most is not None and bound.certainly_above(Fraction(self.most)):
            raise InputError(
                f"{self.called} is {value}, but must be at most {self.most};"
                f" {self.remedy}."
            )

    def _allows(self, value: Fraction) -> bool:
        """Whether an exact number is within the limits."""
        enough = self.least is None or (
            value > self.least if self.above_least else value >= self.least
        )
        return enough and (self.most is None or value <= self.most)

    def _too_small(self, bound: Bound) -> bool:
        least = Fraction(self.least or 0)
        return bound.certainly_below(least) or (
            self.above_least and bound.certainly_at_most(least)
        )


@cache
def parameters_of(cls: type) -> frozenset[str]:
    """The names of the fields of a class that take formulas as they are."""
    return frozenset(
        name
        for base in cls.__mro__
        for name, value in vars(base).items()
        if isinstance(value, Parameter)
    )


class OptionalParameter(Parameter):
    """A parameter that may be left out, and is None then."""

    def __get__(self, instance: Any, owner: type | None = None) -> Expr | None:  # type: ignore[override]
        if instance is None:
            return None
        kept: Expr | None = instance.__dict__[self.name]
        return kept

    def __set__(self, instance: Any, given: Number | Real | None) -> None:
        if given is None:
            instance.__dict__[self.name] = None
        else:
            super().__set__(instance, given)


def rational_of(value: Expr, name: str, who: str = "the exact sampler") -> Fraction:
    """The fraction that a parameter is, for a sampler or whoever else needs one."""
    if not isinstance(value, Rational):
        raise InputError(
            f"{name} is {value}, but {who} needs a rational number; give one such as"
            " 3/2."
        )
    return value.value
