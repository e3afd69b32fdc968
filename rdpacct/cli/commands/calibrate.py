"""The value of the one ? in a plan that just meets an epsilon and a delta."""

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from rdpacct.calibration import Calibration
from rdpacct.calibration import calibrate as calibrated
from rdpacct.cli.answer import DONE, JSON, Answer
from rdpacct.cli.options import DELTA, EPSILON, number, plan_options
from rdpacct.cli.rendering import (
    assumption_lines,
    assumptions,
    ends_of,
    finite,
    group_of,
    number_of,
    relation_of,
)
from rdpacct.cli.wide import wide_lines
from rdpacct.errors import InputError
from rdpacct.exact.bound import round_down, round_up
from rdpacct.exact.formula import Rational
from rdpacct.exact.number import decimal_text, rational
from rdpacct.language.arithmetic import read_number

EXAMPLES = (
    'rdpacct calibrate "10*Gaussian(sigma=?)" --epsilon 1 --delta 1e-6',
    'rdpacct calibrate "?*Gaussian(sigma=10)" --epsilon 1 --delta 1e-6',
)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """A plan with an open number, an epsilon and a delta."""
    plan_options(parser)
    number(parser, "epsilon", "E", EPSILON)
    number(parser, "delta", "D", DELTA)


def run(options: Namespace) -> Answer:
    """The enclosure of the value, with one that suffices and one that does not."""
    relation = relation_of(options)
    epsilon = _exact(options.epsilon, "epsilon")
    delta = _exact(options.delta, "delta")
    calibration = calibrated(options.plan, epsilon, delta, relation, group_of(options))
    data = {
        "value": ends_of(calibration.value),
        "parameter": calibration.name,
        **_certified_ends(calibration),
        "short": decimal_text(calibration.short),
        "short_plan": str(calibration.short_plan),
        "epsilon": number_of(epsilon),
        "delta": number_of(delta),
        **assumptions(calibration.plan, calibration.value.rests_on),
        "how": calibration.value.how,
    }
    target = f"epsilon = {decimal_text(epsilon)}, delta = {decimal_text(delta)}"
    lines = [
        *calibration.lines(),
        *wide_lines(calibration.short_plan, calibration.value),
        f"  for {calibration.short_plan} at {target}",
        f"  by {calibration.value.how}",
        *assumption_lines(calibration.short_plan, calibration.value.rests_on),
    ]
    return Answer(DONE, data, "\n".join(lines))


def _certified_ends(calibration: Calibration) -> JSON:
    """The value that suffices and the one that does not: doubles rounded away from each other, and
    exact texts.
    """
    enough = calibration.sufficient
    short = calibration.insufficient
    if short is None:
        return {
            "sufficient": finite(round_down(enough)),
            "insufficient": None,
            "sufficient_text": decimal_text(enough),
            "insufficient_text": None,
        }
    upwards = enough > short
    return {
        "sufficient": finite(round_up(enough) if upwards else round_down(enough)),
        "insufficient": finite(round_down(short) if upwards else round_up(short)),
        "sufficient_text": decimal_text(enough),
        "insufficient_text": decimal_text(short),
    }


def _exact(text: str, name: str) -> Fraction:
    """A rational number of the command line; a calibration takes no others."""
    value = read_number(text, name)
    if not isinstance(value, Rational):
        raise InputError(
            f"{name} is {value}, but a calibration needs a rational number; give a"
            " decimal or a ratio."
        )
    return rational(value.value, name)
