"""ZCDP of releases: the rhos and the xis add up; and what a rho must be at least.

Printed: not in the sources.
Proved: (1) If the Renyi divergence of order 1 + t of a first release is at most xi1 + rho1 (1 + t),
    and that of a second one, given the first loss, at most xi2 + rho2 (1 + t), that of both is at
    most xi1 + xi2 + (rho1 + rho2) (1 + t): the sum of the rhos at xi = 0 is enough; and so for k
    releases, each bounded given the loss so far. (2) rho at xi = 0 is enough at xi >= 0, and rho -
    xi at xi < 0. (3) Conversely a rho that is enough at xi is at least (D - xi)/alpha for the
    divergence D of any order alpha > 1, and at least the mean loss less xi, if that is finite: it
    is at most every divergence of order above 1. The shipped rule reports these two ends.
Idea: Renyi divergences add up, and xi + rho alpha is linear. The exponential lies above its
    tangents.
Source: Bun and Steinke (2016), Concentrated differential privacy, Lemma 7.
"""

from rdpacct.book.words import (
    Attack, ComposedLoss, E, Falsehood, FiniteMechanism, Fraction, Iterator, Law, Plan, Refused,
    Statement, Status, Step, Symbol, Theorem, Whole, ZCDP, any_pair, assume, at_most, by_prover,
    combine, compose_zcdp, composed_losses, equal, exp, integrable, lemma, losses, maximum,
    mean_below_moment, mean_below_zcdp, module, one_by_one, random, sequences_sums as sums,
    specialize,
)  # fmt: skip

xi1, xi2, rho1, rho2, xi, rho, alpha, t, D, mean = (
    Symbol(name)
    for name in (
        "xi1",
        "xi2",
        "rho1",
        "rho2",
        "xi",
        "rho",
        "alpha",
        "t",
        "D",
        "mean",
    )
)
RENYI = module("composition/renyi")
P = RENYI.P
FIRST = RENYI.FIRST
SECOND = RENYI.SECOND
SUM = RENYI.SUM
Q = Law("Q", ("L",))
L = Q.symbol("L")
ONE = xi1 + rho1 * (1 + t)
TWO = xi2 + rho2 * (1 + t)
RELEASES = losses()
S = RELEASES.symbol("S")
(XI, XIS), (RHO, RHOS) = sums("xi", "rho")
"""The xi and the rho of a release, and their sums over the first k."""
TOGETHER = compose_zcdp(ZCDP(rho1, xi1), ZCDP(rho2, xi2))


def adds_up(part: Statement) -> Iterator[Step]:
    """The divergences add up."""
    found = specialize(lemma("composition/renyi", "adaptive"), a=ONE, b=TWO)
    yield found, "at each order"
    yield combine(part.claim, found), "in the form of the guarantee"


def all_add_up(part: Statement) -> Iterator[Step]:
    """Induction on the number of releases."""
    yield from one_by_one(part.claim, RELEASES, exp(t * L), part.assuming["each"])


def at_least_the_mean(part: Statement) -> Iterator[Step]:
    """Jensen at each order, and orders that fall to 1."""
    mean = part.assuming["mean loss"]
    moments = part.assuming["orders above 1"]
    known = integrable(mean, E(Q, L))
    each = mean_below_moment(Q, L, known, moments, t, xi + rho * (1 + t))
    yield each, "the mean loss is at most the divergence of every order above 1"
    found = mean_below_zcdp(Q, L, known, moments, t, xi, rho)
    yield found, "for every order"
    yield combine(part.claim, found, (mean, -1)), "and so for the order 1"


def attack(seed: int) -> int:
    """The shipped bounds of two random tables, against the divergences of order 1.1 to 30 of their
    product.
    """
    rng = random.Random(seed)
    tables = [any_pair(rng, 2), any_pair(rng, 2)]
    for loss in composed_losses(
        Plan.of(*(FiniteMechanism([one.p, one.q]) for one in tables))
    ):
        xi_ = Fraction(rng.randint(-4, 4), 8)
        found = loss.zcdp_rho(xi_)
        for order in (Fraction(11, 10), 2, 5, 30):
            if (loss.renyi(order).lower - xi_) / order > found.upper:
                raise Refused(
                    f"the rho {found} of {tables} is too small at order {order}."
                )
        if found.lower > found.upper:
            raise Refused(f"the ends of {found} are exchanged.")
    return 4


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "sum",
            "the second chosen after the first; E exp(t L) is exp of t times the"
            " divergence of order 1 + t",
            at_most(E(P, SUM), exp(t * (TOGETHER.xi + TOGETHER.rho * (1 + t)))),
            adds_up,
            (),
            {
                "first": assume(at_most(E(P, FIRST), exp(t * ONE))),
                "second": assume(at_most(E(P, SECOND, "L1"), exp(t * TWO))),
            },
        ),
        Statement(
            "k releases",
            "k releases, each bounded given the loss so far, with the steps of xi and rho",
            at_most(E(RELEASES, exp(t * S)), exp(t * (XIS + RHOS * (1 + t)))),
            all_add_up,
            (Whole("k", 0),),
            {
                "each": assume(
                    at_most(
                        E(RELEASES, exp(t * L), "S"), exp(t * (XI + RHO * (1 + t)))
                    ),
                    Whole("k", 0),
                    every="k",
                )
            },
        ),
        Statement(
            "offset",
            "rho at xi = 0 is rho + max(0, -xi) at xi, as shipped",
            at_most(rho * alpha, xi + (rho + maximum(0, -xi)) * alpha),
            by_prover("orders are at least 1"),
            ("alpha >= 1",),
        ),
        Statement(
            "order",
            "a rho that is enough is at least (D - xi)/alpha",
            at_most((D - xi) / alpha, rho),
            by_prover("solved for rho"),
            ("alpha > 0", "D <= xi + rho*alpha"),
        ),
        Statement(
            "mean",
            "and at least the mean loss less xi",
            at_most(mean, xi + rho),
            at_least_the_mean,
            (),
            {
                "mean loss": assume(equal(E(Q, L), mean)),
                "orders above 1": assume(
                    at_most(E(Q, exp(t * L)), exp(t * (xi + rho * (1 + t)))),
                    "t > 0",
                    every="t",
                ),
            },
        ),
    ),
    falsehoods=(
        Falsehood(
            "rho at xi = 0 is enough at xi < 0 too",
            at_most(rho * alpha, xi + rho * alpha),
            ("alpha > 1", "rho > 0", "xi >= -1", "xi <= 0"),
        ),
        Falsehood(
            "the larger rho decides",
            at_most((rho1 + rho2) * (1 + t), maximum(rho1, rho2) * (1 + t)),
            ("rho1 > 0", "rho2 > 0", "t > 0"),
        ),
    ),
    attacks=(Attack("the shipped bounds of two random tables", attack),),
    rules=(ComposedLoss.zcdp_rho, compose_zcdp),
)
