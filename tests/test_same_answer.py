"""The same question has the same answer: in any order, asked anew, and from several threads."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from rdpacct import profile

PLANS = [
    "1000*Laplace(scale=10) + Gaussian(sigma=5)",
    "10000*PoissonSampled(Gaussian(sigma=0.8), rate=0.01)",
    "500*RandomizedResponse(epsilon=0.5)",
    "20*DiscreteGaussian(sigma=3)",
    "5*Laplace(scale=3) + 2*RandomizedResponse(epsilon=1)",
    "3*FiniteMechanism(rows=[[3/4, 1/4], [1/3, 2/3]])",
    "10*DiscreteLaplace(scale=3) + Gaussian(sigma=2)",
    "DiscreteLaplace(scale=3) + Laplace(scale=2)",
    "3*Exponential(epsilon=1) + Laplace(scale=1)",
    "ApproxDP(epsilon=1, delta=1e-3) + ApproxDP(epsilon=0.5, delta=0) + Laplace(scale=4)",
]
QUESTIONS = [
    *[("delta", level) for level in ("0", "0.3", "1", "2.5")],
    *[("epsilon", target) for target in ("0.1", "1e-3", "1e-6", "1e-12")],
]


def ends(known, question):
    """The two ends of the answer to a question."""
    name, value = question
    bound = getattr(known, name)(value)
    return bound.lower, bound.upper


@pytest.fixture(scope="module", params=PLANS)
def asked_alone(request):
    """A plan and the answer to each question, each asked of a profile of its own."""
    return request.param, {q: ends(profile(request.param), q) for q in QUESTIONS}


def test_the_questions_before_do_not_matter(asked_alone):
    """One profile that is asked everything in another order gives the same ends."""
    text, alone = asked_alone
    known = profile(text)
    shuffled = random.Random(7).sample(QUESTIONS, len(QUESTIONS))
    assert {q: ends(known, q) for q in shuffled} == alone


def test_eight_threads_answer_as_one(asked_alone):
    """Eight threads that share a profile give the same ends."""
    text, alone = asked_alone
    known = profile(text)
    shuffled = random.Random(8).choices(QUESTIONS, k=2 * len(QUESTIONS))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda q: (q, ends(known, q)), shuffled))
    assert all(alone[q] == found for q, found in answers)
