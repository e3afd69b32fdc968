"""An adversary of the checker of refutations: every field of every kind of certificate is tampered
with, with a new digest. What is still accepted is a refutation in a second opinion too.
"""

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import CanaryGuesses, Rejected, audit_code, audit_one_run, check_refutation
from rdpacct.cli import main
from rdpacct.proof.audit.certificate import ALL_KINDS, METHODS, digest
from tests.proof.audit_oracle import fair, really_refutes

Certificate = dict[str, Any]
CLAIMS = {
    "PureDP": "PureDP(epsilon=0.5)",
    "ApproxDP": "ApproxDP(epsilon=1, delta=1e-3)",
    "ProfileDP": "ProfileDP(points=[[1, 1e-3], [5, 0]])",
    "GaussianDP": "GaussianDP(mu=0.5)",
    "RenyiDP": "RenyiDP(alpha=2, epsilon=0.3)",
    "ZCDP": "ZCDP(rho=0.1)",
    "ApproxZCDP": "ApproxZCDP(rho=0.05, delta=1e-6)",
    "MeanCDP": "MeanCDP(mu=0.05, tau=0.3)",
    "StatedPlan": "Laplace(scale=4) + TruncatedLaplace(scale=4, bound=100)",
    "CertifiedPlan": "DiscreteLaplace(scale=3)",
}


def noisy(data: float, rng: Any, size: int) -> Any:
    """Too little noise for each claim."""
    return data + rng.normal(size=size)


def refutation(kind: str, method: str) -> Certificate:
    """A certificate that is accepted, of a kind of claim and of a method."""
    if method in ("sequential", "fixed"):
        verdict = audit_code(noisy, 0, 1, CLAIMS[kind], trials=4000, method=method)
        return as_read(verdict.certificate())
    claim = "ApproxDP(epsilon=0.5, delta=1e-5)"
    if method == "one_run_levels":
        claim = "GaussianDP(mu=0.5)"
    run = CanaryGuesses(200, 100, 90)
    return as_read(audit_one_run(run, claim, "0.99").certificate())


def as_read(certificate: Certificate) -> Certificate:
    """A certificate after a walk through JSON."""
    given: Certificate = json.loads(json.dumps(certificate))
    return given


MATRIX = [(kind, method) for kind in CLAIMS for method in ("sequential", "fixed")]
MATRIX += [("ApproxDP", "one_run"), ("GaussianDP", "one_run_levels")]
QUICK = [
    ("ApproxDP", "sequential"),
    ("ZCDP", "sequential"),
    ("StatedPlan", "sequential"),
    ("ApproxDP", "one_run"),
]
each_kind = pytest.mark.parametrize(
    ("kind", "method"),
    [
        pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.slow])
        for case in MATRIX
    ],
)


def test_the_matrix_has_every_kind_of_claim_and_every_method() -> None:
    """A new one is missed here."""
    assert set(CLAIMS) == set(ALL_KINDS)
    assert {method for _, method in MATRIX} == set(METHODS)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no objects or lists; of long lists the first entries."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value[:3])
        for key, inner in items:
            yield from leaves(inner, (*path, key))
    else:
        yield path


def at(certificate: Any, path: tuple[Any, ...]) -> Any:
    """The value in one place."""
    for key in path:
        certificate = certificate[key]
    return certificate


def sealed(certificate: Certificate, path: tuple[Any, ...], value: Any) -> Certificate:
    """A copy with another value in one place, and the digest that it has then."""
    tampered = copy.deepcopy(certificate)
    at(tampered, path[:-1])[path[-1]] = value
    if path != ("digest",):
        tampered["digest"] = digest(tampered)
    return tampered


JUNK: list[Any] = [
    *(None, [], {}, "", True, False, -1, 0, 1.0, float("nan"), float("inf"), 10**40),
    *("-1", "nan", "inf", "1e999", "9" * 61, "1e1000", "1/0", "0x1", "1_0", " 1", "1 "),
    *("\u0661", "+1", ".5", "1.", "1e+1", "1\n", "a\nb", "\ud800", "\u202e", "[" * 500),
]


