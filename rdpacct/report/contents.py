"""What a report says about a plan: every number of the page, as enclosures, before any word is
written.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.auditing import Outcome, Verdict, audit
from rdpacct.curves import CertifiedCurve, epsilon_delta_curve, tradeoff_curve
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr, formula
from rdpacct.exact.number import Number, rational
from rdpacct.explanation import ExplanationStep, derivation
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.plan.document import (
    PlanDocument,
    PlannedRelease,
    StatedClaim,
    read_document,
)
from rdpacct.privacy.guarantee import ApproxDP, Guarantee
from rdpacct.questions import Questions
from rdpacct.report.attacks import AttackerGain, attacker_gain
from rdpacct.report.losses import LossLine, loss_lines
from rdpacct.report.shares import ReleaseShare, release_shares
from rdpacct.work import question

POINTS, FEWEST = 101, 11
"""How many points a curve has, and how many it has at least if each takes long."""
PATIENCE, TESTS = 20_000_000, 8
"""The work that a curve may take, in the units of the budget of an answer, and how many points of
the profile a test takes about.
"""


@dataclass(frozen=True)
class CheckedClaim:
    """A claim about the plan, and the verdict on it."""

    claim: StatedClaim
    verdict: Verdict


@dataclass(frozen=True)
class PrivacyReport:
    """All that a page says about a plan at one delta."""

    document: PlanDocument
    delta: Expr
    epsilon: Bound
    profile: CertifiedCurve
    tests: CertifiedCurve | None
    """None if the best tests of the plan are not known."""
    losses: tuple[LossLine, ...]
    shares: tuple[ReleaseShare, ...]
    gain: AttackerGain
    claims: tuple[CheckedClaim, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst verdict on a claim; a plan without claims has none that fails."""
        outcomes = {checked.verdict.outcome for checked in self.claims}
        for outcome in (Outcome.FAILS, Outcome.UNDECIDED):
            if outcome in outcomes:
                return outcome
        return Outcome.HOLDS

    @property
    def rests_on(self) -> frozenset[str]:
        """The theorems behind all numbers of the page."""
        tests = () if self.tests is None else self.tests.bounds
        bounds = (
            self.epsilon,
            *self.profile.bounds,
            *tests,
            *self.gain.bounds,
            *(share.alone for share in self.shares),
            *(share.without for share in self.shares),
            *(bound for line in self.losses for bound in line.bounds),
        )
        used = frozenset[str]().union(*(bound.rests_on for bound in bounds))
        return used.union(*(checked.verdict.rests_on for checked in self.claims))

    @property
    def steps(self) -> tuple[ExplanationStep, ...]:
        """What the numbers rest on, in the order in which it is used."""
        return derivation(self.rests_on)

    def data(self) -> dict[str, Any]:
        """Every number of the page as an object for JSON, with both ends."""
        from rdpacct.report.data import data_of

        return data_of(self)

    def html(self, book: str = "") -> str:
        """The page: one file that needs no other, the same for the same plan.

        Theorems link to their pages at the address ``book``, if that is given.
        """
        from rdpacct.report.page import page_of

        return page_of(self, book)


def privacy_report(
    plan: PlanDocument | Plan | Mechanism | str,
    delta: Number | Expr | None = None,
    claims: Sequence[Guarantee] = (),
) -> PrivacyReport:
    """The report on a plan at a delta; without one, at the smallest that its claims name."""
    document = _document(plan)
    stated = (*document.claims, *map(StatedClaim, claims))
    at = _delta(delta, stated)
    asked = Questions(document.plan)
    epsilon = asked.epsilon(at)
    work = _work_of_a_point(asked, epsilon)
    points = _points(work, POINTS)
    fewer = _points(work, POINTS, TESTS)
    return PrivacyReport(
        document,
        at,
        epsilon,
        epsilon_delta_curve(document.plan, points, _floor(at)),
        _tests(document.plan, fewer),
        loss_lines(document, fewer),
        release_shares(document, at, epsilon),
        attacker_gain(asked),
        tuple(
            CheckedClaim(claim, audit(document.plan, claim.guarantee))
            for claim in stated
        ),
    )


def _document(plan: PlanDocument | Plan | Mechanism | str) -> PlanDocument:
    if isinstance(plan, PlanDocument):
        return plan
    if isinstance(plan, str):
        return read_document(plan)
    whole = Plan.of(plan) if isinstance(plan, Mechanism) else plan
    releases = (PlannedRelease(Plan.of(each), count) for each, count in whole.releases)
    return PlanDocument(whole, tuple(releases), whole.relation)


def _delta(given: Number | Expr | None, claims: Sequence[StatedClaim]) -> Expr:
    """The delta of the report, which is above 0 and below 1."""
    if given is None:
        named = [
            claim.guarantee.delta
            for claim in claims
            if isinstance(claim.guarantee, ApproxDP)
        ]
        if not named:
            raise InputError(
                "the report has no delta, and no claim of the plan names one; give a"
                " delta such as 1e-6."
            )
        return min(map(formula, named), key=lambda each: each.bound().upper)
    at = given if isinstance(given, Expr) else formula(rational(given, "delta"))
    ends = at.bound()
    if not (ends.certainly_above(0) and ends.certainly_below(1)):
        raise InputError(
            f"delta is {at}, but must be above 0 and below 1 for a report; give a"
            " probability such as 1e-6."
        )
    return at


def _floor(delta: Expr) -> Fraction:
    """Down to which delta the curve is drawn: a hundredth of that of the report."""
    return Fraction(delta.bound().lower) / 100


def _work_of_a_point(asked: Questions, epsilon: Bound) -> int:
    """The counted work of a point of the profile: the most at a few, as beyond the largest loss
    there is none.
    """
    places = [Fraction(0), Fraction(1, 2)]
    if not math.isinf(epsilon.upper):
        places.append(Fraction(epsilon.upper) / 2)
    return max(_work_at(asked, place) for place in places)


def _work_at(asked: Questions, epsilon: Fraction) -> int:
    with question() as budget:
        asked.delta(formula(epsilon))
    return budget.spent


def _points(work: int, wanted: int, each: int = 1) -> int:
    """How many points a curve has: fewer if one of them takes much counted work."""
    return max(FEWEST, min(wanted, PATIENCE // (each * max(work, 1))))


def _tests(plan: Plan, points: int) -> CertifiedCurve | None:
    try:
        return tradeoff_curve(plan, points)
    except UndecidedError:
        return None
