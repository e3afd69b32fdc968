"""The nodes of a quadrature on the average over the loss: the profile, and bounded aliases.

Printed: not in the sources
Proved: Let g(eps) = E[F (1 - exp(eps - L))_+] be the finite part of the profile, M(z) = E[F exp(z
    L)], and D(N) the sum of the nodes as the shipped code adds them up: M(z) exp(-z eps)/(W z (z +
    1)) at z = t, and twice the real part of it at each z = t + 2 pi i m/W, m = 1, ..., N. (1) With
    the S(y, N) of engine/every-loss, E[F exp(t (L - eps)) S(L - eps, N)] = D(N). (2) So g(eps) is
    at most D(N) and M(t) exp(-t eps) times the shipped truncation(1, 2 pi N/W), for every N >= 1.
    (3) It is at least D(N) less this and less the shipped bounds on the aliases, by a second tilt s
    with M(s) = exp(k), or without those above where no loss exceeds eps + W.
Idea: Poisson summation, done for each value of the loss, and then a mean of finitely many nodes.
Source: Abate and Whitt (1992) for the method.
"""

from rdpacct.book.words import (
    Comparison, E, Expectation, Expr, Fact, Falsehood, Instance, Iterator, Law, Line, Quantity,
    Real, Statement, Status, Step, Symbol, Theorem, Whole, absolute, aliases_above, aliases_below,
    assume, at_most, cache, combine, cos, discharge, dominated, equal, example, exp, expect,
    formula, formulas, induct, instance, integrable, lemma, linear, maximum, module, placed, read,
    real, recursive, relations, sin, specialize, terms_replace as replace, under,
)  # fmt: skip

FIRST = module("engine/periodic-sum")
EACH = module("engine/every-loss")
t, W, N, theta, u = FIRST.t, FIRST.W, FIRST.N, FIRST.theta, FIRST.u
SQUARE, SLANT, WAVES = FIRST.SQUARE, FIRST.SLANT, FIRST.WAVES
SIZE = SQUARE**2 + SLANT**2
ORDER, TILTS, ALLOWED = EACH.ORDER, EACH.TILTS, EACH.ALLOWED
SECOND_TILT = ("0 < t", "t < s", "0 < W")
L, F, eps, m, s, k, top = (
    Symbol(name) for name in ("L", "F", "eps", "m", "s", "k", "top")
)
P = Law("P", ("L", "F"), relations("0 <= F <= 1"))
WEIGHT = F * exp(t * (L - eps))
NODES = WEIGHT * EACH.nodes(L - eps)
PROFILE = F * maximum(0, 1 - exp(eps - L))
TURNED = (
    WEIGHT * (SQUARE * cos(theta * (L - eps)) + SLANT * sin(theta * (L - eps))) / SIZE
)
REAL, IMAGINARY = (E(P, F * exp(t * L) * wave(theta * L)) for wave in WAVES.values())
COSINE = REAL * cos(theta * eps) + IMAGINARY * sin(theta * eps)
SINE = IMAGINARY * cos(theta * eps) - REAL * sin(theta * eps)
"""The real and the imaginary part of M(z) exp(-i theta eps)."""
NODE = exp(-t * eps) * (SQUARE * COSINE + SLANT * SINE) / SIZE
"""Re M(z) exp(-z eps)/(z (z + 1))."""
FACTOR = exp(m - t * eps)
MOMENT = assume(equal(E(P, F * exp(t * L)), exp(m)))
SECOND = assume(equal(E(P, F * exp(s * L)), exp(k)))


def total(number: Expr) -> Expr:
    """D(N), the sum of the nodes up to N."""
    return Quantity("D", (number,))


def sums() -> dict[str, Fact]:
    """M(t), and what defines the sums of the nodes, for one loss and on the average."""
    more = equal(total(N + 1), total(N) + (2 / W * NODE).at(theta=FIRST.angle(N + 1)))
    return {
        "moment": MOMENT,
        "first": assume(equal(total(formula(0)), FACTOR * FIRST.first_node())),
        "one more": assume(more, Whole("N", 0), every="N"),
        **FIRST.nodes(),
    }


