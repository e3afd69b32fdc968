"""Whether this installation is well: versions, optional packages, the arithmetic and the book."""

import platform
import sys
from argparse import ArgumentParser, Namespace
from importlib.metadata import PackageNotFoundError, version

import rdpacct
from rdpacct.cli.answer import DONE, FAILS, JSON, Answer
from rdpacct.cli.self_check import SelfCheck, self_checks
from rdpacct.errors import InputError

EXAMPLES = ("rdpacct doctor", "rdpacct doctor --json")
"""What its help shows; a test runs them."""
NEEDED = "python-flint"
OPTIONAL = {
    "numpy": ("data", "releases that read data, samples of arrays"),
    "sympy": ("symbolic", "losses as symbolic expressions"),
    "matplotlib": ("report", "pictures of curves and in pages"),
    "mpmath": ("symbolic", "rdpacct verify --numeric"),
    "tqdm": ("shell", "progress bars"),
    "shtab": ("shell", "rdpacct completion"),
}
"""The optional packages: the extra that installs each, and what needs it."""
CODES = {
    0: "the claim holds, or the work is done",
    1: "the claim fails",
    2: "the input cannot be used",
    3: "undecided",
    70: "an error of this program, and no verdict",
    130: "interrupted",
}


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""


def run(options: Namespace) -> Answer:  # noqa: ARG001
    """What was found; the exit code is 1 if something that every answer needs is not right."""
    checks = self_checks()
    book, book_problem = _book()
    data = {
        "versions": _versions(),
        "optional": {
            name: {"version": _version(name), "extra": extra, "for": purpose}
            for name, (extra, purpose) in OPTIONAL.items()
        },
        "arithmetic": [
            {"name": check.name, "right": check.is_right} for check in checks
        ],
        "book": book,
        "exit_codes": {str(code): meaning for code, meaning in CODES.items()},
        "well": all(check.is_right for check in checks) and not book_problem,
    }
    code = DONE if data["well"] else FAILS
    return Answer(code, data, "\n".join(_lines(data, checks, book_problem)))


def _versions() -> dict[str, str]:
    return {
        "rdpacct": rdpacct.__version__,
        "Python": platform.python_version(),
        NEEDED: _version(NEEDED) or "not installed",
        "platform": f"{sys.platform} {platform.machine()}",
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _book() -> tuple[JSON, str]:
    """Where the book is and how many theorems it has, and what is wrong with it, if anything."""
    from rdpacct.proof.entries import ids
    from rdpacct.proof.places import folder

    try:
        place = folder()
    except InputError as error:
        return {"folder": None, "theorems": 0}, str(error)
    count = len(ids())
    problem = "" if count else f"there are no theorems in {place}."
    return {"folder": str(place), "theorems": count}, problem


def _lines(data: JSON, checks: list[SelfCheck], problem: str) -> list[str]:
    lines = [
        "versions",
        *(f"  {name} {said}" for name, said in data["versions"].items()),
    ]
    lines.append("optional packages")
    for name, row in data["optional"].items():
        said = row["version"] or f'not installed: pip install "rdpacct[{row["extra"]}]"'
        lines.append(f"  {name} {said}, for {row['for']}")
    lines.append("ball arithmetic, against bounds by rational series")
    lines += [f"  {check}" for check in checks]
    book = data["book"]
    lines += ["book", f"  {book['theorems']} theorems in {book['folder']}"]
    lines += [f"  WRONG: {problem}"] if problem else []
    lines.append("exit codes")
    lines += [f"  {code} {meaning}" for code, meaning in data["exit_codes"].items()]
    lines.append("all is well" if data["well"] else "NOT well: see above; install anew")
    return lines
