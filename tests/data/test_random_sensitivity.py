"""Noise on a quantile of pairs: exact probabilities of bad data, scales of all small data sets, and
broken twins.
"""

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from rdpacct.auditing import Outcome
from rdpacct.auditing.sampled import audit_samples
from rdpacct.errors import InputError
from rdpacct.exact.ball import Ball
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.privacy.guarantee import ApproxDP, RandomDP
from rdpacct.releases import Pairs, RandomSensitivityRelease, Steady
from rdpacct.releases.random_sensitivity import SLACK
from rdpacct.sensitivity import exact_eta
from rdpacct.sensitivity.estimators import Location, Mean, RidgeSlope

BITS = 160
LINE = (0.0, 0.25, 1.0)
PLANE = ((1.0, 1.0), (1.0, -0.5), (0.25, 1.0))
ESTIMATORS: dict[str, tuple[Any, Any]] = {
    "mean": (Mean(0, 1), LINE),
    "location": (Location(-1, 1, 0.5, 0.25), LINE),
    "slope": (RidgeSlope(1, 1, 0.5), PLANE),
}
SIZES = [
    (2, Pairs.ALL, "2/3"),
    (3, Pairs.DISJOINT, "0"),
    (3, Pairs.ALL, "1/2"),
    (4, Pairs.DISJOINT, "1/2"),
    (4, Pairs.DISJOINT, "1"),
    (4, Pairs.ALL, "2/5"),
    (4, Pairs.ALL, "4/5"),
    (5, Pairs.DISJOINT, "1/2"),
    (5, Pairs.ALL, "1/3"),
    (5, Pairs.ALL, "4/5"),
]


def populations(size: Any, parts: int = 6) -> Iterator[Any]:
    """All laws with masses that are multiples of 1/parts."""
    for masses in product(range(parts + 1), repeat=size):
        if sum(masses) == parts:
            yield [Fraction(mass, parts) for mass in masses]


@cache
def stick(shift: Any, ratio: Any, alpha: Any) -> Any:
    """The integral of max(p - exp(alpha) q, 0), certified: p has its mean at the shift and the
    scale ratio, q 0 and 1.

    Between the means and the points where p crosses exp(alpha) q, the difference has one sign.
    """
    zero = Ball.of(0, BITS)
    a = Ball.of(shift, BITS)
    s = Ball.of(ratio, BITS)
    b = zero
    t = Ball.of(1, BITS)
    level = (s / t).log() + alpha
    factor = Ball.of(alpha, BITS).exp()
    cuts = [a, b]
    for left, right in product((-1, 1), repeat=2):
        slope = t**-1 * right - s**-1 * left
        if slope.certainly_positive() or slope.certainly_negative():
            cuts.append((level + b / t * right - a / s * left) / slope)
    cuts.sort(key=float)

    def up_to(z: Any, mean: Any, scale: Any) -> Any:
        side = (z - mean) / scale
        if float(side) <= 0:
            return side.exp() / 2
        return 1 - (-side).exp() / 2

    first, second = (
        [zero, *(up_to(z, *law) for z in cuts), zero + 1] for law in ((a, s), (b, t))
    )
    total = zero
    for i in range(len(cuts) + 1):
        total += (
            first[i + 1] - first[i] - factor * (second[i + 1] - second[i])
        ).positive_part()
    return total


def exceeds(one: Any, two: Any, alpha: Any, eta: Any) -> bool:
    """Whether two noisy values, each with its scale, certainly break (alpha, eta) in some order;
    never undecided.
    """
    for (a, s), (b, t) in ((one, two), (two, one)):
        gap = stick(abs(a - b) / t, s / t, alpha) - eta
        assert gap.certainly_positive() or gap.certainly_negative() or eta == 0
        if gap.certainly_positive() and (eta > 0 or float(gap) > 1e-20):
            return True
    return False


