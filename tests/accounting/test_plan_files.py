"""Plan files: what they say, the one canonical text of what says the same, and what is refused."""

import json
import random
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rdpacct import (
    ApproxDP,
    Bound,
    Gaussian,
    InputError,
    Laplace,
    PoissonSampled,
    Promised,
    PureDP,
    Relation,
    calibrate,
    epsilon,
    read_document,
    read_plan,
)
from rdpacct.functions import sqrt

Writer = Callable[[str, str], str]

WHOLE = """
version = 1
title = "Clinic"
relation = "add_or_remove_one"
unit = "person"

[[releases]]
name = "counts"
date = 2026-01-05
mechanism = { kind = "Gaussian", sigma = "sqrt(2)*3" }
sensitivity = { value = 2, norm = "L2", relation = "add_or_remove_one", query = "visits" }
count = 52

[[releases]]
mechanism = { kind = "PoissonSampled", mechanism = "Gaussian(sigma=1.1)", rate = "256/60000" }

[[releases]]
by = "vendor"
guarantee = "ApproxDP(epsilon=0.1, delta=1e-7)"

[[claims]]
name = "budget"
guarantee = { kind = "PureDP", epsilon = 1.5 }
"""
DATA: dict[str, Any] = {
    "claims": [{"guarantee": "PureDP(epsilon=3/2)", "name": "budget"}],
    "releases": [
        {
            "guarantee": {"delta": "1/10**7", "epsilon": 1e-1, "kind": "ApproxDP"},
            "by": "vendor",
        },
        {
            "mechanism": "PoissonSampled(Gaussian(sigma=11/10), rate=32/7500)",
            "count": 1,
        },
        {
            "sensitivity": {"query": "visits", "value": "1 + 1"},
            "count": "4*13",
            "mechanism": "Gaussian(sigma=3*sqrt(2))",
            "date": "2026-01-05",
            "name": "counts",
        },
    ],
    "unit": {"contributions": 1, "name": "person"},
    "title": "Clinic",
    "version": 1,
}


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Writes a file and gives its path."""

    def written(name: str, content: str) -> str:
        path = tmp_path / name
        path.write_text(content)
        return str(path)

    return written


def test_a_file_says_what_it_says(write: Writer) -> None:
    """Each field arrives, with exact numbers."""
    document = read_document(write("plan.toml", WHOLE))
    counts, sampled, vendor = document.releases
    noisy = Gaussian(sigma=3 * sqrt(2), sensitivity=2)
    assert (counts.name, counts.date, counts.count) == ("counts", "2026-01-05", 52)
    assert (counts.mechanism, counts.query, vendor.by) == (noisy, "visits", "vendor")
    assert sampled.mechanism == PoissonSampled(Gaussian("1.1"), "256/60000")
    assert vendor.mechanism == Promised(ApproxDP("0.1", "1e-7"))
    assert document.plan == counts.plan + sampled.plan + vendor.plan
    assert (document.title, str(document.unit)) == ("Clinic", "person")
    assert document.relation is Relation.ADD_OR_REMOVE_ONE
    [claim] = document.claims
    assert (claim.name, claim.guarantee) == ("budget", PureDP("1.5"))


def test_every_question_takes_a_file(write: Writer) -> None:
    """A file is its plan, for each function that takes a text."""
    path = write("plan.toml", WHOLE)
    assert read_plan(path) == read_document(path).plan
    bound = epsilon(path, "1e-6")
    assert isinstance(bound, Bound)
    assert bound == epsilon(read_plan(path), "1e-6")


def test_what_says_the_same_has_the_same_text(write: Writer) -> None:
    """The order of fields and releases, TOML or JSON, and the spelling of numbers do not matter."""
    wanted = read_document(write("plan.toml", WHOLE))
    rng = random.Random(1)
    for turn in range(5):
        shuffled = _shuffled(DATA, rng)
        other = read_document(write(f"plan{turn}.json", json.dumps(shuffled)))
        assert other.canonical == wanted.canonical
        assert other.digest == wanted.digest
        assert other.plan == wanted.plan


CHANGES = {
    "a number": ("sqrt(2)*3", "sqrt(2)*2.9999999999999999999"),
    "a count": ("count = 52", "count = 53"),
    "a name": ('"counts"', '"count"'),
    "a date": ("2026-01-05", "2026-01-06"),
    "a claim": ("epsilon = 1.5", "epsilon = 1.50000000000000000001"),
    "the unit": ('"person"', '"household"'),
    "who promises": ('"vendor"', '"seller"'),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_has_another_text(write: Writer, what: str) -> None:
    """The hash of a changed file is another one, however small the change."""
    before, after = CHANGES[what]
    assert WHOLE.count(before) == 1
    first = read_document(write("first.toml", WHOLE))
    second = read_document(write("second.toml", WHOLE.replace(before, after)))
    assert first.digest != second.digest


def test_an_expression_is_the_document_of_its_releases(write: Writer) -> None:
    """Text, a simple file and a list without names are the same plan with the same text."""
    text = "2*Gaussian(sigma=1) + Laplace(scale=1/2) + Gaussian(sigma=1)"
    listed = """
