"""The certificate of a budget: the epsilon of a plan with all that a small checker needs to compute
it again.

What is planned in doubles is a proposal: the line or the lattice on which the checker works. A
certificate is handed out only after the checker has accepted it. Writing one has a common budget of
work, for all lines that are tried.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rdpacct.budget.proposal import Proposal
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.bound import Bound
from rdpacct.exact.cached import lazy_property
from rdpacct.exact.formula import Expr, Rational
from rdpacct.exact.number import Number, decimal_text, rational, shorten
from rdpacct.mechanisms.mechanism import Mechanism, Plan
from rdpacct.privacy.relation import Sensitivity
from rdpacct.proof.budget.certificate import (
    FORMAT,
    check_budget,
    following,
    read_directions,
)
from rdpacct.proof.budget.reading import NUMBER
from rdpacct.proof.budget.releases import KINDS
from rdpacct.proof.check.effort import EFFORT, Rejected, TooMuchWork
from rdpacct.questions import epsilon, plan_of

Certificate = dict[str, Any]
Ways = Mapping[str, Mapping[str, Any]]
WRITING_WORK = 8_000_000
WRITING_SECONDS = 120.0
"""What writing a certificate may cost: work of about ten seconds, and a limit on the clock."""
LINES_WORK = 2_400_000
"""What all nodes of a proposal may cost; they are evaluated at most three times."""
LATTICE_BITS = 192
LINE_BITS = 128
BLURRED_BITS = 96
"""The precision of each method; an upper end that is raised by a blur needs less of it."""
MOST_BLUR = Fraction(1, 100)
"""A blur of a larger part of delta raises it by more than an audit leaves room for."""
SLACK = [Fraction(0), *(Fraction(1, 10**k) for k in (9, 6, 4, 3, 2))]
"""The upper end is raised by these parts of itself, one after the other, until the checker can show
it.
"""


def budget_certificate(plan: Plan | Mechanism | str, delta: Number) -> Certificate:
    """The certificate of the epsilon of a plan at this delta, accepted by the checker.

    Its upper end is that of ``epsilon``, or a little above if the checker's one method is not as
    sharp; its lower end is left out where that method has none.
    """
    releases = plan_of(plan)
    target = certified_delta(delta)
    rows_of(releases)  # a plan of other kinds is refused before its epsilon is asked
    return certificate_of(releases, target, epsilon(releases, target))


def certificate_of(plan: Plan, delta: Fraction, bound: Bound) -> Certificate:
    """The same for the epsilon that was found."""
    draft = _Draft(plan, rows_of(plan), delta)
    if not math.isfinite(bound.upper):
        raise InputError("epsilon is infinite at this delta; give a larger delta.")
    alone = "ask for each kind of release alone"
    remedy = alone if len(draft.rows) > 1 else "ask for epsilon without a certificate"
    try:
        with EFFORT.allowed(WRITING_WORK, WRITING_SECONDS):
            certificate = _first_accepted(draft, bound)
    except TooMuchWork:
        raise UndecidedError(
            f"no certificate for {shorten(str(plan))} was found within the work"
            f" that writing one may take; {remedy}."
        ) from None
    if certificate is None:
        raise InputError(
            f"no certificate for {shorten(str(plan))} was found: the checker's"
            f" quadrature is too wide there; {remedy}."
        )
    return certificate


def budgets_within(
    plan: Plan | Mechanism | str, points: Sequence[tuple[Fraction, Fraction]]
) -> list[Certificate] | None:
    """Certificates that a plan has at most these epsilons at these deltas, accepted by the checker;
    None if one is missing, or if a line would need so much blur that it shows nothing.
    """
    releases = plan_of(plan)
    certificates = []
    try:
        with EFFORT.allowed(WRITING_WORK, WRITING_SECONDS):
            rows = rows_of(releases)
            for most, delta in points:
                certificate = _within(_Draft(releases, rows, delta), most)
                if certificate is None:
                    return None
                certificates.append(certificate)
    except (InputError, TooMuchWork):
        return None
    return certificates


def _within(draft: "_Draft", most: Fraction) -> Certificate | None:
    """A certificate of this upper end, if the checker accepts one of little blur."""
    if not 0 < draft.delta < 1:
        return None
    ways = draft.ways(most)
    if ways is None or _largest_blur(ways) > MOST_BLUR * draft.delta:
        return None
    return draft.accepted(ways, None, most)


def certified_delta(delta: Number) -> Fraction:
    """A delta that a certificate can name."""
    target = rational(delta, "delta")
    if not 0 < target < 1:
        raise InputError(
            f"delta is {decimal_text(target)}, but certificates are written for one"
            " between 0 and 1; give such a delta."
        )
    if NUMBER.fullmatch(str(target)) is None:
        raise InputError(
            f"delta is {decimal_text(target)}, which has too many digits for a"
            " certificate; give one of fewer digits, and not below 1e-199."
        )
    return target


def _first_accepted(draft: "_Draft", bound: Bound) -> Certificate | None:
    """The certificate of the lowest upper end that the checker shows, among several.

    Blur is what raises an upper end, so that the nodes of a line are evaluated for all of these at
    once, and those of another line only if that has much less blur.
    """
    uppers = [Fraction(bound.upper) * (1 + slack) for slack in SLACK]
    best: tuple[Fraction, Ways] | None = None
    least_blur: Fraction | None = None
    for index, most in enumerate(uppers):
        if best is not None and best[0] <= most:
            break
        ways = draft.ways(most)
        if ways is None:
            continue
        blur = _largest_blur(ways)
        if blur == 0:
            for least in (Fraction(bound.lower), None):
                certificate = draft.accepted(ways, least, most)
                if certificate is not None:
                    return certificate
        elif least_blur is None or 2 * blur < least_blur:
            least_blur = blur
            shown = draft.lowest_shown(ways, uppers[index:])
            if shown is not None and (best is None or shown < best[0]):
                best = shown, ways
    return None if best is None else draft.accepted(best[1], None, best[0])


def _largest_blur(ways: Ways) -> Fraction:
    """The largest variance that is added to the losses of a direction."""
    return max(Fraction(way.get("blur", "0")) for way in ways.values())


def rows_of(plan: Plan) -> list[dict[str, Any]]:
    """The releases as a certificate names them."""
    plan.check_relation()
    rows = []
    for mechanism, count in plan.releases:
        kind, parameters = mechanism.certified()
        known = KINDS.get(kind)
        if known is None or set(parameters) != known.parameters:
            names = ", ".join(sorted(KINDS))
            raise InputError(
                f"{mechanism} has no certificate: the small checker knows {names}; ask"
                " for a plan of these."
            )
        values = {name: _exact(value, mechanism) for name, value in parameters.items()}
        rows.append({"mechanism": kind, "parameters": values, "count": count})
    if not rows:
        raise InputError("the plan has no release; give at least one.")
    return rows


def _exact(value: object, mechanism: Mechanism) -> str | int:
    if isinstance(value, int):
        return value
    if isinstance(value, Sensitivity):
        value = value.value
    if isinstance(value, Rational):
        return str(value.value)
    if isinstance(value, Expr):
        raise InputError(
            f"{mechanism} has the parameter {value}, which is not rational; give a"
            " decimal or a fraction for a certificate."
        )
    return str(value)


@dataclass(frozen=True)
class _Draft:
    """A plan at a delta, of which certificates are proposed."""

    plan: Plan
    rows: list[dict[str, Any]]
    delta: Fraction

    def ways(self, most: Fraction) -> Ways | None:
        """How the checker is to compute delta at this epsilon, for each direction; None if no line
        was found.
        """
        try:
            ways = self._ways(most, 1.0)
            if ways is None:
                return None
            works = (self.proposals[name].work(way) for name, way in ways.items())
            part = LINES_WORK / max(sum(works), 1)
            return ways if part >= 1 else self._ways(most, part)
        except TooMuchWork:
            raise
        except Rejected as error:
            raise InputError(
                f"{self.plan} has no certificate: the small checker says that {error}"
                " Ask for a plan without such a release."
            ) from None

    @lazy_property
    def proposals(self) -> Mapping[str, Proposal]:
        """What plans the nodes of each direction, and keeps what it has worked out."""
        oriented = any(KINDS[row["mechanism"]].oriented for row in self.rows)
        names = {"removing": True, "adding": False} if oriented else {"either": True}
        return {
            name: Proposal(self.rows, removing, float(self.delta))
            for name, removing in names.items()
        }

    def _ways(self, most: Fraction, part: float) -> Ways | None:
        ways = {}
        for name, proposal in self.proposals.items():
            way = proposal.way(float(most), part)
            if way is None:
                return None
            ways[name] = way
        return ways

    def accepted(
        self, ways: Ways, least: Fraction | None, most: Fraction
    ) -> Certificate | None:
        """The certificate of these ends, if the checker accepts it."""
        certificate = self._proposed(ways, least, most)
        try:
            check_budget(certificate)
        except TooMuchWork:
            raise
        except Rejected:
            return None
        return certificate

    def lowest_shown(self, ways: Ways, uppers: Sequence[Fraction]) -> Fraction | None:
        """The first of these upper ends that the checker shows on the same nodes."""
        certificate = self._proposed(ways, None, uppers[0])
        try:
            with following(certificate["bits"]):
                directions = read_directions(certificate)
                for most in uppers:
                    if all(way.at_most(most, self.delta) for way in directions):
                        return most
        except TooMuchWork:
            raise
        except Rejected:
            return None
        return None

    def _proposed(
        self, ways: Ways, least: Fraction | None, most: Fraction
    ) -> Certificate:
        ends = {"least": None if least is None else str(least), "most": str(most)}
        return {
            "format": FORMAT,
            "version": 1,
            "relation": self.plan.relation.value,
            "releases": self.rows,
            "delta": str(self.delta),
            "epsilon": ends,
            "bits": self._bits(ways, most),
            "ways": ways,
        }

    def _bits(self, ways: Ways, most: Fraction) -> int:
        """A precision at which rounding is far below what the methods leave out."""
        if any(way["method"] == "lattice" for way in ways.values()):
            return LATTICE_BITS + math.ceil(-math.log2(self.delta))
        count = sum(row["count"] for row in self.rows)
        least = BLURRED_BITS if _largest_blur(ways) else LINE_BITS
        return least + math.ceil(math.log2(count) + math.log2(1 + most))
