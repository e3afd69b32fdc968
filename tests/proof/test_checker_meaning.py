"""What an accepted certificate means: where formulas are defined, what is vacuous, and what is
shown beside it.
"""

import json
import os
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import InputError
from rdpacct.cli import main
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.effort import Vacuous
from rdpacct.proof.prove import Settled, prove
from tests.hostile import certificate, on_line

GROUND = {"rule": "ground"}


def refuted(conclusion: Any, point: Any, given: Any = ()) -> Any:
    """A certificate that says that the claim fails at a point."""
    proof = {"rule": "refute", "point": point}
    return certificate(conclusion, None, given) | {"verdict": "refuted", "proof": proof}


@pytest.mark.parametrize(
    ("conclusion", "point", "given"),
    [
        ("x**sqrt(2) > 0", {"x": "0"}, ("x >= 0",)),
        ("x**pi != 0", {"x": "0"}, ()),
        ("0**pi > 0", {}, ()),
        ("0**(1+sqrt(2)) > x", {"x": "1"}, ()),
        ("x**y > 0", {"x": "0", "y": "2"}, ()),
        ("(x-1)**(y+1) > 0", {"x": "1", "y": "1"}, ()),
    ],
)
def test_zero_has_no_irrational_power(
    conclusion: str, point: Any, given: tuple[str, ...]
) -> None:
    """No refutation uses a point at which a power of zero is undefined."""
    with pytest.raises(Rejected, match="undefined"):
        check(refuted(conclusion, point, given))


@pytest.mark.parametrize(
    ("conclusion", "given"),
    [
        ("0**x == 0", ["x > 0"]),
        ("(-1)**k == 1", ["k == 2"]),
        ("0**pi == 0", []),
        ("(-2)**(x+0*x) < 9", ["x == 3"]),
    ],
)
def test_powers_that_are_nowhere_defined_are_not_proved(
    conclusion: str, given: Any
) -> None:
    """An exponent with a variable needs a positive base, also where an equation makes it whole."""
    with pytest.raises(InputError, match="speaks of no point"):
        prove(conclusion, given)


def test_forged_proofs_of_powers_that_are_nowhere_defined() -> None:
    """The checker says so itself."""
    with pytest.raises(Rejected):
        check(certificate("0**pi == 0", GROUND))
    with pytest.raises(Rejected):
        check(certificate("0**x == 0", on_line({"rule": "terms"}), ("x > 0",)))
    by_value = {"rule": "equation", "variable": "k", "proof": GROUND}
    with pytest.raises(Rejected):
        check(certificate("(-1)**k == 1", by_value, ("k == 2",)))


def test_the_printed_domain_is_the_checked_one() -> None:
    """A positive rational power takes zero in; a negative or irrational one does not."""
    half = prove("x**0.5 > 0")
    assert half.claim.excluded() == ("x >= 0",)
    assert half.settled is Settled.REFUTED
    assert half.counterexample == {"x": Fraction(0)}
    assert check(refuted("x**0.5 > 0", {"x": "0"})).verdict == "refuted"
    for exponent in ("(-1/2)", "sqrt(2)", "y"):
        result = prove(f"x**{exponent} > 0")
        assert (result.settled, result.claim.excluded()) == (
            Settled.PROVED,
            ("x > 0",),
        ), exponent


def test_an_exponent_that_is_not_seen_to_be_rational_counts_as_irrational() -> None:
    """sqrt(3+2*sqrt(2)) - sqrt(2) is 1, which the ring does not see: the domain that is printed
    says so.
    """
    result = prove("x**(sqrt(3+2*sqrt(2))-sqrt(2)) > 0")
    assert (result.settled, result.claim.excluded()) == (Settled.PROVED, ("x > 0",))
    with pytest.raises(Rejected, match="undefined"):
        check(refuted("x**(sqrt(3+2*sqrt(2))-sqrt(2)) > 0", {"x": "-1"}))
    assert prove("x**sqrt(4) >= 0").claim.excluded() == ()


