"""The laws of a mechanism, each a function that passes or names what is wrong.

``check_laws(Mine(...))`` runs them all. They compare enclosures: what is uncertain passes, unless
it is too wide to say anything. ``samples_follow_the_loss`` is a test of chance and errs with
probability below 1e-6 for a right mechanism.
"""

import math
import random
import warnings
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise

from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.ball import Ball
from rdpacct.exact.bound import Bound
from rdpacct.exact.functions import log
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.mechanisms.randomized_response.randomized_response import (
    RandomizedResponse,
)
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.plan import read_plan
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.questions import profile
from rdpacct.testing.adversary import best, best_after, best_twice, pooled

EPSILONS = tuple(Fraction(x) for x in ("0", "0.01", "0.1", "0.4", "1", "2.5", "6"))
ORDERS = tuple(Fraction(x) for x in ("0.5", "1", "1.1", "2", "3.5", "10"))
RATES = tuple(Fraction(x) for x in ("-1.5", "-1", "-0.3", "0.2", "1", "4"))
SAMPLES = 20_000
ERROR = 1e-6
WIDE = 1e-9
"""A relative width beyond which an enclosure counts as having said nothing."""
LARGE_BITS = 256
"""The precision of the logarithms of large moments."""
TINY = Fraction(1, 10**100)
"""So small a number is as good as 0, however wide its enclosure is."""


ATTAINED_AT = (Fraction(1, 5),)
"""The epsilons at which lower ends are compared with what adversaries have."""
NEARLY = 0.01
"""By which share an adversary with pooled outcomes and finitely many pairs may have less."""


class LawBroken(AssertionError):
    """A mechanism that certainly breaks a law, or whose enclosures are too wide to tell."""


def check_laws(mechanism: Mechanism, seed: int = 0) -> None:
    """Raise ``LawBroken`` if the mechanism breaks a law."""
    for law in LAWS:
        law(mechanism, seed)


def mass_is_one(mechanism: Mechanism, _: int) -> None:
    """P and Q each have mass one, infinity included; so E exp(-L) is at most 1."""
    for loss in _made_of_parts(mechanism):
        for rate, beside in ((0, loss.at_infinity), (-1, loss.unseen)):
            parts = sum(
                (part.moment(Fraction(rate), 128) for part in loss.parts),
                start=beside.ball(128),
            )
            _need(
                parts.bound().contains(1) and parts.accuracy_bits() > 60,
                mechanism,
                f"has mass {parts.bound()}",
            )


def delta_falls_and_is_convex(mechanism: Mechanism, _: int) -> None:
    """delta(epsilon) is at most P(L > epsilon), falls with epsilon, and is convex in
    exp(epsilon).
    """
    for loss in mechanism.profile().losses:
        deltas = [loss.delta(epsilon) for epsilon in EPSILONS]
        for epsilon, delta in zip(EPSILONS, deltas, strict=True):
            _need(
                not delta.certainly_above(loss.tail(epsilon)),
                mechanism,
                f"has delta({epsilon}) above its tail",
            )
        for before, after in pairwise(deltas):
            _need(
                not after.certainly_above(before),
                mechanism,
                "has a delta that rises with epsilon",
            )
        for i in range(len(EPSILONS) - 2):
            x, y, z = (Ball.of(epsilon, 128).exp() for epsilon in EPSILONS[i : i + 3])
            low, middle, high = (
                Ball.hull(Fraction(d.lower), Fraction(d.upper), 128)
                for d in deltas[i : i + 3]
            )
            gap = (z - x) * middle - (z - y) * low - (y - x) * high
            _need(
                not gap.certainly_positive(),
                mechanism,
                "has a delta that is not convex in exp(epsilon)",
            )


def epsilon_inverts_delta(mechanism: Mechanism, _: int) -> None:
    """epsilon(delta) is where delta(epsilon) reaches delta."""
    for loss in mechanism.profile().losses:
        for delta in (Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**40)):
            bound = loss.epsilon(delta)
            if isinstance(bound.upper, float):
                continue
            _need(
                not loss.delta(bound.upper).certainly_above(delta),
                mechanism,
                f"has too small an epsilon at {delta}",
            )
            if bound.lower > 0:
                _need(
                    not loss.delta(bound.lower).certainly_below(delta),
                    mechanism,
                    f"has too large an epsilon at {delta}",
                )
            _need(
                bound.relative_width < WIDE or bound.upper < TINY,
                mechanism,
                f"has only {bound} for epsilon at {delta}",
            )