class Small:
    """A release on a small space: value and scale of each data set, which pairs are bad, and which
    have a defect.
    """

    def __init__(
        self, release: Any, space: Any, records: Any, noise: Any = 1, scale: Any = None
    ) -> None:
        self.release = release
        self.space = space
        self.records = records
        self.noise = Fraction(noise)
        self.scale = scale or (lambda data: release.scale(data).for_study())
        self.guarantee = release.guarantee(records)
        self.outputs = {
            data: self.output(data)
            for data in product(range(len(space)), repeat=records)
        }

    def output(self, data: Any) -> Any:
        rows = np.array([self.space[i] for i in data])
        return Fraction(self.release.estimator.value(rows)), Fraction(self.scale(rows))

    def pairs(self) -> Iterator[Any]:
        """Every draw of one record more, with the outputs on both neighbors."""
        for drawn in product(range(len(self.space)), repeat=self.records + 1):
            yield (
                drawn,
                self.outputs[drawn[:-1]],
                self.outputs[(*drawn[:-2], drawn[-1])],
            )

    def bad(self) -> Any:
        """The draws for which some event breaks the bound."""
        alpha, eta = (
            Fraction(each.bound().upper)
            for each in (self.guarantee.alpha, self.guarantee.eta)
        )
        width = self.noise / Fraction(self.release.alpha.bound().upper)
        return {
            drawn
            for drawn, (g, s), (h, t) in self.pairs()
            if exceeds((g, s * width), (h, t * width), alpha, eta)
        }

    def defects(self) -> Any:
        """The draws whose values are farther apart than the smaller scale."""
        h = self.release.estimator.pair
        found = set()
        for drawn, (_, s), (_, t) in self.pairs():
            one, two = (np.array([self.space[drawn[i]]]) for i in (-2, -1))
            if Fraction(float(h(one, two)[0])) > self.records * min(s, t):
                found.add(drawn)
        return found

    def chance(self, draws: Any, law: Any) -> Any:
        """The probability of some draws."""
        return sum(
            (math.prod((law[i] for i in drawn), start=Fraction(1)) for drawn in draws),
            Fraction(0),
        )

    def worst(self, draws: Any) -> Any:
        return max(self.chance(draws, law) for law in populations(len(self.space)))


def release_for(name: Any, pairs: Any, gamma: Any, beta: str = "0.3") -> Any:
    estimator, space = ESTIMATORS[name]
    return RandomSensitivityRelease(estimator, 1, beta, gamma, pairs=pairs), space


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
@pytest.mark.parametrize(("records", "pairs", "gamma"), SIZES)
def test_bad_data_are_as_rare_as_promised(
    name: str, records: int, pairs: Pairs, gamma: str
) -> None:
    """All draws of n + 1 records, all laws: bad pairs have a defect, and both have probability
    gamma at most.
    """
    release, space = release_for(name, pairs, gamma)
    small = Small(release, space, records)
    bad = small.bad()
    defects = small.defects()
    assert small.guarantee.gamma.bound().upper == Fraction(gamma)
    assert bad <= defects
    assert small.worst(defects) <= Fraction(gamma)


def test_the_probability_comes_near_to_gamma() -> None:
    """Five values, three records: a tenth of gamma would be refuted."""
    release = RandomSensitivityRelease(Mean(0, 100), 1, 2, "1/2", pairs=Pairs.ALL)
    small = Small(release, (0.0, 1.0, 10.0, 30.0, 100.0), 3)
    law = [Fraction(1, 5)] * 5
    assert Fraction(1, 20) < small.chance(small.bad(), law) <= Fraction(1, 2)