version = 1
[[releases]]
mechanism = "Laplace(scale=0.5)"
[[releases]]
mechanism = { kind = "Gaussian", sigma = 1 }
count = 3
"""
    simple = f'plan = "{text}"'
    canonical = read_document(text).canonical
    assert read_document(write("listed.toml", listed)).canonical == canonical
    assert read_document(write("simple.toml", simple)).canonical == canonical
    assert {release.count for release in read_document(text).releases} == {1, 3}


def test_the_canonical_text_is_json_of_what_was_read(write: Writer) -> None:
    """It can be read by other programs, and its plan is the plan."""
    document = read_document(write("plan.toml", WHOLE))
    data = json.loads(document.canonical)
    parts = [f"{release['count']}*({release['run']})" for release in data["releases"]]
    assert read_plan(" + ".join(parts)) == document.plan


def test_decimals_of_files_are_exact(write: Writer) -> None:
    """0.1 in a file is one tenth, and not the double nearest to it."""
    toml = 'version = 1\n[[releases]]\nmechanism = { kind = "Laplace", scale = 0.1_0 }'
    data = (
        '{"version": 1, "releases": [{"mechanism": {"kind": "Laplace", "scale": 0.1}}]}'
    )
    assert tomllib.loads(toml)["releases"]
    for path in (write("plan.toml", toml), write("plan.json", data)):
        assert read_plan(path).single == Laplace("1/10")
        assert read_plan(path).single != Laplace(0.1)


def test_variances_stand_for_sigmas(write: Writer) -> None:
    """sigma**2 = 50 is the sigma sqrt(50), in texts and in files."""
    data = {
        "version": 1,
        "releases": [{"mechanism": {"kind": "Gaussian", "sigma**2": 50}}],
    }
    plans = [
        read_plan("Gaussian(sigma**2=50)"),
        read_plan("Gaussian(sigma_squared=5*10)"),
        read_plan(write("plan.json", json.dumps(data))),
    ]
    assert {plan.single for plan in plans} == {Gaussian(sigma=sqrt(50))}
    assert read_plan("Gaussian(sigma**2=9)").single == Gaussian(sigma=3)
    for wrong in ("Gaussian(sigma**2=-1)", "Gaussian(sigma**2=4, sigma=2)"):
        with pytest.raises(InputError):
            read_plan(wrong)


def test_open_numbers_of_files_are_calibrated(write: Writer) -> None:
    """A question mark may stand in any release, also for the variance."""
    content = WHOLE.replace('sigma = "sqrt(2)*3"', '"sigma**2" = "?"')
    found = calibrate(write("plan.toml", content), 2, "1e-6")
    assert found.name == "sigma_squared"
    assert found.insufficient is not None
    for value, enough in ((found.sufficient, True), (found.insufficient, False)):
        plan = write("at.toml", content.replace('"?"', f'"{value}"'))
        at = epsilon(plan, "1e-6")
        assert at.certainly_at_most(2) if enough else at.certainly_above(2)


UNIT = 'version = 1\nunit = { name = "person", contributions = 3 }\n'


def test_units_with_several_records(write: Writer) -> None:
    """Sensitivities are multiplied, promises are those of groups, and a Laplace release has the
    largest loss that a chain of neighbors can have.
    """
    content = f"""{UNIT}
