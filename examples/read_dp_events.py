"""The events of another library as plans with certified numbers, and where its accountants differ.

python examples/read_dp_events.py
"""

from dataclasses import dataclass

from rdpacct import epsilon, plan_from_event


@dataclass
class LaplaceDpEvent:
    """As in dp-accounting, whose own events are read as well."""

    noise_multiplier: float


@dataclass
class GaussianDpEvent:
    """As in dp-accounting."""

    noise_multiplier: float


@dataclass
class ComposedDpEvent:
    """As in dp-accounting."""

    events: list[object]


def main() -> None:
    """One description, three kinds of neighbors."""
    event = ComposedDpEvent([GaussianDpEvent(2), LaplaceDpEvent(4)])
    for relation in ("add_or_remove_one", "zero_out", "replace_one"):
        plan = plan_from_event(event, relation)
        print(f"{relation}: {plan}")
        print(f"  epsilon at delta 1e-6: {epsilon(plan, '1e-6')}")


if __name__ == "__main__":
    main()
