"""The main job in a minute: a certified epsilon, an audit that holds and one that fails."""

from collections.abc import Callable

from rdpacct.answer import audit_answer, delta_answer, epsilon_answer
from rdpacct.command import DONE, Answer

_STOPS: tuple[tuple[str, str, Callable[[], Answer]], ...] = (
    (
        (
            "How private is one Gaussian release? The true epsilon certainly lies"
            " between the two ends."
        ),
        'rdpacct epsilon "Gaussian(sigma=1)" --delta 1e-6',
        lambda: epsilon_answer("Gaussian(sigma=1)", None, "1e-6"),
    ),
    (
        (
            "It stays an enclosure where other accountants return infinity or a number"
            " below the truth."
        ),
        'rdpacct epsilon "1000*Gaussian(sigma=20)" --delta 1e-100',
        lambda: epsilon_answer("1000*Gaussian(sigma=20)", None, "1e-100"),
    ),
    (
        (
            "The other way round: the delta of Laplace noise at an epsilon below its"
            " pure one."
        ),
        'rdpacct delta "Laplace(scale=1)" --epsilon 0.5',
        lambda: delta_answer("Laplace(scale=1)", None, "0.5"),
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
        lambda: audit_answer(
            "Gaussian(sigma=0.6056)", None, "ApproxDP(epsilon=8, delta=1e-5)"
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
        lambda: audit_answer(
            "Gaussian(sigma=0.4845)", None, "ApproxDP(epsilon=10, delta=1e-5)"
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
        lambda: audit_answer(
            "RandomizedResponse(epsilon=1)", None, "MeanCDP(mu=0.47, tau=1)"
        ),
    ),
)


def tour_answer() -> Answer:
    """Run every stop of the tour."""
    answers = [(says, command, run()) for says, command, run in _STOPS]
    text = "\n\n".join(
        f"{says}\n$ {command}\n{answer.text}" for says, command, answer in answers
    )
    stops = [
        {"command": command, "code": answer.code, "answer": answer.data}
        for _, command, answer in answers
    ]
    return Answer(DONE, {"tour": stops}, text)
