"""The best of a negative binomial number of runs: its profile and its moments, from those of one.

Printed: not in the sources.
Proved: Let K have the truncated negative binomial law of shape eta > -1 and of gamma, with mean m.
    The best of K runs is an output of density p with the density p w, where w = m (gamma/(gamma +
    (1 - gamma) U))**(1 + eta) and U lies between the probability of a better output and that of
    this one or a better one; on a neighbor q v, with T in place of U. If T <= R U + d and (1 -
    gamma) d <= gamma (R - 1), then w <= R**(1 + eta) v; and w <= m. With the shift c = (1 + eta)
    log R the hockey stick of the best run at eps is then at most m times that of one run at eps -
    c, and E exp(s L) at most m exp(s c) times that of one run, for s >= 0. Here d is the delta of
    one run at log R, with the neighbors exchanged, so that the least R is where gamma (R - 1) is
    (1 - gamma) delta(log R); for pure privacy it is that of selection/repeated.
Idea: gamma + (1 - gamma) T is linear in T, and so is a hockey stick. All weights are at most m, as
    the slope of the generating function rises to its value at 1.
Source: ours; Koskela, Redberg and Wang, Privacy profiles for private selection (2024), have bounds
    of this form, and Papernot and Steinke, Hyperparameter tuning with Renyi differential privacy
    (2022), the moments with another R.
"""

from rdpacct.book.words import (
    Condition, E, Expr, Fact, Falsehood, Iterator, Law, Statement, Status, Step, Theorem, assume,
    at_most, below, best_run_delta, best_run_shift, by_prover, combine, dominated, equal, example,
    exp, expect, given_by, integrable, linear, log, log_best_moment, maximum, mean_runs, on_average,
    proves, real, relations, runs_generating, spare_growth, specialize, symbols, under,
)  # fmt: skip

T, U, R, d, g, eta, m = symbols("T U R d gamma eta m")
p, q, w, v, c, eps = symbols("p q w v c eps")
L, Z, s, B = symbols("L Z s B")
LEFT = g + (1 - g) * U
RIGHT = g + (1 - g) * T
WEIGHED = ("0 <= U", "0 < gamma", "gamma <= 1", "-1 < eta", "0 < m")
PLACE = (*WEIGHED, "0 <= T")
STICK = at_most(T, R * U + d)
ROOM = at_most(0, spare_growth(g, R, d))
CLOSE: tuple[str | Condition, ...] = (*PLACE, "0 < R", STICK, ROOM)
OUTPUTS = Law(
    "M",
    ("p", "q", "w", "v"),
    (
        *relations("0 <= p", "0 <= q", "0 <= w", "w <= m"),
        at_most(w, exp(c) * v),
    ),
)
"""Densities of the outputs of one run on two neighbors, and their weights as those of the best."""
LOSSES = Law("P", ("L", "w", "Z"), relations("0 <= w", "w <= m", "Z <= c"))
"""The loss of one run, the weight of its output, and the logarithm of the ratio of the weights."""
ONE_RUN = maximum(0, p - exp(eps - c) * q)
BEST = maximum(0, p * w - exp(eps) * (q * v))
SHIFT = best_run_shift(log(R), eta)


def weight(base: Expr) -> Expr:
    """m (gamma/base)**(1 + eta)."""
    return m * exp((1 + eta) * (log(g) - log(base)))