def others(value: Any) -> list[Any]:
    """What a value is changed to: junk, and numbers near it and far from it."""
    if isinstance(value, int):
        return [
            *JUNK,
            value + 1,
            value - 1,
            2 * value,
            value // 2,
            1,
            2,
            10**15,
            str(value),
        ]
    try:
        exact = Fraction(value)
    except (TypeError, ValueError):
        return [*JUNK, f"{value}x"]
    near = [exact * (1 + part) for part in (Fraction(1, 10**6), Fraction(-1, 10**6))]
    far = [
        exact * 2,
        exact / 2,
        exact * 1000,
        exact + 1,
        -exact,
        Fraction(0),
        Fraction(1),
    ]
    return [*JUNK, *map(str, near), *map(str, far), float(exact)]


@each_kind
def test_what_is_accepted_is_a_refutation(kind: str, method: str) -> None:
    """Every field is changed to many values; some claim less and are accepted."""
    certificate = refutation(kind, method)
    assert certificate["claim"]["kind"] == kind
    assert certificate["method"] == method
    assert really_refutes(certificate)
    tried = accepted = 0
    for path in leaves(certificate):
        value = at(certificate, path)
        for other in others(value):
            tampered = sealed(certificate, path, other)
            tried += 1
            try:
                check_refutation(tampered)
            except Rejected:
                continue
            accepted += 1
            assert no_junk(path, value, other), (path, other)
            assert really_refutes(tampered), (path, other)
    assert tried > 300
    assert 0 < accepted < tried / 4


def no_junk(path: tuple[Any, ...], value: Any, other: Any) -> bool:
    """Whether an accepted value is of the kind that stands there: a whole number stays one, and a
    number in text is written in plain digits.
    """
    if path[-1] in ("event", "plan"):
        return isinstance(other, str) and other.isprintable() and other != ""
    if isinstance(value, int):
        return type(other) is int
    if path[-1] == "least":
        return other is None or isinstance(other, str)
    if value is None:
        return other is None
    return isinstance(other, str) and other.isascii()


def test_a_plan_with_another_release_is_rejected() -> None:
    """Less noise than the budget says, and more of the same releases."""
    certificate = refutation("CertifiedPlan", "sequential")
    assert "scale=3" in check_refutation(certificate).claim
    release = ("claim", "parameters", "budgets", 0, "releases", 0)
    for path, value in (
        ((*release, "parameters", "scale"), "3/2"),
        ((*release, "count"), 3),
    ):
        with pytest.raises(Rejected, match="not shown to be at most"):
            check_refutation(sealed(certificate, path, value))


def bet(**changed: Any) -> dict[str, Any]:
    """A bet that alone is enough against PureDP(1)."""
    plane = {"epsilon": "1", "growth": "2.7183", "slack": "0", "tangent": None}
    entries = {
        "event": "an event",
        "likely_on": "x",
        "half_plane": plane,
        "trials": 100,
        "likely_hits": 99,
        "rare_hits": 0,
        "weight": "1",
        "likely": ["0.05", "1.4"],
        "rare": ["1", "0.01"],
    }
    return entries | changed


def of_bets(*bets: dict[str, Any], **changed: Any) -> Certificate:
    """A certificate of bets."""
    certificate = {
        "format": "rdpacct-audit",
        "version": 1,
        "claim": {"kind": "PureDP", "parameters": {"epsilon": "1"}},
        "confidence": "0.999",
        "trials": 120,
        "seed": 0,
        "method": "sequential",
        "evidence": list(bets),
    } | changed
    certificate["digest"] = digest(certificate)
    return certificate


def test_the_bet_of_these_tests_is_accepted() -> None:
    """So that what is rejected below is so for its own reason."""
    assert fair(bet())
    assert check_refutation(of_bets(bet())).claim == "PureDP(epsilon=1)"


