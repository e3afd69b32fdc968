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
    number_of,
    relation_of,
)
from rdpacct.errors import InputError
from rdpacct.exact.bound import round_down, round_up
from rdpacct.exact.formula import Rational
from rdpacct.exact.number import decimal_text, rational
from rdpacct.language.arithmetic import read_number


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
    found = calibrated(options.plan, epsilon, delta, relation)
    data = {
        "value": ends_of(found.value),
        "parameter": found.name,
        **_certified_ends(found),
        "epsilon": number_of(epsilon),
        "delta": number_of(delta),
        **assumptions(found.plan, found.value.rests_on),
        "how": found.value.how,
    }
    target = f"epsilon = {decimal_text(epsilon)}, delta = {decimal_text(delta)}"
    lines = [
        f"{found.name} = {found.value}",
        f"  {decimal_text(found.sufficient)} suffices{_too_little(found)}",
        f"  for {found.plan} at {target}",
        f"  by {found.value.how}",
        *assumption_lines(found.plan, found.value.rests_on),
    ]
    return Answer(DONE, data, "\n".join(lines))


def _too_little(found: Calibration) -> str:
    if found.insufficient is None:
        return ""
    return f", {decimal_text(found.insufficient)} does not"


def _certified_ends(found: Calibration) -> JSON:
    """The value that suffices and the one that does not: doubles rounded away from each other, and
    exact texts.
    """
    enough = found.sufficient
    short = found.insufficient
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
