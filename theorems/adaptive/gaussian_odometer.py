"""An odometer for Gaussian privacy: the loss stays below a mixture of bounds at all times.

Printed: not in the sources.
Proved: An adversary chooses each release after the outputs before it, and with it the square e of
    its mu, without any limit; S is the loss of all releases so far, and B the sum of the squares.
    (1) A release that is GaussianDP(mu) has E F exp(t L) <= exp(t (1 + t) e/2) for every t > 0,
    where F is 1 if its loss is finite, else 0: with the finite losses S so far, no release raises
    exp(t S - t (1 + t) B/2) on average. (2) Nor does it raise the mean W of this over any law of t,
    which the releases do not depend on: W is the shipped growth at the loss S, for a law with equal
    masses at some rates. (3) W starts at 1. A value that no release raises on average reaches
    1/share within the first k releases with probability at most the share, for every k. (4) If
    share W is at least 1 at a loss, so it is at every larger one: the smallest loss with this is a
    bound, which holds at all times together, also at one that was chosen by looking. (5) It is at
    most each of the bounds of adaptive/odometer, in which every rate has an equal share of delta.
    An infinite loss has probability 0 under GaussianDP(mu).
Idea: Ville's inequality for a mixture of the values of adaptive/odometer, in place of a union of
    events: of several values the mean is at least each of them over their number.
Source: Whitehouse, Ramdas, Rogers and Wu (2023), Fully adaptive composition in differential
    privacy; Robbins (1970), Statistical methods related to the law of the iterated logarithm, for
    mixtures; Ville (1939).
"""

from rdpacct.book.words import (
    E, Expr, Falsehood, Iterator, Law, Real, Statement, Status, Step, Theorem, Whole, assume,
    at_most, by_prover, chain, combine, disintegrate, dominated, equal, example, exp, expect,
    formula, independent_of, integrable, linear, loss_stays_below, marginal, mixed_growth, module,
    never_rises, proves, real, relations, specialize, symbols, taken_in, tower, under,
)  # fmt: skip

k, A, x, W, w, share, m, t, r = symbols("k A x W w share m t r")
S, B, e, L, y, u, v, delta = symbols("S B e L y u v delta")
STEPS: dict[str, tuple[Real, Expr]] = {"W": (1, w), "A": (0, A + (1 - A) * x)}
SHARES = relations("0 <= A", "A <= 1", "0 <= x", "x <= 1", "0 <= W", "0 <= w")
REACHED = at_most(x * (1 - share * w), 0)
G = chain("G", STEPS, ("w", "x"), k, (*SHARES, REACHED))
"""The value so far and whether it has reached 1/share; the next value, and whether that does."""
EVERY = chain("F", STEPS, ("w", "x"), k, SHARES)
"""The same where anything may count as reached."""
LOSS = Law("R", ("L",))
RATES = Law("T", ("t",), relations("0 < t"))
BOTH = independent_of(LOSS, RATES)
"""The loss of the next release, and a rate that it does not depend on."""


def grown(loss: Expr, spent: Expr) -> Expr:
    """The value at the rate t."""
    return exp(t * loss - t * (1 + t) * spent / 2)


ZCDP = module("gaussian/zcdp")
AFTER = grown(S + L, B + e)
MIXED = mixed_growth(S, B, (u, v))
AT_RATE = (exp(u * (S - (1 + u) * B / 2)), exp(v * (S - (1 + v) * B / 2)))
ALONE = loss_stays_below(B / 2, u, 1 + u, delta / 2)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one release",
            "the mean over a law of rates does not rise, if it is m so far",
            at_most(E(BOTH, AFTER), m),
            assuming={
                "so far": assume(at_most(E(RATES, grown(S, B)), m)),
                "each": assume(
                    at_most(E(LOSS, exp(t * L)), exp(t * (1 + t) * e / 2)),
                    "0 < t",
                    every="t",
                ),
            },
            witness=example(
                {"S": 0, "B": 0, "e": 1, "m": 1}, {"R": [(0, 1)], "T": [(1, 1)]}
            ),
        ),
        Statement(
            "odometer",
            "the value reaches 1/share within k releases with probability at most the"
            " share",
            at_most(E(G, A), share),
            given=(Whole("k", 0), "0 < share"),
            assuming={
                "no release raises it": assume(
                    at_most(E(G, w, G.past), W), Whole("k", 0), every="k"
                )
            },
            witness=example({"k": 2, "share": "1/2"}, {"G": [((1, 0), 1)]}),
        ),
        Statement(
            "shipped",
            "the shipped growth of two rates is their mean",
            equal(MIXED, (AT_RATE[0] + AT_RATE[1]) / 2),
            by_prover("a sum"),
        ),
        Statement(
            "at first",
            "nothing is spent and lost at first",
            equal(mixed_growth(0, 0, (u, v)), 1),
            by_prover("exponentials of 0"),
        ),
        Statement(
            "larger losses",
            "the shipped growth does not fall with the loss",
            at_most(mixed_growth(y, B, (u, v)), MIXED),
            given=("0 <= u", "0 <= v", "y <= S"),
        ),
        Statement(
            "no worse",
            "at the bound of one of two rates with half of delta, the growth has reached"
            " 1/delta",
            at_most(1, delta * mixed_growth(ALONE, B, (u, v))),
            given=("0 < u", "0 < delta"),
        ),
    ),
    in_words=(
        "The hypothesis `each` is gaussian/zcdp for a release that is GaussianDP(mu) with"
        " e = mu**2, given all that was seen; that of `odometer` is `one release`, with the"
        " value so far as m.",
    ),
    rules=(mixed_growth,),
)


