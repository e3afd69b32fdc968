"""The smallest epsilon of a plan at a delta."""

import math
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from rdpacct.cli.options import DELTA, number, plan_options
from rdpacct.cli.rendering import (
    EnclosureAnswer,
    group_of,
    questions_about,
    relation_of,
)
from rdpacct.errors import InputError
from rdpacct.exact.bound import Bound
from rdpacct.exact.formula import Expr
from rdpacct.exact.number import shorten
from rdpacct.language.arithmetic import read_number
from rdpacct.mechanisms.grouped import has_group_rule
from rdpacct.plan import read_plan
from rdpacct.questions import Questions, group_epsilon

EXAMPLES = (
    'rdpacct epsilon "1000*Gaussian(sigma=20)" --delta 1e-6',
    'rdpacct epsilon "Gaussian(sigma=1) + 3*Laplace(scale=2)" --delta 1e-6 --json',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction and a delta."""
    plan_options(parser, direction=True)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> EnclosureAnswer:
    """The enclosure of epsilon, or a refusal if no epsilon exists."""
    delta = read_number(options.delta, "delta")
    by_chain = _by_chain(options, delta)
    if by_chain is not None:
        return by_chain
    asked = questions_about(options)
    bound = asked.epsilon(delta)
    if bound.lower == bound.upper == math.inf and asked.at_infinity().lower != 1:
        raise _none_exists(asked, delta, bound)
    return EnclosureAnswer("epsilon", bound, asked, {"delta": delta})


def _by_chain(options: Namespace, delta: Expr) -> EnclosureAnswer | None:
    """The answer for a group where no theorem gives every release for it."""
    size = group_of(options)
    if size == 1 or options.direction is not None:
        return None
    plan = read_plan(options.plan, relation_of(options))
    if has_group_rule(plan):
        return None
    bound = group_epsilon(plan, size, delta)
    asked = Questions(replace(plan, group=plan.group * size))
    return EnclosureAnswer("epsilon", bound, asked, {"delta": delta})


def _none_exists(asked: Questions, delta: Expr, bound: Bound) -> InputError:
    reason = "its privacy loss is unbounded"
    if delta.bound().certainly_above(0):
        reason = bound.how
    return InputError(
        f"no epsilon exists for {shorten(str(asked.plan), 120)} at delta ="
        f" {shorten(str(delta))}: {reason}; give a larger delta."
    )
