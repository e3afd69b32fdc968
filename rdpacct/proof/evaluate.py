"""The evaluator: what formulas, laws and relations with expectations come to in an instance.

An expectation under a finite law becomes a finite sum. What is left is a relation between real
formulas: of numbers it is decided by exact arithmetic or by a ball that has a sign; with symbols
that are bound, or where that does not decide, by a certificate that the checker accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property

from rdpacct.exact.formula import Apply, Expr, Power, Rational, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.finite_laws import (
    all_places,
    finite_given,
    is_finite,
    is_sequence,
)
from rdpacct.proof.instance import Instance
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.kernel.laws import Chain, Event, Independent, Law
from rdpacct.proof.kernel.side import establish, is_pure, one_of
from rdpacct.proof.kernel.statements import Condition, Exists, On, Whole, laws_of
from rdpacct.proof.kernel.terms import (
    Expectation,
    Quantity,
    Refused,
    at_most,
    below,
    equal,
)

Valuation = Mapping[str, Expr]
WeightedPlace = tuple[dict[str, Expr], Expr]
"""A value for each variable of a law, and the probability of these."""


class Known:
    """Facts that may say what finite sums do not: relations, and what these are made from, for the
    existence of laws.
    """

    def __init__(self, relations: Iterable[Fact] = (), within: Iterable[Fact] = ()):
        self.relations = tuple(filter(_is_plain, relations))
        self.within = (*self.relations, *within)

    @cached_property
    def laws(self) -> list[tuple[Law, Fact]]:
        """The laws of which a fact speaks without the condition that there is such a law."""
        facts_by_law = dict[tuple[Law, tuple[Condition, ...]], Fact]()
        for top in self.within:
            for fact in filter(_is_plain, top.all_parents()):
                for law in laws_of(fact.statement):
                    if type(law) is not Law and Exists(law) not in fact.domain:
                        facts_by_law.setdefault((law, fact.domain), fact)
        return [(law, fact) for (law, _), fact in facts_by_law.items()]


def _is_plain(fact: Fact) -> bool:
    return not fact.hypotheses and not fact.loose and not fact.axioms


class World:
    """An instance in which relations are evaluated."""

    def __init__(self, instance: Instance, known: Known | None = None) -> None:
        self.instance = instance
        self.known = known or Known()
        self._standing = dict[str, Expr]()
        self._asked = list[Law]()
        self._places = dict[
            tuple[Law, tuple[tuple[str, Expr], ...]], list[WeightedPlace]
        ]()

    # Formulas

    def formula(
        self, expr: Expr, point: Valuation, domain: tuple[Condition, ...] = ()
    ) -> Expr:
        """The formula in this instance; it is seen to that it is defined on the domain."""
        if isinstance(expr, Symbol):
            return point.get(expr.name, expr)
        if isinstance(expr, Expectation):
            return self._mean(expr, point, domain)
        parts = tuple(self.formula(part, point, domain) for part in expr.parts())
        if isinstance(expr, Quantity):
            return self._quantity(expr.name, parts, domain)
        self._is_defined(expr, parts, domain)
        try:
            return expr.rebuild(parts)
        except ZeroDivisionError:
            raise Refused(f"{expr} is undefined in the instance.") from None

    def _is_defined(
        self, expr: Expr, parts: tuple[Expr, ...], domain: tuple[Condition, ...]
    ) -> None:
        if isinstance(expr, Apply) and expr.function in ("log", "sqrt"):
            compare = below if expr.function == "log" else at_most
            self.decide(compare(0, parts[0]), domain)
        if not isinstance(expr, Power):
            return
        base, exponent = parts
        whole = isinstance(exponent, Rational) and exponent.value.denominator == 1
        if not whole:
            self.decide(below(0, base), domain)
        elif isinstance(exponent, Rational) and exponent.value < 0:
            self._is_not_zero(base, domain)

    def _is_not_zero(self, expr: Expr, domain: tuple[Condition, ...]) -> None:
        if not expr.symbols():
            if equal(expr, 0).at({}) is not False:
                raise Refused(f"{expr} may be zero, and is divided by.")
        elif is_pure(equal(expr, 0)):
            one_of((below(0, expr), below(expr, 0)), domain)

    def _quantity(
        self, name: str, arguments: tuple[Expr, ...], domain: tuple[Condition, ...]
    ) -> Expr:
        if name in self._standing:
            return self._standing[name]
        unknown = self.instance.unknown.get(name)
        if unknown is None or unknown.recursive:
            raise Refused(f"the instance does not say what {name} is.")
        if unknown.formula is not None:
            if len(unknown.of) != len(arguments):
                raise Refused(f"{name} has another number of arguments.")
            values = {**self.values, **dict(zip(unknown.of, arguments, strict=True))}
            if unknown.formula.symbols() - values.keys():
                raise Refused(f"{name} speaks of something that has no value.")
            return self.formula(unknown.formula, values, domain)
        for point, value in unknown.points:
            if len(point) == len(arguments) and all(
                self._same(*pair) for pair in zip(point, arguments, strict=True)
            ):
                return self.formula(value, self.values)
        if unknown.compares and len(arguments) == 2:
            return formula(int(self._is_reached(*arguments, domain)))
        if unknown.steps and len(arguments) == len(unknown.of):
            *others, last = arguments
            values = {**self.values, **dict(zip(unknown.of, others, strict=False))}
            return self.formula(self._step(unknown.steps, last, domain), values)
        raise Refused(
            f"the instance does not say what {name}({', '.join(map(str, arguments))})"
            " is."
        )

    def _step(
        self,
        rises: tuple[tuple[Expr | None, Expr], ...],
        argument: Expr,
        domain: tuple[Condition, ...],
    ) -> Expr:
        """The value of the last step that starts at or below the argument, as it is written."""
        last_value = rises[0][1]
        for start, value in rises[1:]:
            if start is None:
                raise Refused("only the first step starts at minus infinity.")
            if self._is_reached(start, argument, domain):
                last_value = value
        return last_value

    def _is_reached(
        self, start: Expr, argument: Expr, domain: tuple[Condition, ...]
    ) -> bool:
        """Whether the start is at most the argument; if they have symbols the domain says so."""
        if not argument.symbols() and not start.symbols():
            return self.is_true(at_most(start, argument))
        for condition in domain:
            if condition == at_most(start, argument):
                return True
            if condition == below(argument, start):
                return False
            past = (
                None if start.symbols() else self._is_past(start, argument, condition)
            )
            if past is not None:
                return past
        raise Refused(f"it is not known whether {start} is at most {argument}.")

    def _is_past(
        self, start: Expr, argument: Expr, condition: Condition
    ) -> bool | None:
        """Whether the start is at most the argument, if one bound on the argument says so."""
        if not isinstance(condition, Comparison):
            return None
        if condition.right == argument and not condition.left.symbols():
            return True if self.is_true(at_most(start, condition.left)) else None
        if (
            condition.left == argument
            and condition.sign == "<"
            and not condition.right.symbols()
        ):
            return False if self.is_true(at_most(condition.right, start)) else None
        return None

    @cached_property
    def values(self) -> dict[str, Expr]:
        """The values of the symbols."""
        return dict(self.instance.values)

    @contextmanager
    def standing(self, name: str, value: Expr) -> Iterator[None]:
        """Let a quantity stand for a value, whatever its argument."""
        self._standing[name] = value
        try:
            yield
        finally:
            del self._standing[name]

    # Expectations and laws

    def _mean(
        self, expr: Expectation, point: Valuation, domain: tuple[Condition, ...]
    ) -> Expr:
        """A finite sum over the places that agree with what is given; an expectation under a law
        that is not finite stays one.
        """
        law = expr.law
        given = set(expr.given)
        if not self.is_finite(law, point):
            rest = finite_given(self, law, given, expr.body.symbols())
            if rest is None:
                return self._infinite(expr, point)
            law, given = rest, given & set(rest.variables)
        total = formula(0)
        mass = formula(0)
        for place, weight in self.places(law, point):
            if all(self._same(place[name], point.get(name)) for name in given):
                inside = {**point, **place}
                total = total + weight * self.formula(expr.body, inside, domain)
                mass = mass + weight
        if not given:
            return total
        self.decide(below(0, mass), domain)
        return total / mass

    def _infinite(self, expr: Expectation, point: Valuation) -> Expr:
        """An expectation that stays one, at the values of the instance; if the law is made from a
        density, under that.
        """
        image = self.instance.images.get(expr.law.name)
        if image is not None and type(expr.law) is Law and not expr.given:
            values = dict(zip(expr.law.variables, image.values, strict=True))
            if expr.symbols() & {*image.base.variables}:
                raise Refused(f"{expr} already speaks of {image.base.variables[0]}.")
            expr = Expectation(image.base, expr.body.at(**values))
        return _moved(expr, point)

    def is_finite(self, law: Law, point: Valuation) -> bool:
        """The law has finitely many places in the instance."""
        return is_finite(self, law, point)

    def places(self, law: Law, point: Valuation) -> list[WeightedPlace]:
        """The places of a finite law, each with its probability; refused if these are none, or
        outside of the support.
        """
        key = (
            law,
            tuple(sorted((n, point[n]) for n in law.parameters() if n in point)),
        )
        if key not in self._places:
            places = all_places(self, law, point)
            self._is_law(law, places, point)
            self._places[key] = places
        return self._places[key]

    def _is_law(self, law: Law, places: list[WeightedPlace], point: Valuation) -> None:
        """The probabilities add up to 1, and what is possible is in the support."""
        for place, mass in places:
            self.decide(at_most(0, mass))
            if self._is_possible(mass):
                for limit in law.support:
                    self.relation(limit, {**point, **place})
        self.decide(equal(sum((mass for _, mass in places), formula(0)), 1))

    def likely(self, law: Law, point: Valuation) -> list[WeightedPlace]:
        """The places of a finite law that have a positive probability."""
        return [
            place for place in self.places(law, point) if self._is_possible(place[1])
        ]

    # Relations

    def relation(
        self, relation: Comparison, point: Valuation, domain: tuple[Condition, ...] = ()
    ) -> None:
        """Refuse a relation that is not seen to hold in this instance."""
        here = self.relation_in(relation, point, domain)
        self.decide(here, domain)

    def relation_in(
        self, relation: Comparison, point: Valuation, domain: tuple[Condition, ...] = ()
    ) -> Comparison:
        """The relation as it reads in this instance."""
        left = self.formula(relation.left, point, domain)
        right = self.formula(relation.right, point, domain)
        return Comparison(left, relation.sign, right)

    def decide(self, relation: Comparison, domain: tuple[Condition, ...] = ()) -> None:
        """Refuse a relation between real formulas that is not seen to hold on the domain."""
        if not is_pure(relation):
            self._is_known(relation, domain)
            return
        if not relation.symbols():
            holds = relation.at({})
            if holds is False:
                raise Refused(f"{relation} is false in the instance.")
            if holds is True:
                return
        if not self._is_said(relation, domain):
            establish(relation, domain)

    def _is_said(self, relation: Comparison, domain: tuple[Condition, ...]) -> bool:
        """A fact that the author gives says just that, wherever the domain is."""
        return any(
            fact.statement == relation and all(c in domain for c in fact.domain)
            for fact in self.known.relations
        )

    def is_true(self, relation: Comparison) -> bool:
        """Whether a relation between numbers holds; refused if that is not decided."""
        if relation.symbols() or not is_pure(relation):
            raise Refused(f"{relation} is not about numbers.")
        holds = relation.at({})
        if holds is None:
            establish(relation, ())
            return True
        return holds

    def _same(self, one: Expr, other: Expr | None) -> bool:
        if other is None:
            raise Refused("something is conditioned on that has no value.")
        return one == other or self.is_true(equal(one, other))

    def _is_possible(self, mass: Expr) -> bool:
        return not self.is_true(equal(mass, 0))

    def _is_known(self, relation: Comparison, domain: tuple[Condition, ...]) -> None:
        """A fact says it: the same relation at the values of the instance, on a domain that holds
        here.
        """
        for fact in self.known.relations:
            if not isinstance(fact.statement, Comparison):
                continue
            here = {n: v for n, v in self.values.items() if n not in relation.symbols()}
            try:
                said = self.relation_in(fact.relation, here, domain)
            except Refused:
                continue
            if implies(said, relation) and self._is_inside(fact, domain, here):
                return
        raise Refused(f"no sum and no fact says that {relation}.")

    def _is_inside(
        self, fact: Fact, domain: tuple[Condition, ...], point: Valuation
    ) -> bool:
        """The conditions of a fact hold at the point, for all values of the other symbols in the
        domain.
        """
        try:
            for condition in fact.domain:
                if condition not in domain:
                    self.condition(condition, domain, point)
        except Refused:
            return False
        return True

    def condition(
        self,
        condition: Condition,
        domain: tuple[Condition, ...] = (),
        point: Valuation | None = None,
    ) -> None:
        """Refuse a condition that does not hold, at the values of the instance if no others are
        given.
        """
        here = self.values if point is None else point
        if isinstance(condition, Comparison):
            self.relation(condition, here, domain)
        elif isinstance(condition, Exists):
            self.exists(condition.law, here)
        elif isinstance(condition, On):
            raise Refused(f"it is not known that the point is {condition}.")
        else:
            _is_whole(condition, here)

    # Existence

    def exists(self, law: Law, point: Valuation) -> None:
        """Refuse a law that is not seen to be there: by its places, or by a fact that speaks of it
        without the condition that there is such a law.
        """
        if self.is_finite(law, point):
            self.places(law, point)
        elif isinstance(law, Chain):
            is_sequence(self, law, point)
        elif isinstance(law, Event | Independent):
            for base in law.bases():
                self.exists(base, point)
        elif type(law) is Law:
            self._is_image(law, point)
        else:
            self._is_shown(law, point)

    def _is_image(self, law: Law, point: Valuation) -> None:
        """The law is made from a density, and stays in its support."""
        image = self.instance.images.get(law.name)
        if image is None or len(image.values) != len(law.variables):
            raise Refused(f"the instance does not say what {law.name} is.")
        self.exists(image.base, point)
        values = dict(zip(law.variables, image.values, strict=True))
        for piece in image.base.pieces:
            domain = piece.where(image.base.variables[0])
            for limit in law.support:
                self.relation(limit, {**point, **values}, domain)
            for value in image.values:
                self.formula(value, {}, domain)

    def _is_shown(self, law: Law, point: Valuation) -> None:
        here = law.at(**_relevant(law, point))
        if here in self._asked:
            raise Refused(f"that {law.name} is a law would follow from itself.")
        self._asked.append(here)
        try:
            self._is_shown_by_facts(law, here, point)
        finally:
            self._asked.pop()

    def _is_shown_by_facts(self, law: Law, here: Law, point: Valuation) -> None:
        for other, fact in self.known.laws:
            same = type(other) is type(law) and _at(other, point) == here
            if same and self._is_inside(fact, (), point):
                return
        raise Refused(f"it is not shown that {law.name} is a law in the instance.")


def _is_whole(condition: Whole, point: Valuation) -> None:
    """Refuse a value that is not a whole number from the start on."""
    value = point.get(condition.name)
    if (
        not isinstance(value, Rational)
        or value.value.denominator != 1
        or value.value < condition.start
    ):
        raise Refused(
            f"{condition.name} is {value}, no whole number from {condition.start} on."
        )


def _relevant(law: Law, point: Valuation) -> dict[str, Expr]:
    return {name: point[name] for name in law.parameters() if name in point}


def _at(law: Law, point: Valuation) -> Law | None:
    try:
        return law.at(**_relevant(law, point))
    except Refused:
        return None


def _moved(expr: Expectation, point: Valuation) -> Expr:
    """An expectation that stays one, at the values of the instance."""
    return expr.at(**{name: point[name] for name in expr.symbols() if name in point})


def implies(said: Comparison, wanted: Comparison) -> bool:
    """One relation is the other, perhaps with its sides rearranged or less strict."""
    if said == wanted:
        return True
    signs = {"<": ("<", "<="), "<=": ("<=",), "==": ("==", "<=")}[said.sign]
    if wanted.sign not in signs:
        return False
    gap = said.right - said.left
    other = wanted.right - wanted.left
    return gap == other or (said.sign == "==" and -gap == other)


def opposite(relation: Comparison) -> tuple[Comparison, ...]:
    """The relations of which each contradicts this one."""
    if relation.sign == "<":
        return (at_most(relation.right, relation.left),)
    if relation.sign == "<=":
        return (below(relation.right, relation.left),)
    return below(relation.left, relation.right), below(relation.right, relation.left)
