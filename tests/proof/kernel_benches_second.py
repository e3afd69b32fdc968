"""More benches for chains: sequences, exchangeable values, numbers taken apart, and formulas that
say less once they are folded.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import exp
from rdpacct.proof.kernel import (
    E,
    Fact,
    Law,
    Table,
    Whole,
    assume,
    at_most,
    chain,
    dominated,
    integrable,
    ranked,
    real,
    relations,
    under,
)
from rdpacct.proof.kernel.laws import Chain, Exchangeable
from tests.proof.kernel_benches import FALLING, HALF, INFINITE
from tests.proof.kernel_chainer import Bench

j, k, n, r, s, t, v, w, x, y = (
    Symbol(name) for name in ("j", "k", "n", "r", "s", "t", "v", "w", "x", "y")
)
new = Symbol("new")
COIN = Table(
    "C",
    ("v",),
    relations("0 <= v", "v <= 1"),
    (((formula(1),), formula(HALF)), ((formula(0),), formula(HALF))),
)
AVERAGE = (r + v) / 2


def walk(index: Expr) -> Chain:
    """A sum of steps from -1 to 1, each of any law given the sum so far."""
    steps = {"s": (formula(0), s + new)}
    return chain("W", steps, ("new",), index, relations("-1 <= new", "new <= 1"))


def halved(index: Expr) -> Chain:
    """r becomes (r + v)/2 for a coin v, which does not know r."""
    steps = {"r": (formula(0), AVERAGE)}
    return chain("B", steps, COIN, index, relations("0 <= r", "r <= 1"))


def bounded(body: Expr, law: Law, given: tuple[str, ...] = ()) -> Fact:
    """A formula between -1 and 1 on the support has a mean."""
    return dominated(real(f"abs({body}) <= 1", *law.support), law, given=given)


def sequences() -> Bench:
    """Laws of two sequences at several numbers, and what is finite under them."""
    zero, one = formula(0), formula(1)
    laws: list[Law] = [halved(i) for i in (zero, one, k, k + 1)]
    laws += [walk(i) for i in (zero, one, k)]
    facts = list[Fact]()
    for index in (zero, k, k + 1):
        law = halved(index)
        facts += [bounded(body, law) for body in (r, AVERAGE, r * v)]
        facts += [bounded(r * v, law, given=("r",)), bounded(r * v, law, given=("v",))]
    assumed = [assume(at_most(E(walk(i), s + new), 2)) for i in (zero, k)]
    facts += [integrable(one_, one_.relation.left) for one_ in assumed]
    rules = "at_start one_more disintegrate tower conditional specialize combine"
    return Bench(
        laws=laws,
        facts=[*facts, *assumed],
        conditions=["0 <= k", "k <= 2"],
        values=[0, 1, 2, -1, k, k + 1, HALF],
        bodies=[r, r * v, s, s + new, v, AVERAGE],
        claims=["r <= 1", "0 <= r", "0 <= v", "r*v <= 1"],
        rules=(*rules.split(), "integrable", "linear", "induct", "under", "expect"),
    )


def exchanged() -> Bench:
    """n values whose order says nothing, and how the last of them ranks."""
    last, total = Symbol("last"), Symbol("total")
    support = relations("0 <= last", "last <= 1")
    plain = Exchangeable("X", ("last", "total"), support, n)
    ranks = ranked("R", n, k)
    facts = [bounded(last, law) for law in (plain, ranks)]
    return Bench(
        laws=[plain, ranks],
        facts=facts,
        conditions=["1 <= n", "k <= n", "n <= 3"],
        values=[1, 2, 3, 0, k, n, HALF],
        bodies=[last, total, last * last],
        claims=["last <= 1", "total <= n - k", "0 <= last"],
        rules=("exchange", "expect", "specialize", "combine", "under", "linear"),
    )


def taken_apart() -> Bench:
    """Relations for x + j w with whole j and 0 <= x <= w, some of them for fewer."""
    parts = (Whole("j", 0), "0 <= x", "x <= w")
    step = x + j * w
    facts = [
        under(real(at_most(0, step), "0 <= x", "0 <= j", "0 < w"), *parts, "0 < w"),
        under(real(at_most(step, 1), at_most(step, 1)), at_most(step, 1), "0 < w"),
        under(real(at_most(step, 0), "x <= 0", "w == 0"), *parts, "x <= 0", "w == 0"),
        under(real(at_most(step, 0), "x <= w", "w == 0"), *parts, "w == 0"),
    ]
    return Bench(
        facts=facts,
        values=[w, 1, 0, 2 * w, x, HALF],
        claims=["0 <= y", "y <= 1", "y <= 0", "-y <= y"],
        conditions=["0 < w", "w <= 1", Whole("j", 0)],
        rules=("folded", "specialize", "under"),
    )


def nothing_times_a_mean() -> Bench:
    """t E X <= 5 says that E X is finite, for t = 0 too."""
    mean = E(FALLING, exp(2 * x))
    facts = [integrable(assume(at_most(t * mean, 5), "t <= 1"), mean), real("0 <= 5")]
    return Bench(
        facts=facts,
        values=[0, 1],
        rules=("specialize", "discharge"),
        infinite=INFINITE,
    )


def nothing_times_a_logarithm() -> Bench:
    """w log(y) <= x says that y is positive, for w = 0 too."""
    facts = [real("-exp(x) <= y", "w*log(y) <= x"), assume("w*log(y) <= x")]
    return Bench(
        facts=facts,
        values=[0, -2],
        rules=("specialize", "under", "given_by", "discharge"),
    )
