"""A pointwise relation on the average: which means are finite is found among what is known.

The sides are taken apart into terms, each a factor that the law does not speak of times a formula
whose mean is known to be finite.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from rdpacct.exact.formula import (
    Apply,
    Expr,
    Power,
    Rational,
    Real,
    Sum,
    formula,
    multiply,
)
from rdpacct.exact.functions import absolute
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    Refused,
    at_most,
    combine,
    dominated,
    expect,
    integrable,
    linear,
    real,
    specialize,
)
from rdpacct.proof.kernel.statements import Integrable
from rdpacct.proof.kernel.terms import Expectation, atoms_of

AveragedParts = Mapping[Expr, Real]
FactorPowers = frozenset[tuple[Expr, int]]


def on_average(
    line: Fact,
    law: Law,
    *known: Fact,
    given: tuple[str, ...] | str = (),
    where: tuple[str | Condition, ...] = (),
) -> Fact:
    """The means of both sides of a relation that holds pointwise, term by term.

    A term is finite if one of the known facts speaks of its mean, or if it is at most 1 on the
    support; a left side that is not negative is finite if the right one is.
    """
    names = (given,) if isinstance(given, str) else given
    means = Means(law, names, where, known)
    right = means.side(line.relation.right)
    left = means.below(line, right) or means.side(line.relation.left)
    finite = (*left.finite, *right.finite)
    over = expect(line, law, *finite, given=names)
    apart = (*left.apart, *right.apart)
    if not apart:
        return over
    claim = Comparison(left.mean, line.relation.sign, right.mean)
    return combine(claim, over, *apart, given=where)


class AveragedSide:
    """The mean of a side of a relation, and how it is known."""

    def __init__(
        self, mean: Expr, finite: tuple[Fact, ...] = (), apart: tuple[Fact, ...] = ()
    ) -> None:
        self.mean = mean
        self.finite = finite
        self.apart = apart


class Means:
    """The means under a law, given some of its variables, that are known to be finite."""

    def __init__(
        self,
        law: Law,
        given: tuple[str, ...],
        where: tuple[str | Condition, ...],
        known: tuple[Fact, ...],
    ) -> None:
        self.law = law
        self.given = tuple(sorted(given))
        self.where = where
        self.bound = set(law.variables) - set(given)
        self.finite = dict(self._bodies(known))

    def _bodies(self, known: tuple[Fact, ...]) -> Iterator[tuple[Expr, Fact]]:
        for fact in known:
            if isinstance(fact.statement, Integrable):
                yield fact.statement.body, fact
            elif isinstance(fact.statement, Comparison):
                for atom in atoms_of(fact.statement) - fact.loose:
                    if isinstance(atom, Expectation) and self._is_ours(atom):
                        yield atom.body, integrable(fact, atom)

    def _is_ours(self, atom: Expectation) -> bool:
        return (atom.law, atom.given) == (self.law, self.given)

    def side(self, side: Expr) -> AveragedSide:
        """The mean of a formula, taken apart where it is not known as a whole."""
        if not side.symbols() & self.bound:
            return AveragedSide(side)
        if side in self.finite:
            return AveragedSide(E(self.law, side, self.given), (self.finite[side],))
        parts, constant = self._apart(side)
        flat = linear(
            self.law,
            side,
            parts,
            *(self.finite[body] for body in parts),
            constant=constant,
            given=self.given,
            where=self.where,
        )
        whole = integrable(flat, E(self.law, side, self.given))
        return AveragedSide(flat.relation.right, (whole,), (flat,))

    def below(self, line: Fact, right: AveragedSide) -> AveragedSide | None:
        """The mean of a left side that is not negative and not known by its own terms."""
        left = line.relation.left
        if line.relation.sign == "==" or self._has_terms(left):
            return None
        try:
            sign = self._positive(left)
        except Refused:
            return None
        finite = dominated(line, self.law, *right.finite, lower=sign, given=self.given)
        return AveragedSide(E(self.law, left, self.given), (finite,))

    def _positive(self, side: Expr) -> Fact:
        if isinstance(side, Apply) and side.function == "abs":
            return specialize(real("0 <= abs(v)"), v=side.arguments[0])
        return real(at_most(0, side), *self.law.support)

    def _has_terms(self, side: Expr) -> bool:
        """Whether the means of all terms are known, without a bound."""
        bodies = (self._split(term)[1] for term in self._terms(side))
        known = {_factors(self._split(body)[1]) for body in self.finite}
        known.add(_factors(formula(1)))
        return side in self.finite or all(_factors(body) in known for body in bodies)

    def _apart(self, side: Expr) -> tuple[AveragedParts, Expr]:
        """The bodies with their factors, and what the law does not speak of."""
        parts = dict[Expr, Expr]()
        constant = formula(0)
        for term in self._terms(side):
            fixed, bound = self._split(term)
            if bound == formula(1):
                constant = constant + fixed
                continue
            body = self._known(bound)
            factor = _ratio(fixed, self._split(body)[0])
            parts[body] = parts.get(body, formula(0)) + factor
        return parts, constant

    def _split(self, term: Expr) -> tuple[Expr, Expr]:
        fixed, bound = list[Expr](), list[Expr]()
        for factor in _unfolded(term):
            (bound if factor.symbols() & self.bound else fixed).append(factor)
        return multiply(1, *fixed), multiply(1, *bound)

    def _known(self, body: Expr) -> Expr:
        """The same body as it is known to be finite, or one that is at most 1."""
        for known in self.finite:
            if _factors(self._split(known)[1]) == _factors(body):
                return known
        try:
            small = real(at_most(absolute(body), 1), *self.law.support)
        except Refused:
            mean = E(self.law, body, self.given)
            raise Refused(f"it is not known that {mean} is finite.") from None
        self.finite[body] = dominated(small, self.law, given=self.given)
        return body

    def _terms(self, expr: Expr) -> Iterator[Expr]:
        """The terms of a sum, with sums multiplied out where they are not known as they are."""
        if isinstance(expr, Sum):
            for term in expr.terms:
                yield from self._terms(term)
            return
        fixed, bound = self._split(expr)
        sums = [factor for factor in _unfolded(bound) if isinstance(factor, Sum)]
        if not sums or any(
            _factors(bound) == _factors(self._split(body)[1]) for body in self.finite
        ):
            yield expr
            return
        rest = list(_unfolded(bound))
        rest.remove(sums[0])
        for term in sums[0].terms:
            yield from self._terms(multiply(fixed, term, *rest))


def _factors(expr: Expr) -> FactorPowers:
    """The factors of a product, each with its number, in no order."""
    return frozenset(Counter(_unfolded(expr)).items())


def _ratio(fixed: Expr, scale: Expr) -> Expr:
    """The first over the second, with common factors taken out."""
    above = Counter(_unfolded(fixed))
    below = Counter(_unfolded(scale))
    common = above & below
    top = multiply(1, *(above - common).elements())
    bottom = multiply(1, *(below - common).elements())
    return top if bottom == formula(1) else top / bottom


def _unfolded(expr: Expr) -> Iterator[Expr]:
    """The factors of a product, a square as two of them."""
    for factor in expr.factors_of():
        count = _small_exponent(factor)
        if isinstance(factor, Power) and count:
            yield from list(_unfolded(factor.base)) * count
        else:
            yield factor


def _small_exponent(factor: Expr) -> int:
    """The exponent of a square or the like; 0 of other factors."""
    if not isinstance(factor, Power) or not isinstance(factor.exponent, Rational):
        return 0
    exponent = factor.exponent.value
    return int(exponent) if exponent in (2, 3, 4) else 0
