"""A filter for zero-concentrated privacy: the rhos add up, also if they are chosen on the way.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it a rho: given all
    that was seen, the Renyi divergence of every order 1 + t is at most rho (1 + t). If the rhos of
    the releases that are made never come to more than c, then the whole is ZCDP(c), as shipped,
    after any number of releases. To stop, or to refuse, is a release that tells nothing and costs
    0.
Idea: adaptive/renyi at each order, where the factor of what is spent is 1 + t.
Source: Feldman and Zrnic (2021), Individual privacy accounting via a Renyi filter; Whitehouse,
    Ramdas, Rogers and Wu (2023), Fully adaptive composition in differential privacy.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Statement, Status, Step, Symbol, Theorem, Whole, assume, at_most,
    combine, example, exp, lemma, module, proves, specialize, under, zcdp_behind_filter,
)  # fmt: skip

t, c, S, B, L, e = map(Symbol, ("t", "c", "S", "B", "L", "e"))
RENYI = module("adaptive/renyi")
G = RENYI.G
WHOLE = zcdp_behind_filter(c)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "filter",
            "at every order 1 + t, after any number k of releases",
            at_most(E(G, exp(t * S)), exp(t * (WHOLE.xi + WHOLE.rho * (1 + t)))),
            given=(Whole("k", 0), "0 <= t"),
            assuming={
                "each": assume(
                    at_most(E(G, exp(t * L), G.past), exp(t * (1 + t) * e)),
                    Whole("k", 0),
                    every="k",
                )
            },
            witness=RENYI.NOTHING,
        ),
    ),
    rules=(zcdp_behind_filter,),
)


@proves("filter")
def proof(part: Statement) -> Iterator[Step]:
    """The filter at one order."""
    found = specialize(lemma("adaptive/renyi", "filter"), f=1 + t)
    yield found, "at each order"
    yield (
        combine(part.claim, under(found, *part.given)),
        "in the form of the guarantee",
    )


FREE = RENYI.FREE
FALSEHOODS = (
    Falsehood(
        "each release may spend the whole budget",
        at_most(E(FREE, exp(t * S)), exp(t * (1 + t) * c)),
        (Whole("k", 0), "0 <= t"),
        assuming={
            "each": assume(
                at_most(E(FREE, exp(t * L), FREE.past), exp(t * (1 + t) * e)),
                Whole("k", 0),
                every="k",
            )
        },
        instance=example({"k": 2, "t": 1, "a": 1, "c": 1}, {"F": [((2, 1), 1)]}),
    ),
)
