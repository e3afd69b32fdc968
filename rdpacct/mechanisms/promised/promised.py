"""A release of which only a guarantee is known: the worst pair that the guarantee allows."""

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import ZERO, Expr, formula
from rdpacct.exact.functions import exp, maximum, minimum, sqrt
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import CheckedField
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.gaussian.gaussian import worst_pair as gaussian_pair
from rdpacct.mechanisms.mechanism import Mechanism
from rdpacct.mechanisms.poisson.sampled_gaussian import SampledGaussianTransform
from rdpacct.mechanisms.poisson.sampled_gaussian_part import SampledGaussian
from rdpacct.mechanisms.promised.moment_promise import MomentProfile, MomentTransform
from rdpacct.mechanisms.promised.profile_points import least_law
from rdpacct.mechanisms.shuffled.clones import (
    Reports,
    of_any_randomizer,
    with_a_third_value,
)
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.convert import mean_cdp_to_zcdp
from rdpacct.privacy.guarantee import (
    ZCDP,
    ApproxDP,
    ApproxZCDP,
    GaussianDP,
    Guarantee,
    MeanCDP,
    ProfileDP,
    PureDP,
    RandomDP,
    RenyiDP,
)
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation, RelationIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by, record


class GuaranteeIn(CheckedField[Guarantee, Guarantee]):
    """A field that holds a guarantee."""

    written_as: ClassVar[str] = "guarantee"

    def checked(self, given: Guarantee) -> Guarantee:
        if not isinstance(given, Guarantee):
            raise InputError(
                f"the promise is {shorten(str(given))}, which is not a guarantee; give"
                " one such as ApproxDP(epsilon=1, delta=1e-6)."
            )
        return given


@dataclass(frozen=True)
class Promised(Mechanism):
    """An opaque release of which only a guarantee is known.

    Of PureDP, ApproxDP, ProfileDP and GaussianDP one pair is the worst. Of RenyiDP, ZCDP,
    ApproxZCDP and MeanCDP only moments are bounded, so that answers have two ends. RandomDP is a
    promise for drawn data.
    """

    guarantee: GuaranteeIn = GuaranteeIn()
    _: KW_ONLY
    relation: RelationIn = RelationIn()

    def __post_init__(self) -> None:
        if isinstance(self.guarantee, RandomDP):
            object.__setattr__(self, "relation", Relation.REPLACE_ONE)

    def random_guarantee(self) -> RandomDP | None:
        if isinstance(self.guarantee, RandomDP):
            return self.guarantee
        return None

    def worst_gamma(self, claim: RandomDP) -> Bound:
        held = self.guarantee
        if not isinstance(held, RandomDP):
            return super().worst_gamma(claim)
        known = ((held.alpha, claim.alpha), (held.eta, claim.eta))
        if all(
            mine.bound().certainly_at_most(theirs.bound()) for mine, theirs in known
        ):
            return Bound(
                held.gamma.bound().lower,
                held.gamma.bound().upper,
                "as promised (random-dp/definition)",
            )
        raise UndecidedError(f"{held} says nothing about a smaller alpha or eta.")

    def loss(self) -> PrivacyLoss:
        law = self._worst_law()
        return replace(law, rests_on=law.rests_on | self.guarantee.rests_on)

    def _worst_law(self) -> PrivacyLoss:
        held = self.guarantee
        if isinstance(held, RandomDP):
            raise InputError(
                f"{held} is a promise about drawn data and no promise for all data"
                " (random-dp/remark-3), so that it has no epsilon and no delta; ask"
                " for a RandomDP guarantee of the plan."
            )
        if self.by_moments:
            raise UndecidedError(
                f"no single pair of laws stands for {held}; compose it in a plan."
            )
        if isinstance(held, GaussianDP):
            return _gaussian(held.mu)
        if isinstance(held, ProfileDP):
            return least_law(held.points)
        delta = held.delta if isinstance(held, ApproxDP) else ZERO
        return worst_pair(held.parameters()["epsilon"], delta)

    @property
    def by_moments(self) -> bool:
        return isinstance(self.guarantee, RenyiDP | ZCDP | ApproxZCDP | MeanCDP)

    def profile(self) -> Profile:
        if not self.by_moments:
            return super().profile()
        return MomentProfile(tuple(members(self.guarantee)), moments(self.guarantee))

    def directions(self) -> tuple[Direction, ...]:
        if not self.by_moments:
            return super().directions()
        record(self.guarantee.rests_on)
        bounded = moments(self.guarantee)
        below = tuple(loss.direction() for loss in members(self.guarantee))
        return (Direction(bounded, 1 - bounded.share, below),)

    def sampled_part(self, rate: Expr) -> Part | None:
        if not isinstance(self.guarantee, GaussianDP) or self.guarantee.mu == ZERO:
            return None
        return SampledGaussian(self.guarantee.mu, rate)

    def sampled_transform(self, rate: Expr, removing: bool) -> Transform | None:
        if not isinstance(self.guarantee, GaussianDP) or self.guarantee.mu == ZERO:
            return None
        return SampledGaussianTransform(self.guarantee.mu, rate, removing)

    def folded_part(self, rate: Expr) -> Part | None:
        if not isinstance(self.guarantee, GaussianDP) or self.guarantee.mu == ZERO:
            return None
        return Gaussian(1, self.guarantee.mu).folded_part(rate)

    def shuffled_reports(self) -> Reports | None:
        """The shuffled reports of the worst randomizer with the promised epsilon; below, of
        randomized response with three answers.
        """
        if not isinstance(self.guarantee, PureDP):
            return None
        epsilon = self.guarantee.epsilon
        return Reports(of_any_randomizer(epsilon), with_a_third_value(epsilon, 3))

    def for_group(self, size: int) -> "Promised | None":
        """The guarantee for groups."""
        if isinstance(self.guarantee, PureDP | ApproxDP | GaussianDP):
            return replace(self, guarantee=self.guarantee.group(size))
        if isinstance(self.guarantee, ZCDP) and self.guarantee.xi == ZERO:
            return replace(self, guarantee=self.guarantee.group(size))
        return None

    @property
    def stands_for(self) -> Guarantee:
        return self.guarantee

    def hypotheses(self) -> tuple[str, ...]:
        return (
            f"{self.guarantee}: the release keeps this promise, whatever came before.",
        )

    def certified(self) -> tuple[str, dict[str, Any]]:
        return type(self.guarantee).__name__, dict(self.guarantee.parameters())

    def attained(self) -> tuple[Loss, ...]:
        """Pairs that keep the promise."""
        return self.profile().losses

    def __str__(self) -> str:
        return str(self.guarantee)

    @classmethod
    def examples(cls) -> Iterable["Promised"]:
        yield cls(PureDP(1))
        yield cls(ApproxDP("0.5", "1e-3"))
        yield cls(GaussianDP("1/2"))
        yield cls(ProfileDP([["0.5", "1e-2"], ["1", "1e-3"]]))