def one_node(part: Statement) -> Iterator[Step]:
    """The waves of L - eps in those of L and of eps."""
    size = integrable(part.assuming["moment"], E(P, F * exp(t * L)))
    bodies = [F * exp(t * L) * wave(theta * L) for wave in WAVES.values()]
    bounds = [
        real(at_most(absolute(body), F * exp(t * L)), "0 <= F") for body in bodies
    ]
    shrink = exp(-t * eps) / SIZE
    first = shrink * (SQUARE * cos(theta * eps) - SLANT * sin(theta * eps))
    second = shrink * (SQUARE * sin(theta * eps) + SLANT * cos(theta * eps))
    finite = [dominated(bound, P, size) for bound in bounds]
    both = linear(
        P,
        TURNED,
        dict(zip(bodies, (first, second), strict=True)),
        *finite,
        where=part.given,
    )
    yield both, "the waves of a difference"
    yield combine(part.claim, both), "the real part of a product"


def weight() -> Fact:
    """E[F exp(t (L - eps))] = M(t) exp(-t eps)."""
    finite = integrable(MOMENT, E(P, F * exp(t * L)))
    scaled = linear(P, WEIGHT, {F * exp(t * L): exp(-t * eps)}, finite)
    return combine(equal(E(P, WEIGHT), FACTOR), scaled, (MOMENT, exp(-t * eps)))


def on_average(part: Statement) -> Iterator[Step]:
    """Node by node."""
    first, more = (
        specialize(one, x=L - eps)
        for one in (part.assuming["first node"], part.assuming["one more node"])
    )
    size = weight()
    value = FIRST.first_node()
    scaled = linear(
        P, WEIGHT * value, {WEIGHT: value}, integrable(size, E(P, WEIGHT)), where=ORDER
    )
    flat = combine(equal(NODES.at(N=0), WEIGHT * value), (first, WEIGHT), given=ORDER)
    start = expect(flat, P, integrable(scaled, E(P, WEIGHT * value)))
    base = combine(
        replace(part.claim, {"N": 0}),
        start,
        scaled,
        (size, value),
        (part.assuming["first"], -1),
    )
    yield base, "the first node"
    before = assume(part.claim, Whole("N", 0), *ORDER)
    height = FIRST.angle(N + 1)
    turned = placed(
        lemma("engine/averaged-nodes", "node"), *ORDER, Whole("N", 0), theta=height
    )
    grown = NODES + 2 / W * TURNED.at(theta=height)
    each = combine(equal(NODES.at(N=N + 1), grown), (more, WEIGHT), given=ORDER)
    parts = {NODES: 1, TURNED.at(theta=height): 2 / W}
    finite = (
        integrable(before, E(P, NODES)),
        integrable(turned, E(P, TURNED.at(theta=height))),
    )
    both = linear(P, grown, parts, *finite, where=ORDER)
    mean = expect(each, P, integrable(both, E(P, grown)))
    yield mean, "one more node"
    step = combine(
        replace(part.claim, {"N": N + 1}),
        mean,
        both,
        before,
        (turned, 2 / W),
        (part.assuming["one more"], -1),
    )
    yield induct(base, step, "N"), "by induction"


@cache
def nodes() -> Fact:
    """The mean of the nodes, proved once."""
    return lemma("engine/averaged-nodes", "nodes")


def gained() -> Fact:
    """The excess of a loss has a mean: it lies in [0, 1]."""
    claims = ("F*max(0, 1 - exp(v)) <= 1", "0 <= F*max(0, 1 - exp(v))")
    upper, lower = (
        specialize(real(claim, "0 <= F <= 1"), v=eps - L) for claim in claims
    )
    return dominated(upper, P, lower=lower)


@cache
def same() -> Fact:
    """The excess in both ways of writing it."""
    return real(equal(EACH.excess(L - eps), maximum(0, 1 - exp(eps - L))))


def leeway(sign: int) -> tuple[Expr, Fact, Fact]:
    """The nodes of a loss with what is left out of them, above or below, and their mean."""
    body = F * (exp(t * (L - eps)) * (EACH.nodes(L - eps) + sign * EACH.T))
    found = nodes()
    size = weight()
    finite = integrable(found, E(P, NODES)), integrable(size, E(P, WEIGHT))
    both = linear(
        P, body, {NODES: 1, WEIGHT: sign * EACH.T}, *finite, where=(*ORDER, "1 <= N")
    )
    claim = equal(E(P, body), total(N) + sign * EACH.T * FACTOR)
    return body, combine(claim, both, found, (size, sign * EACH.T)), both


