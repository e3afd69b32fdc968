"""Report pages as text: reproducible, self-contained, escaped, and with the numbers of --json."""

import json
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rdpacct import (
    ApproxDP,
    Gaussian,
    InputError,
    Laplace,
    PrivacyReport,
    epsilon,
    privacy_report,
    read_document,
)
from rdpacct.cli import main
from rdpacct.exact.formula import formula
from rdpacct.questions import Questions, plan_of
from rdpacct.report.attacks import PRIORS, attacker_gain
from rdpacct.report.losses import loss_lines
from rdpacct.report.pictures import label
from rdpacct.report.words import percent
from tests.report.plans import CLINIC, NASTY, write


class Read(HTMLParser):
    """The tags, addresses and data elements of a page, by another reader than a browser."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.values: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.addresses += [given[key] for key in ("href", "src") if key in given]
        self.ids += [given["id"]] if "id" in given else []
        if tag == "data":
            self.values[given["data-path"]] = given["value"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> PrivacyReport:
    """A plan file with names, dates, a promise and claims."""
    return privacy_report(write(tmp_path_factory.mktemp("plans"), CLINIC))


@pytest.fixture(scope="module")
def page(report: PrivacyReport) -> Read:
    """Its page, read."""
    return Read(report.html())


def at(data: Any, path: str) -> Any:
    """What stands at a path of an object."""
    for part in path.split("."):
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def test_the_values_of_the_page_are_those_of_the_object(
    report: PrivacyReport, page: Read
) -> None:
    """Every data element has the number, or the text, that --json has at its path."""
    data = json.loads(json.dumps(report.data()))
    assert len(page.values) > 100
    for path, text in page.values.items():
        assert text == str(at(data, path)), path


def test_a_page_needs_nothing_else(page: Read) -> None:
    """No script, no address but places of the page itself, no id twice, and every link leads
    somewhere.
    """
    assert not {"script", "link", "iframe", "object", "img"} & set(page.tags)
    assert all(address.startswith("#") for address in page.addresses)
    assert len(page.ids) == len(set(page.ids))
    assert {address[1:] for address in page.addresses} <= set(page.ids)


def test_theorems_link_to_the_book_where_it_is(
    report: PrivacyReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a folder beside the page or on the web; other addresses are refused."""
    monkeypatch.setattr(
        "rdpacct.report.page._pictures", lambda _: {}
    )  # they link nowhere
    for book in ("book", "https://example.org/book/"):
        links = [each for each in Read(report.html(book)).addresses if each[0] != "#"]
        assert f"{book.rstrip('/')}/engine-quadrature.html" in links
        assert len(links) == len(report.steps)
    with pytest.raises(InputError, match="the address of the book"):
        report.html("javascript:alert(1)//")


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    """In two processes with other hash seeds, from two spellings of the plan."""
    pages = []
    plans = (
        "Laplace(scale=2) + Laplace(scale=3)",
        "Laplace(scale=3)+Laplace(scale=2.0)",
    )
    for seed, plan in zip("12", plans, strict=True):
        target = tmp_path / f"{seed}.html"
        line = ["report", plan, "--delta", "1e-6", "-o", str(target)]
        subprocess.run(
            [sys.executable, "-m", "rdpacct", *line],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        )
        pages.append(target.read_bytes())
    assert pages[0] == pages[1]


def test_the_hash_is_of_what_the_file_says(tmp_path: Path) -> None:
    """Not of the order of its releases; but of their names and numbers."""
    head, first, second, rest = CLINIC.split("[[releases]]")
    turned = "[[releases]]".join([head, second, first, rest])
    changed = CLINIC.replace("sigma=7", "sigma=8")
    renamed = CLINIC.replace("weekly", "daily")
    texts = (CLINIC, turned, changed, renamed)
    files = [write(tmp_path, text, f"plan{k}") for k, text in enumerate(texts)]
    hashes = [read_document(file).digest for file in files]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 3


def test_texts_of_users_are_escaped(tmp_path: Path) -> None:
    """Names, notes and units with tags, formulas, quotes and letters of other scripts are texts."""
    page = privacy_report(write(tmp_path, NASTY)).html()
    assert "<script" not in page
    assert "<b onclick" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    read = Read(page)
    assert "onerror" not in "".join(read.addresses)
    assert len(read.ids) == len(set(read.ids))


def test_labels_are_one_line_of_text() -> None:
    """Neither hidden, nor a formula, nor longer than a legend."""
    assert label("_hidden") == " _hidden"
    assert label("a\nb\x00") == "a b "
    assert len(label("x" * 500)) == 48


def test_shares_are_budgets(report: PrivacyReport) -> None:
    """Alone and without: the epsilons of these plans, and a difference that is not rounded up."""
    for share in report.shares:
        assert share.alone.overlaps(epsilon(share.release.plan, "1e-6"))
        assert share.saved.lower <= report.epsilon.upper - share.without.lower
        assert share.saved.upper >= report.epsilon.lower - share.without.upper
        assert share.without.lower <= report.epsilon.upper
    assert len(report.shares) == 3


