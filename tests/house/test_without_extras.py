"""Only what is used: the accounting, the audits and the prover run where no optional package is
installed.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCKED = """
import sys
for name in ("sympy", "numpy", "mpmath", "scipy", "matplotlib"):
    sys.modules[name] = None
"""


def run_without(code: str) -> list[str]:
    """What a program prints where sympy, numpy and the like cannot be imported."""
    program = [sys.executable, "-c", BLOCKED + code]
    ran = subprocess.run(program, capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_accounting_audits_and_proofs_need_nothing_optional() -> None:
    """Every question of the public face, on one plan or claim each."""
    code = """
from rdpacct import *
plan = 10 * Gaussian(2) + Laplace(3) + 5 * PoissonSampled(Gaussian(1), rate="0.1")
print(epsilon(plan, "1e-6").relative_width < 1e-9)
print(delta(plan, 1).relative_width < 1e-6)
print(profile(plan).renyi(2).upper > 0)
print(audit(plan, "PureDP(epsilon=1)").fails)
print(calibrate("3*Gaussian(sigma=?)", 1, "1e-6").value.lower > 1)
print(len(explain(Gaussian(1), "1e-6").steps) > 1)
print(GaussianDP(1).to(ZCDP).compose(ZCDP(1)).to(ApproxDP, delta="1e-6").epsilon.bound().upper < 20)
proof = prove("exp(x) >= 1 + x")
print(proof.holds, check(proof.certificate).verdict)
print([checked.verdict for checked in verify("group/pure")])
"""
    assert run_without(code) == [*["True"] * 7, "True proved", "['proved']"]


def test_the_command_line_needs_nothing_optional() -> None:
    """The tour runs all of its commands."""
    code = "from rdpacct.cli import main\nimport sys\nsys.exit(main(['tour']))"
    assert len(run_without(code)) > 20


def test_symbolic_forms_say_what_to_install() -> None:
    """One sentence, and what is missing as data; on the way of a formula and on that of a loss."""
    code = """
from rdpacct import Laplace, NotInstalledError, symbolic
from rdpacct.functions import Symbol
for ask in (lambda: Symbol("x").sympy(), lambda: symbolic(Laplace(1).loss())):
    try:
        ask()
    except NotInstalledError as error:
        print(error.needs, error)
"""
    sentence = (
        "symbolic forms are built with sympy, which is not installed; install"
        " rdpacct[symbolic]."
    )
    assert run_without(code) == [f"sympy {sentence}"] * 2


def test_the_extras_are_declared() -> None:
    """Two packages are needed by all, and each other one is an extra; the tests of this package
    need them all, those of others only what runs code.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [need.split(">")[0] for need in project["dependencies"]]
    assert needed == ["jinja2", "python-flint"]
    assert set(extras["data"]) < set(extras["test"])
    assert "rdpacct[test]" in extras["dev"]
    assert set(extras["symbolic"] + extras["plot"]) < set(extras["dev"])
    assert not set(extras["test"]) & set(extras["dev"])
