"""Instances: numbers for symbols, finite laws for laws that are known by name only, and formulas
    for quantities that are.

An instance is data. What holds in it is for the evaluator to say (``evaluate.py``), never for the
author.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rdpacct.errors import InputError
from rdpacct.exact.formula import Expr, Real, formula
from rdpacct.proof.kernel.laws import Density
from rdpacct.proof.kernel.stretch import Stretch
from rdpacct.proof.kernel.terms import Refused, relation

InstanceNumber = Real | str
"""A number, a formula, or the text of one."""
InstanceRow = tuple[tuple[Expr, ...], Expr]
"""A value for each variable, and a probability."""


@dataclass(frozen=True)
class Unknown:
    """What a quantity that is known by name only stands for: one of five descriptions.

    ``formula`` in the names ``of``; ``steps`` of the last argument: the value from each start on,
    in the names of the others, the first start being minus infinity; ``points``, a value for each
    of finitely many arguments; ``compares``, 1 if the first argument is at most the second, else 0;
    or none of them, for the quantity that its own hypotheses define by recursion.
    """

    of: tuple[str, ...] = ()
    formula: Expr | None = None
    steps: tuple[tuple[Expr | None, Expr], ...] = ()
    points: tuple[InstanceRow, ...] = ()
    compares: bool = False

    @property
    def recursive(self) -> bool:
        """It is what its hypotheses define it to be, from one whole number to the next."""
        described = self.formula is not None or self.steps or self.points
        return not described and not self.compares

    def __str__(self) -> str:
        if self.formula is not None:
            return str(self.formula)
        if self.steps:
            return ", ".join(
                f"{value} from {start} on" if start is not None else f"{value}"
                for start, value in self.steps
            )
        if self.points:
            return ", ".join(
                f"{value} at ({', '.join(map(str, point))})"
                for point, value in self.points
            )
        if self.compares:
            return "1 if the first is at most the second, else 0"
        return "as its hypotheses define it, from one whole number to the next"


@dataclass(frozen=True)
class Image:
    """The law of formulas in a variable that has a density."""

    base: Density
    values: tuple[Expr, ...]

    def __str__(self) -> str:
        (variable,) = self.base.variables
        density = " and ".join(str(piece.density) for piece in self.base.pieces)
        values = ", ".join(map(str, self.values))
        return f"({values}), where {variable} has the density {density}"


@dataclass(frozen=True)
class Instance:
    """Values of symbols, rows of laws (or what they are made from), and what named quantities stand
    for.
    """

    values: Mapping[str, Expr] = field(default_factory=dict)
    laws: Mapping[str, tuple[InstanceRow, ...]] = field(default_factory=dict)
    unknown: Mapping[str, Unknown] = field(default_factory=dict)
    images: Mapping[str, Image] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """The instance as it is written to a file."""
        return {
            "values": {name: str(value) for name, value in self.values.items()},
            "laws": {
                name: [[list(map(str, point)), str(mass)] for point, mass in rows]
                for name, rows in self.laws.items()
            },
            "unknown": {
                name: _written(quantity) for name, quantity in self.unknown.items()
            },
            "images": {
                name: _drawn(law_image) for name, law_image in self.images.items()
            },
        }

    def __str__(self) -> str:
        said = [f"{name} = {value}" for name, value in self.values.items()]
        for name, rows in self.laws.items():
            points = [
                f"({', '.join(map(str, point))}) with probability {mass}"
                for point, mass in rows
            ]
            said.append(f"{name} is at {' or '.join(points)}")
        for name, image in self.images.items():
            said.append(f"{name} is the law of {image}")
        for name, quantity in self.unknown.items():
            names = (
                f"({', '.join(quantity.of)})"
                if quantity.of or quantity.formula is not None
                else ""
            )
            said.append(f"{name}{names} is {quantity}")
        return "; ".join(said) or "nothing to choose"


def example(
    values: Mapping[str, InstanceNumber] | None = None,
    laws: Mapping[str, Image | Iterable[tuple[Any, InstanceNumber]]] | None = None,
    **unknown: Any,
) -> Instance:
    """An instance, as an author writes it.

    A law has rows of (value or values, probability), or is an ``image``; a quantity is a formula in
    the names of its arguments, such as ``M=("k", "2*k")``, or an ``Unknown``.
    """
    given = (laws or {}).items()
    return Instance(
        {name: number(value) for name, value in (values or {}).items()},
        {
            name: tuple(map(_row, rows))
            for name, rows in given
            if not isinstance(rows, Image)
        },
        {name: _unknown(quantity) for name, quantity in unknown.items()},
        {name: law_image for name, law_image in given if isinstance(law_image, Image)},
    )


def image(base: Density, *values: InstanceNumber) -> Image:
    """The law of formulas in the variable of a density."""
    return Image(base, tuple(map(number, values)))


def steps(
    first: InstanceNumber,
    *rises: tuple[InstanceNumber, InstanceNumber],
    of: tuple[str, ...] = ("x",),
) -> Unknown:
    """A quantity that has the first value, and another from each start of its last argument on."""
    later = [(number(start), number(value)) for start, value in rises]
    return Unknown(of, steps=((None, number(first)), *later))


def indicator() -> Unknown:
    """1 if the first argument is at most the second, else 0."""
    return Unknown(compares=True)


def recursive() -> Unknown:
    """A quantity that its hypotheses define, from one whole number to the next."""
    return Unknown()


def points(*rows: tuple[Any, InstanceNumber]) -> Unknown:
    """A quantity that is needed at finitely many arguments only."""
    return Unknown(points=tuple(map(_row, rows)))


def read(data: Any) -> Instance:
    """An instance from what was written to a file; ``Refused`` if it is none."""
    try:
        return Instance(
            {str(name): number(text) for name, text in data["values"].items()},
            {
                str(name): tuple(
                    (tuple(map(number, point)), number(mass)) for point, mass in rows
                )
                for name, rows in data["laws"].items()
            },
            {str(name): _read(quantity) for name, quantity in data["unknown"].items()},
            {
                str(name): _read_image(law_image)
                for name, law_image in data["images"].items()
            },
        )
    except (LookupError, TypeError, ValueError, AttributeError, InputError) as error:
        raise Refused(f"this is not an instance: {error}.") from None


def number(value: InstanceNumber) -> Expr:
    """A formula from a number, a formula or a text."""
    if isinstance(value, str):
        return relation(f"0 == {value}").right
    if isinstance(value, int | Fraction | Expr):
        return formula(value)
    raise Refused(f"{value!r} is neither a number nor a formula.")


def _row(row: tuple[Any, InstanceNumber]) -> InstanceRow:
    point, mass = row
    values = point if isinstance(point, tuple | list) else (point,)
    return tuple(map(number, values)), number(mass)


def _unknown(given: Any) -> Unknown:
    if isinstance(given, Unknown):
        return given
    *names, value = given if isinstance(given, tuple) else (given,)
    return Unknown(tuple(names), number(value))


def _written(quantity: Unknown) -> dict[str, Any]:
    rises = [
        [None if start is None else str(start), str(value)]
        for start, value in quantity.steps
    ]
    return {
        "of": list(quantity.of),
        "formula": None if quantity.formula is None else str(quantity.formula),
        "steps": rises,
        "points": [
            [list(map(str, point)), str(value)] for point, value in quantity.points
        ],
        "compares": quantity.compares,
    }


def _read(data: Any) -> Unknown:
    return Unknown(
        tuple(map(str, data["of"])),
        None if data["formula"] is None else number(data["formula"]),
        tuple(
            (None if start is None else number(start), number(value))
            for start, value in data["steps"]
        ),
        tuple(
            (tuple(map(number, point)), number(value))
            for point, value in data["points"]
        ),
        data["compares"] is True,
    )


def _drawn(law_image: Image) -> dict[str, Any]:
    ends = [(piece.lower, piece.upper) for piece in law_image.base.pieces]
    return {
        "name": law_image.base.name,
        "variable": law_image.base.variables[0],
        "pieces": [
            [None if end is None else str(end) for end in pair] + [str(piece.density)]
            for pair, piece in zip(ends, law_image.base.pieces, strict=True)
        ],
        "values": list(map(str, law_image.values)),
    }


def _read_image(data: Any) -> Image:
    pieces = tuple(
        Stretch(
            None if lower is None else number(lower),
            None if upper is None else number(upper),
            number(density),
        )
        for lower, upper, density in data["pieces"]
    )
    base = Density(str(data["name"]), (str(data["variable"]),), (), pieces)
    return image(base, *data["values"])
