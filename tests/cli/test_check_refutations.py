"""rdpacct check on certificates of refuted claims: accepted with exit code 0, tampered with 1."""

import json
from pathlib import Path
from typing import Any

import pytest

from rdpacct import audit_code
from rdpacct.cli import main


def quiet(data: float, rng: Any, size: int) -> Any:
    """Too little noise."""
    return data + rng.laplace(scale=0.5, size=size)


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    """The certificate of a refutation."""
    return audit_code(quiet, 0.0, 1.0, "PureDP(epsilon=1)").certificate()


def test_a_refutation_is_accepted(
    certificate: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text and as JSON."""
    file = tmp_path / "refuted.json"
    file.write_text(json.dumps(certificate))
    assert main(["check", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "accepted: PureDP(epsilon=1) is refuted, at confidence 0.999"
    )
    assert "a wealth of 1 has become at least" in said
    assert main(["check", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["accepted"] is True
    assert data["refuted"] == "PureDP(epsilon=1)"
    assert float(data["wealth"]) >= 1000


def test_a_tampered_one_is_rejected(
    certificate: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One hit more than was seen."""
    tampered = json.loads(json.dumps(certificate))
    tampered["evidence"][0]["likely_hits"] += 1
    file = tmp_path / "tampered.json"
    file.write_text(json.dumps(tampered))
    assert main(["check", str(file)]) == 1
    assert "rejected" in capsys.readouterr().out