def test_the_declared_bound_holds_for_all_data_and_less_noise_is_refuted() -> None:
    """gamma = 0: alpha alone, for all pairs; with 10 % less noise some data break it, and so gamma
    = 0.
    """
    for name, (estimator, space) in ESTIMATORS.items():
        release = RandomSensitivityRelease(estimator, 1, "0.3", 0)
        assert release.guarantee(3) == RandomDP(1, 0, gamma=0)
        assert Small(release, space, 3).bad() == set(), name
    broken = Small(
        RandomSensitivityRelease(Mean(0, 1), 1, "0.3", 0),
        (0.0, 1.0),
        3,
        noise=Fraction(9, 10),
    )
    assert broken.worst(broken.bad()) == Fraction(1, 2)


BETA = Fraction(1, 2)
EDGE = (0.0, 1 - math.exp(-0.5), 1.0)
"""0, 1 and a value from which 1 is exp(-beta) away: replacing 1 by it moves the scale by
exp(beta).
"""


@pytest.mark.parametrize(
    ("records", "pairs"), [(3, Pairs.ALL), (4, Pairs.DISJOINT), (4, Pairs.ALL)]
)
def test_less_noise_makes_data_without_a_defect_bad(records: int, pairs: Pairs) -> None:
    """The pair at both ends, shift and ratio of scales, is just within eta; with 10 % less noise it
    is not.
    """
    release = RandomSensitivityRelease(Mean(0, 1), 4, BETA, "1/2", pairs=pairs)
    sound = Small(release, EDGE, records)
    assert sound.bad() <= sound.defects()
    broken = Small(release, EDGE, records, noise=Fraction(9, 10))
    assert broken.bad() - broken.defects()
    if pairs is Pairs.ALL:
        assert any(
            broken.chance(broken.bad(), law) > sound.chance(sound.defects(), law)
            for law in populations(3)
        )


def test_a_quantile_that_is_not_raised_is_refuted() -> None:
    """The largest of all pairs of three records: it moves too far more often than gamma; raised, it
    does not.
    """
    values = (0.0, 0.1, 0.3, 0.6, 1.0)
    law = [Fraction(1, 5)] * 5
    release = RandomSensitivityRelease(Mean(0, 1), 1, "0.05", "1/2", pairs=Pairs.ALL)
    plain = Small(
        release, values, 3, scale=lambda rows: max(max(rows) - min(rows), 1e-9) / 3
    )
    assert plain.chance(plain.bad(), law) == Fraction(358, 625) > Fraction(1, 2)
    sound = Small(release, values, 3)
    assert sound.bad() <= sound.defects()
    assert sound.chance(sound.bad(), law) == Fraction(28, 625)


def test_a_lower_quantile_is_refuted() -> None:
    """The smallest of the values of pairs, for the gamma of the largest: more bad data than gamma
    for some law.
    """
    values = (0.0, 0.1, 0.5, 1.0)
    release = RandomSensitivityRelease(Mean(0, 1), 1, 8, "1/3", pairs=Pairs.ALL)

    def lowest(rows: Any) -> Any:
        return (
            max(
                min(abs(a - b) for i, a in enumerate(rows) for b in rows[:i]),
                math.exp(-8),
            )
            / 5
        )

    law = [Fraction(1, 4)] * 4
    broken = Small(release, values, 5, scale=lowest)
    assert broken.chance(broken.bad(), law) > Fraction(1, 3)
    sound = Small(release, values, 5)
    assert sound.chance(sound.bad(), law) <= Fraction(1, 3)


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
@pytest.mark.parametrize(("records", "pairs", "gamma"), SIZES)
@pytest.mark.parametrize("beta", ["0.01", "0.3", "4"])
def test_the_scale_moves_by_exp_beta_at_most(
    name: str, records: int, pairs: Pairs, gamma: str, beta: str
) -> None:
    """All data sets, every record replaced by every value."""
    release, space = release_for(name, pairs, gamma, beta)
    scales = {
        data: release.scale([space[i] for i in data]).for_study()
        for data in product(range(len(space)), repeat=records)
    }
    most = 0.0
    for data, scale in scales.items():
        for place, new in product(range(records), range(len(space))):
            other = scales[(*data[:place], new, *data[place + 1 :])]
            most = max(most, math.log(scale / other))
    assert most <= float(Fraction(beta) + SLACK)


