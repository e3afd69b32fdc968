"""Subgaussian parameters of fixed releases: their squares add up; and what the parameter must be at
least.

Printed: not in the sources.
Proved: (1) If the losses of two independent releases are subgaussian about their means with tau1
    and tau2, their sum is so with sqrt(tau1**2 + tau2**2), for all real rates; for rates t >= 0
    about declared means also if the second release is chosen after the first; and so for k. (2)
    Conversely, if E exp(t (L - mu)) <= exp(t**2 tau**2/2) at one rate t, tau is at least sqrt(2
    x)/|t| for x = log E exp(t L) - t mu >= 0. The shipped rule reports these ends for the product
    pair.
Idea: Moments of independent losses multiply; a bound for all rates holds at each of them.
Source: Boucheron, Lugosi and Massart (2013), Concentration Inequalities, section 2.3; Dwork and
    Rothblum, Theorem 3.
Finding: About its own mean a loss may spread more than that of a pair which dominates it: two
    answers of probability 1/2 against 1/40000 are 10-DP, and the variance of their loss exceeds 28,
    but randomized response with eps = 10 is subgaussian with tau**2 < 20.25. So the tau of
    dominating pairs says nothing about a promise, nor (cdp/composition) about releases chosen
    adaptively; `audit` then falls back on tau <= the largest loss.
"""

from rdpacct.book.words import (
    AddedLoss, Attack, E, Falsehood, FiniteMechanism, Fraction, Iterator, Law, MeanCDP, Plan, RATES,
    Refused, Statement, Status, Step, Symbol, Theorem, any_pair, assume, at_most, by_prover,
    compose_mean_cdp, composed_losses, equal, example, exp, given_by, lemma, random, real,
    relations, specialize, sqrt, theorem, under,
)  # fmt: skip

x, tau, L, r = (Symbol(name) for name in ("x", "tau", "L", "r"))
mu1, mu2, tau1, tau2 = (Symbol(name) for name in ("mu1", "mu2", "tau1", "tau2"))
TOGETHER = compose_mean_cdp(MeanCDP(mu1, tau1), MeanCDP(mu2, tau2))
SOURCE = {part.name: part for part in theorem("cdp/composition").parts}


def quoted(name: str, says: str) -> Statement:
    """A part of the entry on the composition of MeanCDP."""
    source = SOURCE[name]

    def proof(part: Statement) -> Iterator[Step]:
        found = lemma("cdp/composition", name)
        missing = [
            one
            for one in found.hypotheses
            if not any(one in fact.hypotheses for fact in part.assuming.values())
        ]
        if missing:
            raise Refused(f"the proof needs {missing[0]}.")
        yield found, "moments multiply"

    return Statement(name, says, source.claim, proof, source.given, source.assuming)


def at_least(part: Statement) -> Iterator[Step]:
    """The bound at one rate, solved for tau."""
    given = tuple(map(str, part.given))
    square = real("2*x/r <= tau**2", *given[:2])
    yield square, "solved for the square"
    root = real("sqrt(y) <= tau", "0 <= y", "y <= tau**2", "0 <= tau")
    root = specialize(under(root, *root.domain, "0 < r"), y=2 * x / r)
    yield (
        under(given_by(root, square, real("0 <= 2*x/r", "0 <= x", "0 < r")), *given),
        "and its root",
    )


def attack(seed: int) -> int:
    """The shipped bounds of two random tables, against the moments of their product at the rates
    that are tried.
    """
    rng = random.Random(seed)
    tables = [any_pair(rng, 2), any_pair(rng, 2)]
    loss = composed_losses(
        Plan.of(*(FiniteMechanism([one.p, one.q]) for one in tables))
    )[0]
    mean, found = loss.centered_cdp()
    for rate in RATES:
        about = Fraction(mean.upper if rate > 0 else mean.lower)
        excess = loss.log_moment(Fraction(rate), 128).bound().lower - rate * about
        if 2 * excess > Fraction(found.upper) ** 2 * Fraction(rate) ** 2:
            raise Refused(
                f"the tau {found} of {tables} is too small at the rate {rate}."
            )
    if found.lower > found.upper:
        raise Refused(f"the ends of {found} are exchanged.")
    return len(RATES)


HALF = Fraction(1, 2)
BOUNDED = Law("P", ("L",), relations("-10 <= L", "L <= 10"))
THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        quoted(
            "non-adaptive",
            "independent releases, about their means, for all real rates",
        ),
        quoted("one-sided", "about declared means, for rates t >= 0, also adaptively"),
        quoted(
            "k-fold",
            "k releases, at each rate at which each is bounded given the loss so far:"
            " all real rates if they are independent",
        ),
        Statement(
            "mean",
            "the shipped mean of two releases is the sum, which composition/mean"
            " bounds",
            equal(TOGETHER.mu, mu1 + mu2),
            by_prover("the same sum"),
        ),
        Statement(
            "square",
            "the square of the shipped tau is the sum of the squares",
            equal(TOGETHER.tau**2, tau1**2 + tau2**2),
            by_prover("the square of a root"),
        ),
        Statement(
            "needed",
            "what the moment at one rate needs, of square r",
            at_most(sqrt(2 * x / r), tau),
            at_least,
            ("x <= r*tau**2/2", "0 < r", "0 <= x", "0 <= tau"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "a loss in [-10, 10] of a pair has at most the variance 4.5**2, as"
            " randomized response with eps = 10 has",
            at_most(E(BOUNDED, (L - mu1) ** 2), Fraction(81, 4)),
            assuming={
                "mass": assume(equal(E(BOUNDED, exp(-L)), 1)),
                "mean": assume(equal(E(BOUNDED, L), mu1)),
            },
            instance=example(
                {"mu1": "(log(20000) + log(20000/39999))/2"},
                {"P": [("log(20000)", "1/2"), ("log(20000/39999)", "1/2")]},
            ),
        ),
    ),
    attacks=(Attack("the shipped bounds of two random tables", attack),),
    rules=(AddedLoss._tau, compose_mean_cdp),
)