[[releases]]
mechanism = "Laplace(scale=6, sensitivity=1/2)"
[[releases]]
guarantee = "PureDP(epsilon=0.25)"
count = 2
"""
    document = read_document(write("plan.toml", content))
    noisy, vendor = document.releases
    assert noisy.mechanism == Laplace(6, "3/2")
    assert vendor.mechanism == Promised(PureDP("0.75"))
    assert document.plan == noisy.plan + vendor.plan
    assert str(document.unit) == "person with up to 3 records"
    worst = epsilon(document.plan, 0)
    assert worst.contains(3 * (Fraction(1, 12) + 2 * Fraction(1, 4)))
    assert {"group/sensitivity", "group/pure"} <= worst.rests_on
    single = read_document(write("one.toml", content.replace("= 3 }", "= 1 }")))
    assert single.digest != document.digest
    assert epsilon(single.plan, 0).certainly_below(worst)


@pytest.mark.parametrize(
    "mechanism",
    [
        "PoissonSampled(Laplace(scale=1), rate=0.1)",
        "SmoothPower(alpha=1, beta=0.1, power=2)",
        "Parallel(parts=[Gaussian(sigma=1)])",
        "DiscreteGaussian(sigma=3, shift=[1, 2])",
    ],
)
def test_units_without_a_rule_are_refused(write: Writer, mechanism: str) -> None:
    """No number is given that no theorem covers."""
    content = f"{UNIT}[[releases]]\nmechanism = '{mechanism}'"
    with pytest.raises(InputError, match="release 1: no theorem of this package"):
        read_document(write("plan.toml", content))


RELEASE = "version = 1\n[[releases]]\n"
REFUSED = {
    "version = 2\nreleases = []": ["version is the number 2", "version = 1"],
    "releases = []": ["add version = 1"],
    "version = 1\nplan = 'Gaussian(sigma=1)'\nreleases = []": ["both"],
    "version = 1\nrelease = []\nplan = 'x'": ["did you mean releases?"],
    f"{RELEASE}mechansim = 'x'": ["release 1", "did you mean mechanism?"],
    f"{RELEASE}name = 'A'": ["release 1 (A)", "nothing that is run"],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nguarantee = 'PureDP(epsilon=1)'": [
        "exactly one"
    ],
    f"{RELEASE}name = 'A'\nmechanism = 'Gausian(sigma=1)'": [
        "release 1 (A)",
        "mean Gaussian?",
    ],
    f"{RELEASE}mechanism = {{ sigma = 1 }}": ["without its kind"],
    f"{RELEASE}mechanism = {{ kind = 'Gaussian', sgima = 1 }}": ["did you mean sigma?"],
    f"{RELEASE}mechanism = {{ kind = 'Gaussian', sigma = -1 }}": [
        "release 1",
        "above 0",
    ],
    f"{RELEASE}mechanism = {{ kind = 'Gaussian', sigma = nan }}": [
        "not a finite number"
    ],
    f"{RELEASE}mechanism = {{ kind = 'Gaussian', sigma = 2026-01-01 }}": [
        "the time 2026-01-01"
    ],
    f"{RELEASE}mechanism = 3": ["release 1", "a number where a mechanism"],
    f"{RELEASE}guarantee = 'PureDP(epsilon=1) + PureDP(epsilon=2)'": [
        "is not a guarantee"
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\ncount = 1.5": [
        "release 1",
        "whole number",
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\ncount = 'sqrt(2)'": [
        "release 1",
        "whole number",
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\ndate = '2026-13-01'": ["a day such as"],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\ndate = 2026": ["a day such as"],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nname = 7": ["a text in quotes"],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nname = \"\\u0007\"": [
        "cannot be printed"
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nsensitivity = {{ norm = 'L1', value = 1 }}": [
        "norm L1",
        "give the sensitivity in L2",
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nsensitivity = {{ norm = 'L7', value = 1 }}": [
        "'L7' is not known"
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\n"
    "sensitivity = { value = 1, relation = 'replace_one' }": ["for add_or_remove_one"],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1)'\nsensitivity = {{ norm = 'L2' }}": [
        "value = 1"
    ],
    f"{RELEASE}mechanism = 'Gaussian(sigma=1, sensitivity=2)'\nsensitivity = 1": [
        "twice"
    ],
    f"{RELEASE}mechanism = 'RandomizedResponse(epsilon=1)'\nsensitivity = 1": [
        "has no sensitivity"
    ],
    f"{RELEASE}mechanism = '2*Gaussian(sigma=1)'\nsensitivity = 1": [
        "not one mechanism"
    ],
    "version = 1\nreleases = []\n[[claims]]\nname = 'B'": [
        "claim 1 (B)",
        "no guarantee",
    ],
    "version = 1\nreleases = []\nclaims = ['Gaussian(sigma=1)']": [
        "claim 1",
        "not a guarantee",
    ],
    "version = 1\nreleases = []\nunit = { contributions = 2 }": ["unit has no name"],
    "version = 1\nreleases = []\nunit = { name = 'p', contributions = 0 }": [
        "from 1 to"
    ],
    "version = 1\nreleases = 3": ["a list of tables"],
    "version = 1\nreleases = [3]": ["release 1", "a table with the fields"],
    "plan = 'Gaussian(sigma=1)'\nrelation = 3": ["relation is the number 3"],
}


@pytest.mark.parametrize("content", REFUSED)
def test_mistakes_in_files_are_refused_with_their_place(
    write: Writer, content: str
) -> None:
    """One sentence with the place, the reason and the remedy."""
    with pytest.raises(InputError) as refusal:
        read_document(write("plan.toml", content))
    sentence = str(refusal.value)
    for words in REFUSED[content]:
        assert words in sentence
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))


def test_files_have_limits(write: Writer) -> None:
    """Too many releases, too deep tables and too long texts are refused."""
    many = {"version": 1, "releases": [{"mechanism": "Gaussian(sigma=1)"}] * 1001}
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    nested = {
        "version": 1,
        "releases": [{"mechanism": {"kind": "Gaussian", "sigma": deep}}],
    }
    long = {"version": 1, "releases": [], "title": "x" * 1001}
    for data, words in (
        (many, "1001 items"),
        (nested, "deep"),
        (long, "1001 characters"),
    ):
        with pytest.raises(InputError, match=words):
            read_document(write("plan.json", json.dumps(data)))


def _shuffled(data: Any, rng: random.Random) -> Any:
    """The same data with the fields and the items of lists in another order."""
    if isinstance(data, dict):
        names = rng.sample(list(data), len(data))
        return {name: _shuffled(data[name], rng) for name in names}
    if isinstance(data, list):
        return [_shuffled(item, rng) for item in rng.sample(data, len(data))]
    return data
