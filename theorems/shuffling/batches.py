"""Shuffled batches from below: a test of the largest noisy sum of each epoch.

Printed: not in the sources.
Proved: Let one of T independent normal sums be moved by m, and the others by 0. Whichever it is,
    none of them reaches a level with the probability that the moved one stays below it times that
    of each other one, so that the event that one does has the shipped probability, in every order
    and in random ones. Of a test with probabilities p and q of an event, the excess at a level g of
    at least 0 is no less than that of one with p' <= p and q' >= q, where q' <= p'. So rounded
    probabilities, as shipped, give no more than the test, and the test no more than the sums.
Idea: Independence; post-processing.
Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha and Zhang, How private are DP-SGD
    implementations? (2024), Section 4.
"""

from rdpacct.book.words import (
    Falsehood, Iterator, Statement, Status, Step, Theorem, at_most, by_prover, combine, equal,
    maximum, proves, real, shuffled_epochs_raised as raised, specialize, symbols,
)  # fmt: skip

C, m, T, p, q, r, s, g = symbols("C m T p q r s g")
ROUNDED = ("q <= s", "r <= p", "g >= 0")
FIRST = maximum(p - g * q, 0)
SECOND = maximum(1 - p - g * (1 - q), 0)


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "none",
            "that no sum reaches the level has the product of the probabilities of all",
            equal(1 - raised(m, C, T), m * C ** (T - 1)),
            by_prover("the definition"),
            ("C > 0",),
        ),
        Statement(
            "event",
            "the excess on the event is smaller for rounded probabilities",
            at_most(r - g * s, FIRST + SECOND),
            given=ROUNDED,
        ),
        Statement(
            "both",
            "and so is that on both sides of it",
            at_most(1 - g, FIRST + SECOND),
        ),
        Statement(
            "no event",
            "on the other side alone there is none, at levels of at least 1",
            at_most(1 - r - g * (1 - s), 0),
            by_prover("the event is likelier under the first law"),
            ("s <= r", "s <= 1", "g >= 1"),
        ),
        Statement(
            "no event, below 1",
            "and at levels below 1 it is at most that on both sides",
            at_most(1 - r - g * (1 - s), 1 - g),
            by_prover("the event is likelier under the first law"),
            ("s <= r", "0 <= s", "g <= 1"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "an example that is moved by less is found as often",
            at_most(raised(m, C, 3), raised(p, C, 3)),
            ("0 <= m", "m <= p", "p <= 1", "0 <= C", "C <= 1"),
        ),
    ),
    in_words=(
        "The event has the same probability whichever batch the example is in, so that events of"
        " different epochs are independent, also if the order is drawn once for all.",
        "The sums of all other batches are known if all other examples have the same gradient, and"
        " adding what is known changes nothing.",
    ),
    rules=(raised,),
)


@proves("event", "both")
def excess(part: Statement) -> Iterator[Step]:
    """Each of the two maxima is at least 0 and its own line."""
    rule = real("x <= max(x, 0)")
    least = real("0 <= max(x, 0)")
    first = specialize(rule, x=p - g * q)
    second = specialize(rule, x=1 - p - g * (1 - q))
    floor = specialize(least, x=1 - p - g * (1 - q))
    if part.name == "both":
        yield combine(part.claim, first, second, given=part.given), "both lines"
        return
    yield first, "its own line"
    wide = real("0 <= g*(s - q)", "g >= 0", "q <= s")
    more = real("r <= p", "r <= p")
    yield combine(part.claim, first, floor, wide, more, given=part.given), "rounded"