THEOREM = Theorem(
    verdict=Status.PROVED,
    in_words=(
        "that the best of all runs is y with the mean weight of the places between better outputs"
        " and y, by the derivative of the generating function, and that forgetting the place is"
        " post-processing",
        "that the mean and the generating function are monotone in gamma, as for every power"
        " series law, so that the ends of an enclosure of gamma give ends of both",
        "that a test whose probabilities are rounded towards each other tells no more"
        " (shuffling/batches)",
    ),
    parts=(
        Statement(
            "growth",
            "the bases of the weights differ by the growth R at most",
            at_most(RIGHT, R * LEFT),
            given=("gamma <= 1", STICK, ROOM),
        ),
        Statement(
            "shift",
            "the weights by R**(1 + eta), whose logarithm is the shipped shift",
            at_most(weight(LEFT), exp(SHIFT) * weight(RIGHT)),
            given=CLOSE,
        ),
        Statement(
            "mean",
            "no weight is above the mean number of runs",
            at_most(weight(LEFT), m),
            given=WEIGHED,
        ),
        Statement(
            "stick",
            "the hockey stick of the best run is m times that of one run at eps - c",
            at_most(E(OUTPUTS, BEST), best_run_delta(m, E(OUTPUTS, ONE_RUN))),
            given=("0 < m",),
            assuming={"one run": assume(at_most(E(OUTPUTS, ONE_RUN), 1))},
        ),
        Statement(
            "moment",
            "and E exp(s L) is at most m exp(s c) times that of one run",
            at_most(
                E(LOSSES, w * exp(s * (L + Z))),
                exp(log_best_moment(log(B), log(m), c, s)),
            ),
            given=("0 <= s", "0 < m", "0 < B"),
            assuming={"one run": assume(at_most(E(LOSSES, exp(s * L)), B))},
        ),
        Statement(
            "all runs",
            "the generating function is 1 at 1",
            equal(runs_generating(1, g, eta), 1),
            by_prover("numerator and denominator are equal"),
            ("0 < gamma", "gamma < 1", "0 < eta"),
        ),
        Statement(
            "slope",
            "the mean is its slope at 1, for shapes other than 0",
            equal(
                mean_runs(g, eta) * (exp(-eta * log(g)) - 1),
                eta * (1 - g) * exp(-(1 + eta) * log(g)),
            ),
            by_prover("one fraction"),
            ("0 < gamma", "gamma < 1", "0 < eta"),
        ),
        Statement(
            "logarithmic",
            "and for shape 0",
            equal(mean_runs(g, 0) * log(1 / g), (1 - g) / g),
            by_prover("one fraction"),
            ("0 < gamma", "gamma < 1"),
        ),
    ),
    rules=(
        *(spare_growth, best_run_shift, best_run_delta, log_best_moment),
        *(runs_generating, mean_runs),
    ),
)


@proves("growth")
def growth(part: Statement) -> Iterator[Step]:
    """Two lines."""
    used = (real(STICK, STICK), 1 - g), real(ROOM, ROOM)
    yield combine(part.claim, *used, given=part.given), "the stick of one run, and R"


@proves("shift")
def shift(part: Statement) -> Iterator[Step]:
    """In logarithms."""
    close = THEOREM.part("growth").fact()
    yield close, "the bases"
    limits = ("y <= k*x", "0 < x", "0 < y", "0 < k")
    sums = real("log(y) <= log(k) + log(x)", *limits)
    given = part.given
    logs = specialize(under(sums, *limits, *given), x=LEFT, y=RIGHT, k=R)
    positive = [under(real(below(0, one), *PLACE), *given) for one in (LEFT, RIGHT)]
    larger = given_by(logs, close, *positive)
    yield larger, "in logarithms"
    low = (1 + eta) * (log(g) - log(LEFT))
    high = SHIFT + (1 + eta) * (log(g) - log(RIGHT))
    line = combine(at_most(low, high), (larger, 1 + eta), given=given)
    yield line, "times 1 + eta"
    rises = specialize(
        under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *given), x=low, y=high
    )
    yield combine(part.claim, (given_by(rises, line), m), given=given), "as powers"


@proves("mean")
def mean(part: Statement) -> Iterator[Step]:
    """gamma is the least base."""
    given = part.given
    base = combine(
        at_most(g, LEFT), (real("0 <= U", "0 <= U"), 1 - g), given=("gamma <= 1",)
    )
    yield base, "the base is at least gamma"
    logs = specialize(
        under(real("log(x) <= log(y)", "x <= y", "0 < x"), "x <= y", "0 < x", *given),
        x=g,
        y=LEFT,
    )
    ordered = given_by(logs, base)
    yield ordered, "in logarithms"
    low = (1 + eta) * (log(g) - log(LEFT))
    line = combine(at_most(low, 0), (ordered, 1 + eta), given=given)
    rises = specialize(under(real("exp(x) <= 1", "x <= 0"), "x <= 0", *given), x=low)
    yield combine(part.claim, (given_by(rises, line), m), given=given), "as powers"


