"""Pages and pictures of audits of running code: what is allowed, and what was seen."""

import base64
import json
import math
import subprocess
import sys
from fractions import Fraction
from html import unescape
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

from rdpacct import InputError, audit_code, audit_page, check_refutation
from rdpacct.auditing.running.claimed import claimed
from rdpacct.auditing.running.code_verdict import CodeVerdict
from rdpacct.cli import main
from rdpacct.report.observed_picture import is_rare, observed_svg
from rdpacct.report.observed_region import AllowedRegion
from tests.report.test_page import Read, at

NASTY = "<script>alert(1)</script> & 'x'"
MODULE = """
def quiet(data, rng, size):
    return sum(data) + rng.laplace(scale=0.5, size=size)
"""
INPUTS = """
claims = ["PureDP(epsilon=1)", "PureDP(epsilon=3)"]
[[pairs]]
name = "<b onclick='x'>one</b>"
x = [1]
x_neighbor = [1, 1]
"""


def quiet(data: float, rng: Any, size: int) -> Any:
    """Half of the noise that an epsilon of 1 needs."""
    return data + rng.laplace(scale=0.5, size=size)


def answers(data: int, rng: Any) -> str:
    """A rare answer with a tag in it."""
    return NASTY if rng.random() < 0.01 * (1 + data) else "no"


@pytest.fixture(scope="module")
def refuted() -> CodeVerdict:
    """A claim that fails."""
    return audit_code(quiet, 0, 1, "PureDP(epsilon=1)", trials=4000)


@pytest.fixture(scope="module")
def consistent() -> CodeVerdict:
    """A claim about rare events that is not refuted."""
    return audit_code(answers, 0, 1, "PureDP(epsilon=1)", trials=2000)


def allowed(claim: str) -> AllowedRegion:
    """What a claim allows."""
    return AllowedRegion(claimed(claim).planes)


def test_a_pure_claim_allows_what_its_two_lines_do() -> None:
    """At log(3): p <= 3 q up to the corner (1/4, 3/4), and then 1 - p >= (1 - q)/3."""
    region = allowed("PureDP(epsilon=log(3))")
    for q in (
        Fraction(0),
        Fraction(1, 10),
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1),
    ):
        exact = min(3 * q, 1 - (1 - q) / 3)
        assert exact <= region.most(q) <= exact + Fraction(1, 10**9)
    corner = min(region.boundary(), key=lambda point: abs(point[0] - Fraction(1, 4)))
    assert corner[1] == pytest.approx(0.75)


@pytest.mark.parametrize("claim", ["GaussianDP(mu=1)", "Gaussian(sigma=1)"])
def test_what_a_gaussian_allows_lies_just_above_the_truth(claim: str) -> None:
    """The best test has Phi(Phi^-1(q) + mu); lines of the claim never cut below it."""
    normal = NormalDist()
    for q, most in allowed(claim).boundary()[1:-1]:
        truth = normal.cdf(normal.inv_cdf(float(q)) + 1)
        assert truth - 1e-9 <= most <= truth + 0.01


def test_a_boundary_is_concave_and_rises() -> None:
    """As that of every trade-off; a region without a line would be the whole square."""
    for claim in ("ApproxDP(epsilon=1, delta=0.1)", "ZCDP(rho=1/2)"):
        points = allowed(claim).boundary()
        slopes = [(p2 - p1) / (q2 - q1) for (q1, p1), (q2, p2) in pairwise(points)]
        assert all(slope >= 0 for slope in slopes)
        assert all(a >= b for a, b in pairwise(slopes))
    assert AllowedRegion(()).most(Fraction(0)) == 1


def test_a_page_says_what_the_verdicts_say(
    refuted: CodeVerdict, consistent: CodeVerdict
) -> None:
    """Every data element has the value that the verdicts have at its path."""
    data = {"audits": [refuted.as_json(), consistent.as_json()]}
    read = Read(audit_page(refuted, consistent))
    assert len(read.values) > 40
    for path, text in read.values.items():
        assert text == str(at(data, path)), path
    assert "audits.1.power.upper" in read.values
    assert "audits.0.events.0.p.lower" in read.values


def test_a_page_needs_nothing_else(
    refuted: CodeVerdict, consistent: CodeVerdict
) -> None:
    """No script and no address but places of the page and the certificate itself; ids once."""
    read = Read(audit_page(refuted, consistent))
    assert not {"script", "link", "iframe", "object", "img"} & set(read.tags)
    assert len(read.ids) == len(set(read.ids))
    inside = [each for each in read.addresses if each.startswith("#")]
    assert {address[1:] for address in inside} <= set(read.ids)
    [address] = [each for each in read.addresses if not each.startswith("#")]
    head, _, coded = address.partition(",")
    assert head == "data:application/json;base64"
    certificate = json.loads(base64.b64decode(coded))
    assert check_refutation(certificate).claim == "PureDP(epsilon=1)"
    assert certificate == refuted.certificate()