def all_above(part: Statement) -> Iterator[Step]:
    """The bound for each loss, on the average."""
    body, value, both = leeway(1)
    yield value, "the nodes, on the average"
    each = specialize(lemma("engine/every-loss", "over"), y=L - eps)
    pointwise = combine(
        at_most(PROFILE, body), (each, F), (same(), -F), given=("0 <= F",)
    )
    yield pointwise, "engine/every-loss"
    mean = expect(pointwise, P, gained(), integrable(both, E(P, body)))
    yield mean, "on the average"
    yield combine(part.claim, mean, value), "so"


BOUNDED = Law("Q", ("L", "F"), relations("0 <= F <= 1", "L <= top"))
"""Losses of which none exceeds the top."""


def of_bounded(fact: Fact) -> Fact:
    """What holds of any loss, for one that does not exceed the top."""
    return instance(fact, P, BOUNDED, {"L": L, "F": F})


def under_bounded(expr: Expr) -> Expr:
    """A formula about any loss, for one that does not exceed the top."""
    if isinstance(expr, Expectation):
        return E(BOUNDED, expr.body)
    return expr.rebuild(tuple(map(under_bounded, expr.parts())))


def assumed_of_bounded(fact: Fact) -> Fact:
    """What is assumed of any loss, assumed of one that does not exceed the top."""
    said = fact.relation
    moved = Comparison(under_bounded(said.left), said.sign, under_bounded(said.right))
    if moved == said:
        return fact
    (hypothesis,) = fact.hypotheses
    whole = (one for one in fact.domain if isinstance(one, Whole))
    return assume(moved, *whole, every=hypothesis.every)


def least_gain(each: Fact, more: Expr, *given: str) -> Fact:
    """F exp(t y) (S(y, N) - T) <= F (1 - exp(-y))_+ + a + F b, for each loss."""
    wide = combine(
        "F*low <= F*most + less + F*more",
        (assume("low <= gain + less + more"), F),
        (assume("gain <= most"), F),
        (assume("0 <= less"), 1 - F),
        given=("0 <= F", "F <= 1"),
    )
    values = {"low": each.relation.left, "most": maximum(0, 1 - exp(eps - L))}
    values |= {"gain": EACH.excess(L - eps), "less": EACH.BELOW, "more": more}
    there = placed(wide, "0 <= F", "F <= 1", *given, *ALLOWED, **values)
    below = real(at_most(0, EACH.BELOW), *ORDER)
    alike = real(at_most(same().relation.left, same().relation.right))
    return discharge(there, each, alike, below)


LESS = F * (exp(t * (L - eps)) * (EACH.nodes(L - eps) - EACH.T))


def all_below(part: Statement) -> Iterator[Step]:
    """The bound for each loss, on the average, with a second tilt."""
    _, value, both = leeway(-1)
    yield value, "the nodes, on the average"
    each = specialize(lemma("engine/every-loss", "beneath"), y=L - eps)
    more = EACH.ABOVE.at(y=L - eps)
    pointwise = least_gain(each, more, *TILTS)
    yield pointwise, "engine/every-loss"
    second = part.assuming["second"]
    size = EACH.ABOVE.at(y=-eps)
    right = pointwise.relation.right
    known = gained(), integrable(second, E(P, F * exp(s * L)))
    most = linear(
        P,
        right,
        {PROFILE: 1, F * exp(s * L): size},
        *known,
        constant=EACH.BELOW,
        where=TILTS,
    )
    mean = expect(
        pointwise, P, integrable(both, E(P, LESS)), integrable(most, E(P, right))
    )
    yield mean, "on the average"
    any_ = combine(
        at_most(total(N) - EACH.T * FACTOR - EACH.BELOW - size * exp(k), E(P, PROFILE)),
        mean,
        value,
        most,
        (second, size),
    )
    yield any_, "M(s) is exp(k)"
    largest = under(lemma("engine/every-loss", "chernoff"), *SECOND_TILT)
    shipped = discharge(placed(any_, *part.given, c=EACH.PEAK), largest)
    yield combine(part.claim, shipped), "with the shipped constant"


