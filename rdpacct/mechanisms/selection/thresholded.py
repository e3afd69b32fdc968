"""A noisy count of a category that may be unknown: released from a threshold on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

from rdpacct.errors import InputError
from rdpacct.exact.formula import ZERO, Expr, Rational, formula
from rdpacct.exact.functions import log
from rdpacct.exact.number import shorten
from rdpacct.exact.parameter import CheckedField, Parameter
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.mechanism import Mechanism, NoiseMechanism
from rdpacct.mechanisms.noisy import is_number
from rdpacct.mechanisms.selection.atom_hull import least_of_atoms
from rdpacct.mechanisms.selection.dominated_profile import DominatedProfile
from rdpacct.mechanisms.source import Source
from rdpacct.privacy.any_loss import Loss
from rdpacct.privacy.constants import about
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.least_law import least_law
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import Atom, Part, Piece
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Relation
from rdpacct.privacy.share_transform import ShareTransform
from rdpacct.privacy.transform import Direction
from rdpacct.provenance import by


class NoiseIn(CheckedField[Any, NoiseMechanism]):
    """A field that holds a noise mechanism whose tails are known."""

    def checked(self, given: Any) -> NoiseMechanism:
        if not isinstance(given, NoiseMechanism) or given.upper_tail(ZERO) is None:
            raise InputError(
                f"the noise is {shorten(str(given))}, but must be one of"
                " DiscreteLaplace, Gaussian, Laplace; give such a mechanism, as in"
                " Thresholded(Laplace(scale=1), threshold=20)."
            )
        return given


@dataclass(frozen=True)
class Thresholded(Mechanism):
    """A noisy count if it is at least a threshold, and nothing if not, or if no record has the
    category.

    The sensitivity of the noise is by how much one user changes the count of one category; a user
    who may be in several costs as many releases.
    """

    noise: NoiseIn = NoiseIn()
    threshold: Parameter = Parameter(None)

    def __post_init__(self) -> None:
        below = self._level.bound()
        if below.certainly_below(0):
            raise InputError(
                f"the threshold is {self.threshold}, below the sensitivity"
                f" {self.noise.sensitivity.value}; give a larger one."
            )
        if self.noise.same_outputs and not _is_whole(self.threshold):
            raise InputError(
                f"the threshold is {self.threshold}, but noisy counts are whole; give a"
                " whole number."
            )

    @property
    def relation(self) -> Relation:
        """The relation for which the noise is stated."""
        return self.noise.relation

    def stated_for(self, relation: Relation) -> Self:
        return replace(self, noise=self.noise.stated_for(relation))

    @property
    def _level(self) -> Expr:
        return self.threshold - self.noise.sensitivity.value

    @property
    def delta(self) -> Expr:
        """The probability that a category of one user is released, the threshold included."""
        tail = self.noise.upper_tail(self._level)
        if tail is None:
            raise AssertionError("the field takes noise with known tails only")
        return tail

    def loss(self) -> PrivacyLoss:
        return with_new_categories(of_parts(self.noise.loss()), self.delta)

    @property
    def oriented(self) -> bool:
        """Whether the first data set has the user and the second does not."""
        return self.relation is not Relation.REPLACE_ONE

    def profile(self) -> Profile:
        ways = self._ways() if self.oriented else ()
        return DominatedProfile(self.least_laws(), self.attained(), True, by_way=ways)

    def directions(self) -> tuple[Direction, ...]:
        """The noise with the mass at infinity, and both alone below it: a category that is new to
        the first data set only, if a user is added or removed.
        """
        above = self.loss().direction()
        noise = self.noise.directions()
        lasts = [replace(law.direction(), loss=law) for law in self.least_laws()]
        released = Direction(None, self.delta)
        hidden = new_category(self.delta).reversed().direction()
        below = (released, *noise), (hidden, *noise)
        if not self.oriented:
            return (replace(above, below=below[0], last=lasts[0]),)
        return tuple(
            replace(above, below=each, last=last)
            for each, last in zip(below, lasts, strict=True)
        )

    def least_laws(self) -> tuple[PrivacyLoss, ...]:
        """The least law that dominates all counts, for removing a user and for adding one, or for
        both.
        """
        noise = of_parts(self.noise.loss_with_closed_tails())
        new = new_category(self.delta)
        if not self.oriented:
            return (noise_or_new(noise, (new, new.reversed())),)
        return noise_or_new(noise, (new,)), noise_or_new(noise, (new.reversed(),))

    def attained(self) -> tuple[PrivacyLoss, ...]:
        """A category of one user or none, in both orders, and one of many users."""
        removing, adding = self._ways()
        return (*removing, adding[0])

    def _ways(self) -> tuple[tuple[PrivacyLoss, ...], ...]:
        """The attained losses of removing a user, and of adding one."""
        new = new_category(self.delta)
        noise = self.noise.loss()
        known = (noise,) if isinstance(noise, PrivacyLoss) else ()
        return (new, *known), (new.reversed(), *known)

    def hypotheses(self) -> tuple[str, ...]:
        return self._hidden, *self.noise.hypotheses()

    def assumes(self) -> tuple[str, ...]:
        return self._hidden, *self.noise.assumes()

    @property
    def _hidden(self) -> str:
        return f"{self}: a category that no record has is never released."

    def sample(self, count: Any, rng: Source = None) -> Any:
        """The noisy count, or None; the noise is sampled as its mechanism does."""
        if not is_number(count) or not count >= 0:
            raise InputError(
                f"the count is {shorten(repr(count))}; give one number of at least 0."
            )
        if count == 0:
            return None
        noisy = self.noise.sample(count, rng)
        exact = self.threshold
        least = exact.value if isinstance(exact, Rational) else about(exact)
        return noisy if noisy >= least else None

    @classmethod
    def examples(cls) -> Iterable["Thresholded"]:
        return (cls(DiscreteLaplace(2), 20),)


def of_parts(noise: Loss) -> PrivacyLoss:
    """The loss of the noise, of whose parts those of a count are made."""
    if isinstance(noise, PrivacyLoss):
        return noise
    raise InputError(
        f"the noise has a {type(noise).__name__}, but a threshold needs a loss that is made of"
        " parts; give noise with a PrivacyLoss."
    )


def _is_whole(value: Expr) -> bool:
    return isinstance(value, Rational) and value.value.denominator == 1


@by("selection/threshold")
def with_new_categories(noise: PrivacyLoss, new: Expr) -> PrivacyLoss:
    """The pair that dominates a count with noise and a category that only one neighbor has, which
    is released with this probability.
    """
    rest = 1 - new
    parts = tuple(_share(part, rest) for part in noise.parts)
    transform = noise.forms.transform
    return PrivacyLoss(
        parts,
        new,
        new,
        symmetric=True,
        forms=Forms(
            transform=ShareTransform(transform, rest) if transform is not None else None
        ),
        event=_event,
    )


def _event(threshold: Fraction) -> str:
    return (
        f"the category is released, or the loss of the noise exceeds {float(threshold)}"
    )


def _share(part: Part, share: Expr) -> Part:
    """A share of an atom or of a stretch."""
    if isinstance(part, Atom):
        return Atom(share * part.p, share * part.q, part.loss)
    if isinstance(part, Piece):
        return part.scaled(share)
    raise InputError(
        "noise of so large a sensitivity has no single atoms; give a sensitivity up to"
        " 64."
    )


@by("selection/threshold")
def noise_or_new(noise: PrivacyLoss, new: Sequence[PrivacyLoss]) -> PrivacyLoss:
    """The least law that dominates a count with noise, which many users come near, and a category
    that only one neighbor has.
    """
    losses = (noise, *new)
    return least_of_atoms(losses) or least_law(losses)


@by("selection/threshold")
def new_category(new: Expr) -> PrivacyLoss:
    """The loss of a category of one user against none: it is released, or tells nothing."""
    hidden = 1 - new
    return PrivacyLoss(
        (Atom(hidden, formula(1), log(hidden)),), at_infinity=new, unseen=ZERO
    )
