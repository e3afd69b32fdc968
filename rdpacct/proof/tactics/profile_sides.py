"""Two losses, of which one has the smaller hockey sticks: integrals over levels on both sides of 0.

Above 0 the hockey sticks themselves are integrated; below, those of the exchanged pairs, which
differ from them by the masses of the second laws. These and the shares of finite losses stand in
the tails of the larger integral.
"""

from collections.abc import Generator
from dataclasses import dataclass

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    Condition,
    E,
    Fact,
    Law,
    assume,
    at_most,
    combine,
    dominated,
    expect,
    independent_of,
    integrable,
    integrate,
    linear,
    marginal,
    real,
    relations,
    specialize,
)
from rdpacct.proof.tactics.normal import antiderivative
from rdpacct.proof.tactics.profiles import (
    SIDES,
    averaged,
    on_both_sides,
    over_levels,
    stick,
    stick_is_bounded,
    turned,
    turned_is_positive,
)
from rdpacct.proof.tactics.subgaussian import finite
from rdpacct.proof.theorem import Step

e, eps, A, L, F, M, K = (Symbol(name) for name in ("e", "eps", "A", "L", "F", "M", "K"))

P = Law("P", ("L", "F"), relations("0 <= F", "F <= 1"))
"""A loss, and the share on which it is finite."""
Q = Law("Q", ("M",))
"""A loss that is finite."""


def share_stick(share: Expr, loss: Expr, level: Expr = e) -> Expr:
    """The hockey stick of a loss that is finite on a share only."""
    return 1 - share + share * stick(level, loss)


def share_is_finite(law: Law, name: Expr) -> Fact:
    """A probability is finite."""
    return dominated(specialize(real("abs(x) <= 1", "0 <= x", "x <= 1"), x=name), law)


def share_at_most_one(law: Law, name: Expr) -> Fact:
    return expect(
        real(at_most(name, 1), at_most(name, 1)), law, share_is_finite(law, name)
    )


STICK = share_stick(F, L, eps)
DOMINATED = assume(at_most(E(P, STICK), E(Q, stick(eps, M))), every="eps")
"""The hockey stick of L is at most that of M, at every eps."""


def infinite_share(promise: Fact, bound: Fact, total: Fact) -> Fact:
    """E (1 - F) is at most any upper bound on the hockey stick of the other pair: at most
    ``bound``, whose mean is ``total``.
    """
    small = F * stick(eps, L)
    known = stick_is_bounded(P, eps, L, F)
    split = linear(
        P, STICK, {F: -1, small: 1}, share_is_finite(P, F), known, constant=1
    )
    sign = specialize(real("0 <= max(0, x)"), x=1 - exp(eps - L))
    least = expect(combine(at_most(0, small), (sign, F), given=("0 <= F",)), P, known)
    rest = linear(P, 1 - F, {F: -1}, share_is_finite(P, F), constant=1)
    over = expect(bound, Q, stick_is_bounded(Q, eps, M), finite(total))
    claim = at_most(E(P, 1 - F), total.relation.right)
    return combine(claim, rest, (promise, 1), (least, 1), (over, 1), split, total)


