"""The losses of few reports, one by one: every count of those that tell for a value."""

import math
from collections.abc import Iterator

from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import exp, log
from rdpacct.mechanisms.shuffled.clones import Clones
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom


def listed_loss(clones: Clones, people: int) -> PrivacyLoss:
    """The loss of counts of three kinds of reports, of which none is given away."""
    parts = list[Atom]()
    for first, second, neutral in _counts(people):
        ways = math.comb(people, first) * math.comb(people - first, second)
        chance = clones.clone ** (first + second) * clones.neutral**neutral
        p = density(clones, first, second, neutral)
        q = density(clones, second, first, neutral)
        loss = ZERO if first == second else log(p / q)
        scale = formula(ways) * chance / people
        parts.append(Atom(scale * p, scale * q, loss))
    return PrivacyLoss(tuple(parts), symmetric=True)


def density(clones: Clones, first: int, second: int, neutral: int) -> Expr:
    """The sum over the reports of how much likelier they are of the person than of another."""
    telling = clones.telling / clones.clone
    told = telling * (exp(clones.epsilon) * first + second)
    if not neutral:
        return told
    return told + clones.own_neutral / clones.neutral * neutral


def _counts(people: int) -> Iterator[tuple[int, int, int]]:
    for first in range(people + 1):
        for second in range(people + 1 - first):
            yield first, second, people - first - second
