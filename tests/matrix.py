"""Every kind of release at small, middle and large parameters, for plans of all pairs and of drawn
triples.
"""

import random
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from rdpacct import InputError, profile
from rdpacct.exact.bound import Bound

KINDS = {
    "Gaussian": ["Gaussian(sigma=0.3)", "Gaussian(sigma=2)", "Gaussian(sigma=50)"],
    "Laplace": ["Laplace(scale=0.2)", "Laplace(scale=2)", "Laplace(scale=50)"],
    "DiscreteGaussian": [
        "DiscreteGaussian(sigma=0.5)",
        "DiscreteGaussian(sigma=3)",
        "DiscreteGaussian(sigma=40)",
    ],
    "DiscreteLaplace": [
        "DiscreteLaplace(scale=0.3)",
        "DiscreteLaplace(scale=3, sensitivity=2)",
        "DiscreteLaplace(scale=50)",
    ],
    "RandomizedResponse": [
        "RandomizedResponse(epsilon=0.1)",
        "RandomizedResponse(epsilon=1, answers=4)",
        "RandomizedResponse(epsilon=6)",
    ],
    "Exponential": [
        "Exponential(epsilon=0.1)",
        "Exponential(epsilon=1)",
        "Exponential(epsilon=6)",
    ],
    "MaximallyDivergent": [
        "MaximallyDivergent(epsilon=0.1, neutral=0.5)",
        "MaximallyDivergent(epsilon=1)",
        "MaximallyDivergent(epsilon=6, neutral=0.1)",
    ],
    "FiniteMechanism": [
        "FiniteMechanism(rows=[[0.51, 0.49], [0.49, 0.51]])",
        "FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])",
        "FiniteMechanism(rows=[[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.3, 0.4, 0.3]])",
    ],
    "PoissonSampled": [
        "PoissonSampled(Gaussian(sigma=0.5), rate=0.01)",
        "PoissonSampled(Gaussian(sigma=1), rate=0.1)",
        "PoissonSampled(Gaussian(sigma=5), rate=0.5)",
        "PoissonSampled(Laplace(scale=1), rate=0.1)",
        "PoissonSampled(DiscreteLaplace(scale=2), rate=0.3)",
    ],
    "SmoothPower": [
        "SmoothPower(alpha=10, beta=0.01, power=2)",
        "SmoothPower(alpha=1, beta=0.1, power=2)",
        "SmoothPower(alpha=0.3, beta=0.3, power=2)",
    ],
    "SampledWithoutReplacement": [
        "SampledWithoutReplacement(Gaussian(sigma=1, sensitivity=2), batch=10, of=1000)",
        "SampledWithoutReplacement(RandomizedResponse(epsilon=1), batch=1, of=3)",
    ],
    "GaussianMixture": [
        "GaussianMixture(sigma=5, sensitivities=[0.5, 3], probabilities=[0.99, 0.01])",
        "GaussianMixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[1/4, 1/2, 1/4])",
    ],
    "TruncatedLaplace": [
        "TruncatedLaplace(scale=2, bound=3/2)",
        "TruncatedLaplace(scale=1, bound=30)",
    ],
    "Staircase": [
        "Staircase(epsilon=0.1)",
        "Staircase(epsilon=1)",
        "Staircase(epsilon=6, gamma=0.8)",
    ],
    "HadamardResponse": [
        "HadamardResponse(epsilon=0.1)",
        "HadamardResponse(epsilon=6, answers=11)",
    ],
    "OptimizedUnaryEncoding": [
        "OptimizedUnaryEncoding(epsilon=0.1)",
        "OptimizedUnaryEncoding(epsilon=6, answers=7)",
    ],
    "SymmetricUnaryEncoding": [
        "SymmetricUnaryEncoding(epsilon=0.1)",
        "SymmetricUnaryEncoding(epsilon=6, answers=7)",
    ],
    "SubsetSelection": [
        "SubsetSelection(epsilon=0.1, answers=3)",
        "SubsetSelection(epsilon=6, answers=4, size=2)",
    ],
    "Promised": [
        "PureDP(epsilon=0.1)",
        "ApproxDP(epsilon=1, delta=1e-8)",
        "GaussianDP(mu=2)",
        "ProfileDP(points=[[0.5, 1e-3], [1, 1e-7]])",
    ],
}
BY_MOMENTS = [
    "ZCDP(rho=0.1)",
    "RenyiDP(alpha=8, epsilon=1)",
    "ApproxZCDP(rho=0.5, delta=1e-8)",
    "MeanCDP(mu=1, tau=1)",
]
"""Promises that no single pair stands for: their answers have two ends by nature, and are asked for
crashes only.
"""
DOMINATED = [
    "PartitionSelection(epsilon=1, delta=1e-8)",
    "PermuteAndFlip(epsilon=1)",
    "PermuteAndFlip(epsilon=6, monotone=true)",
    "ReportNoisyMax(epsilon=0.5)",
    "SparseVector(threshold_scale=2, query_scale=8, most_above=2)",
    "GaussianSparseVector(threshold_sigma=4, query_sigma=8, most_queries=10)",
    "Thresholded(noise=DiscreteLaplace(scale=2), threshold=40)",
]
"""Releases with many pairs of which none is worst at every epsilon: an answer lies between pairs
that occur and a law that dominates all of them.
"""
QUESTIONS = (("epsilon", "1e-6"), ("delta", "1"))
MOST_SECONDS = 5.0
"""Of processor time, for one answer."""
NARROW = 1e-6


@dataclass(frozen=True)
class Asked:
    """A plan, a question, and what came of it: an answer or the one sentence of a refusal."""

    plan: str
    question: tuple[str, str]
    answer: Bound | None
    refused: str
    seconds: float

    @property
    def wide(self) -> bool:
        """Whether the answer is wider than it should be."""
        return self.answer is not None and self.answer.relative_width > NARROW


def releases() -> list[str]:
    """Every release with a worst pair."""
    return [text for texts in KINDS.values() for text in texts]


def pairs() -> list[str]:
    """The plans of all pairs, each release with itself too."""
    return [f"{a} + {b}" for a, b in combinations_with_replacement(releases(), 2)]


def triples(share: float = 0.1, seed: int = 20260) -> list[str]:
    """A drawn share of the plans of three different releases."""
    every = list(combinations(releases(), 3))
    return [
        " + ".join(three)
        for three in random.Random(seed).sample(every, round(share * len(every)))
    ]


def enclosed_pairs() -> list[str]:
    """Every release that need not be narrow beside every release."""
    loose = [*BY_MOMENTS, *DOMINATED]
    return [f"{a} + {b}" for a in loose for b in [*loose, *releases()]]


last_profile = lru_cache(maxsize=1)(profile)
"""The questions of a plan share its profile; the first one has the time of making it."""


def ask(plan: str, question: tuple[str, str]) -> Asked:
    """One question of a plan. Anything but an answer or a refusal goes through."""
    started = time.process_time()
    name, at = question
    try:
        answer = getattr(last_profile(plan), name)(at)
        refused = ""
    except InputError as error:
        answer = None
        refused = str(error)
    return Asked(plan, question, answer, refused, time.process_time() - started)


def line(asked: Asked) -> str:
    """One line for a report."""
    width = "refused" if asked.answer is None else f"{asked.answer.relative_width:.1e}"
    ends = (
        asked.refused if asked.answer is None else f"{asked.answer} {asked.answer.how}"
    )
    return (
        f"{width}  {asked.seconds:.1f} s  {asked.question[0]} {asked.question[1]} "
        f" {asked.plan}  {ends}"
    )
