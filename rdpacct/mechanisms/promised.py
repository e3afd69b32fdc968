"""A release of which only a guarantee is known: the worst pair that the guarantee allows."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from rdpacct.by import by
from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.mechanisms.gaussian import worst_pair as gaussian_pair
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.guarantee import ApproxDP, GaussianDP, Guarantee, PureDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import RelationIn


class Held:
    """A field that holds a guarantee with a single worst pair."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Guarantee:
        if instance is None:
            raise AttributeError(self.name)
        guarantee: Guarantee = instance.__dict__[self.name]
        return guarantee

    def __set__(self, instance: Any, given: Guarantee) -> None:
        if not isinstance(given, PureDP | ApproxDP | GaussianDP):
            raise InputError(
                f"the plan has the guarantee {given}, which no single pair of laws stands for; "
                "give PureDP, ApproxDP or GaussianDP."
            )
        instance.__dict__[self.name] = given


@dataclass(frozen=True)
class Promised(Mechanism):
    """An opaque release that is only known to be PureDP, ApproxDP or GaussianDP."""

    guarantee: Held = Held()
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def loss(self) -> PrivacyLoss:
        held = self.guarantee
        if isinstance(held, GaussianDP):
            return gaussian_pair(held.mu, _event) if held.mu != ZERO else worst_pair(ZERO, ZERO)
        delta = held.delta if isinstance(held, ApproxDP) else ZERO
        return worst_pair(held.parameters()["epsilon"], delta)

    def __str__(self) -> str:
        return str(self.guarantee)

    @classmethod
    def examples(cls) -> Iterable["Promised"]:
        yield cls(PureDP(1))
        yield cls(ApproxDP("0.5", "1e-3"))
        yield cls(GaussianDP("1/2"))


@by("composition/approx-dp-worst-pair")
def worst_pair(epsilon: Expr, delta: Expr) -> PrivacyLoss:
    """Every pair that is (epsilon, delta)-close follows from this one: losses epsilon, -epsilon, and infinity."""
    rest, total = 1 - delta, 1 + exp(epsilon)
    likely, rare = rest * exp(epsilon) / total, rest / total
    atoms = [Atom(likely, rare, epsilon), Atom(rare, likely, -epsilon)]
    if epsilon == ZERO:
        atoms = [Atom(rest, rest, ZERO)]
    return PrivacyLoss(tuple(atoms), at_infinity=delta, unseen=delta, symmetric=True, event=partial(_event))


def _event(threshold: Fraction) -> str:
    return f"the privacy loss of the worst pair exceeds {formula(threshold)}"
