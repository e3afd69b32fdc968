"""Stand-ins for the events of dp-accounting 0.6.0: the same names and fields, so that its events
are read where it is not installed.
"""

from dataclasses import make_dataclass
from typing import Any

FIELDS = {
    "NoOp": (),
    "NonPrivate": (),
    "Unsupported": (),
    "RandomizedResponse": ("noise_parameter", "num_buckets"),
    "Gaussian": ("noise_multiplier",),
    "Laplace": ("noise_multiplier",),
    "DiscreteLaplace": ("noise_parameter", "sensitivity"),
    "SelfComposed": ("event", "count"),
    "Composed": ("events",),
    "PoissonSampled": ("sampling_probability", "event"),
    "SampledWithReplacement": ("source_dataset_size", "sample_size", "event"),
    "SampledWithoutReplacement": ("source_dataset_size", "sample_size", "event"),
    "SingleEpochTreeAggregation": ("noise_multiplier", "step_counts"),
    "RepeatAndSelect": ("event", "mean", "shape"),
    "MixtureOfGaussians": ("standard_deviation", "sensitivities", "sampling_probs"),
    "ZC": ("rho", "xi"),
    "TruncatedSubsampledGaussian": (
        "dataset_size",
        "sampling_probability",
        "truncated_batch_size",
        "noise_multiplier",
    ),
}
"""Every event, with its fields in their order."""
CLASSES = {
    name: make_dataclass(f"{name}DpEvent", fields) for name, fields in FIELDS.items()
}


def event(name: str, *fields: Any) -> Any:
    """An event by its name, without the ending that all have in common."""
    return CLASSES[name](*fields)
