"""The same claim has the same verdict and the same certificate: at any load, in any thread, with
any hash seed.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rdpacct import profile
from rdpacct.proof.check import Rejected, check
from rdpacct.proof.check.effort import EFFORT
from rdpacct.proof.prove import prove
from tests.proof.test_prover_search import TARGETS

ROOT = Path(__file__).parents[2]
HOEFFDING = ("log(1-p+p*exp(h)) - p*h <= h**2/8", ["0<p<1"])
ALL = [HOEFFDING, *(row[:2] for row in TARGETS)]
SOME = [HOEFFDING, *(row[:2] for row in TARGETS[:4]), TARGETS[0][2:]]
"""Some quick targets, and a false claim; the slow test takes all targets."""
QUICK = SOME[1:]
"""Those that take less than a second beside busy processes."""
BUSY = "while True: pass"


def settled(row: Any) -> Any:
    """The verdict on a claim, the certificate in short, and the work that it took."""
    before = EFFORT.spent
    result = prove(*row)
    text = json.dumps(result.certificate, sort_keys=True)
    return (
        result.settled.value,
        hashlib.sha256(text.encode()).hexdigest(),
        EFFORT.spent - before,
    )


@pytest.fixture(scope="module")
def alone() -> Any:
    """What comes of each claim in this process, one after the other."""
    return [settled(row) for row in SOME]


@contextmanager
def busy(loops: Any) -> Iterator[Any]:
    """So many other processes that take all the time they get."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(loops)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


SCRIPT = """
import json, sys, threading
from tests.proof import test_same_verdict
from tests.proof.test_same_verdict import settled
rows = getattr(test_same_verdict, sys.argv[1])
def spin():
    while not done.is_set(): pass
done = threading.Event()
threading.Thread(target=spin, daemon=True).start()
try: print(json.dumps([settled(row) for row in rows]))
finally: done.set()
"""


def under_load(rows: Any, seed: Any, loops: int) -> Any:
    """The same in a process with that seed of hashes, beside busy processes and a busy thread."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, rows]
    with busy(loops):
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env=environment,
        )
    assert ran.returncode == 0, ran.stderr
    return [tuple(found) for found in json.loads(ran.stdout)]


def test_load_and_hash_seed_do_not_matter(alone: Any) -> None:
    """Claims are settled as they are alone, with the same work."""
    assert under_load("QUICK", "77", 2) == alone[1:]
    assert [verdict for verdict, _, _ in alone] == ["proved"] * (len(SOME) - 1) + [
        "refuted"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "123"])
def test_load_and_hash_seed_do_not_matter_for_any_target(seed: str) -> None:
    """All the targets."""
    assert under_load("ALL", seed, 4) == [settled(row) for row in ALL]


def test_a_second_run_does_the_same_work(alone: Any) -> None:
    """Nothing that was kept from the first run changes the next."""
    assert [settled(row) for row in SOME] == alone


def test_eight_threads_prove_and_check_as_one(alone: Any) -> None:
    """Beside threads that compute an epsilon, which use the same backend."""
    plan = "5*Laplace(scale=3) + 2*RandomizedResponse(epsilon=1)"
    expected = profile(plan).epsilon("1e-6")
    rows = SOME[1:-1]
    count = len(SOME) - 2
    certificates = [prove(*row).certificate for row in rows]
    wrong = [
        (one or {}) | {"claim": {"given": [], "conclusion": "x > 5"}}
        for one in certificates
    ]

    def one_of_each(number: Any) -> Any:
        row = number % count
        again = settled(rows[row])
        verdict = check(certificates[row]).verdict
        with pytest.raises(Rejected):
            check(wrong[row])
        ends = profile(plan).epsilon("1e-6") if number % 4 == 0 else expected
        return again == alone[1 + row], verdict, (ends.lower, ends.upper)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(one_of_each, range(16)))
    assert found == [(True, "proved", (expected.lower, expected.upper))] * 16