@proves("stick")
def stick(part: Statement) -> Iterator[Step]:
    """Output by output."""
    line = weighed()
    yield line, "at each output"
    known = part.assuming["one run"]
    where = part.given
    scaled = linear(
        OUTPUTS,
        m * ONE_RUN,
        {ONE_RUN: m},
        integrable(known, E(OUTPUTS, ONE_RUN)),
        where=where,
    )
    bound = integrable(scaled, scaled.relation.left)
    least = specialize(real("0 <= max(0, y)"), y=p * w - exp(eps) * (q * v))
    whole = dominated(line, OUTPUTS, bound, lower=least)
    over = expect(line, OUTPUTS, whole, bound)
    yield over, "averaged"
    yield combine(part.claim, over, scaled), "so"


def weighed() -> Fact:
    """p w - exp(eps) q v <= w (p - exp(eps - c) q) <= m max(0, p - exp(eps - c) q)."""
    given: tuple[str | Condition, ...] = (*OUTPUTS.support, "0 < m")
    close = real(OUTPUTS.support[4], OUTPUTS.support[4])
    excess = p - exp(eps - c) * q
    rule = specialize(real("y <= max(0, y)"), y=excess)
    zero = specialize(real("0 <= max(0, y)"), y=excess)
    most = real("w <= m", "w <= m")
    first = combine(
        at_most(p * w - exp(eps) * (q * v), w * excess),
        (close, exp(eps - c) * q),
        given=given,
    )
    second = combine(at_most(w * excess, w * ONE_RUN), (rule, w), given=given)
    third = combine(
        at_most(w * ONE_RUN, m * ONE_RUN), (most, ONE_RUN), (zero, 0), given=given
    )
    line = combine(
        at_most(p * w - exp(eps) * (q * v), m * ONE_RUN), first, second, third
    )
    positive = combine(at_most(0, m * ONE_RUN), (zero, m), given=given)
    larger = specialize(
        real("max(0, y) <= z", "0 <= z", "y <= z"),
        y=p * w - exp(eps) * (q * v),
        z=m * ONE_RUN,
    )
    return under(given_by(larger, positive, line), *given)


@proves("moment")
def moment(part: Statement) -> Iterator[Step]:
    """Output by output."""
    given: tuple[str | Condition, ...] = (*LOSSES.support, *part.given)
    known = part.assuming["one run"]
    line = combine(
        at_most(s * (L + Z), s * (L + c)), (real("Z <= c", "Z <= c"), s), given=given
    )
    rises = specialize(
        under(real("exp(x) <= exp(y)", "x <= y"), "x <= y", *given),
        x=s * (L + Z),
        y=s * (L + c),
    )
    powers = given_by(rises, line)
    most = real("w <= m", "w <= m")
    weighed_powers = combine(
        at_most(w * exp(s * (L + Z)), m * exp(s * c) * exp(s * L)),
        (powers, w),
        (most, exp(s * (L + c))),
        given=given,
    )
    yield weighed_powers, "at each output"
    over = on_average(weighed_powers, LOSSES, known, where=part.given)
    yield over, "averaged"
    scaled = combine(part.claim, over, (known, m * exp(s * c)), given=part.given)
    yield scaled, "with the moment of one run"


FALSEHOODS = (
    Falsehood(
        "the best run has the hockey stick of one run at eps - c",
        at_most(E(OUTPUTS, BEST), E(OUTPUTS, ONE_RUN)),
        ("0 < m",),
        instance=example({"m": 2, "c": 0, "eps": 0}, {"M": [((1, 0, 2, 2), 1)]}),
    ),
    Falsehood(
        "the shift is eta log R, without the run itself",
        at_most(weight(LEFT), exp(eta * log(R)) * weight(RIGHT)),
        CLOSE,
        instance=example(
            {
                **{"gamma": "1/2", "eta": 0, "m": 1, "R": "3/2"},
                **{"U": 0, "T": "1/2", "d": "1/2"},
            }
        ),
    ),
    Falsehood(
        "the growth needs no room for the stick of one run",
        at_most(RIGHT, R * LEFT),
        CLOSE[:-1],
        instance=example(
            {
                **{"gamma": "1/2", "eta": 0, "m": 1, "R": 1},
                **{"U": 0, "T": "1/2", "d": "1/2"},
            }
        ),
    ),
    Falsehood(
        "the weights are at most the mean number of runs less one",
        at_most(weight(LEFT), m - 1),
        WEIGHED,
    ),
)
