"""The plugin of pytest: what its marker and its option do, and that it costs nothing unused."""

import re
from pathlib import Path

from rdpacct.proof.entries import ids
from rdpacct.testing.refuted import seed_of
from tests.testing.sessions import run_tests

TWO_WORKERS = ("-p", "xdist", "-n", "2")
MARKED = """
import pytest

@pytest.mark.theorem("group/pure")
def test_proved(): pass

@pytest.mark.theorem("cdp/tail", "group/pure")
class TestCorrected:
    def test_method(self): pass

@pytest.mark.theorem("group/pur")
def test_unknown(): pass

@pytest.mark.theorem("group/pure", "sensitivity/dkw")
def test_assumed(): pass

@pytest.mark.theorem
def test_bare(): pass

@pytest.mark.theorem(3)
def test_number(): pass

@pytest.mark.theorem("group/pure")
def test_false(): assert 1 == 2

def test_unmarked(): pass
"""
SENTENCES = (
    "the theorem 'group/pur' is not known; did you mean group/pure?",
    "sensitivity/dkw is not proved, its verdict is assumed",
    "a theorem marker takes the ids of entries of the book; write"
    ' @pytest.mark.theorem("cdp/composition").',
)


def test_a_test_fails_unless_its_theorems_are_proved(tmp_path: Path) -> None:
    """Each failure is a sentence, without a traceback of ours."""
    session = run_tests(tmp_path, {"test_it.py": MARKED})
    passed = {"test_proved", "TestCorrected::test_method", "test_unmarked"}
    failed = {"test_unknown", "test_assumed", "test_bare", "test_number", "test_false"}
    assert session.results == {
        **{f"test_it.py::{name}": "PASSED" for name in passed},
        **{f"test_it.py::{name}": "FAILED" for name in failed},
    }
    for sentence in SENTENCES:
        assert sentence in session.text
    assert "proved.py" not in session.text


BROKEN_BOOK = """
import dataclasses
from rdpacct.testing import proved

right = proved.verify

def broken(name):
    [found] = right("group/pure")
    if name == "group/zcdp":
        found = dataclasses.replace(found, problem="step 3 does not follow.")
    return [found]

proved.verify = broken
"""
NAMES_IT = """
import pytest

@pytest.mark.theorem("group/zcdp")
def test_named(): pass
"""


def test_the_book_is_part_of_the_session(tmp_path: Path) -> None:
    """One test for each entry, which -k chooses; one that fails is a failure with its reason."""
    files = {"conftest.py": BROKEN_BOOK, "test_it.py": NAMES_IT}
    chosen = ("--rdpacct-verify", "-k", "group/pure or group/zcdp or named")
    session = run_tests(tmp_path, files, *chosen, *TWO_WORKERS)
    assert session.results == {
        "rdpacct::group/pure": "PASSED",
        "rdpacct::group/zcdp": "FAILED",
        "test_it.py::test_named": "FAILED",
    }
    assert session.text.count("\ngroup/zcdp fails: step 3 does not follow.\n") == 2


def test_every_entry_is_a_test(tmp_path: Path) -> None:
    """With the option; and none without it, as the other tests show."""
    files = {"test_it.py": "def test_it(): pass\n"}
    listed = run_tests(tmp_path, files, "--rdpacct-verify", "--collect-only", "-q").text
    entries = [line for line in listed.splitlines() if line.startswith("rdpacct::")]
    assert entries == [f"rdpacct::{name}" for name in ids()]


USES_IT = "import rdpacct.testing\n\ndef test_it(): pass\n"
LISTS_MODULES = """
import sys

def pytest_sessionfinish():
    ours = {name for name in sys.modules if name.split(".")[0] == "rdpacct"}
    heavy = {"numpy", "hypothesis", "flint", "jinja2"} & set(sys.modules)
    print("loaded", sorted(ours), sorted(heavy))
"""


def test_the_plugin_loads_nothing_that_is_not_used(tmp_path: Path) -> None:
    """A session without our marker, option and fixture has two modules of the package."""
    files = {"conftest.py": LISTS_MODULES, "test_it.py": "def test_it(): pass\n"}
    session = run_tests(tmp_path, files)
    assert session.code == 0
    assert "loaded ['rdpacct', 'rdpacct.pytest_plugin'] []" in session.text
    used = run_tests(tmp_path, files | {"test_it.py": USES_IT})
    assert "'rdpacct.testing'" in used.text


