"""The standard normal law: its moments, and those of the event that it lies below a point, by
antiderivatives.
"""

from rdpacct.exact.formula import Expr, Real, Symbol, formula
from rdpacct.exact.functions import erfc, exp, normal_cdf, normal_density, sqrt
from rdpacct.proof.kernel import (
    Condition,
    Density,
    E,
    Fact,
    Law,
    Refused,
    Stretch,
    at_most,
    below,
    combine,
    equal,
    event,
    exists,
    independent,
    integrable,
    integrate,
    marginal,
)
from rdpacct.proof.kernel.laws import Event, Independent
from rdpacct.proof.kernel.terms import Expectation

Given = str | Condition


def standard_normal(name: str = "N", variable: str = "x") -> Density:
    """The law of a standard normal variable."""
    return Density(
        name,
        (variable,),
        (),
        (Stretch(None, None, normal_density(Symbol(variable), 0, 1)),),
    )


def loss(mu: Real, noise: Real) -> Expr:
    """The loss of a shift by mu standard deviations, where the standardized noise under P is
    this.
    """
    return formula(mu) * noise + formula(mu) ** 2 / 2


def is_law(law: Density) -> Fact:
    """There is a standard normal law."""
    (x,) = map(Symbol, law.variables)
    return exists(law, mass=(antiderivative(x),))


def mean(law: Density) -> Fact:
    """The mean is 0."""
    (x,) = map(Symbol, law.variables)
    integral = integrate(
        law, x, (-density(x),) * 2, (antiderivative(x),) * 2, cuts=(0,)
    )
    return combine(equal(E(law, x), 0), integral)


def second_moment(law: Density) -> Fact:
    """The mean of the square is 1."""
    (x,) = map(Symbol, law.variables)
    integral = integrate(
        law, x**2, (antiderivative(x) - x * density(x),), (antiderivative(x),)
    )
    return combine(equal(E(law, x**2), 1), integral)


def exponential_moment(law: Density, rate: Real, *given: Given) -> Fact:
    """The mean of exp(rate x) is exp(rate**2/2)."""
    (x,), rate = map(Symbol, law.variables), formula(rate)
    integral = integrate(
        law,
        exp(rate * x),
        (exp(rate**2 / 2) * antiderivative(x - rate),),
        (antiderivative(x),),
        *given,
    )
    return combine(
        equal(E(law, exp(rate * x)), exp(rate**2 / 2)), integral, given=given
    )


def lies_below(law: Density, name: str, point: Real) -> Event:
    """The law with the indicator of x <= point."""
    (x,) = map(Symbol, law.variables)
    return event(law, name, at_most(x, point))


def lies_above(law: Density, name: str, point: Real) -> Event:
    """The law with the indicator of x > point."""
    (x,) = map(Symbol, law.variables)
    return event(law, name, below(point, x))


def probability(law: Event, point: Real, *given: Given, shift: Real = 0) -> Fact:
    """The mean of exp(shift x - shift**2/2) on one of these events: its probability if x is shifted
    by that much.
    """
    x = Symbol(law.variables[0])
    a = Symbol(law.variables[1])
    point = formula(point)
    shift = formula(shift)
    body = a if shift == formula(0) else a * exp(shift * x - shift**2 / 2)
    tilted = antiderivative(x - shift)
    is_below = law.happens.sign == "<="
    parts: tuple[Real, Real] = (tilted, 0) if is_below else (0, tilted)
    integral = integrate(
        law, body, parts, (antiderivative(x),) * 2, *given, cuts=(point,)
    )
    value = normal_cdf(point - shift if is_below else shift - point)
    return combine(equal(E(law, body), value), integral, given=given)


def first_moment_below(law: Event, point: Real, *given: Given) -> Fact:
    """The mean of x on the event x <= point, for a point that is not positive."""
    x = Symbol(law.variables[0])
    a = Symbol(law.variables[1])
    integral = integrate(
        law, a * x, (-density(x), 0), (antiderivative(x),) * 2, *given, cuts=(point,)
    )
    return combine(
        equal(E(law, a * x), -density(formula(point))), integral, given=given
    )


def beside(law: Law, mean: Fact) -> Fact:
    """The mean of a formula of a marginal, under the law itself."""
    atom = mean_of(mean)
    same = marginal(law, atom.law, atom.body, integrable(mean, atom))
    return combine(equal(E(law, atom.body), mean.relation.right), same, mean)


def product_mean(law: Independent, first: Fact, second: Fact) -> Fact:
    """E[x y] = E[x] E[y], where the two means are known."""
    first_mean = mean_of(first)
    second_mean = mean_of(second)
    product = independent(
        law,
        first_mean.body,
        second_mean.body,
        integrable(first, first_mean),
        integrable(second, second_mean),
    )
    value = first.relation.right * second.relation.right
    return combine(
        equal(E(law, first_mean.body * second_mean.body), value),
        product,
        (first, second_mean),
        (second, first.relation.right),
    )


def mean_of(fact: Fact) -> Expectation:
    """The mean that an equation begins with."""
    left = fact.relation.left
    if not isinstance(left, Expectation):
        raise Refused(f"{left} is not a mean.")
    return left


def density(x: Expr) -> Expr:
    """The density."""
    return normal_density(x, 0, 1)


def antiderivative(x: Expr) -> Expr:
    """The distribution function less 1, whose derivative is the density."""
    return -erfc(x / sqrt(2)) / 2