@by("composition/approx-dp-worst-pair")
def worst_pair(epsilon: Expr, delta: Expr) -> PrivacyLoss:
    """Every pair that is (epsilon, delta)-close follows from this one: losses epsilon, -epsilon,
    and infinity.
    """
    rest = 1 - delta
    total = 1 + exp(epsilon)
    likely = rest * exp(epsilon) / total
    rare = rest / total
    atoms = [Atom(likely, rare, epsilon), Atom(rare, likely, -epsilon)]
    if epsilon == ZERO:
        atoms = [Atom(rest, rest, ZERO)]
    return PrivacyLoss(
        tuple(atoms),
        at_infinity=delta,
        unseen=delta,
        symmetric=True,
        event=partial(_event),
    )


def moments(held: Guarantee) -> MomentTransform:
    """The bound on the moments of the loss that a promise about Renyi divergences gives."""
    if isinstance(held, RenyiDP):
        return MomentTransform(ZERO, held.epsilon, held.alpha - 1)
    if isinstance(held, ZCDP):
        return MomentTransform(held.rho, held.xi)
    if isinstance(held, ApproxZCDP):
        return MomentTransform(held.rho, held.xi, share=1 - held.delta)
    if isinstance(held, MeanCDP):
        return moments(mean_cdp_to_zcdp(held))
    raise AssertionError(f"{held} is not about moments")


def members(held: Guarantee) -> Iterator[PrivacyLoss]:
    """Losses of concrete pairs that keep such a promise."""
    if isinstance(held, MeanCDP):
        yield _gaussian(minimum(held.tau, sqrt(2 * held.mu)))
        return
    if isinstance(held, RenyiDP):
        yield _gaussian(sqrt(2 * held.epsilon / held.alpha))
        yield worst_pair(held.epsilon, ZERO)
        return
    if isinstance(held, ZCDP | ApproxZCDP):
        yield _gaussian(sqrt(2 * maximum(0, held.rho + minimum(0, held.xi))))
        yield worst_pair(maximum(0, held.xi), ZERO)
    if isinstance(held, ApproxZCDP):
        yield worst_pair(ZERO, held.delta)


def _gaussian(shift: Expr) -> PrivacyLoss:
    if shift != ZERO:
        return gaussian_pair(shift, _event)
    return worst_pair(ZERO, ZERO)


def _event(threshold: Fraction) -> str:
    return f"the privacy loss of the worst pair exceeds {formula(threshold)}"
