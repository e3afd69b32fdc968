"""The certificate of a refutation: what it says, and whether the counts bear it out."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from rdpacct.proof.audit.bets import (
    MAX_TRIALS,
    CertifiedBet,
    check_counts,
    read_bet,
)
from rdpacct.proof.audit.half_plane import KINDS, HalfPlane, follows
from rdpacct.proof.audit.limits import read_limits
from rdpacct.proof.audit.one_run import read_guesses
from rdpacct.proof.audit.one_run_levels import read_ladder
from rdpacct.proof.audit.plan_claim import PLAN_KINDS, read_budgets
from rdpacct.proof.budget.pairs import ball
from rdpacct.proof.budget.reading import Values, exactly, known_format, number, whole
from rdpacct.proof.check.effort import EFFORT, LOCK, Rejected

FORMAT = "rdpacct-audit"
MAX_WORK = 10_000_000
MAX_SECONDS = 60.0
BITS = 192
MAX_BETS = 1000
MAX_SEED = 2**256
ALL_KINDS = {**KINDS, **PLAN_KINDS}
"""Every kind of claim."""
MOST_WEALTH = 10**30
"""More is not told apart from it."""
ENTRIES = {
    *("format", "version", "claim", "confidence", "trials"),
    *("seed", "method", "evidence", "digest"),
}


@dataclass(frozen=True)
class CertifiedRefutation:
    """What an accepted certificate establishes: these counts refute this claim."""

    claim: str
    confidence: Fraction
    """A true claim is refuted with probability at most 1 - confidence."""
    events: tuple[str, ...]
    """The events with their counts."""
    method: str
    wealth: Fraction | None
    """At most what a stake of 1 has become; None for limits of a fixed number of trials."""
    rests_on: tuple[str, ...]
    """The theorems of the book that the test rests on."""


def check_refutation(certificate: object) -> CertifiedRefutation:
    """What a certificate establishes that is right; anything else is ``Rejected``."""
    # The backend's precision is shared by all threads.
    with LOCK:
        before = ctx.prec
        ctx.prec = BITS
        try:
            with EFFORT.allowed(MAX_WORK, MAX_SECONDS):
                return _check(certificate)
        except Rejected:
            raise
        except (
            ArithmeticError,
            LookupError,
            MemoryError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            raise Rejected(
                f"the certificate cannot be followed: {type(error).__name__}."
            ) from None
        finally:
            ctx.prec = before


def digest(certificate: Values) -> str:
    """The SHA-256 of a certificate without its digest, with sorted keys."""
    rest = {name: value for name, value in certificate.items() if name != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _check(certificate: object) -> CertifiedRefutation:
    entries = exactly(certificate, ENTRIES, "the certificate of a refutation")
    known_format(entries, FORMAT)
    if entries["digest"] != digest(entries):
        raise Rejected("the digest is not that of the certificate.")
    confidence = number(entries["confidence"], "the confidence")
    if not 0 < confidence < 1:
        raise Rejected("the confidence is not between 0 and 1.")
    trials = whole(entries["trials"], "the number of trials", 1, MAX_TRIALS)
    whole(entries["seed"], "the seed", 0, MAX_SEED)
    claim = _Claim(entries["claim"])
    method = entries["method"]
    if not isinstance(method, str) or method not in METHODS:
        raise Rejected(f"the method is none of {', '.join(METHODS)}.")
    shown = METHODS[method](entries["evidence"], trials, 1 - confidence)
    claim.check(shown.planes)
    return CertifiedRefutation(
        str(claim),
        confidence,
        shown.events,
        method,
        shown.wealth,
        tuple(sorted({*claim.theorems, *shown.theorems})),
    )


@dataclass(frozen=True)
class _Shown:
    """What the evidence of a method shows, for a claim that implies these half planes."""

    events: tuple[str, ...]
    planes: tuple[HalfPlane, ...]
    theorems: tuple[str, ...]
    wealth: Fraction | None = None


def _sequential(given: object, trials: int, error: Fraction) -> _Shown:
    bets = _bets(given, trials)
    wealth = _wealth(bets, error)
    return _Shown(
        tuple(str(bet.seen) for bet in bets),
        tuple(bet.seen.half_plane for bet in bets),
        ("statistics/wager", "statistics/betting"),
        wealth,
    )


def _fixed(given: object, trials: int, error: Fraction) -> _Shown:
    limits = read_limits(given, trials)
    limits.check(error)
    theorems = ("statistics/clopper-pearson", "statistics/simultaneous-limits")
    return _Shown((str(limits.seen),), (limits.seen.half_plane,), theorems)


def _one_run(given: object, trials: int, error: Fraction) -> _Shown:
    _check_one(trials)
    guesses = read_guesses(given)
    guesses.check(error)
    return _Shown((str(guesses),), (guesses.half_plane,), ("statistics/one-run",))


def _one_run_levels(given: object, trials: int, error: Fraction) -> _Shown:
    _check_one(trials)
    ladder = read_ladder(given)
    ladder.check(error)
    return _Shown((str(ladder),), ladder.half_planes, ("statistics/one-run-levels",))


def _check_one(trials: int) -> None:
    """One run is one trial."""
    if trials != 1:
        raise Rejected("the number of trials of one run is not 1.")


METHODS = {
    "sequential": _sequential,
    "fixed": _fixed,
    "one_run": _one_run,
    "one_run_levels": _one_run_levels,
}
"""The tests that the checker knows."""


class _Claim:
    """The claim of a certificate: a kind of guarantee with exact parameters, or a plan."""

    def __init__(self, given: object) -> None:
        entries = exactly(given, {"kind", "parameters"}, "the claim")
        name = entries["kind"]
        if not isinstance(name, str) or name not in ALL_KINDS:
            raise Rejected(f"the claim is none of {', '.join(ALL_KINDS)}.")
        self.name = name
        self.kind = ALL_KINDS[name]
        keys = set(self.kind.parameters)
        self.values = exactly(entries["parameters"], keys, f"a {name}")
        self.theorems = set(self.kind.theorems)
        if name == "CertifiedPlan":
            budgets = read_budgets(self.values["budgets"])
            self.values = {"budgets": budgets}
            self.theorems.update(*(budget.rests_on for budget in budgets))

    def check(self, planes: Iterable[HalfPlane]) -> None:
        """Every half plane follows from the claim."""
        for plane in planes:
            if not follows(self.kind, self.values, plane):
                raise Rejected("a half plane does not follow from the claim.")

    def __str__(self) -> str:
        if self.name == "CertifiedPlan":
            budget = self.values["budgets"][0]
            return f"{' + '.join(budget.releases)}, for {budget.relation}"
        if self.name == "StatedPlan":
            points = _points(self.values)
            return f"{points}, which is stated for {self.values['plan']},"
        if self.name == "ProfileDP":
            return _points(self.values)
        numbers = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.name}({numbers})"


def _points(values: Values) -> str:
    """The points of a profile, in the words of a claim."""
    points = ", ".join(
        f"[{point['epsilon']}, {point['delta']}]" for point in values["points"]
    )
    return f"ProfileDP(points=[{points}])"


def _bets(given: object, trials: int) -> list[CertifiedBet]:
    """The bets of a certificate, which share one wealth."""
    if not isinstance(given, list) or not 0 < len(given) <= MAX_BETS:
        raise Rejected(f"the bets are not a list of 1 to {MAX_BETS}.")
    bets = [read_bet(each, trials) for each in given]
    if sum(bet.weight for bet in bets) > 1:
        raise Rejected("the weights add up to more than 1.")
    check_counts([bet.seen for bet in bets])
    return bets


def _wealth(bets: list[CertifiedBet], error: Fraction) -> Fraction:
    """At most what the wealth has become, which is at least 1/error."""
    total = arb(0)
    for bet in bets:
        total += bet.stake()
    if not total >= 1 / ball(error):
        raise Rejected("the wealth is not shown to be at least 1/(1 - confidence).")
    if total > MOST_WEALTH:
        return Fraction(MOST_WEALTH)
    mantissa, exponent = total.lower().mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