HALF = {"weight": "1/2"}
HOLES: dict[str, tuple[Certificate, str]] = {
    "version true": (of_bets(bet(), version=True), "version"),
    "version 1.0": (of_bets(bet(), version=1.0), "version"),
    "digits of other scripts": (of_bets(bet(weight="\u0661")), "decimal"),
    "a line of its own": (
        of_bets(bet(event="a\naccepted: all is refuted")),
        "printable",
    ),
    "a terminal is told to turn back": (of_bets(bet(event="a\x1b[1A")), "printable"),
    "text to the left": (of_bets(bet(event="\u202eab")), "printable"),
    "half of a character": (of_bets(bet(event="\ud800")), "printable"),
    "a plan of two lines": (
        of_bets(
            bet(),
            claim={
                "kind": "StatedPlan",
                "parameters": {
                    "plan": "Laplace(scale=1)\n  rests on nothing",
                    "points": [{"epsilon": "1", "delta": "0"}],
                },
            },
        ),
        "printable",
    ),
    "two counts of an event": (
        of_bets(bet(**HALF), bet(**HALF, rare_hits=1)),
        "contradict each other",
    ),
    "two counts, turned": (
        of_bets(bet(**HALF), bet(**HALF, likely_on="x_neighbor")),
        "contradict each other",
    ),
    "fewer hits in more trials": (
        of_bets(bet(**HALF), bet(**HALF, trials=110, likely_hits=98)),
        "contradict each other",
    ),
    "too many hits in few more trials": (
        of_bets(bet(**HALF), bet(**HALF, trials=110, rare_hits=11, likely_hits=100)),
        "contradict each other",
    ),
    "weights of more than 1": (of_bets(bet(), bet(weight="1e-60")), "more than 1"),
    "a weight below 0": (of_bets(bet(), bet(weight="-1")), "between 0 and 1"),
    "more trials than there were": (of_bets(bet(trials=121)), "number of trials"),
    "more hits than trials": (of_bets(bet(likely_hits=101)), "number of hits"),
    "confidence 1": (of_bets(bet(), confidence="1"), "confidence"),
    "confidence 0": (of_bets(bet(), confidence="0"), "confidence"),
    "no bet": (of_bets(), "1 to"),
    "an unfair bet": (of_bets(bet(likely=["0.05", "1.6"])), "mean above 1"),
    "a factor of 0": (of_bets(bet(rare=["1", "0"])), "positive"),
}


@pytest.mark.parametrize("name", HOLES)
def test_what_an_adversary_tried(name: str) -> None:
    """Each is rejected, for its own reason."""
    certificate, says = HOLES[name]
    with pytest.raises(Rejected, match=says):
        check_refutation(certificate)


def test_counts_of_one_event_that_agree_are_accepted() -> None:
    """The later bet is on the last 100 of the 110 trials of the earlier one."""
    earlier = bet(**HALF, trials=110, likely_hits=109, rare_hits=1)
    turned = bet(weight="0", likely_on="x_neighbor", likely_hits=0, rare_hits=99)
    assert len(check_refutation(of_bets(bet(**HALF), earlier, turned)).events) == 3


def test_one_run_is_one_trial() -> None:
    """Its number of trials is not free."""
    certificate = refutation("ApproxDP", "one_run")
    with pytest.raises(Rejected, match="not 1"):
        check_refutation(sealed(certificate, ("trials",), 2))


def test_a_stated_profile_is_shown_with_its_points() -> None:
    """A reader sees what was refuted, and not only for which plan it was stated."""
    points = [{"epsilon": "1", "delta": "0"}]
    stated = {"plan": "Gaussian(sigma=100)", "points": points}
    claim = {"kind": "StatedPlan", "parameters": stated}
    said = check_refutation(of_bets(bet(), claim=claim)).claim
    assert (
        said == "ProfileDP(points=[[1, 0]]), which is stated for Gaussian(sigma=100),"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"evidence": 1, "evidence": 2}',
        '{"evidence": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"evidence": ' + "9" * 100_000 + "}",
        '{"evidence": NaN}',
        '{"evidence": 1e999999999}',
        '{"evidence": "\\ud800"}',
        "[]",
        "null",
        '"evidence"',
        "",
    ],
)
def test_hostile_files_are_one_sentence(
    text: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad input or rejected; never accepted, and never a crash."""
    file = tmp_path / "certificate.json"
    file.write_text(text)
    assert main(["check", str(file)]) in (1, 2)
    printed = capsys.readouterr()
    assert "accepted" not in printed.out
    assert (printed.out + printed.err).count("\n") == 1


def test_the_second_opinion_can_say_no() -> None:
    """Counts, weights, factors and lines that refute nothing."""
    assert really_refutes(of_bets(bet()))
    steep = bet()["half_plane"] | {"growth": "1"}
    wrong: list[dict[str, Any]] = [
        {"likely_hits": 80},
        {"rare_hits": 50},
        {"weight": "2"},
        {"likely": ["0.05", "3"]},
        {"half_plane": steep},
    ]
    for changed in wrong:
        assert not really_refutes(of_bets(bet(**changed)))
    weaker = {"kind": "PureDP", "parameters": {"epsilon": "2"}}
    assert not really_refutes(of_bets(bet(), claim=weaker))