def test_outputs_and_names_are_escaped(consistent: CodeVerdict) -> None:
    """Categories and titles with tags are texts."""
    page = audit_page(consistent, title=NASTY, record={NASTY: NASTY})
    assert "<script" not in page
    assert NASTY in unescape(page)


def test_a_page_says_the_error_of_all_its_verdicts(refuted: CodeVerdict) -> None:
    """The errors add up."""
    assert "probability at most <b>0.001</b>" in audit_page(refuted)
    assert "probability at most <b>0.003</b>" in audit_page(refuted, refuted, refuted)


def test_the_same_verdict_gives_the_same_bytes(refuted: CodeVerdict) -> None:
    """Also from a second run with the seed."""
    again = audit_code(quiet, 0, 1, "PureDP(epsilon=1)", trials=4000)
    assert audit_page(refuted) == audit_page(again)


def test_rare_events_are_drawn_on_logarithmic_axes(
    refuted: CodeVerdict, consistent: CodeVerdict
) -> None:
    """The others are not; both have a box and a mark for each event."""
    assert not is_rare(refuted)
    assert is_rare(consistent)
    assert "audit-0-logarithmic" in audit_page(consistent)
    assert "audit-0-logarithmic" not in audit_page(refuted)
    for verdict in (refuted, consistent):
        words = observed_svg(verdict, "a", is_rare(verdict))
        assert "limit of the claim" in words
        assert "likely on x_neighbor" in words


def test_an_audit_that_ended_before_events_has_a_page() -> None:
    """It says so, and draws nothing."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    verdict = audit_code(quiet, 0, 1, "PureDP(epsilon=1)", trials=4000, progress=stop)
    page = audit_page(verdict)
    assert "No event was tested" in page
    assert "interrupted from the keyboard" in page
    assert "<svg" not in page


@pytest.mark.parametrize("given", [(), (3,)])
def test_a_page_is_about_verdicts(given: Any) -> None:
    """One sentence for anything else."""
    with pytest.raises(InputError, match="verdicts of audit_code"):
        audit_page(*given)


def test_the_command_writes_the_page_and_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the numbers of --json, and the certificate of the refutation."""
    monkeypatch.chdir(tmp_path)
    Path("paged_release.py").write_text(MODULE)
    Path("inputs.toml").write_text(INPUTS)
    line = ["audit-code", "paged_release:quiet", "--inputs", "inputs.toml"]
    line += ["--workers", "0", "--trials", "3000", "--json"]
    pictures = ["a.svg", "b.svg", "a.png", "b.png"]
    for picture in pictures[:-1]:
        assert main([*line, "--picture", picture]) == 1
    assert main([*line, "--page", "p.html", "--picture", pictures[-1]]) == 1
    data = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert data["files"] == {"page": "p.html", "picture": "b.png"}
    files = [Path(picture).read_bytes() for picture in pictures]
    assert files[0] == files[1]
    assert files[2] == files[3]
    assert files[2].startswith(b"\x89PNG")
    page = Path("p.html").read_text()
    read = Read(page)
    for path, text in read.values.items():
        assert text == str(at(data, path)), path
    assert "<b onclick" not in page
    assert data["sha256"] in page
    assert math.isclose(float(data["audits"][0]["confidence"]), 0.9995)


def test_a_page_without_matplotlib_has_its_tables(tmp_path: Path) -> None:
    """And says that the picture is missing; a picture alone is refused in one sentence."""
    (tmp_path / "paged_release.py").write_text(MODULE)
    (tmp_path / "inputs.toml").write_text(INPUTS)
    code = """
import sys
sys.modules["matplotlib"] = None
from rdpacct.cli import main
line = ["audit-code", "paged_release:quiet", "--inputs", "inputs.toml"]
line += ["--workers", "0", "--trials", "200"]
print(main([*line, "--page", "p.html"]))
print(main([*line, "--picture", "p.svg"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
    )
    assert ran.stdout.splitlines()[-1] == "2"
    assert "install rdpacct[report]" in ran.stderr
    page = (tmp_path / "p.html").read_text()
    assert "Pictures need matplotlib" in page
    assert "<details open>" in page
