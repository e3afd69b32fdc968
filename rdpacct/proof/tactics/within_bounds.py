"""Numbers within bounds: products, sums and quotients of them, each with its proof."""

from dataclasses import dataclass
from functools import cache

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel import (
    Condition,
    Fact,
    Refused,
    at_most,
    below,
    combine,
    given_by,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.terms import replace

B, y, z, u, v = map(Symbol, ("B", "y", "z", "u", "v"))


def filled(lemma: Fact, values: dict[str, Expr], *facts: Fact) -> Fact:
    """A lemma at these values, whose first conditions are what these facts say."""
    known = [
        _said(condition, values, fact)
        for condition, fact in zip(lemma.domain, facts, strict=False)
    ]
    # what a fact only repeats stays a condition
    shown = [fact for fact in known if fact.relation not in fact.domain]
    return given_by(specialize(lemma, **values), *shown)


def _said(condition: Condition, values: dict[str, Expr], fact: Fact) -> Fact:
    """The fact in the words of the condition."""
    if not isinstance(condition, Comparison):
        raise Refused(f"the lemma has a condition that is no relation: {condition}.")
    claim = replace(condition, values)
    return fact if fact.relation == claim else combine(claim, fact)


@dataclass(frozen=True)
class WithinBounds:
    """Facts that a number is at most its bound, and at least the opposite."""

    value: Expr
    bound: Expr
    above: Fact
    below: Fact

    def at(self, **values: Expr) -> "WithinBounds":
        """The same at other values of its symbols."""
        return WithinBounds(
            self.value.at(**values),
            self.bound.at(**values),
            specialize(self.above, **values),
            specialize(self.below, **values),
        )

    def given_by(self, *known: Fact) -> "WithinBounds":
        """The same without what is known."""
        above, below_ = (given_by(fact, *known) for fact in (self.above, self.below))
        return WithinBounds(self.value, self.bound, above, below_)

    def under(self, *given: str) -> "WithinBounds":
        above, below = (under(fact, *given) for fact in (self.above, self.below))
        return WithinBounds(self.value, self.bound, above, below)

    def within(self, small: Expr, large: Expr, scale: Real = 1) -> "WithinBounds":
        """The same with a larger bound: the present one is small times the scale."""
        more = real(at_most(small, large), "1 <= B"), formula(scale)
        return self.wider(large * scale, more)

    def wider(self, bound: Expr, *more: tuple[Fact, Real]) -> "WithinBounds":
        """The same with a bound that these facts show to be larger."""
        return WithinBounds(
            self.value,
            bound,
            combine(at_most(self.value, bound), self.above, *more),
            combine(at_most(-bound, self.value), self.below, *more),
        )

    def times(self, factor: Real, *given: str) -> "WithinBounds":
        """The same times a number that is certainly not negative."""
        value, bound = formula(factor) * self.value, formula(factor) * self.bound
        above = combine(at_most(value, bound), (self.above, factor), given=given)
        below = combine(at_most(-bound, value), (self.below, factor), given=given)
        return WithinBounds(value, bound, above, below)


@cache
def products() -> tuple[Fact, Fact]:
    """A product of two numbers lies within the product of their bounds: u v - y z is the mean of (u
    - y)(v + z) and (u + y)(v - z).
    """
    sizes = "y <= u", "-u <= y", "z <= v", "-v <= z"
    above, below_, *known = (real(one, one) for one in sizes)
    more, less = (v + z) / 2, (v - z) / 2
    others = [(fact, 0) for fact in known]
    return (
        combine("y*z <= u*v", (above, more), (below_, less), *others),
        combine("-(u*v) <= y*z", (above, less), (below_, more), *others),
    )


def product(first: WithinBounds, second: WithinBounds) -> WithinBounds:
    """A product of two numbers within their bounds."""
    values = {"y": first.value, "u": first.bound, "z": second.value, "v": second.bound}
    facts = (first.above, first.below, second.above, second.below)
    above, below_ = (filled(fact, values, *facts) for fact in products())
    value, bound = first.value * second.value, first.bound * second.bound
    return WithinBounds(value, bound, above, below_)


def raised(before: WithinBounds, start: WithinBounds, order: int) -> WithinBounds:
    """A power of a number, from the one before it."""
    whole = product(before, start)
    value, bound = start.value**order, start.bound**order
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), whole.above),
        combine(at_most(-bound, value), whole.below),
    )


def total(
    value: Expr, terms: list[tuple[WithinBounds, int]], *same: tuple[Fact, Real]
) -> WithinBounds:
    """A sum of numbers with factors, by what each lies within; of an equation with a factor the
    left side less the right one is added.
    """
    bound = sum((abs(factor) * term.bound for term, factor in terms), formula(0))
    above = [_one_side(term, factor) for term, factor in terms]
    below_ = [_one_side(term, -factor) for term, factor in terms]
    minus = [(fact, -formula(factor)) for fact, factor in same]
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), *above, *same),
        combine(at_most(-bound, value), *below_, *minus),
    )


def _one_side(term: WithinBounds, factor: int) -> tuple[Fact, Real]:
    return (term.above, factor) if factor > 0 else (term.below, -factor)


def divided(
    whole: WithinBounds, value: Expr, divisor: Expr, known: Fact
) -> WithinBounds:
    """A number from its product with a divisor, of which it is known that 1 <= divisor B."""
    sign = combine(below(0, divisor), (known, 1 / B), rest=1 / B, given=("1 <= B",))
    bound = whole.bound * B
    uses = ((known, whole.bound / divisor), (sign, 0))
    return WithinBounds(
        value,
        bound,
        combine(at_most(value, bound), (whole.above, 1 / divisor), *uses),
        combine(at_most(-bound, value), (whole.below, 1 / divisor), *uses),
    )