@proves("one release")
def one_release(part: Statement) -> Iterator[Step]:
    """Given the rate, the release is paid for; then over the rates."""
    so_far, each = part.assuming["so far"], part.assuming["each"]
    factor = exp(t * S - t * (1 + t) * (B + e) / 2)
    moment = integrable(each, each.relation.left)
    pulled = linear(LOSS, AFTER, {exp(t * L): factor}, moment, where=("0 < t",))
    same = real(equal(factor * exp(t * (1 + t) * e / 2), grown(S, B)))
    inner = combine(at_most(E(LOSS, AFTER), grown(S, B)), pulled, (each, factor), same)
    yield inner, "at each rate"
    split = disintegrate(BOTH, AFTER, "t", integrable(inner, E(LOSS, AFTER)))
    line = combine(at_most(split.relation.left, grown(S, B)), inner, split)
    yield line, "given the rate"
    before = grown(S, B)
    known = integrable(so_far, E(RATES, before))
    same_mean = marginal(BOTH, RATES, before, known)
    top = integrable(same_mean, E(BOTH, before))
    inside = split.relation.left
    least = expect(
        real(at_most(0, AFTER)), BOTH, integrable(split, inside), given=("t",)
    )
    finite = dominated(line, BOTH, top, lower=least)
    over = expect(line, BOTH, finite, top)
    flat = tower(BOTH, AFTER, "t", finite, real(at_most(0, AFTER)))
    yield combine(part.claim, over, flat, same_mean, so_far), "over the rates"


@proves("odometer")
def odometer(part: Statement) -> Iterator[Step]:
    """Where 1/share is reached the value is 1, and stays 1 from then on."""
    release = part.assuming["no release raises it"]
    value = A + (1 - A) * share * W
    after = taken_in(G, value)
    given = ("0 < share",)
    middle = A + (1 - A) * share * w
    reached = real(REACHED, *G.support, *given)
    factor = under(real("0 <= 1 - A", "A <= 1"), *G.support)
    line = combine(at_most(after, middle), (reached, 1 - A), (factor, 0))
    yield line, "to stay at 1 there is no more than to go on"
    least = real(at_most(0, after), *G.support, *given)
    moment = integrable(release, release.relation.left)
    scale = (1 - A) * share
    top = linear(G, middle, {w: scale}, moment, constant=A, given=G.past)
    bound = integrable(top, top.relation.left)
    finite = dominated(line, G, bound, lower=least, given=G.past)
    over = expect(line, G, finite, bound, given=G.past)
    sign = real(at_most(0, scale), *G.support, *given)
    paid = combine(
        at_most(over.relation.left, value), over, top, (release, scale), (sign, 0)
    )
    yield paid, "given what was seen, the value does not rise"
    steps = list(never_rises(G, value, share, paid, least, *given))
    yield from steps
    whole = steps[-1][0]
    last = real(at_most(A, value), *G.support, *given)
    there = integrable(whole, E(G, value))
    zero = under(real("0 <= A", "0 <= A"), *G.support)
    mean = expect(last, G, dominated(last, G, there, lower=zero), there)
    yield combine(part.claim, mean, whole), "averaged"


@proves("larger losses")
def larger(part: Statement) -> Iterator[Step]:
    """Each of the exponentials rises."""
    line = real("exp(r*(y - z)) <= exp(r*(x - z))", "0 <= r", "y <= x")
    each = [specialize(line, x=S, r=one, z=(1 + one) * B / 2) for one in (u, v)]
    halves = [(one, formula(1) / 2) for one in each]
    yield combine(part.claim, *halves), "rate by rate"


@proves("no worse")
def no_worse(part: Statement) -> Iterator[Step]:
    """One of two terms alone is 2/delta."""
    alone = exp(u * (ALONE - (1 + u) * B / 2))
    term = real(equal(delta * alone, 2), *part.given)
    yield term, "the term of the rate itself"
    other = real(at_most(0, exp(v * (ALONE - (1 + v) * B / 2))), *part.given)
    sign = real("0 <= delta", "0 < delta")
    yield combine(part.claim, term, (other, delta / 2), (sign, 0)), "the other adds"


FALSEHOODS = (
    Falsehood(
        "a value may count as reached below 1/share",
        at_most(E(EVERY, A), share),
        (Whole("k", 0), "0 < share"),
        assuming={
            "no release raises it": assume(
                at_most(E(EVERY, w, EVERY.past), W), Whole("k", 0), every="k"
            )
        },
        instance=example({"k": 1, "share": "1/2"}, {"F": [((0, 1), 1)]}),
    ),
    Falsehood(
        "the larger of two growths may be taken, which is to choose the rate by looking",
        at_most(exp(u * (S - (1 + u) * B / 2)), mixed_growth(S, B, (u, v))),
        ("0 < u", "0 < v", "0 <= B"),
    ),
)
