"""The best of a Poisson number of runs: its profile and its moments, from those of one.

Printed: not in the sources.
Proved: The best of K runs is an output of density p with the density p w, where w = m exp(-m U) and
    U lies between the probability of a better output and that of this one or a better one; on a
    neighbor q v with T in place of U. No run at all has the probability exp(-m), whatever the data.
    With s = lambda - 1: w (w/v)**s = m exp(m s (T - (1 + 1/s) U)), so that where there is a run E
    exp(s L) is at most m exp(m s d) times that of one run, if T <= (1 + 1/s) U + d: the published
    eps + m d + log(m)/(lambda - 1) for a run that is (eps', d)-differentially private with
    exp(eps') <= 1 + 1/(lambda - 1). The delta of one run at log(1 + 1/s), with the neighbors
    exchanged, is such a d, and so is each number on the chord of two others. If T - U <= d for all,
    w <= exp(m d) v, and the hockey stick at eps is m times that of one run at eps - m d, by
    selection/best-run. The moment exp(-m) of no run at all is added here: for means below 1 the
    published sum alone may be negative.
Idea: The exponent of a weight is linear in U and T, and so is a hockey stick.
Source: Papernot and Steinke, Hyperparameter tuning with Renyi differential privacy (2022), Theorem
    6, stated from the known theorem and from what dp-accounting 0.6.0 computes, and not quoted.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, assume, at_most, by_prover,
    combine, equal, example, exp, given_by, log, log_poisson_moment, on_average, poisson_generating,
    poisson_shift, proves, real, relations, specialize, stick_between, symbols, under,
)  # fmt: skip

T, U, d, m, s, L, B, eps = symbols("T U d m s L B eps")
x, k, h, a, e = symbols("x k h a e")
FIRST = m * exp(-m * U)
SECOND = m * exp(-m * T)
LOSSES = Law(
    "P", ("L", "U", "T"), (*relations("0 <= U"), at_most(T, (1 + 1 / s) * U + d))
)
"""The loss of one run, and the probabilities of better outputs."""
RATIO = m * (T - U)
WEIGHED = exp(-m * U) * exp(s * (L + RATIO))
MOMENT = exp(log_poisson_moment(log(B), log(m), m, d, s))
THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that the best of all runs is y with the mean weight of the places between better outputs"
        " and y, by the derivative of the generating function, and that forgetting the place is"
        " post-processing",
        "that no run at all has the same probability on both neighbors, so that it adds its"
        " probability to a moment and nothing to a hockey stick at eps >= 0",
    ),
    parts=(
        Statement(
            "weights",
            "the weights differ by the shipped shift at most",
            at_most(FIRST, exp(poisson_shift(m, d)) * SECOND),
            given=("0 < m", "T <= U + d"),
        ),
        Statement(
            "mean",
            "no weight is above the mean",
            at_most(FIRST, m),
            given=("0 < m", "0 <= U"),
        ),
        Statement(
            "moment",
            "where there is a run, E exp(s L) is at most the shipped multiple of that of one",
            at_most(m * E(LOSSES, WEIGHED), MOMENT),
            given=("0 < s", "0 < m", "0 < B"),
            assuming={"one run": assume(at_most(E(LOSSES, exp(s * L)), B))},
        ),
        Statement(
            "chord",
            "sticks lie below the chords between them",
            at_most(T, x * U + stick_between(h, a, k, e, x)),
            given=("h <= x", "x <= k", "h < k", "T <= h*U + a", "T <= k*U + e"),
        ),
        Statement(
            "published",
            "the divergence is the published sum",
            equal(
                log_poisson_moment(s * eps, log(m), m, d, s) / s,
                eps + m * d + log(m) / s,
            ),
            by_prover("divided by s"),
            ("0 < s", "0 < m"),
        ),
        Statement(
            "none",
            "the probability of no run",
            equal(poisson_generating(0, m), exp(-m)),
            by_prover("the generating function at 0"),
        ),
    ),
    rules=(poisson_shift, log_poisson_moment, stick_between, poisson_generating),
)


@proves("weights")
def weights(part: Statement) -> Iterator[Step]:
    """In exponents."""
    given = part.given
    close = real("T <= U + d", "T <= U + d")
    line = combine(at_most(-m * U, m * d - m * T), (close, m), given=given)
    yield line, "in exponents"
    rises = specialize(
        under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *given),
        x=-m * U,
        y=m * d - m * T,
    )
    yield combine(part.claim, (given_by(rises, line), m), given=given), "as powers"


@proves("mean")
def mean(part: Statement) -> Iterator[Step]:
    """The exponent is not positive."""
    given = part.given
    line = combine(at_most(-m * U, 0), (real("0 <= U", "0 <= U"), m), given=given)
    rises = specialize(under(real("exp(x) <= 1", "x <= 0"), "x <= 0", *given), x=-m * U)
    yield combine(part.claim, (given_by(rises, line), m), given=given), "as powers"


@proves("moment")
def moment(part: Statement) -> Iterator[Step]:
    """Output by output."""
    known = part.assuming["one run"]
    given = (*LOSSES.support, *part.given)
    close = real(LOSSES.support[1], LOSSES.support[1], "0 < s")
    low = -m * U + s * (L + RATIO)
    high = s * L + m * s * d
    line = combine(at_most(low, high), (close, m * s), given=given)
    yield line, "in exponents"
    rises = specialize(
        under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *given), x=low, y=high
    )
    powers = combine(
        at_most(WEIGHED, exp(m * s * d) * exp(s * L)),
        given_by(rises, line),
        given=given,
    )
    yield powers, "at each output"
    over = on_average(powers, LOSSES, known, where=part.given)
    yield over, "averaged"
    uses = (over, m), (known, m * exp(m * s * d))
    yield combine(part.claim, *uses, given=part.given), "with the moment of one run"


@proves("chord")
def chord(part: Statement) -> Iterator[Step]:
    """Both lines, with the shares of the chord."""
    first = real("T <= h*U + a", "T <= h*U + a")
    second = real("T <= k*U + e", "T <= k*U + e")
    share = (k - x) / (k - h)
    uses = (first, share), (second, 1 - share)
    yield combine(part.claim, *uses, given=part.given), "added"


FALSEHOODS = (
    Falsehood(
        "the delta of one run may be left out",
        at_most(m * E(LOSSES, WEIGHED), exp(log(B) + log(m))),
        ("0 < s", "0 < m", "0 < B"),
        assuming={"one run": assume(at_most(E(LOSSES, exp(s * L)), B))},
        instance=example(
            {"s": 1, "m": 1, "B": 1, "d": "1/2"}, {"P": [((0, 0, "1/2"), 1)]}
        ),
    ),
    Falsehood(
        "no run at all may be left out: the published sum is never negative",
        at_most(0, log_poisson_moment(s * eps, log(m), m, d, s) / s),
        ("0 < s", "0 < m", "0 <= eps", "0 <= d"),
    ),
    Falsehood(
        "the weights differ by one total variation, however many runs there are",
        at_most(FIRST, exp(d) * SECOND),
        ("0 < m", "T <= U + d", "0 < d"),
    ),
)
