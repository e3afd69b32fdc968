"""A release of which only a guarantee is known: the worst pair that the guarantee allows."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from rdpacct.by import by
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import exp
from rdpacct.mechanisms.gaussian import worst_pair as gaussian_pair
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.privacy.guarantee import ApproxDP, GaussianDP, Guarantee, PureDP, RandomDP
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom
from rdpacct.privacy.relation import Relation, RelationIn


class Held:
    """A field that holds a guarantee with a single worst pair, or one for drawn data."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Guarantee:
        if instance is None:
            raise AttributeError(self.name)
        guarantee: Guarantee = instance.__dict__[self.name]
        return guarantee

    def __set__(self, instance: Any, given: Guarantee) -> None:
        if not isinstance(given, PureDP | ApproxDP | GaussianDP | RandomDP):
            raise InputError(
                f"the plan has the guarantee {given}, which no single pair of laws stands for; "
                "give PureDP, ApproxDP, GaussianDP or RandomDP."
            )
        instance.__dict__[self.name] = given


@dataclass(frozen=True)
class Promised(Mechanism):
    """An opaque release that is only known to be PureDP, ApproxDP, GaussianDP or, for drawn data, RandomDP."""

    guarantee: Held = Held()
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if isinstance(self.guarantee, RandomDP):
            object.__setattr__(self, "relation", Relation.REPLACE_ONE)

    def randomly(self) -> RandomDP | None:
        return self.guarantee if isinstance(self.guarantee, RandomDP) else None

    def worst_gamma(self, claim: RandomDP) -> Bound:
        held = self.guarantee
        if not isinstance(held, RandomDP):
            return super().worst_gamma(claim)
        known = ((held.alpha, claim.alpha), (held.eta, claim.eta))
        if all(mine.bound().certainly_at_most(theirs.bound()) for mine, theirs in known):
            return Bound(held.gamma.bound().lower, held.gamma.bound().upper, "as promised (random-dp/definition)")
        raise UndecidedError(f"{held} says nothing about a smaller alpha or eta.")

    def loss(self) -> PrivacyLoss:
        held = self.guarantee
        if isinstance(held, RandomDP):
            raise InputError(
                f"{held} is a promise about drawn data and no promise for all data (random-dp/remark-3), so that it "
                "has no epsilon and no delta; ask for a RandomDP guarantee of the plan."
            )
        if isinstance(held, GaussianDP):
            return gaussian_pair(held.mu, _event) if held.mu != ZERO else worst_pair(ZERO, ZERO)
        delta = held.delta if isinstance(held, ApproxDP) else ZERO
        return worst_pair(held.parameters()["epsilon"], delta)

    def rests_on(self) -> tuple[str, ...]:
        return ("random-dp/definition",) if self.randomly() else super().rests_on()

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