CONTRADICTIONS = [
    ["x > y", "y > x + 1"],
    ["x > y + 1", "x < y - 1"],
    ["log(x) < 0", "x < 0"],
    ["x > y", "y > z", "z > x"],
    ["x + y > 3", "x < 1", "y < 1"],
    ["x**2 + 1 < 0", "y > 0"],
    ["exp(x) < y", "y < 0"],
    ["x*y > 1", "x*y < pi - 3"],
    ["sqrt(x - 2) > y", "x < 1"],
    ["1 < 0", "x > 0"],
]


@pytest.mark.parametrize("given", CONTRADICTIONS, ids=str)
def test_contradictory_assumptions_are_vacuous(given: list[str]) -> None:
    """Neither a claim nor its negation is proved, by the search or by a forged certificate."""
    for conclusion in ("x > 5", "x <= 5"):
        with pytest.raises(InputError, match="vacuous"):
            prove(conclusion, given)
        with pytest.raises(Vacuous):
            check(certificate(conclusion, GROUND, tuple(given)))


@pytest.mark.parametrize(
    "given",
    [
        ["x >= y", "y >= x"],
        ["x > y", "y > z"],
        ["x*y > 1", "x < 0"],
        ["log(x) < 0", "x > 0"],
        ["x**2 > 2"],
    ],
)
def test_assumptions_that_can_hold_are_not_called_vacuous(given: list[str]) -> None:
    assert prove("x**2 + y**2 + z**2 >= 0", given).settled is Settled.PROVED


def right() -> Any:
    """A small certificate that is accepted."""
    return certificate("1 < 2", GROUND)


def test_a_small_certificate_is_accepted() -> None:
    assert check(right()).verdict == "proved"


@pytest.mark.parametrize(
    "wrong",
    [
        right() | {"claim": {"given": [], "conclusion": "1 < 2", "statement": "1 > 2"}},
        right() | {"note": "1 > 2"},
        right() | {"version": 1.0},
        right() | {"version": True},
        right() | {"claim": {"given": [], "conclusion": "1 < 2\x1c"}},
        right() | {"claim": {"given": [], "conclusion": "1 < 2\u2028"}},
        right() | {"claim": {"given": [], "conclusion": "1 < 2\u3000"}},
        right() | {"claim": {"given": [], "conclusion": "1\x0b <\x0c 2"}},
        {key: value for key, value in right().items() if key != "version"},
        refuted("x > 0", {"x": "0"})
        | {"proof": {"rule": "refute", "point": {"x": "0"}, "because": "x"}},
    ],
)
def test_nothing_else_stands_in_a_certificate(wrong: dict[str, Any]) -> None:
    """Further entries, other spaces and other versions are refused."""
    with pytest.raises(Rejected):
        check(wrong)


def checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: Any, *options: Any
) -> Any:
    """The exit code and the output of the command on a file with that text."""
    file = Path(tmp_path) / "certificate.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    code = main(["check", str(file), *options])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out + err


def test_a_name_that_stands_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first claim would be the one that a reader sees, the last the one that is checked."""
    text = json.dumps(right()).replace(
        '"claim"', '"claim": {"given": [], "conclusion": "1 > 2"}, "claim"', 1
    )
    code, shown = checked(tmp_path, capsys, text)
    assert code == 2
    assert "stands twice" in shown


def test_the_claim_is_shown_on_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Line ends in a claim do not push an assumption out of sight."""
    far: Any = certificate(
        "x\r\n >\t5", on_line({"rule": "terms"}), ("\n" * 60 + "x > 6",)
    )
    far["proof"][0]["parts"][0]["proof"] = {"rule": "sturm"}
    code, shown = checked(tmp_path, capsys, json.dumps(far))
    assert (code, shown) == (0, "accepted, proved: x > 5, given x > 6\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            json.dumps(
                right()
                | {"claim": {"given": [], "conclusion": "1 < 2", "x": float("nan")}}
            ),
            1,
        ),
        (
            json.dumps(right() | {"claim": {"given": [], "conclusion": "1 < 2\u2028"}}),
            1,
        ),
        (json.dumps(right()).replace("2", "\\ud800"), 1),
        ("[" * 100_000, 2),
        ('{"claim":' * 50_000, 2),
        ("9" * 100_000, 2),
        ("", 2),
        (b"\xff\xfe", 2),
        (b"\x00" * 100, 2),
        ("\ufeff" + json.dumps(right()), 2),
        ("null", 1),
        ("[]", 1),
        ('{"format": "rdpacct-certificate"}', 1),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_odd_files_end_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: Any, code: int
) -> None:
    for options in ((), ("--json",)):
        found, shown = checked(tmp_path, capsys, text, *options)
        assert found == code
        assert len(shown) < 1000