@dataclass(frozen=True)
class Sides:
    """A function of a loss x as an integral over levels on both sides of 0, for two laws: of L with
    the share F on which it is finite, and of M with the share K, or 1.
    """

    first: Law
    other: Law
    share: Real
    weight: Expr
    primitive: Expr
    value: Expr
    given: tuple[str | Condition, ...]

    @property
    def below(self) -> Expr:
        """What the masses of the second laws count for below 0."""
        return self.weight * (A * exp(e))

    @property
    def above(self) -> Expr:
        """What the shares count for above 0."""
        return self.weight * (1 - A)

    def integral_below(self, primitive: Expr) -> Fact:
        """The integral of ``below``."""
        mass = (antiderivative(e),) * 2
        return integrate(
            SIDES, self.below, (primitive, 0), mass, *self.given, cuts=(0,)
        )

    def integral_above(self, primitive: Expr) -> Fact:
        """The integral of ``above``."""
        mass = (antiderivative(e),) * 2
        return integrate(
            SIDES, self.above, (0, primitive), mass, *self.given, cuts=(0,)
        )

    def integral(self, loss: Expr) -> Fact:
        """The function of a loss, as an integral."""
        values = {"x": loss}
        return on_both_sides(
            self.weight,
            loss,
            self.primitive.at(**values),
            self.value.at(**values),
            *self.given,
        )

    def positive(self, loss: Expr, share: Real) -> Fact:
        """What is integrated is not negative."""
        sign = turned_is_positive(self.weight, loss)
        if share == 1:
            return sign
        claim = at_most(0, self.weight * (share * turned(loss)))
        return combine(claim, (sign, share), given=(at_most(0, share),))

    def compare(
        self,
        promise: Fact,
        known: Fact,
        tails: list[tuple[Expr, Expr, Fact]],
        names: list[Fact],
        masses: list[Fact],
    ) -> Generator[Step, None, Fact]:
        """The mean under P is at most that under the other law, and the integrals of the tails."""
        pair = independent_of(self.first, self.other)
        law = independent_of(pair, SIDES)
        of_large = self.integral(M)
        yield of_large, "a function of the loss as an integral of hockey sticks"
        value = self.share * self.value.at(x=M)
        there = marginal(law, self.other, value, known)
        sign = self.positive(M, self.share)
        total = over_levels(law, self.share, of_large, sign, finite(there))
        yield total, "its mean, by Tonelli's theorem"
        large = self.weight * (self.share * turned(M))
        factors: dict[Expr, Real] = {large: 1}
        finite_parts = [integrable(total, E(law, large))]
        uses = [total, there]
        right = E(self.other, value)
        for body, factor, integral in tails:
            on_law = marginal(law, SIDES, body, finite(integral))
            factors[body] = factor
            finite_parts.append(finite(on_law))
            uses += [on_law, integral]
            large = large + factor * body
            right = right + factor * integral.relation.right
        sum_ = linear(law, large, factors, *finite_parts)
        small = self.weight * (F * turned(L))
        inner = self._inner(pair, small, large, promise, tails, names, masses)
        yield inner, "at each level the hockey stick is smaller"
        positive = self.positive(L, F)
        less = averaged(law, small, large, inner, positive, finite(sum_))
        yield less, "so is their integral"
        of_small = self.integral(L)
        sums = over_levels(law, F, of_small, positive, integrable(less, E(law, small)))
        mean_value = F * self.value.at(x=L)
        back = marginal(
            law, self.first, mean_value, integrable(sums, E(law, mean_value))
        )
        claim = at_most(E(self.first, mean_value), right)
        return combine(claim, back, sums, less, sum_, *uses)

    def _inner(
        self,
        pair: Law,
        small: Expr,
        large: Expr,
        promise: Fact,
        tails: list[tuple[Expr, Expr, Fact]],
        names: list[Fact],
        masses: list[Fact],
    ) -> Fact:
        """The two hockey sticks at each level, turned."""
        weight = self.weight
        there = specialize(promise, eps=e)
        first = F * stick(e, L)
        known = stick_is_bounded(self.first, e, L, F)
        split = linear(
            self.first,
            share_stick(F, L),
            {F: -1, first: 1},
            share_is_finite(self.first, F),
            known,
            constant=1,
        )
        uses = [split]
        factors = {first: weight, F: -weight * A, F * exp(-L): weight * A * exp(e)}
        of_small = linear(
            self.first, small, factors, known, share_is_finite(self.first, F), masses[0]
        )
        second = self.share * stick(e, M)
        finite_second = [stick_is_bounded(self.other, e, M, self.share), masses[1]]
        factors = {second: weight, self.share * exp(-M): weight * A * exp(e)}
        constant = sum((factor * body for body, factor, _ in tails), formula(0))
        if self.share == 1:
            constant = constant - weight * A
        else:
            factors[K] = -weight * A
            finite_second.append(share_is_finite(self.other, K))
            split = linear(
                self.other,
                share_stick(K, M),
                {K: -1, second: 1},
                *finite_second,
                constant=1,
            )
            uses.append(split)
        of_large = linear(self.other, large, factors, *finite_second, constant=constant)
        margins = [
            marginal(pair, self.first, small, finite(of_small)),
            marginal(pair, self.other, large, finite(of_large)),
        ]
        claim = at_most(E(pair, small), E(pair, large))
        return combine(
            claim, *margins, of_small, of_large, (there, weight), *uses, *names
        )