def all_below_bounded(part: Statement) -> Iterator[Step]:
    """The same where no loss has aliases above."""
    value = of_bounded(leeway(-1)[1])
    yield value, "the nodes, on the average"
    each = specialize(lemma("engine/every-loss", "beneath, bounded"), y=L - eps)
    pointwise = least_gain(each, formula(0), *ORDER, "L - eps <= W")
    yield pointwise, "engine/every-loss"
    right = pointwise.relation.right
    known = of_bounded(gained())
    most = linear(BOUNDED, right, {PROFILE: 1}, known, constant=EACH.BELOW, where=ORDER)
    here = under(pointwise, *pointwise.domain, "top <= eps + W")
    mean = expect(
        here,
        BOUNDED,
        integrable(value, E(BOUNDED, LESS)),
        integrable(most, E(BOUNDED, right)),
    )
    yield mean, "on the average"
    yield combine(part.claim, mean, value, most), "so"


def aliases(bounded: bool) -> Expr:
    """The shipped bounds on the aliases of a line, below and above."""
    given = (*SECOND_TILT, "top <= eps + W")
    tilt, second, period, log, level, largest = formulas(
        t, s, W, k, eps, top, given=given
    )
    line = Line(
        tilt,
        period,
        period,
        log,
        [],
        log,
        None if bounded else (second, log),
        largest if bounded else None,
    )
    return read(aliases_below(line) + aliases_above(line, level))


def claimed(name: str, missing: Expr) -> Comparison:
    """One side of the profile, if the nodes leave out so much."""
    if name == "above":
        return at_most(E(P, PROFILE), total(N) + missing * FACTOR)
    bounded = name == "below, bounded"
    delta = E(BOUNDED if bounded else P, PROFILE)
    return at_most(total(N) - missing * FACTOR - aliases(bounded), delta)


def assumed(name: str) -> dict[str, Fact]:
    """What is assumed for one side."""
    if name == "below":
        return {**sums(), "second": SECOND}
    if name == "above":
        return sums()
    return {key: assumed_of_bounded(fact) for key, fact in sums().items()}


def witness(name: str, **more: Real) -> Instance:
    """A loss that is always 0."""
    values = {"t": 1, "s": 2, "W": 1, "N": 1, "eps": 0, "m": 0, "k": 0, "top": 0}
    law = "Q" if name == "below, bounded" else "P"
    return example(
        {**values, **more}, {law: [((0, 1), 1)]}, S=recursive(), D=recursive()
    )


def side(name: str) -> Statement:
    """The part for one side of the profile."""
    return Statement(
        name,
        SAYS[name],
        claimed(name, EACH.T),
        PROOFS[name],
        (*WHERE[name], *ALLOWED),
        assumed(name),
        witness(name),
        (FIRST.POISSON,),
    )


WHERE = {
    "above": ORDER,
    "below": SECOND_TILT,
    "below, bounded": (*ORDER, "top <= eps + W"),
}
PROOFS = {"above": all_above, "below": all_below, "below, bounded": all_below_bounded}
SAYS = {
    "above": "the profile is at most the sum and what it leaves out of each loss",
    "below": "and at least the sum less that and less the bounds on the aliases",
    "below, bounded": "without aliases above, where no loss exceeds eps + W",
}


def theorem() -> Theorem:
    """The statement, with what the shipped code gives for symbols."""
    return Theorem(
        verdict=Status.PROVED,
        parts=(
            Statement(
                "node",
                "on the average over L a node contributes Re M(z) exp(-z eps)/(z (z + 1))",
                equal(E(P, TURNED), NODE),
                one_node,
                ("0 < t",),
                {"moment": MOMENT},
            ),
            Statement(
                "nodes",
                "and the nodes up to N contribute D(N)",
                equal(E(P, NODES), total(N)),
                on_average,
                (*ORDER, Whole("N", 0)),
                sums(),
                witness("above"),
            ),
            *map(side, PROOFS),
        ),
        falsehoods=(
            Falsehood(
                "the sum is at most the profile: for a loss that is always eps + u, at"
                " most 1 - exp(-u)",
                at_most(exp(t * u) * FIRST.PERIODIC, 1 - exp(-u)),
                (*ORDER, "0 <= u", "u <= W"),
            ),
        ),
    )
