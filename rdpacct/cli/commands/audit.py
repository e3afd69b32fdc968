"""Whether a plan has a claimed guarantee."""

from argparse import ArgumentParser, Namespace

from rdpacct.auditing import Outcome, Verdict, audit
from rdpacct.cli.answer import DONE, FAILS, JSON, UNDECIDED, Answer
from rdpacct.cli.options import number, plan_options
from rdpacct.cli.rendering import assumption_lines, assumptions, ends_of, plan_of
from rdpacct.cli.wide import wide_lines
from rdpacct.mechanisms import Plan
from rdpacct.plan import read_claim
from rdpacct.privacy.guarantee import RandomDP

CODES = {Outcome.HOLDS: DONE, Outcome.FAILS: FAILS, Outcome.UNDECIDED: UNDECIDED}


def arguments(parser: ArgumentParser) -> None:
    """A plan and a claim."""
    plan_options(parser)
    number(
        parser,
        "claim",
        "CLAIM",
        'a guarantee, such as "ApproxDP(epsilon=1, delta=1e-5)"',
    )


def run(options: Namespace) -> Answer:
    """The verdict, with the tight parameters and a witness."""
    guarantee = read_claim(options.claim)
    plan = plan_of(options)
    verdict = audit(plan, guarantee)
    return Answer(
        CODES[verdict.outcome],
        _data(verdict, plan),
        "\n".join(_lines(verdict, plan)),
    )


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
    lines = [_headline(verdict, plan), *(f"  {line}" for line in verdict.lines())]
    if verdict.undecided:
        for bound in verdict.tight.values():
            lines += wide_lines(plan, bound)
    drawn = _is_about_drawn_data(verdict, plan)
    return [*lines, *assumption_lines(plan, verdict.rests_on, drawn=drawn)]


def _headline(verdict: Verdict, plan: Plan) -> str:
    if verdict.undecided:
        return f"undecided: whether {plan} is {verdict.claim}"
    negated = "" if verdict.holds else "not "
    return f"{verdict.outcome.value}: {plan} is {negated}{verdict.claim}"


def _is_about_drawn_data(verdict: Verdict, plan: Plan) -> bool:
    """Whether the audit composed promises about drawn data."""
    return isinstance(verdict.claim, RandomDP) and plan.random
