"""The margin of a statement in its witness, for statements that need laws and quantities which
chance does not find.
"""

from collections.abc import Iterator
from typing import Any

from rdpacct.book.numeric.values import Env, Numbers, NumericValue, Unsupported
from rdpacct.exact.formula import Expr
from rdpacct.proof.instance import Instance, Unknown, read
from rdpacct.proof.kernel.laws import Exchangeable, Law, Ranked
from rdpacct.proof.kernel.terms import Refused
from rdpacct.proof.proof_files import shipped
from rdpacct.proof.theorem import Statement
from rdpacct.proof.witness import Witness, laws_in


def instance_of(name: str, part: Statement) -> Instance | None:
    """The witness of a statement: the one that its author gives, or the one that ships with its
    derivation.
    """
    given = part.witness() if callable(part.witness) else part.witness
    if given is not None:
        return given.instance if isinstance(given, Witness) else given
    file = shipped(name)
    witness = file.record.witnesses.get(part.name) if file else None
    try:
        return None if witness is None else read(witness[0])
    except Refused:
        return None


class Witnessed(Numbers):
    """Numbers in an instance, which says what quantities stand for."""

    def __init__(self, mp: Any, part: Statement, instance: Instance) -> None:
        super().__init__(mp)
        self.unknown = instance.unknown
        self.point = {
            name: self.value(value, {}) for name, value in instance.values.items()
        }
        named = {law.name: law for law in laws_in(part)}
        for name, rows in instance.laws.items():
            if name in named:
                self.laws[name] = [
                    (self._row(named[name], point), self.value(mass, self.point))
                    for point, mass in rows
                ]

    def _row(self, law: Law, point: tuple[Expr, ...]) -> dict[str, NumericValue]:
        values = [self.value(coordinate, self.point) for coordinate in point]
        if isinstance(law, Ranked):
            raise Unsupported(f"{law.name} is about ranks")
        if isinstance(law, Exchangeable):
            count = int(self.value(law.count, self.point))
            values = [values[count - 1], sum(values[:count]), *values[count:]]
        if len(values) != len(law.variables):
            raise Unsupported(f"the rows of {law.name} are of something else")
        return dict(zip(law.variables, values, strict=True))

    def places(self) -> Iterator[dict[str, NumericValue]]:
        """The point of the instance, together with each row of its laws."""
        yield self.point
        for rows in self.laws.values():
            for row, _ in rows:
                yield {**self.point, **row}

    def quantity(self, name: str, arguments: list[NumericValue]) -> NumericValue:
        """What the instance says that a quantity is."""
        known = self.unknown.get(name)
        if known is None or known.recursive:
            return super().quantity(name, arguments)
        if known.formula is not None:
            return self.value(
                known.formula,
                {**self.point, **dict(zip(known.of, arguments, strict=True))},
            )
        return self._found(name, known, arguments)

    def _found(
        self, name: str, known: Unknown, arguments: list[NumericValue]
    ) -> NumericValue:
        for at, value in known.points:
            place = [self.value(coordinate, self.point) for coordinate in at]
            if place == arguments:
                return self.value(value, self.point)
        step: Expr | None = None
        for start, value in known.steps:
            if start is None or self.value(start, self.point) <= arguments[0]:
                step = value
        if step is None:
            return super().quantity(name, arguments)
        return self.value(step, self.point)


def in_witness(
    mp: Any, name: str, part: Statement
) -> Iterator[tuple[Env, NumericValue, NumericValue]]:
    """The point, the margin and the error of a statement in its witness."""
    instance = instance_of(name, part)
    if instance is None:
        return
    numbers = Witnessed(mp, part, instance)
    for place in numbers.places():
        if part.claim.symbols() <= place.keys():
            yield place, numbers.margin(part.claim, place), numbers.error
