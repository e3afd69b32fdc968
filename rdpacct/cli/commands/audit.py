"""Whether a plan has a claimed guarantee, or each of those that its file claims."""

from argparse import ArgumentParser, Namespace
from collections import Counter

from rdpacct.auditing import Outcome, Verdict, audit
from rdpacct.cli.answer import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.cli.options import plan_options
from rdpacct.cli.rendering import (
    assumption_lines,
    assumptions,
    ends_of,
    group_of,
    plan_of,
    relation_of,
)
from rdpacct.cli.wide import wide_lines
from rdpacct.errors import InputError, UndecidedError
from rdpacct.exact.number import shorten
from rdpacct.mechanisms import Plan
from rdpacct.plan import read_claim
from rdpacct.plan.document import PlanDocument, StatedClaim, read_document
from rdpacct.privacy.guarantee import RandomDP

CODES = {Outcome.HOLDS: DONE, Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}


WORST = (Outcome.FAILS, Outcome.UNDECIDED, Outcome.HOLDS)
"""The outcomes, the worst first."""

EXAMPLES = (
    'rdpacct audit "Gaussian(sigma=4)" --claim "ApproxDP(epsilon=1, delta=1e-5)"',
    'rdpacct audit "3*Laplace(scale=2)" --claim "PureDP(epsilon=1.5)"',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan and a claim, or a plan file with claims."""
    plan_options(parser)
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        help=(
            'a guarantee, such as "ApproxDP(epsilon=1, delta=1e-5)"; without it every'
            " claim of the plan file is checked"
        ),
    )


def run(options: Namespace) -> Answer:
    """The verdict, with the tight parameters and a witness."""
    if options.claim is None:
        return _every_claim(
            read_document(options.plan, relation_of(options), group_of(options))
        )
    guarantee = read_claim(options.claim)
    plan = plan_of(options)
    verdict = audit(plan, guarantee)
    return Answer(
        CODES[verdict.outcome],
        _data(verdict, plan),
        "\n".join(_lines(verdict, plan)),
    )


def _every_claim(document: PlanDocument) -> Answer:
    """The verdict on each claim of a file; the exit code is that of the worst."""
    if not document.claims:
        raise InputError(
            "nothing is claimed about the plan; give --claim, as in --claim"
            ' "ApproxDP(epsilon=1, delta=1e-5)", or a plan file with claims.'
        )
    verdicts = [_audited(document.plan, claim) for claim in document.claims]
    outcomes = {verdict.outcome for verdict in verdicts}
    worst = next(outcome for outcome in WORST if outcome in outcomes)
    claims = [
        {"name": claim.name, "by": claim.by, **_data(verdict, document.plan)}
        for claim, verdict in zip(document.claims, verdicts, strict=True)
    ]
    data = {
        "verdict": worst.value,
        "claims": claims,
        "plan": str(document.plan),
        "relation": document.relation.value,
        "unit": str(document.unit),
        "digest": document.digest,
    }
    used = frozenset[str]().union(*(verdict.rests_on for verdict in verdicts))
    lines = [
        *(
            line
            for claim, verdict in zip(document.claims, verdicts, strict=True)
            for line in _claim_lines(claim, verdict, document.plan)
        ),
        _summary(verdicts),
        f"  for {document.plan}",
        f"  the unit is a {document.unit}",
        *assumption_lines(document.plan, used, drawn=_any_drawn(document)),
    ]
    return Answer(CODES[worst], data, "\n".join(lines))


def _any_drawn(document: PlanDocument) -> bool:
    """Whether a claim is about drawn data, and the plan too."""
    about = [isinstance(claim.guarantee, RandomDP) for claim in document.claims]
    return any(about) and document.plan.has_random_guarantee


def _audited(plan: Plan, claim: StatedClaim) -> Verdict:
    """The verdict on one claim; errors name it."""
    try:
        return audit(plan, claim.guarantee)
    except UndecidedError as error:
        return Verdict(claim.guarantee, Outcome.UNDECIDED, why=str(error).rstrip("."))
    except InputError as error:
        raise error.within(f"the claim {shorten(str(claim), 120)}") from None


def _claim_lines(claim: StatedClaim, verdict: Verdict, plan: Plan) -> list[str]:
    named = f"{claim.name}, " if claim.name else ""
    said = f" (claimed by {claim.by})" if claim.by else ""
    return [
        f"{verdict.outcome.value}: {named}{claim.guarantee}{said}",
        *_found(verdict, plan),
    ]


def _summary(verdicts: list[Verdict]) -> str:
    counts = Counter(verdict.outcome for verdict in verdicts)
    said = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome)
    return f"claims: {len(verdicts)}; {said}"


def _data(verdict: Verdict, plan: Plan) -> JSON:
    drawn = _is_about_drawn_data(verdict, plan)
    return {
        "verdict": verdict.outcome.value,
        "tight": {name: ends_of(bound) for name, bound in verdict.tight.items()},
        "how": {name: bound.how for name, bound in verdict.tight.items()},
        "witness": _witness(verdict),
        "claim": str(verdict.claim),
        **assumptions(plan, verdict.rests_on, drawn=drawn),
        "why": verdict.why,
    }


def _witness(verdict: Verdict) -> JSON | None:
    if verdict.witness is None:
        return None
    return {
        "event": verdict.witness.event,
        "p": ends_of(verdict.witness.p),
        "q": ends_of(verdict.witness.q),
    }


def _lines(verdict: Verdict, plan: Plan) -> list[str]:
    drawn = _is_about_drawn_data(verdict, plan)
    return [
        _headline(verdict, plan),
        *_found(verdict, plan),
        *assumption_lines(plan, verdict.rests_on, drawn=drawn),
    ]


def _found(verdict: Verdict, plan: Plan) -> list[str]:
    """The tight parameters, the witness and the reason, as far as there are any."""
    lines = [f"  {line}" for line in verdict.lines()]
    if verdict.undecided:
        for bound in verdict.tight.values():
            lines += wide_lines(plan, bound)
    return lines


def _headline(verdict: Verdict, plan: Plan) -> str:
    if verdict.undecided:
        return f"undecided: whether {plan} is {verdict.claim}"
    negated = "" if verdict.holds else "not "
    return f"{verdict.outcome.value}: {plan} is {negated}{verdict.claim}"


def _is_about_drawn_data(verdict: Verdict, plan: Plan) -> bool:
    """Whether the audit composed promises about drawn data."""
    return isinstance(verdict.claim, RandomDP) and plan.has_random_guarantee
