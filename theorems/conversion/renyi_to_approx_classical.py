"""From a Renyi divergence of one order to (epsilon, delta), as it is usually done.

Printed: not in the sources.
Proved: If E exp((alpha - 1) L) <= exp((alpha - 1) eps) for one alpha > 1, then P(S) <= exp(e) Q(S)
    + delta for every event S and every delta > 0, with e = eps + log(1/delta)/(alpha - 1). Q(S) is
    E exp(-L) on S, the part of it that P can reach. It holds for tests with values in [0, 1] as
    well.
Idea: 1 - exp(-z) <= exp((alpha - 1) z) at z = L - e, averaged over P.
Source: Mironov, Renyi differential privacy, Proposition 3.
Finding: conversion/renyi-to-approx gives a smaller e, by log(alpha)/(alpha - 1) - log(1 - 1/alpha)
    > 0.
"""

from rdpacct.book.words import (
    Attack, E, Falsehood, Iterator, Law, RenyiDP, Statement, Status, Step, Symbol, TEST, Theorem,
    approx_from_moment, assume, at_most, attack_from_renyi, below, combine, exp, given_by, lemma,
    log, ratios_F as F, ratios_L as L, ratios_alpha as alpha, ratios_z as z, real,
    renyi_to_approx_classical, specialize, under,
)  # fmt: skip

eps = Symbol("eps")
delta = Symbol("delta")
P = Law("P", ("L", "F"), TEST)
SHIPPED = renyi_to_approx_classical(RenyiDP(alpha, eps), delta).epsilon
TRIES = 150


def power(part: Statement) -> Iterator[Step]:
    """The sharper multiple is at most 1."""
    sharper = lemma("conversion/renyi-to-approx", "power")
    yield sharper, "the improved conversion"
    exponent = (alpha - 1) * log(1 - 1 / alpha)
    falls = combine(
        at_most(exponent, 0), (real("log(1 - 1/alpha) <= 0", *part.given), alpha - 1)
    )
    small = specialize(
        under(real("exp(x) <= 1", "x <= 0"), "x <= 0", *part.given), x=exponent
    )
    small = given_by(small, falls)
    rate = exp((alpha - 1) * z)
    yield small, "its factor is at most 1/alpha"
    least = real("1/alpha <= 1", *part.given)
    yield (
        combine(part.claim, sharper, (small, rate / alpha), (least, rate)),
        "and so at most 1",
    )


def proof(part: Statement) -> Iterator[Step]:
    """The power, averaged; then the e at which what is left is delta."""
    line = THEOREM.parts[0].fact()
    yield line, "a power"
    steps = list(
        approx_from_moment(line, P, part.assuming["moment"], part.assuming["mass"])
    )
    yield from steps
    there = specialize(under(steps[-1][0], *part.given), e=SHIPPED)
    yield combine(part.claim, there), "what is left is delta"


def improvable(part: Statement) -> Iterator[Step]:
    """Both terms are negative."""
    first = real("log(1 - 1/alpha) < 0", *part.given)
    second = real("0 <= log(alpha)", *part.given)
    yield first, "the first term"
    yield combine(part.claim, first, (second, 1 / (alpha - 1))), "and the second"


def attack(seed: int) -> int:
    """Random pairs with their exact divergence of an order: their exact delta at the shipped
    epsilon.
    """
    return attack_from_renyi(
        seed,
        TRIES,
        lambda order, e_, small: (
            renyi_to_approx_classical(RenyiDP(order, e_), small).epsilon
        ),
    )


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "power",
            "1 - exp(-z) is at most exp((alpha - 1) z)",
            at_most(1 - exp(-z), exp((alpha - 1) * z)),
            power,
            ("alpha > 1",),
        ),
        Statement(
            "approx",
            "P(S) <= exp(e) Q(S) + delta, with e = eps + log(1/delta)/(alpha - 1)",
            at_most(E(P, F), exp(SHIPPED) * E(P, exp(-L) * F) + delta),
            proof,
            ("alpha > 1", "delta > 0"),
            {
                "moment": assume(
                    at_most(E(P, exp((alpha - 1) * L)), exp((alpha - 1) * eps))
                ),
                "mass": assume(at_most(E(P, exp(-L)), 1)),
            },
        ),
        Statement(
            "improvable",
            "the improved conversion gains something at every order",
            below(log(1 - 1 / alpha) - log(alpha) / (alpha - 1), 0),
            improvable,
            ("alpha > 1",),
        ),
    ),
    falsehoods=(
        Falsehood(
            "delta may be squared: 1 - exp(-z) <= exp(2 (alpha - 1) z)/4",
            at_most(1 - exp(-z), exp(2 * (alpha - 1) * z) / 4),
            ("alpha > 1",),
        ),
    ),
    attacks=(
        Attack("random pairs at random orders, with their exact divergence", attack),
    ),
    rules=(renyi_to_approx_classical,),
)
