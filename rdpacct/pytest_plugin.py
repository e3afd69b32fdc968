"""The plugin of pytest: theorems that a test names, the whole book as tests, and audits of running
code with fixed seeds.

pytest loads it where the package is installed, and all else of the package only where a test asks
for it.
"""

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rdpacct.testing.privacy_audit import PrivacyAudit

AUDITS = pytest.StashKey[list[Callable[[], str]]]()
"""What makes the texts about the audits of a test."""
EARNED = "privacy earned"
MARKER = (
    "theorem(id, ...): fail the test unless these entries of the theorem book of rdpacct"
    " are proved"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that adds the theorem book to the tests."""
    parser.getgroup("rdpacct").addoption(
        "--rdpacct-verify",
        action="store_true",
        help="check every entry of the theorem book of rdpacct, as a test of its own",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker, for sessions in which an unknown one is an error."""
    config.addinivalue_line("markers", MARKER)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """One test more for each entry of the book, if that is asked for; -k and -m choose among
    them.
    """
    if config.getoption("--rdpacct-verify"):
        book: TheoremBook = TheoremBook.from_parent(
            session, name="rdpacct", nodeid="rdpacct"
        )
        items.extend(book.collect())


class TheoremBook(pytest.Collector):
    """The entries of the theorem book, as tests."""

    def collect(self) -> Iterator["TheoremEntry"]:
        """Each entry, in the order of the ids."""
        from rdpacct.proof.entries import ids

        for name in ids():
            yield TheoremEntry.from_parent(self, name=name)


class TheoremEntry(pytest.Item):
    """The test that an entry of the book passes its check."""

    def runtest(self) -> None:
        """Have the kernel read the derivation again."""
        from rdpacct.testing.proved import why_failed

        _require(why_failed(self.name))

    def reportinfo(self) -> tuple[str, None, str]:
        """Where it is: in the book."""
        return "rdpacct", None, self.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fail a test that names a theorem which is not proved; each is checked once a process."""
    for marker in item.iter_markers("theorem"):
        from rdpacct.testing.proved import objection

        _require(objection(marker.args, marker.kwargs))


def _require(why_not: str | None) -> None:
    if why_not is not None:
        pytest.fail(why_not, pytrace=False)


@pytest.fixture
def privacy_audit(request: pytest.FixtureRequest) -> "PrivacyAudit":
    """Audits of running code whose seeds follow from the name of the test; a claim that is refuted
    fails it, with a section of its own in the report.
    """
    from rdpacct.testing.privacy_audit import PrivacyAudit

    item = request.node
    seen = item.stash.setdefault(AUDITS, [])

    def earn(text: str) -> None:
        item.user_properties.append((EARNED, text))

    return PrivacyAudit(item.nodeid, seen.append, earn)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A section with what the passing tests earned, if they did."""
    earned = [
        (report.nodeid, text)
        for report in terminalreporter.stats.get("passed", ())
        for name, text in report.user_properties
        if name == EARNED
    ]
    if earned:
        terminalreporter.section("privacy earned")
    for nodeid, text in earned:
        terminalreporter.line(f"{nodeid}\n  {text.replace(chr(10), chr(10) + '  ')}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A section with what the audits of a test that fails saw."""
    report = yield
    audits = item.stash.get(AUDITS, [])
    if audits and call.when == "call" and report.failed:
        texts = [text() for text in audits]
        report.sections.append(("privacy audit", "\n".join(texts)))
    return report
