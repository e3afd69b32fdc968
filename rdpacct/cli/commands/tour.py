"""The main job in a minute, on built-in examples."""

import shlex
from argparse import ArgumentParser, Namespace

from rdpacct.cli.answer import DONE, Answer
from rdpacct.cli.parser import parsed

STOPS = (
    (
        (
            "How private is one Gaussian release? The true epsilon certainly lies"
            " between the two ends."
        ),
        'rdpacct epsilon "Gaussian(sigma=1)" --delta 1e-6',
    ),
    (
        (
            "It stays an enclosure where other accountants return infinity or a number"
            " below the truth."
        ),
        'rdpacct epsilon "1000*Gaussian(sigma=20)" --delta 1e-100',
    ),
    (
        (
            "The other way round: the delta of Laplace noise at an epsilon below its"
            " pure one."
        ),
        'rdpacct delta "Laplace(scale=1)" --epsilon 0.5',
    ),
    (
        (
            "An audit of a claim that holds, by the textbook's sigma = sqrt(2"
            " log(1.25/delta))/epsilon at epsilon = 8."
        ),
        (
            'rdpacct audit "Gaussian(sigma=0.6056)" --claim "ApproxDP(epsilon=8,'
            ' delta=1e-5)"'
        ),
    ),
    (
        (
            "The same textbook formula at epsilon = 10: the claim fails, and here is"
            " the event that breaks it."
        ),
        (
            'rdpacct audit "Gaussian(sigma=0.4845)" --claim "ApproxDP(epsilon=10,'
            ' delta=1e-5)"'
        ),
    ),
    (
        (
            "Concentrated differential privacy of Dwork and Rothblum: the tight (mu,"
            " tau) of randomized response."
        ),
        (
            'rdpacct audit "RandomizedResponse(epsilon=1)" --claim "MeanCDP(mu=0.47,'
            ' tau=1)"'
        ),
    ),
)
"""What the tour says, and the command that it runs after that."""

EXAMPLES = ("rdpacct tour",)
"""What its help shows; a test runs them."""


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""


def run(options: Namespace) -> Answer:  # noqa: ARG001
    """The answers of all commands of the tour."""
    texts = []
    stops = []
    for says, command in STOPS:
        answer = _answer(command)
        texts.append(f"{says}\n$ {command}\n{answer.text}")
        stops.append({"command": command, "code": answer.code, "answer": answer.data})
    return Answer(DONE, {"tour": stops}, "\n\n".join(texts))


def _answer(command: str) -> Answer:
    options = parsed(shlex.split(command)[1:])
    answer: Answer = options.run(options)
    return answer