AUDITED = """
def right(data, rng, size):
    return sum(data) + rng.laplace(scale=1, size=size)

def wrong(data, rng, size):
    return sum(data) + rng.laplace(scale=1 / 2, size=size)

def test_right(privacy_audit):
    verdict = privacy_audit(right, [1, 2], [1, 3], "PureDP(epsilon=1)", trials=2000)
    assert verdict.undecided

def test_wrong(privacy_audit):
    privacy_audit(right, [1, 2], [1, 3], "PureDP(epsilon=1)", trials=2000)
    privacy_audit(wrong, [1, 2], [1, 3], "PureDP(epsilon=1)", confidence="0.9999")
"""
SEEN = re.compile(
    r"-+ privacy audit -+\nundecided: PureDP\(epsilon=1\)\n(?:  .*\n)+"
    r"(fails: PureDP\(epsilon=1\)\n"
    r"  event: an output is .*\n"
    r"  on x(?:_neighbor)?: (\d+) of (\d+) trials, so a probability of at least 0\.\d+\n"
    r"  on x(?:_neighbor)?: (\d+) of \3 trials, so a probability of at most 0\.\d+\n"
    r"  bound: the first is at most 2\.71829 times the second\n"
    r"  bets against the bound turned 1 into at least (\d+\.?\d*)\n"
    r"  refuted after \d+ trials: a true claim is refuted with probability at most 0\.0001\n"
    r"  seed: \d+\n)"
)


def test_an_audit_that_refutes_shows_what_it_saw(tmp_path: Path) -> None:
    """In a section of the report, the same to the last digit with and without workers."""
    files = {"test_it.py": AUDITED}
    sections = []
    for workers in ((), TWO_WORKERS):
        session = run_tests(tmp_path, files, *workers)
        assert session.results == {
            "test_it.py::test_right": "PASSED",
            "test_it.py::test_wrong": "FAILED",
        }
        failures, _, _ = session.text.partition("short test summary info")
        [seen] = SEEN.finditer(failures)
        sections.append(seen[1])
        likely, trials, rare = map(int, seen.group(2, 3, 4))
        assert likely / trials > 2.71829 * rare / trials
        assert float(seen[5]) >= 10_000
        assert "privacy_audit.py" not in session.text
    assert sections[0] == sections[1]


def test_seeds_follow_from_names() -> None:
    """And differ from one audit to the next."""
    assert seed_of("test_it.py::test 1") == 6917688267627861064
    assert len({seed_of(f"test {number}") for number in range(100)}) == 100


ON_PAIRS = """
from rdpacct.testing.strategies import neighbors

def right(data, rng, size):
    return sum(min(each, 1) for each in data) + rng.laplace(scale=1, size=size)

def wrong(data, rng, size):
    return sum(min(each, 2) for each in data) + rng.laplace(scale=1, size=size)

def check(mechanism, privacy_audit):
    pairs = neighbors("add_or_remove_one")
    privacy_audit.assert_private(mechanism, "PureDP(epsilon=1)", pairs, count=3, trials=2000)

def test_right(privacy_audit):
    check(right, privacy_audit)

def test_wrong(privacy_audit):
    check(wrong, privacy_audit)
"""


def test_what_is_earned_is_in_the_summary(tmp_path: Path) -> None:
    """Of the tests that pass; of one that fails, the report has the pair."""
    session = run_tests(tmp_path, {"test_it.py": ON_PAIRS}, *TWO_WORKERS)
    assert session.results == {
        "test_it.py::test_right": "PASSED",
        "test_it.py::test_wrong": "FAILED",
    }
    _, _, earned = session.text.partition("= privacy earned =")
    [passed, sure, *_] = earned.split("test_it.py::test_right\n", 1)[1].splitlines()
    assert passed == (
        "  passed: PureDP(epsilon=1) was refuted on none of 3 independent pairs, by 2000"
        " trials each"
    )
    assert sure.startswith(
        "    with confidence 0.95, a pair on which this audit refutes"
    )
    assert "test_wrong" not in earned.partition("short test summary")[0]
    assert re.search(
        r"- privacy audit -+\nfails: PureDP\(epsilon=1\)\n  x: ", session.text
    )