def renyi_rises_with_the_order(mechanism: Mechanism, _: int) -> None:
    """The Renyi divergences that are known rise with the order, from the mean at order 1 to the
    largest loss.
    """
    profile = mechanism.profile()
    values = list[Bound]()
    for order in ORDERS:
        with suppress(UndecidedError):
            values.append(profile.renyi(order))
    values.append(profile.max_divergence())
    for before, after in pairwise(values):
        _need(
            not before.certainly_above(after),
            mechanism,
            "has a Renyi divergence that falls with the order",
        )


def closed_forms_agree_with_the_parts(mechanism: Mechanism, _: int) -> None:
    """Every closed form lies in the enclosure that is derived from the atoms and densities
    alone.
    """
    for loss in _made_of_parts(mechanism):
        derived = loss.derived()
        questions: list[Callable[[PrivacyLoss], Bound]] = [
            *(lambda law, e=e: law.delta(e) for e in EPSILONS),
            *(lambda law, r=r: _moment(law, r) for r in RATES if loss.forms.log_moment),
        ]
        if loss.forms.mean is not None:
            questions.append(lambda law: law.mean())
        if loss.forms.tau_squared is not None and not isinstance(
            loss.range()[1], float
        ):
            questions.append(lambda law: law.centered_cdp()[1])
        if loss.forms.rho is not None and not isinstance(loss.range()[1], float):
            questions.append(lambda law: law.zcdp_rho(0))
        for question in questions:
            closed = question(loss)
            from_parts = question(derived)
            _need(
                closed.overlaps(from_parts),
                mechanism,
                f"has a closed form {closed} where its parts give {from_parts}",
            )
            near = from_parts.relative_width < WIDE or from_parts.upper < Fraction(
                1, 2**60
            )
            _need(near, mechanism, f"has parts that give only {from_parts}")


def _moment(loss: PrivacyLoss, rate: Fraction) -> Bound:
    """A moment, or the logarithm of one that is larger than the ends of a bound can be."""
    moment = loss.moment(rate)
    if moment.upper == math.inf and moment.lower > 1:
        return loss.log_moment(rate, LARGE_BITS).bound()
    return moment


def symmetric_means_unchanged_by_exchange(mechanism: Mechanism, _: int) -> None:
    """A loss that calls itself symmetric has the same answers when every part is really
    reversed.
    """
    for loss in _made_of_parts(mechanism):
        if not loss.symmetric:
            continue
        exchanged = PrivacyLoss(
            tuple(part.reversed() for part in loss.parts), loss.unseen, loss.at_infinity
        )
        _need(
            loss.mean().overlaps(exchanged.mean()),
            mechanism,
            "is not symmetric in its mean",
        )
        for epsilon in EPSILONS:
            same = loss.delta(epsilon).overlaps(exchanged.delta(epsilon))
            _need(same, mechanism, f"is not symmetric in delta({epsilon})")


def concentration_covers_the_mean(mechanism: Mechanism, _: int) -> None:
    """The mean is at most tau**2/2, because E exp(-L) = 1 where tau is finite both ways, and at
    most rho.
    """
    try:
        mean, tau = mechanism.profile().centered_cdp()
    except UndecidedError:
        return
    if tau.upper != math.inf:
        half = Bound(tau.lower**2 / 2, tau.upper**2 / 2)
        _need(
            not mean.certainly_above(half),
            mechanism,
            f"has mean {mean} above tau**2/2 = {half}",
        )
    _need(
        not mean.certainly_above(mechanism.profile().zcdp_rho()),
        mechanism,
        "has a mean above rho",
    )


