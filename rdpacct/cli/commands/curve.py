"""A curve of a plan, as a table or a picture: delta against epsilon, or the trade-off of a test."""

from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import DONE, JSON, Answer
from rdpacct.cli.files import ending, write_file
from rdpacct.cli.options import plan_options
from rdpacct.cli.rendering import (
    assumptions,
    ends_of,
    hypothesis_lines,
    number_of,
    questions_about,
)
from rdpacct.curves import (
    LEAST_DELTA,
    POINTS,
    CertifiedCurve,
    CurveKind,
    epsilon_delta_curve,
    number_of_points,
    tradeoff_curve,
)
from rdpacct.exact.bound import decimal_up
from rdpacct.exact.number import rational
from rdpacct.questions import Questions

EXAMPLES = (
    'rdpacct curve "100*Gaussian(sigma=20)" --points 5',
    'rdpacct curve "Gaussian(sigma=2)" --kind tradeoff --points 5 -o curve.csv',
)
"""What its help shows; a test runs them."""
TABLE, PICTURES = ".csv", (".svg", ".png")


def arguments(parser: ArgumentParser) -> None:
    """A plan, a direction, what the curve shows, and the file."""
    plan_options(parser, direction=True)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a .csv, .svg or .png file; without it, the table is printed",
    )
    parser.add_argument(
        "--kind",
        metavar="KIND",
        default=CurveKind.EPSILON_DELTA.value,
        help="epsilon-delta (the default) or tradeoff",
    )
    parser.add_argument(
        "--points", metavar="N", default=str(POINTS), help=f"how many, {POINTS} if not"
    )
    parser.add_argument(
        "--least-delta",
        metavar="D",
        help="down to which delta the first kind goes, 1e-10 if not given",
    )


def run(options: Namespace) -> Answer:
    """The curve, in a file or printed."""
    kind = CurveKind.named(options.kind)
    output = options.output
    suffix = TABLE if output is None else ending(output, (TABLE, *PICTURES))
    curve = _curve(options, kind)
    if output is None:
        said = [f"# {line.strip()}" for line in hypothesis_lines(curve.plan)]
        text = "\n".join([curve.csv().rstrip("\n"), *said])
        return Answer(DONE, _data(curve), text)
    write_file(output, curve.csv() if suffix == TABLE else _picture(curve, suffix))
    lines = [_text(curve, output), *hypothesis_lines(curve.plan)]
    return Answer(DONE, _data(curve) | {"file": output}, "\n".join(lines))


def _curve(options: Namespace, kind: CurveKind) -> CertifiedCurve:
    asked: Questions = questions_about(options)
    points = number_of_points(options.points)
    if kind is CurveKind.TRADEOFF:
        return tradeoff_curve(asked.plan, points, asked.way)
    least = options.least_delta
    floor = LEAST_DELTA if least is None else rational(least, "the least delta")
    return epsilon_delta_curve(asked.plan, points, floor, asked.way)


def _picture(curve: CertifiedCurve, suffix: str) -> str | bytes:
    from rdpacct.report.pictures import curve_png, curve_svg

    return curve_svg(curve) if suffix == ".svg" else curve_png(curve)


def _data(curve: CertifiedCurve) -> JSON:
    asked, answered = _NAMES[curve.kind]
    points = [
        {asked: number_of(at), answered: ends_of(bound)}
        for at, bound in zip(curve.at, curve.bounds, strict=True)
    ]
    return {
        "kind": curve.kind.value,
        **assumptions(curve.plan, curve.rests_on),
        "how": list(curve.methods),
        "points": points,
    }


_NAMES = {
    CurveKind.EPSILON_DELTA: ("epsilon", "delta"),
    CurveKind.TRADEOFF: ("false_positive_rate", "false_negative_rate"),
}
"""What each kind is asked at, and what it answers."""


def _text(curve: CertifiedCurve, output: str) -> str:
    widest = max(bound.width for bound in curve.bounds)
    return (
        f"{len(curve.at)} points of the {curve.kind.value} curve of {curve.plan} are in"
        f" {output}; the widest enclosure is {decimal_up(widest, 2)} wide"
    )