def test_calibrated_meets_its_target_and_not_much_more() -> None:
    for alpha, eta in (("1", "1e-6"), ("0.2", "1e-3"), ("4", "1e-12")):
        target = RandomDP(alpha, eta, gamma="0.05")
        found = RandomSensitivityRelease.calibrated(Mean(0, 1), target)
        guarantee = found.guarantee(1000)
        assert guarantee.alpha.bound().upper == Fraction(alpha)
        assert guarantee.gamma.bound().upper == Fraction(1, 20)
        assert guarantee.eta.bound().upper <= Fraction(eta)
        assert (
            exact_eta(found.alpha, found.beta * Fraction(1003, 1000))
            .bound()
            .certainly_above(Fraction(eta))
        )


class Narrow(RandomSensitivityRelease):
    """The broken twin: the noise of a smaller scale."""

    def _scale(self, records: Any) -> Any:
        return 0.8 * super()._scale(records)


class Plain(RandomSensitivityRelease):
    """The broken twin: a quantile that is not raised."""

    def _scale(self, records: Any) -> Any:
        return max(
            float(self._values(records)[self._rule(len(records)).rank - 1]), 1e-9
        ) / len(records)


def audit(release: Any, one: Any, two: Any, claim: Any, runs: Any, seed: Any) -> Any:
    rng = random.Random(seed)
    return audit_samples(
        lambda: release.release(one, rng).value,
        lambda: release.release(two, rng).value,
        claim,
        runs,
    ).outcome


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.study_only.StudyOnlyWarning")
def test_sampled_outputs_pass_and_less_noise_fails() -> None:
    """gamma = 0, the records at the ends of the range; the scale of the twin is 20 % smaller."""
    one = np.array([0.0, 0.0])
    two = np.array([0.0, 1.0])
    for kind, expected in (
        (RandomSensitivityRelease, Outcome.UNDECIDED),
        (Narrow, Outcome.FAILS),
    ):
        assert (
            audit(
                kind(Mean(0, 1), "1.5", "0.3", 0),
                two,
                one,
                ApproxDP("1.5", 0),
                5_000,
                2,
            )
            is expected
        )


@pytest.mark.filterwarnings("ignore::rdpacct.mechanisms.study_only.StudyOnlyWarning")
def test_sampled_outputs_of_a_drawn_pair_pass_and_a_plain_quantile_fails() -> None:
    """Mostly zeros: the raised scale hardly moves, the plain quantile becomes 0."""
    one = np.array([0.0, 0.0, 0.0, 0.4])
    two = np.array([0.0, 0.0, 0.0, 0.0])
    parameters = Mean(0, 1), 1, Fraction(1, 20), "1/2"
    guarantee = RandomSensitivityRelease(*parameters).guarantee(4)
    claim = ApproxDP(guarantee.alpha, guarantee.eta)
    for kind, expected in (
        (RandomSensitivityRelease, Outcome.UNDECIDED),
        (Plain, Outcome.FAILS),
    ):
        assert audit(kind(*parameters), one, two, claim, 2_000, 4) is expected


def make(**changes: Any) -> Any:
    given: dict[str, Any] = {
        "estimator": Mean(0, 1),
        "alpha": 1,
        "beta": "0.1",
        "gamma": "0.1",
    } | changes
    return RandomSensitivityRelease(**given)


def of(h: Any, most: float = 1.0, **changes: Any) -> Any:
    given: dict[str, Any] = {"alpha": 1, "beta": 1, "gamma": "1/2"} | changes
    return RandomSensitivityRelease.of(np.mean, h, most, **given)


