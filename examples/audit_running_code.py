"""Running code against a claim: half of the noise is refuted with a certificate, and a page shows
where.
"""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rdpacct import audit_code, audit_page, check_refutation

CLAIM = "PureDP(epsilon=1)"
WITHOUT, WITH = [1, 0, 1], [1, 0, 1, 1]


def visits(data: list[int], rng: Any, size: int) -> Any:
    """The number of visits, with the noise that the claim needs."""
    return sum(data) + rng.laplace(scale=1, size=size)


def quiet_visits(data: list[int], rng: Any, size: int) -> Any:
    """The same with half of the noise."""
    return sum(data) + rng.laplace(scale=0.5, size=size)


def main() -> None:
    verdicts = []
    with ThreadPoolExecutor(2) as executor:
        for release in (visits, quiet_visits):
            verdict = audit_code(
                release, WITHOUT, WITH, CLAIM, trials=20_000, executor=executor
            )
            print(f"{release.__name__}: {verdict}")
            verdicts.append(verdict)
    refuted = check_refutation(verdicts[1].certificate())
    print(f"the checker agrees, by {refuted.events[0]}")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "audit.html"
        page.write_text(audit_page(*verdicts, title="Visits to the clinic"))
        print(f"a page of {page.stat().st_size // 1000} kB has both verdicts")


if __name__ == "__main__":
    main()
