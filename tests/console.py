"""The commands of the documentation: ``rdpacct``, and ``pytest`` with the plugin of the package."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rdpacct.cli import main

ROOT = Path(__file__).parents[1]
DURATION = re.compile(r" in \d+\.\d+s( \(\d+:\d+:\d+\))?")
OF_CI = {"CI", "BUILD_NUMBER"}
"""Where one of these is set, pytest shortens no line of its summary."""


def said_by(line: str) -> str:
    """What a command prints in the current folder, and its exit code if that is not 0."""
    program, *arguments = shlex.split(line)
    assert program in PROGRAMS, f"{line} is not a command of this package"
    text, code = PROGRAMS[program](arguments)
    return text + (f"exit code {code}\n" if code else "")


def _rdpacct(arguments: list[str]) -> tuple[str, int]:
    with (
        contextlib.redirect_stdout(io.StringIO()) as output,
        contextlib.redirect_stderr(output),
    ):
        code = main(arguments)
    return output.getvalue(), code


def _pytest(arguments: list[str]) -> tuple[str, int]:
    """In a process of its own, on the plugin of this checkout; without the time that it took."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80"}
    ours = {"PYTHONPATH": str(ROOT)}
    here = {name: value for name, value in os.environ.items() if name not in OF_CI}
    plugins = ("-p", "rdpacct.pytest_plugin", "-p", "no:cacheprovider")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *arguments],
        env=here | alone | ours,
        capture_output=True,
        text=True,
    )
    return DURATION.sub("", ran.stdout + ran.stderr), ran.returncode


PROGRAMS: dict[str, Callable[[list[str]], tuple[str, int]]] = {
    "rdpacct": _rdpacct,
    "pytest": _pytest,
}
