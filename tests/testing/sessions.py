"""Sessions of pytest in a folder of their own, with this plugin and no other that is not named."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STRICT = ("--strict-markers", "-W", "error", "-p", "no:cacheprovider", "-rA")
RESULT = re.compile(r"^(PASSED|FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class SessionRun:
    """What a session printed, and the result of each test by its name."""

    text: str
    code: int

    @property
    def results(self) -> dict[str, str]:
        """The results as the summary lists them."""
        return {name: result for result, name in RESULT.findall(self.text)}


def run_tests(folder: Path, files: dict[str, str], *options: str) -> SessionRun:
    """Write the files, and run pytest on the folder in a process of its own."""
    for name, text in files.items():
        (folder / name).write_text(text)
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    plugin = ("-p", "rdpacct.pytest_plugin")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *STRICT, *plugin, *options],
        cwd=folder,
        env=os.environ | alone,
        capture_output=True,
        text=True,
    )
    return SessionRun(ran.stdout + ran.stderr, ran.returncode)