BAD: dict[str, Callable[[], Any]] = {
    "alpha is 0": lambda: make(alpha=0),
    "alpha is -1": lambda: make(alpha=-1),
    "beta is 0": lambda: make(beta=0),
    "beta is -0.5": lambda: make(beta="-0.5"),
    "gamma is 2": lambda: make(gamma=2),
    "gamma is -0.1": lambda: make(gamma="-0.1"),
    "slope is 0": lambda: make(steady=Steady(0)),
    "levels are 1 to 1": lambda: make(steady=Steady(1, 1)),
    "levels are 0.5 to 0.4": lambda: make(steady=Steady(1, "0.5", "0.4")),
    "not bounded by a slope": lambda: make(steady=Steady(1), pairs=Pairs.ALL),
    "number of records is 1": lambda: make().guarantee(1),
    "records is 1,": lambda: make().scale([0.5]),
    "records is 0": lambda: of(lambda a, b: abs(a - b)).scale([]),
    "data are empty": lambda: make().release([]),
    "not finite": lambda: make().release([0.1, math.nan]),
    "not numbers": lambda: make().release(["a", "b"]),
    "below the declared lower end": lambda: make().release([0.1, -0.1]),
    "above the declared upper end": lambda: make().release([0.1, 1.1]),
    "too many for all pairs": lambda: make(pairs=Pairs.ALL).guarantee(5001),
    "empty or not finite": lambda: Mean(1, 1),
    "range [0, inf]": lambda: Mean(0, math.inf),
    "range [nan, 1]": lambda: Mean(math.nan, 1),
    "'1' is not a number": lambda: Mean(0, "1"),  # type: ignore[arg-type]
    "too small or too large": lambda: make(alpha="1e-400").release([0.1, 0.5]),
    "bend is 0": lambda: Location(0, 1, 0, 1),
    "ridge is 0": lambda: RidgeSlope(1, 1, 0),
    "x_most is nan": lambda: RidgeSlope(math.nan, 1, 1),
    "y_most is 1e+200": lambda: RidgeSlope(1, 1e200, 1),
    "value of x beyond": (
        lambda: make(estimator=RidgeSlope(1, 1, 1)).release([[2, 0], [0, 0]])
    ),
    "value of y beyond": (
        lambda: make(estimator=RidgeSlope(1, 1, 1)).release([[0, 0], [0, -2]])
    ),
    "rows of 2 numbers": lambda: make(estimator=RidgeSlope(1, 1, 1)).release([1, 2]),
    "bound on h is 0": lambda: of(lambda a, b: abs(a - b), 0.0),
    "bound on h is nan": lambda: of(lambda a, b: abs(a - b), math.nan),
    "not between 0 and its bound": (
        lambda: of(lambda a, b: abs(a - b), 0.5).scale([0, 1])
    ),
    "between 0 and its bound": (
        lambda: of(lambda a, b: (a - b) * math.nan).scale([0, 1])
    ),
    "one number for each pair": (
        lambda: of(lambda a, b: 0.0 * (a - b).sum()).scale([0, 1, 2, 3])
    ),
    "array of finite numbers": lambda: of(lambda a, b: abs(a - b)).scale([0, math.inf]),
    "one between 0 and 1": lambda: RandomSensitivityRelease.calibrated(
        Mean(0, 1), RandomDP(1, 0, gamma="0.1")
    ),
}


@pytest.mark.parametrize("words", sorted(BAD))
def test_bad_input_is_refused_in_words(words: str) -> None:
    with pytest.raises(
        InputError, match=words.replace("[", r"\[").replace("+", r"\+")
    ) as caught:
        BAD[words]()
    assert ";" in str(caught.value)


def test_the_scale_is_not_published() -> None:
    release = make()
    with pytest.warns(StudyOnlyWarning):
        released = release.release([0.1, 0.5, 0.9, 0.3], random.Random(1))
    assert released.scale is None
    with pytest.raises(Exception, match="publish"):
        float(release.scale([0.1, 0.5]))