def test_an_attacker_of_a_pure_mechanism_gains_what_the_book_says() -> None:
    """Randomized response at log(3): right three times of four; an alarm triples the odds."""
    asked = Questions(plan_of("RandomizedResponse(epsilon=log(3))"))
    gain = attacker_gain(asked)
    assert gain.right.contains(Fraction(3, 4))
    assert gain.right.width < 1e-9
    for alarm in gain.alarms:
        assert alarm.factor.contains(3)
        for prior in PRIORS:
            odds = 3 * prior / (1 - prior)
            assert alarm.posterior(prior).contains(odds / (1 + odds))


def test_percentages_are_rounded_up() -> None:
    """Never below the probability, and never above 100 %."""
    assert percent(Fraction(2, 3)) == "66.7\u00a0%"
    assert percent(Fraction(1, 3)) == "33.4\u00a0%"
    assert percent(Fraction(99999, 100000)) == "100\u00a0%"
    assert percent(Fraction(1)) == "100\u00a0%"


def test_tails_of_losses_hold_the_truth() -> None:
    """Of a mixed plan, against single answers; of a plan without a worst pair there are none."""
    document = privacy_report(3 * Laplace(2) + Gaussian(1), "1e-6").document
    [line, *_] = loss_lines(document, 21)
    asked = Questions(document.plan)
    for level, bound in list(zip(line.at, line.bounds, strict=True))[::5]:
        assert bound.overlaps(asked.tail(formula(level)))
        assert bound.width < 1e-2


def test_the_delta_is_that_of_the_claims(report: PrivacyReport) -> None:
    """The smallest of them; a plan without claims needs one, and a wrong one is refused."""
    assert str(report.delta) == "1e-06"
    with pytest.raises(InputError, match="the report has no delta"):
        privacy_report("Gaussian(sigma=1)")
    for wrong in ("0", "1", "-1"):
        with pytest.raises(InputError, match="must be above 0 and below 1"):
            privacy_report("Gaussian(sigma=1)", wrong)
    claimed = privacy_report("Gaussian(sigma=1)", claims=[ApproxDP(5, "1e-7")])
    assert str(claimed.delta) == "1e-07"


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ([], 0),
        (["ApproxDP(epsilon=5, delta=1e-6)"], 0),
        (["ApproxDP(epsilon=5, delta=1e-6)", "PureDP(epsilon=1)"], 1),
    ],
)
def test_the_exit_code_is_that_of_the_worst_claim(
    claims: list[str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 if all hold, 1 if one fails; the page is written in both cases."""
    file = tmp_path / "report.html"
    given = [word for claim in claims for word in ("--claim", claim)]
    line = ["report", "Gaussian(sigma=1)", "--delta", "1e-6", *given, "-o", str(file)]
    assert main(line) == code
    assert "epsilon <= 4.8865" in capsys.readouterr().out
    assert file.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["Gaussian(sigma=1)", "--delta", "1e-6"], "give -o report.html"),
        (["Gaussian(sigma=1)", "-o", "r.html"], "no delta"),
        (["Gaussian(sigma=1)", "--delta", "1e-6", "-o", "r.pdf"], ".html or .htm"),
        (["Gaussian(sigma=1)", "--delta", "2", "-o", "r.html"], "below 1"),
        (
            ["Gaussian(sigma=1)", "--delta", "1e-6", "--claim", "X", "-o", "r.html"],
            "not a guarantee",
        ),
    ],
)
def test_mistakes_of_a_report_get_a_sentence(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and one sentence, with the place in a text below it."""
    assert main(["report", *line]) == 2
    first, *place = capsys.readouterr().err.splitlines()
    assert said in first
    assert all(below.startswith("  ") for below in place)


def test_a_report_without_matplotlib_has_its_tables(tmp_path: Path) -> None:
    """The page says that the pictures are missing, and shows the numbers behind them."""
    code = """
import sys
sys.modules["matplotlib"] = None
sys.modules["numpy"] = None
from rdpacct.cli import main
line = ["report", "Laplace(scale=1)", "--delta", "1e-6"]
main([*line, "--json"])
print(main([*line, "-o", "report.html"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    numbers, *_, exit_code = ran.stdout.splitlines()
    assert json.loads(numbers)["sha256"]
    assert exit_code == "0"
    page = (tmp_path / "report.html").read_text()
    assert "need matplotlib" in page
    assert "<svg" not in page
    assert page.count("<details open>") == 3


@pytest.mark.parametrize(
    "plan",
    [
        "NonPrivate()",
        "0*Gaussian(sigma=1)",
        pytest.param("ZCDP(rho=1/10)", marks=pytest.mark.slow),
        "SmoothPower(alpha=1/10, beta=1/100, power=4)",
        "ApproxDP(epsilon=1, delta=0.001)",
    ],
)
def test_plans_with_little_to_draw_have_a_page(plan: str) -> None:
    """No privacy, nothing released, moments only, tests that are not known, a mass at infinity."""
    page = Read(privacy_report(plan, "1e-6").html())
    assert "epsilon.upper" in page.values
