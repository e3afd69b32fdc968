"""Bad input gets one clear sentence and exit code 2; never a traceback, a hang or silent
nonsense.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rdpacct import (
    ZCDP,
    DiscreteGaussian,
    Exponential,
    FiniteMechanism,
    Gaussian,
    InputError,
    Laplace,
    MaximallyDivergent,
    MeanCDP,
    Norm,
    Plan,
    PureDP,
    RandomizedResponse,
    Relation,
    Sensitivity,
    audit,
    epsilon,
    read_claim,
    read_plan,
)
from rdpacct.cli import main
from rdpacct.exact.functions import log, sqrt
from rdpacct.privacy.convert import mean_cdp_to_approx, pure_to_renyi, zcdp_to_approx
from tests.counting import counted_work

BAD_PLANS = {
    "sigma negative": "Gaussian(sigma=-1)",
    "sigma nan": "Gaussian(sigma=nan)",
    "sigma inf": "Gaussian(sigma=inf)",
    "sigma word": "Gaussian(sigma=abc)",
    "sigma text": 'Gaussian(sigma="abc")',
    "sigma missing": "Gaussian()",
    "sigma missing, no parentheses": "Gaussian",
    "sigma twice": "Gaussian(sigma=1, sigma=2)",
    "sigma a list": "Gaussian(sigma=[1])",
    "sigma true": "Gaussian(sigma=true)",
    "by position": "Gaussian(1)",
    "unknown name": "Gaussian(sgima=1)",
    "the relation as a parameter": (
        "RandomizedResponse(epsilon=1, relation=replace_one)"
    ),
    "unknown mechanism": "Gausian(sigma=1)",
    "an abstract mechanism": "NoiseMechanism(sensitivity=1)",
    "no noise, of a query that never moves": "Gaussian(sigma=0, sensitivity=0)",
    "scale negative": "Laplace(scale=-0.5)",
    "scale nan": "Laplace(scale=nan)",
    "sensitivity zero": "Gaussian(sigma=1, sensitivity=0)",
    "sensitivity negative": "Laplace(scale=1, sensitivity=-2)",
    "sensitivity of an integer query": "DiscreteGaussian(sigma=1, sensitivity=0.5)",
    "response epsilon negative": "RandomizedResponse(epsilon=-1)",
    "response with one answer": "RandomizedResponse(epsilon=1, answers=1)",
    "answers a list": "RandomizedResponse(epsilon=1, answers=[1])",
    "response with two and a half answers": (
        "RandomizedResponse(epsilon=1, answers=2.5)"
    ),
    "exponential epsilon zero": "Exponential(epsilon=0)",
    "monotone a number": "Exponential(epsilon=1, monotone=1)",
    "neutral above one": "MaximallyDivergent(epsilon=1, neutral=1.5)",
    "rows that do not sum to one": "FiniteMechanism(rows=[[0.5, 0.4], [0.5, 0.5]])",
    "a negative probability": "FiniteMechanism(rows=[[1.5, -0.5], [0.5, 0.5]])",
    "rows of two lengths": "FiniteMechanism(rows=[[1], [0.5, 0.5]])",
    "one row": "FiniteMechanism(rows=[[0.5, 0.5]])",
    "rows a number": "FiniteMechanism(rows=3)",
    "rows flat": "FiniteMechanism(rows=[0.5, 0.5])",
    "rows empty": "FiniteMechanism(rows=[[], []])",
    "100 kB": "Gaussian(sigma=1) + " * 5000 + "Gaussian(sigma=1)",
    "depth 10 000": "(" * 10_000 + "Gaussian(sigma=1)" + ")" * 10_000,
    "deep lists": "FiniteMechanism(rows=" + "[" * 10_000 + "]" * 10_000 + ")",
    "an import": "__import__('os').system('true')",
    "dunder": "Gaussian.__class__(sigma=1)",
    "a 10**6-digit number": f"Gaussian(sigma={'9' * 10**6})",
    "a 5000-digit number": f"Gaussian(sigma={'9' * 5000})",
    "a 10**6-digit count": f"{'9' * 10**6}*Gaussian(sigma=1)",
    "a huge exponent": "Gaussian(sigma=1e999999999)",
    "a Cyrillic look-alike": "G\u0430ussian(sigma=1)",
    "a Greek sigma": "Gaussian(\u03c3=1)",
    "full-width digits": "Gaussian(sigma=\uff11)",
    "a no-break space": "Gaussian(sigma=\u00a01)",
    "a NUL": "Gaussian(sigma=1\x00)",
    "empty": "",
    "blank": "   ",
    "unbalanced": "Gaussian(sigma=1",
    "overbalanced": "Gaussian(sigma=1))",
    "ends in plus": "Gaussian(sigma=1) +",
    "a number alone": "3",
    "a product of mechanisms": "Gaussian(sigma=1)*Gaussian(sigma=1)",
    "count 2.5": "2.5*Gaussian(sigma=1)",
    "count negative": "-1*Gaussian(sigma=1)",
    "count 1e30": "1e30*Gaussian(sigma=1)",
    "division by zero": "Gaussian(sigma=1/0)",
    "a lambda": "lambda: 1",
    "a missing file": "no_such_plan.toml",
    "a missing json file": "no/such/plan.json",
    "rate above one": "PoissonSampled(Gaussian(sigma=1), rate=1.5)",
    "rate negative": "PoissonSampled(Gaussian(sigma=1), rate=-0.1)",
    "rate nan": "PoissonSampled(Gaussian(sigma=1), rate=nan)",
    "rate missing": "PoissonSampled(Gaussian(sigma=1))",
    "a sample of nothing": "PoissonSampled(rate=0.1)",
    "a sample of two": "PoissonSampled(Gaussian(sigma=1), Laplace(scale=1), rate=0.1)",
    "a sample of a sum": (
        "PoissonSampled(Gaussian(sigma=1) + Laplace(scale=1), rate=0.1)"
    ),
    "a sample of a multiple": "PoissonSampled(2*Gaussian(sigma=1), rate=0.1)",
    "a sample of a choice": "PoissonSampled(Exponential(epsilon=1), rate=0.1)",
    "a sample of a sample": (
        "PoissonSampled(PoissonSampled(Gaussian(sigma=1), rate=0.1), rate=0.1)"
    ),
    "a guarantee about data": "RandomDP(alpha=1, gamma=0.1)",
    "a guarantee with delta above one": "ApproxDP(epsilon=1, delta=2)",
    "an open number": "Gaussian(sigma=?)",
}

MOST_WORK = 1_000_000
"""What is refused is refused at once, in units of about a microsecond."""


def told(err: str) -> tuple[str, list[str]]:
    """The sentence of an error, and the two lines that show its place if there are any."""
    sentence, *place = err.splitlines()
    assert len(place) in (0, 2), err
    if place:
        text, carets = place
        assert text.startswith("  ")
        assert text.isprintable()
        assert len(text) < 200
        assert re.fullmatch(r" *\^+", carets), err
    return f"{sentence}\n", place


def refused(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    """Run a command that must be refused, and return its sentence; with --json an object says the
    same.
    """
    with counted_work() as work:
        code = main(arguments)
    out, err = capsys.readouterr()
    assert code == 2, (out, err)
    err, place = told(err)
    assert re.fullmatch(r"rdpacct: [^\n]+[.!?]\n", err), err
    assert err.strip().isprintable()
    assert not place or "--json" not in arguments
    if "--json" in arguments:
        assert json.loads(out) == {
            "error": err.removeprefix("rdpacct: ").rstrip("\n"),
            "exit": 2,
        }
    else:
        assert out == ""
    assert len(err) < 400
    assert "Traceback" not in err
    assert work.number < MOST_WORK
    return err


@pytest.mark.parametrize("command", ["epsilon", "delta", "audit"])
@pytest.mark.parametrize("name", BAD_PLANS)
def test_bad_plans_are_refused(
    capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    """Every bad plan is refused by every command that takes a plan, with and without --json."""
    rest = {
        "epsilon": ["--delta", "1e-6"],
        "delta": ["--epsilon", "1"],
        "audit": ["--claim", "PureDP(epsilon=1)"],
    }
    refused(capsys, command, BAD_PLANS[name], *rest[command])
    refused(capsys, command, BAD_PLANS[name], *rest[command], "--json")


@pytest.mark.parametrize(
    "delta",
    ["-1", "-1e-5", "1.5", "nan", "inf", "-inf", "abc", "", "1e-999999", "9" * 10**5],
)
def test_bad_deltas_are_refused(capsys: pytest.CaptureFixture[str], delta: str) -> None:
    """delta must be a probability."""
    assert "delta" in refused(capsys, "epsilon", "Gaussian(sigma=1)", "--delta", delta)


def test_delta_zero_is_refused_where_no_epsilon_exists(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At delta = 0 a Gaussian has no epsilon, and the sentence says so; a Laplace has."""
    assert "no epsilon exists" in refused(
        capsys, "epsilon", "Gaussian(sigma=1)", "--delta", "0"
    )
    assert main(["epsilon", "Laplace(scale=1)", "--delta", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["epsilon"] == {
        "lower": 1.0,
        "upper": 1.0,
    }


def test_delta_below_the_mass_at_infinity_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With half of the mass at infinity no epsilon reaches delta = 0.1."""
    plan = "FiniteMechanism(rows=[[1/2, 1/2, 0], [0, 1/2, 1/2]])"
    assert "mass at infinity" in refused(capsys, "epsilon", plan, "--delta", "0.1")


@pytest.mark.parametrize(
    "epsilon",
    ["nan", "inf", "-inf", "x", "", "1/0", "log(-1)", "1,5", "1%", "10^2", "[1]"],
)
def test_bad_epsilons_are_refused(
    capsys: pytest.CaptureFixture[str], epsilon: str
) -> None:
    """epsilon must be a number."""
    assert "epsilon" in refused(
        capsys, "delta", "Gaussian(sigma=1)", "--epsilon", epsilon
    )


BAD_CLAIMS = [
    "ApproxDP(epsilon=1)",
    "ApproxDP(epsilon=-1, delta=0)",
    "ApproxDP(epsilon=1, delta=2)",
    "ApproxDP(epsilon=1, delta=nan)",
    "ApproxDP(1, 1e-5)",
    "PureDP()",
    "RDP(alpha=2, epsilon=1)",
    "CDP(mu=1, tau=1)",
    "RenyiDP(alpha=1, epsilon=1)",
    "RenyiDP(order=2, epsilon=1)",
    "ZCDP(rho=-1)",
    "MeanCDP(mu=1)",
    "GaussianDP(mu=-1)",
    "RandomDP(alpha=1)",
    "RandomDP(alpha=1, gamma=0.05)",
    "PureDP(epsilon=1) + PureDP(epsilon=1)",
    "3",
    "",
    "Gaussian(sigma=1)",
    "__import__('os')",
]


@pytest.mark.parametrize("claim", BAD_CLAIMS)
def test_bad_claims_are_refused(capsys: pytest.CaptureFixture[str], claim: str) -> None:
    """A claim that is not a settled guarantee is refused."""
    refused(capsys, "audit", "Gaussian(sigma=1)", "--claim", claim)


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["epsilon"],
        ["epsilon", "Gaussian(sigma=1)"],
        ["epsilon", "Gaussian(sigma=1)", "--delta"],
        ["epsilon", "Gaussian(sigma=1)", "--delta", "1e-6", "--frob"],
        ["epsilon", "Gaussian(sigma=1)", "--delta", "1e-6", "--relation", "sideways"],
        ["epsilon", "Gaussian(sigma=1)", "extra", "--delta", "1e-6"],
        ["verify", "no/such-theorem"],
        ["epsilon", "Gaussian(sigma=1)", "--delta", "1e-5", "--delta", "1e-6"],
        ["epsilon", "-1*Gaussian(sigma=1)", "--delta", "1e-5"],
    ],
    ids=str,
)
def test_bad_command_lines_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Misused commands and options are refused in one sentence too."""
    refused(capsys, *arguments)


FILES = {
    "empty.toml": "",
    "broken.toml": "plan = ",
    "broken.json": '{"plan": ',
    "list.json": "[1, 2]",
    "number.json": '{"plan": 3}',
    "twice.json": '{"plan": "Gaussian(sigma=1)", "plan": "Gaussian(sigma=2)"}',
    "UPPER.TOML": 'plan = "Gaussian(sigma=-1)"',
    "unknown.toml": 'plan = "Gaussian(sigma=1)"\nsigma = 3',
    "relation.toml": 'plan = "Gaussian(sigma=1)"\nrelation = "sideways"',
    "deep.json": "[" * 100_000,
    "large.toml": 'plan = "' + " " * 200_000 + '"',
    "bad_plan.toml": 'plan = "Gaussian(sigma=-1)"',
}


@pytest.mark.parametrize("name", FILES)
def test_bad_files_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """Broken, unknown and oversized plan files are refused."""
    path = tmp_path / name
    path.write_text(FILES[name])
    refused(capsys, "epsilon", str(path), "--delta", "1e-6")


def test_binary_files_and_folders_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A plan file that is not text, or not a file, is refused."""
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00\x01")
    refused(capsys, "epsilon", str(tmp_path / "binary.toml"), "--delta", "1e-6")
    (tmp_path / "folder.toml").mkdir()
    refused(capsys, "epsilon", str(tmp_path / "folder.toml"), "--delta", "1e-6")


def test_a_file_stated_for_another_relation_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The relation of a file is not overridden silently."""
    path = tmp_path / "plan.toml"
    path.write_text('plan = "Gaussian(sigma=1)"\nrelation = "replace_one"')
    assert "replace_one" in refused(
        capsys,
        "epsilon",
        str(path),
        "--delta",
        "1e-6",
        "--relation",
        "add_or_remove_one",
    )


@pytest.mark.parametrize(
    "plan", ["Gaussian(sigma=-1)", "(" * 10_000, "__import__('os')", "nope.json"]
)
def test_the_real_process_behaves(plan: str) -> None:
    """The same as a process: exit code 2, one sentence on stderr and the place, nothing on stdout
    but an object if that is asked for.
    """
    command = [sys.executable, "-m", "rdpacct", "epsilon", plan, "--delta", "1e-6"]
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False
    )
    assert (run.returncode, run.stdout) == (2, "")
    sentence, _ = told(run.stderr)
    as_json = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, timeout=600, check=False
    )
    assert (as_json.returncode, as_json.stderr) == (2, sentence)
    assert json.loads(as_json.stdout)["exit"] == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: Gaussian(0),
        lambda: Gaussian(float("nan")),
        lambda: Gaussian(float("inf")),
        lambda: Gaussian("abc"),
        lambda: Gaussian(None),  # type: ignore[arg-type]
        lambda: Gaussian(1, sensitivity=Sensitivity(1, norm=Norm.L1)),
        lambda: DiscreteGaussian("1e-40"),
        lambda: DiscreteGaussian(1).sample(0.5),
        lambda: Gaussian(Decimal("sNaN")),
        lambda: Gaussian(Decimal("1e10000000")),
        lambda: Gaussian(10**5000),
        lambda: audit(Gaussian(1), 3),  # type: ignore[arg-type]
        lambda: audit(Gaussian(1), ""),
        lambda: Gaussian(sqrt(-1)),
        lambda: Gaussian(log(0)),
        lambda: Gaussian(1, sensitivity=0),
        lambda: Laplace(True),
        lambda: Sensitivity(-1, norm=Norm.L1),
        lambda: RandomizedResponse(-1),
        lambda: RandomizedResponse(1).sample(2),
        lambda: RandomizedResponse(1, answers=True + 0),
        lambda: MaximallyDivergent(1).sample(5),
        lambda: Exponential(1).sample([]),
        lambda: Exponential(1).sample(["x"]),
        lambda: Exponential(1).loss_between([1, 2], [1]),
        lambda: DiscreteGaussian(1, sensitivity="1/2"),
        lambda: FiniteMechanism([[0.1] * 10, [0.1] * 10]),
        lambda: FiniteMechanism([["1/2", "1/2"]] * 3).loss(),
        lambda: FiniteMechanism("ab"),
        lambda: Gaussian(1) * 2.5,  # type: ignore[operator]
        lambda: Gaussian(1) * -1,
        lambda: Gaussian(1) * True,
        lambda: (Gaussian(1) + Gaussian(1).stated_for(Relation.REPLACE_ONE)).relation,
        lambda: Gaussian(1).loss().epsilon(1),
        lambda: Gaussian(1).loss().epsilon(-1),
        lambda: Gaussian(1).loss().delta("x"),
        lambda: Gaussian(1).loss().renyi(0),
        lambda: Gaussian(1).loss().renyi(-2),
        lambda: RandomizedResponse(1, answers=[1]),  # type: ignore[arg-type]
        lambda: RandomizedResponse(1, relation="sideways"),
        lambda: FiniteMechanism([[1, 0], [0, 1]]).sample(-1),
        lambda: FiniteMechanism([[1, 0], [0, 1]]).loss_between(0, 7),
        lambda: Exponential(1).loss_between([3, 0], [0, 3]),
        lambda: Exponential(1).loss_between("12", "12"),
        lambda: epsilon(None, "1e-6"),  # type: ignore[arg-type]
        lambda: pure_to_renyi(PureDP(1), 1),
        lambda: zcdp_to_approx(ZCDP(1), 2),
        lambda: zcdp_to_approx(ZCDP(1), 0),
        lambda: mean_cdp_to_approx(MeanCDP(1, 1), 0),
        lambda: read_plan("Gaussian(sigma=1)" * 2),
        lambda: read_claim("ApproxDP"),
        lambda: audit("Gaussian(sigma=1)", "RandomDP(alpha=1, gamma=0.1)"),
    ],
)
def test_bad_arguments_in_python_are_refused(make: Callable[..., Any]) -> None:
    """The Python interface refuses the same things with the same kind of sentence."""
    with pytest.raises(InputError, match=r".{20,}[.]$"):
        make()


def test_nothing_is_lost_after_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """A refused command leaves the next one unharmed."""
    refused(capsys, "epsilon", BAD_PLANS["depth 10 000"], "--delta", "1e-6")
    assert main(["epsilon", "Gaussian(sigma=1)", "--delta", "1e-6"]) == 0
    assert Plan.of(Gaussian(1)).single == Gaussian(1)


def into_a_closed_pipe(*arguments: str) -> str:
    """What a run of Python whose output nobody reads says to standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(
            [sys.executable, *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    return run.stderr


def test_a_closed_pipe_is_no_error() -> None:
    """Output into a pipe that is closed ends quietly; a bare print does not."""
    assert into_a_closed_pipe("-m", "rdpacct", "list", "mechanisms") == ""
    assert "BrokenPipeError" in into_a_closed_pipe("-c", "print(1)")
