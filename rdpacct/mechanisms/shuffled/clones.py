"""Clones: reports of other people that look like those of the one person in whom neighbors differ.

Let a and b be the laws of the report on the two values of that person. Every other report has at
least the density max(a, b)/exp(epsilon), whatever its value is. With so much probability it is a
clone, and what is left of it is given away. Then only three counts matter: how many reports tell
for the first value, how many for the second, and how many for none of the two.
"""

from dataclasses import dataclass

from rdpacct.exact.formula import ONE, ZERO, Expr, Real, formula
from rdpacct.exact.functions import exp
from rdpacct.provenance import by


@dataclass(frozen=True)
class Clones:
    """The chances of the three kinds of reports, of the person and of each other one.

    The report of the person tells for their value with probability exp(epsilon) ``telling``, for
    the other value with ``telling``, and for none otherwise. That of another person tells for each
    of the two with probability ``clone``, and for none with ``neutral``; the rest is given away.
    """

    epsilon: Expr
    telling: Expr
    clone: Expr
    neutral: Expr = ZERO

    @property
    def own_neutral(self) -> Expr:
        """The probability that the report of the person tells for none of the two values."""
        return untold(self.epsilon, self.telling)


@dataclass(frozen=True)
class Reports:
    """What is known of shuffled reports of a local randomizer: clones that dominate every data set,
    and those of a data set that there is, if one is known.
    """

    above: Clones
    attained: Clones | None


@by("shuffling/clones")
def of_any_randomizer(epsilon: Real) -> Clones:
    """The worst of all randomizers with a pure epsilon: every report tells for one of the two
    values.
    """
    share = 1 / (1 + exp(epsilon))
    return Clones(formula(epsilon), share, share)


@by("shuffling/known-clones")
def untold(epsilon: Expr, telling: Expr) -> Expr:
    """The probability that a report tells for none of two values."""
    return 1 - (1 + exp(epsilon)) * telling


@by("shuffling/known-clones")
def of_three_losses(epsilon: Expr, neutral: Expr) -> Clones:
    """Clones of a randomizer whose losses are epsilon, -epsilon and 0, the last with this
    probability: neutral reports are exp(epsilon) times less likely of another person, at least.
    """
    telling = (1 - neutral) / (1 + exp(epsilon))
    return Clones(epsilon, telling, telling, neutral / exp(epsilon))


@by("shuffling/known-clones")
def of_responses(epsilon: Expr, answers: Real) -> Clones:
    """Clones of randomized response: each of the answers has at least the probability of a wrong
    one.
    """
    wrong = 1 / (exp(epsilon) + (formula(answers) - 1))
    return Clones(epsilon, wrong, wrong, (formula(answers) - 2) * wrong)


@by("shuffling/known-clones")
def with_a_third_value(epsilon: Expr, answers: Real) -> Clones:
    """The reports of randomized response if all other people have a third value, with the answers
    but the two pooled.
    """
    wrong = 1 / (exp(epsilon) + (formula(answers) - 1))
    return Clones(epsilon, wrong, wrong, ONE - 2 * wrong)


@by("shuffling/known-clones")
def pooled(above: Clones, telling: Expr) -> Clones:
    """The reports of other people that tell for each of two values with this probability, and the
    rest pooled.
    """
    return Clones(above.epsilon, above.telling, telling, ONE - 2 * telling)