def one_gigabyte() -> None:
    """A limit on the memory of a process that would otherwise read without an end."""
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def run_check(path: Any, **environment: Any) -> Any:
    """The command as a process."""
    return subprocess.run(
        [sys.executable, "-m", "rdpacct", "check", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        preexec_fn=one_gigabyte,
        cwd=Path(__file__).parents[2],
    )


def test_endless_files_and_narrow_encodings(tmp_path: Path) -> None:
    """A device without an end is refused at its first megabytes, and what a terminal cannot show is
    escaped.
    """
    endless = run_check("/dev/zero")
    assert (endless.returncode, endless.stderr.count("\n")) == (2, 1)
    file = Path(tmp_path) / "certificate.json"
    file.write_text(
        json.dumps(right() | {"claim": {"given": [], "conclusion": "1 < 2 \u00e9"}})
    )
    narrow = run_check(file, PYTHONIOENCODING="ascii")
    assert (narrow.returncode, narrow.stderr) == (1, "")


def test_constants_of_a_proof_have_no_variables() -> None:
    """Cuts, ends of segments and witnesses are numbers."""
    for cut in ("x", "y", "0*x"):
        split = {"rule": "split", "cuts": [cut], "parts": [{"rule": "sturm"}] * 2}
        with pytest.raises(Rejected, match="no variables"):
            check(certificate("x**2 >= 0", on_line(split)))
        with pytest.raises(Rejected, match="no variables"):
            check(
                certificate(
                    "x**2 >= 0",
                    on_line(None, cuts=[cut], points=[None], parts=[None, None]),
                )
            )


def test_assumptions_are_counted_from_the_first() -> None:
    """A negative number is no way to name the last assumption."""
    inner = on_line({"rule": "terms"})["parts"]
    box = on_line(None, parts=[on_line(None, name="y", parts=inner)])
    node = {"rule": "difference", "variable": "x", "low": 0, "proof": box}
    good = certificate("x - y > 0", node, ("x > y",))
    assert check(good).verdict == "proved"
    for number in (-1, -2, 5, True, 0.0, "0"):
        with pytest.raises(Rejected):
            check(certificate("x - y > 0", node | {"low": number}, ("x > y",)))


def test_long_flat_sums_are_read_by_both_readers() -> None:
    """A sum of 250 terms is no deep formula; it is proved, and its certificate is accepted."""
    claim = "+".join(["x"] * 250) + " >= 0"
    result = prove(claim, ["x >= 0"])
    assert result.settled is Settled.PROVED
    assert check(json.loads(json.dumps(result.certificate))).verdict == "proved"
    products = "*".join(["(1+x/2)"] * 60) + " > 0"
    assert prove(products, ["x >= 0"]).settled is Settled.PROVED


@pytest.mark.parametrize(
    "narrow", ["pi < z < pi+1e-60", "z > exp(exp(100))", "exp(1) < z <= exp(1)+1e-90"]
)
def test_ranges_without_a_simple_number_do_not_crash_the_refuter(narrow: str) -> None:
    """No rational of few digits lies in these ranges; the claim stays undecided."""
    result = prove("x + y + z > x*y", [narrow], timeout=1)
    assert result.settled is Settled.UNDECIDED
    assert "1 seconds of work" in result.why
    assert "--timeout" in result.why
