"""An output of noise in doubles that proves which of two counts it came from."""

import json
from typing import Any

from rdpacct import DiscreteGaussian, audit_grid, audit_support, check_unreachable

GRID = 256


def in_doubles(count: int, rng: Any) -> float:
    """A count with normal noise, as most code adds it."""
    return float(count + rng.normal(scale=1.0))


def on_a_grid(count: int, rng: Any) -> float:
    """The same in steps of 1/256, exactly."""
    noise = DiscreteGaussian(sigma=GRID, sensitivity=GRID)
    return float(noise.sample(count * GRID, rng) / GRID)


def main() -> None:
    for code in (in_doubles, on_a_grid):
        verdict = audit_support(code, 0, 1, "GaussianDP(mu=1)", outputs=300)
        print(f"{code.__name__}: {verdict}")
        if verdict.witness is not None:
            certificate = json.dumps(verdict.witness.certificate())
            print("certificate:", certificate)
            print("checked:", check_unreachable(json.loads(certificate)))
    print(audit_grid(on_a_grid, [0, 1], f"1/{GRID}"))


if __name__ == "__main__":
    main()
