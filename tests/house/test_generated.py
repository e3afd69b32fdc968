"""The files that are made from others are current."""

from pathlib import Path

import pytest

from tests.generated import GENERATED, ROOT


@pytest.mark.parametrize(
    "path", GENERATED, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_generated_file_is_current(path: Path) -> None:
    """It is what ``make docs`` writes."""
    assert path.read_text() == GENERATED[path]()
