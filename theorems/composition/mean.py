"""Mean losses of releases add up.

Printed: not in the sources.
Proved: (1) The mean of the sum of two independent losses is the sum of their means, and so for k
    losses: the mean loss of the product pair, which is what is shipped. (2) If E L1 <= mu1 and,
    given the first loss, E L2 <= mu2, the mean of the sum is at most mu1 + mu2, and so for k
    releases: an adaptive choice does no worse. (3) A pair that is dominated by another, which is
    that its hockey sticks are no larger, has at most its mean loss (profile/low-orders).
Idea: Linearity, and a tower.
Source: Cover and Thomas (2006), Elements of Information Theory, Theorem 2.5.3: the chain rule of
    relative entropy.
"""

from rdpacct.book.words import (
    Attack, ComposedLoss, E, Falsehood, FiniteMechanism, Iterator, Law, Plan, Quantity, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, any_pair, assume, at_most, combine,
    composed_losses, equal, independent_of, integrable, lemma, linear, losses, marginal, maximum,
    products, random, sequences_averaged as averaged, sequences_sums as sums, sum_by_sum, theorem,
    worst,
)  # fmt: skip

L1, L2, mu1, mu2, k = (Symbol(name) for name in ("L1", "L2", "mu1", "mu2", "k"))
ONE = Law("P1", ("L1",))
TWO = Law("P2", ("L2",))
BOTH = independent_of(ONE, TWO)
(ADAPTIVE,) = [part for part in theorem("cdp/composition").parts if part.name == "mean"]
(DOMINATED,) = [
    part for part in theorem("profile/low-orders").parts if part.name == "mean"
]
RELEASES = losses()
LOSS = RELEASES.symbol("L")
SUM = RELEASES.symbol("S")
((MEAN, MEANS),) = sums("mu")
"""The mean of a loss, and the sum of the means of the first k."""


def two(part: Statement) -> Iterator[Step]:
    """The mean of each loss is that of its own law."""
    uses = []
    for law, one, name in ((ONE, L1, "first"), (TWO, L2, "second")):
        fact = part.assuming[name]
        uses += [marginal(BOTH, law, one, integrable(fact, E(law, one))), fact]
    finite = integrable(uses[0], E(BOTH, L1)), integrable(uses[2], E(BOTH, L2))
    total = linear(BOTH, L1 + L2, {L1: 1, L2: 1}, *finite)
    yield total, "linearity"
    yield combine(part.claim, total, *uses), "each mean"


def many(part: Statement) -> Iterator[Step]:
    """Induction on the number of releases."""
    yield from sum_by_sum(part.claim, RELEASES, LOSS, part.assuming["each"])


def many_adaptive(part: Statement) -> Iterator[Step]:
    """A tower at each release."""
    finite = integrable(part.assuming["a mean"], E(RELEASES, LOSS))
    each = averaged(RELEASES, part.assuming["each"], finite)
    yield each, "whatever the loss so far"
    yield from sum_by_sum(part.claim, RELEASES, LOSS, each)


def adaptive(part: Statement) -> Iterator[Step]:
    """As in the entry on MeanCDP."""
    found = lemma("cdp/composition", "mean")
    for name, fact in part.assuming.items():
        if not set(fact.hypotheses) <= set(found.hypotheses):
            raise Refused(f"the hypothesis {name} is another one.")
    yield found, "a tower"


def dominated_(part: Statement) -> Iterator[Step]:  # noqa: ARG001
    """The mean is an integral of hockey sticks."""
    yield lemma("profile/low-orders", "mean"), "profile/low-orders"


def attack(seed: int) -> int:
    """The shipped mean loss of two random tables, against the product of the tables, each the worse
    way round.
    """
    rng = random.Random(seed)
    for _ in range(10):
        tables = [any_pair(rng, 2), any_pair(rng, 3)]
        losses = composed_losses(
            Plan.of(*(FiniteMechanism([one.p, one.q]) for one in tables))
        )
        wanted = worst(
            [FiniteMechanism(rows).loss().mean() for rows in products(*tables)]
        )
        if not worst([loss.mean() for loss in losses]).overlaps(wanted):
            raise Refused(f"the mean loss of {tables} is not {wanted}.")
    return 10


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "two",
            "the mean of the sum of two independent losses",
            equal(E(BOTH, L1 + L2), mu1 + mu2),
            two,
            (),
            {
                "first": assume(equal(E(ONE, L1), mu1)),
                "second": assume(equal(E(TWO, L2), mu2)),
            },
        ),
        Statement(
            "many",
            "the mean of the loss of k releases is the sum of their means, the steps of mu",
            equal(E(RELEASES, SUM), MEANS),
            many,
            (Whole("k", 0),),
            {"each": assume(equal(E(RELEASES, LOSS), MEAN), Whole("k", 0), every="k")},
        ),
        Statement(
            "many, adaptive",
            "if the mean of each is bounded whatever the loss so far, so is that of all",
            at_most(E(RELEASES, SUM), MEANS),
            many_adaptive,
            (Whole("k", 0),),
            {
                "a mean": assume(
                    equal(E(RELEASES, LOSS), Quantity("l", (k,))),
                    Whole("k", 0),
                    every="k",
                ),
                "each": assume(
                    at_most(E(RELEASES, LOSS, "S"), MEAN), Whole("k", 0), every="k"
                ),
            },
        ),
        Statement(
            "adaptive",
            ADAPTIVE.says,
            ADAPTIVE.claim,
            adaptive,
            ADAPTIVE.given,
            ADAPTIVE.assuming,
        ),
        Statement(
            "dominated",
            DOMINATED.says,
            DOMINATED.claim,
            dominated_,
            DOMINATED.given,
            DOMINATED.assuming,
        ),
    ),
    falsehoods=(
        Falsehood(
            "the larger mean decides",
            at_most(mu1 + mu2, maximum(mu1, mu2)),
            ("mu1 > 0", "mu2 > 0"),
        ),
    ),
    attacks=(Attack("the shipped mean of two random tables", attack),),
    rules=(ComposedLoss.mean,),
)
