"""The checker of refutations: right certificates pass, and every tampered one is rejected."""

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rdpacct import InputError, Rejected, audit_code, check_refutation
from rdpacct.proof.audit.certificate import digest

CLAIM = "ApproxDP(epsilon=1, delta=1e-3)"


def noisy(data: float, rng: Any, size: int) -> Any:
    """Too little noise for the claim."""
    return data + rng.normal(size=size)


def refutation(method: str) -> dict[str, Any]:
    """A certificate that is accepted."""
    verdict = audit_code(noisy, 0, 1, CLAIM, trials=4000, method=method)
    certificate: dict[str, Any] = json.loads(json.dumps(verdict.certificate()))
    return certificate


CERTIFICATES = {method: refutation(method) for method in ("sequential", "fixed")}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that are no objects or lists."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, (*path, key))
    else:
        yield path


def changed(certificate: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value in one place."""
    tampered = copy.deepcopy(certificate)
    inner = tampered
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return tampered


def others(value: Any) -> list[Any]:
    """What a value may be changed to."""
    junk: list[Any] = [
        None,
        [],
        {},
        "",
        True,
        -1,
        "-1",
        1e400,
        "1e999",
        10**400,
        "9" * 300,
    ]
    if isinstance(value, bool) or value is None:
        return [*junk[1:], "2"]
    if isinstance(value, int):
        return [*junk, value + 1, str(value)]
    try:
        return [*junk, str(Fraction(value) * 2 + 1), str(Fraction(value) / 2), "nan"]
    except ValueError:
        return [*junk, value + "x"]


@pytest.mark.parametrize("method", CERTIFICATES)
def test_every_change_of_a_field_is_rejected(method: str) -> None:
    """The digest finds every change, also of a description; all paths are walked."""
    certificate = CERTIFICATES[method]
    assert check_refutation(certificate).method == method
    tried = 0
    for path in leaves(certificate):
        value = certificate
        for key in path:
            value = value[key]
        for other in others(value):
            if other == value and type(other) is type(value):
                continue
            with pytest.raises(Rejected):
                check_refutation(changed(certificate, path, other))
            tried += 1
    assert tried > 200


WEAKER: dict[str, dict[tuple[Any, ...], Any]] = {
    "sequential": {
        ("claim", "parameters", "epsilon"): "1.5",
        ("claim", "parameters", "delta"): "0.1",
        ("confidence",): "0.9999999999",
        ("evidence", 0, "half_plane", "growth"): "2.7",
        ("evidence", 0, "half_plane", "slack"): "0.0001",
        ("evidence", 0, "half_plane", "epsilon"): "0.9",
        ("evidence", 0, "weight"): "1.01",
        ("evidence", 0, "likely_hits"): 1,
        ("evidence", 0, "rare_hits"): 2000,
        ("evidence", 0, "trials"): 10**6,
        ("evidence", 0, "likely", 1): "50",
        ("evidence", 0, "likely", 0): "1.5",
        ("evidence", 0, "rare", 0): "1.9",
        ("evidence", 0, "rare", 1): "30",
    },
    "fixed": {
        ("claim", "parameters", "epsilon"): "1.5",
        ("confidence",): "0.99999999999999999999999999999",
        ("evidence", "half_plane", "growth"): "2.7",
        ("evidence", "at_least"): "0.9",
        ("evidence", "at_most"): "0.0001",
        ("evidence", "sharing"): 10**6,
        ("evidence", "likely_hits"): 1,
        ("evidence", "rare_hits"): 3000,
    },
}


@pytest.mark.parametrize("method", CERTIFICATES)
def test_what_matters_is_rejected_with_a_new_digest_too(method: str) -> None:
    """The digest is no secret: numbers that do not bear out the refutation are rejected."""
    for path, value in WEAKER[method].items():
        tampered = changed(CERTIFICATES[method], path, value)
        tampered["digest"] = digest(tampered)
        with pytest.raises(Rejected) as caught:
            check_refutation(tampered)
        assert "digest" not in str(caught.value), path


@pytest.mark.parametrize("method", CERTIFICATES)
def test_huge_numbers_are_refused(method: str) -> None:
    """Within the grammar, as large as it allows: refused or answered at once."""
    certificate = CERTIFICATES[method]
    for path in leaves(certificate):
        for value in ("9" * 60 + "e999", "1/" + "9" * 200, 10**15, 10**18):
            tampered = changed(certificate, path, value)
            tampered["digest"] = digest(tampered)
            try:
                check_refutation(tampered)
            except Rejected:
                continue


def test_entries_that_are_missing_or_new_are_rejected() -> None:
    """Every object has its entries and no others."""
    certificate = CERTIFICATES["sequential"]
    for name in certificate:
        less = {key: value for key, value in certificate.items() if key != name}
        with pytest.raises(Rejected):
            check_refutation(less)
    with pytest.raises(Rejected):
        check_refutation({**certificate, "note": "x"})
    junk: list[Any] = [None, [], "x", 3, {"format": "rdpacct-audit"}]
    for given in junk:
        with pytest.raises(Rejected):
            check_refutation(given)


def test_no_certificate_without_a_refutation() -> None:
    """A verdict that is consistent certifies nothing."""
    verdict = audit_code(noisy, 0, 0, CLAIM, trials=200)
    with pytest.raises(InputError):
        verdict.certificate()