def multiples_are_sums(mechanism: Mechanism, _: int) -> None:
    """3*M is M + M + M, and the text of a plan reads back as the plan."""
    _need(
        3 * mechanism == mechanism + mechanism + mechanism,
        mechanism,
        "differs from its own sum",
    )
    again = (
        read_plan(str(3 * mechanism), mechanism.relation)
        if type(mechanism).__name__ in Mechanism.registry
        else None
    )
    _need(
        again in (None, 3 * mechanism),
        mechanism,
        "does not read back from its own text",
    )
    _need(
        Plan.of(mechanism).single == mechanism, mechanism, "is not the plan of itself"
    )


def samples_follow_the_loss(mechanism: Mechanism, seed: int) -> None:
    """The losses of sampled outputs have the law of the loss, by the
    Dvoretzky-Kiefer-Wolfowitz-Massart inequality.
    """
    inputs = mechanism.pair()
    if inputs is None:
        return
    rng = random.Random(seed)
    loss = mechanism.loss()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StudyOnlyWarning)
        sample = mechanism.sample
        losses = [mechanism.observed(sample(inputs[0], rng)) for _ in range(SAMPLES)]
    allowed = math.sqrt(math.log(2 / ERROR) / (2 * SAMPLES))
    finite = sorted(value for value in losses if math.isfinite(value))
    infinite = losses.count(math.inf)
    places = range(0, len(finite) - 1, max(1, len(finite) // 40))
    for threshold in dict.fromkeys(_between(finite[k], finite) for k in places):
        above = len(finite) - bisect_right(finite, threshold)
        share = (above + infinite) / SAMPLES
        tail = float(loss.tail(Fraction(threshold)))
        _need(
            abs(share - tail) <= allowed,
            mechanism,
            f"exceeds loss {threshold:.4g} {share:.4f} of the time, not {tail:.4f}",
        )


def lower_ends_are_attained(mechanism: Mechanism, _: int) -> None:
    """What is said to be needed is attained by an adversary who chooses among concrete pairs, alone
    and composed.

    One release, two, and one after a randomized response whose answer is known when the pair is
    chosen.
    """
    pairs = [
        pooled(loss) for loss in mechanism.attained() if isinstance(loss, PrivacyLoss)
    ] or [[(1.0, 1.0)]]  # neighbors that are treated alike, if no other pair is known
    coin = [(0.75, 0.25), (0.25, 0.75)]
    beside = RandomizedResponse(log(3), relation=mechanism.relation)
    two = partial(best_twice, pairs, oriented=mechanism.oriented)
    plans: list[tuple[Mechanism | Plan, Callable[[float], float]]] = [
        (mechanism, partial(best, pairs)),
        (2 * mechanism, two),
        (mechanism + beside, partial(best_after, coin, pairs)),
    ]
    for plan, attained in plans:
        for epsilon in ATTAINED_AT:
            try:
                lower = profile(plan).delta(epsilon).lower
            except (InputError, UndecidedError):
                continue
            most = attained(math.exp(epsilon))
            said = f"needs delta {float(lower):.8g} at {epsilon} in {plan}"
            near = float(lower) <= most * (1 + NEARLY) + NEARLY / 10
            _need(
                near,
                mechanism,
                f"{said}, but no choice of its pairs has more than {most:.8g}",
            )


LAWS: tuple[Callable[[Mechanism, int], None], ...] = (
    mass_is_one,
    delta_falls_and_is_convex,
    epsilon_inverts_delta,
    renyi_rises_with_the_order,
    closed_forms_agree_with_the_parts,
    symmetric_means_unchanged_by_exchange,
    concentration_covers_the_mean,
    multiples_are_sums,
    lower_ends_are_attained,
    samples_follow_the_loss,
)


def _made_of_parts(mechanism: Mechanism) -> list[PrivacyLoss]:
    """The losses with atoms and densities of their own; those of a composition have none."""
    return [
        loss for loss in mechanism.profile().losses if isinstance(loss, PrivacyLoss)
    ]


def _between(value: float, sorted_values: list[float]) -> float:
    """A threshold just above a value and below the next one, so that rounding does not move an atom
    across it.
    """
    place = bisect_right(sorted_values, value + 1e-9)
    above = sorted_values[place] if place < len(sorted_values) else value + 1
    return (value + above) / 2


def _need(holds: bool, mechanism: Mechanism, otherwise: str) -> None:
    if not holds:
        raise LawBroken(f"{mechanism} {otherwise}.")
