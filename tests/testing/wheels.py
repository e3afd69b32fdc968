"""The wheel of this checkout in an environment with no more than it declares to need.

The packages that it needs are not downloaded: they are links to those of the environment of the
tests, those of the declared requirements and theirs, and no others.
"""

import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def built_wheel(folder: Path) -> Path:
    """The wheel of this checkout, built without a network."""
    offline = ("--no-deps", "--no-build-isolation", "--no-index")
    _pip("wheel", "--quiet", *offline, "--wheel-dir", str(folder), str(ROOT))
    [wheel] = folder.glob("rdpacct-*.whl")
    return wheel


def installed_alone(wheel: Path, folder: Path, *extras: str) -> Path:
    """A Python in a new environment that has the wheel, and what it declares for some extras."""
    venv.create(folder, with_pip=False, symlinks=True)
    [site] = folder.glob("lib/python*/site-packages")
    offline = ("--no-deps", "--no-index", "--no-compile")
    _pip("install", "--quiet", *offline, "--target", str(site), str(wheel))
    [metadata] = site.glob("rdpacct-*.dist-info")
    ours = Distribution.at(metadata)
    for name in _all_needed(ours, frozenset(extras)):
        _link(distribution(name), site)
    return folder / "bin" / "python"


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def _all_needed(ours: Distribution, extras: frozenset[str]) -> set[str]:
    """The names of the declared requirements, and of what these require."""
    known = set[str]()
    waiting = list(_needed(ours, extras))
    while waiting:
        need = waiting.pop()
        if need.name not in known:
            known.add(need.name)
            waiting += _needed(distribution(need.name), frozenset(need.extras))
    return known


def _needed(package: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    for text in package.requires or ():
        need = Requirement(text)
        markers = [{"extra": extra} for extra in (*extras, "")]
        if need.marker is None or any(map(need.marker.evaluate, markers)):
            yield need


def _link(package: Distribution, site: Path) -> None:
    """Links to the files and folders that a package has at the top."""
    tops = {file.parts[0] for file in package.files or ()}
    for top in tops - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(package.locate_file(top))))
