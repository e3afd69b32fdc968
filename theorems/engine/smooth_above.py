"""The upper of two smoothed quadratures is above the profile.

Printed: not in the sources
Proved: Let g(eps) = E[F (1 - exp(eps - L))_+] be the finite part of the profile and h > 0. (1) For
    an independent Gaussian loss G = h X + h**2/2, g(eps) <= E[F (1 - exp(eps - L - G))_+]. (2) Let
    D(N) be the sum of the nodes as the shipped code adds them up: M(z) exp(-z eps) K(z)/W at z = t,
    and twice the real part of it at each z = t + 2 pi i m/W, m = 1, ..., N, where K is the upper
    kernel that the shipped function computes. If |M(z)| <= B M(t) at all nodes beyond N >= 1, then
    g(eps) is at most D(N) and M(t) exp(-t eps) times the shipped smooth_truncation(B, h, t, 2 pi
    N/W).
Idea: Dropping the noise is post-processing. The nodes of engine/averaged-nodes for the loss with
    the noise have its transform, which is that of the loss times that of the noise.
Source: This package.
"""

from rdpacct.book.words import (
    E, Expr, Fact, Falsehood, Iterator, Law, PI, Statement, Status, Step, Symbol, Theorem, Whole,
    absolute, assume, at_most, cache, cases, combine, discharge, dominated, equal, event, exp,
    expect, exponential_moment, formula, given_by, independent, independent_of, instance,
    integrable, is_law, lemma, linear, marginal, maximum, mean_of, module, placed, real,
    series_n as n, specialize, standard_normal, under, vanishing,
)  # fmt: skip

FIRST = module("engine/periodic-sum")
EACH = module("engine/every-loss")
ALL = module("engine/averaged-nodes")
SMOOTH = module("engine/smooth-truncation")
KERNELS = module("engine/smooth-kernels")
QUADRATURE = module("engine/quadrature")
L, F, eps, m, t, W, N, B, h = (
    ALL.L,
    ALL.F,
    ALL.eps,
    ALL.m,
    ALL.t,
    ALL.W,
    ALL.N,
    SMOOTH.B,
    SMOOTH.h,
)
A, x, v = (Symbol(name) for name in ("A", "x", "v"))
PLAIN = ALL.P
P = event(PLAIN, "A", "eps < L")
NORMAL = standard_normal()
BOTH = independent_of(P, NORMAL)
NOISE = KERNELS.NOISE
"""The loss of a Gaussian release of shift h."""
PROFILE = ALL.PROFILE
RAISED = F * maximum(0, 1 - exp(eps - (L + NOISE)))
ORDER = ALL.ORDER
WAVES = FIRST.WAVES


def bounded(law: Law, level: Expr) -> Fact:
    """F (1 - exp(level))_+ is integrable: it lies in [0, 1]."""
    claims = ("F*max(0, 1 - exp(v)) <= 1", "0 <= F*max(0, 1 - exp(v))")
    upper, lower = (specialize(real(claim, "0 <= F <= 1"), v=level) for claim in claims)
    return dominated(upper, law, lower=lower)


def above(part: Statement) -> Iterator[Step]:
    """The test {L > eps} is the best one without the noise, and one of many with it."""
    ratio = exp(-NOISE)
    moment = exponential_moment(NORMAL, -h)
    unit = linear(
        NORMAL,
        ratio,
        {exp(-h * x): exp(-(h**2) / 2)},
        integrable(moment, E(NORMAL, exp(-h * x))),
    )
    one = combine(equal(E(NORMAL, ratio), 1), unit, (moment, exp(-(h**2) / 2)))
    yield one, "the ratio of the noise has mean 1"
    on = F * A
    part_ = F * A * exp(eps - L)
    finite = []
    for body in (on, part_):
        upper, lower = (
            cases(P, claim) for claim in (at_most(body, 1), at_most(0, body))
        )
        finite.append(dominated(upper, P, lower=lower))
    here = cases(P, equal(PROFILE, on - part_))
    split = linear(P, on - part_, {on: 1, part_: -1}, *finite)
    own = expect(here, P, integrable(split, E(P, on - part_)))
    yield own, "without the noise: the test {L > eps}"
    whole = independent(
        BOTH, part_, ratio, finite[1], integrable(one, E(NORMAL, ratio))
    )
    alone = marginal(BOTH, P, on, finite[0])
    gain = F * A - part_ * ratio
    both = integrable(alone, E(BOTH, on)), integrable(whole, E(BOTH, part_ * ratio))
    other = linear(BOTH, gain, {on: 1, part_ * ratio: -1}, *both)
    yield other, "with the noise, this test gains as much"
    test = specialize(
        real("A*v <= max(0, v)", "0 <= A", "A <= 1"), v=1 - exp(eps - (L + NOISE))
    )
    allowed = given_by(test, cases(P, "0 <= A"), cases(P, "A <= 1"))
    pointwise = combine(at_most(gain, RAISED), (allowed, F), given=("0 <= F",))
    raised = bounded(BOTH, eps - (L + NOISE))
    mean = expect(pointwise, BOTH, integrable(other, E(BOTH, gain)), raised)
    yield mean, "no test gains more than delta"
    uses = (own, split, mean, other, alone, whole, (one, E(P, part_)))
    raises = combine(at_most(E(P, PROFILE), E(BOTH, RAISED)), *uses)
    yield raises, "so that the noise can only raise it"
    same = marginal(P, PLAIN, PROFILE, bounded(PLAIN, eps - L))
    yield combine(part.claim, raises, (same, -1)), "the profile of the loss alone"


def transform(wave: str) -> Fact:
    """E[F exp(t (L + G)) cos(theta (L + G))], or with the sine: the transform of the sum."""
    moment = ALL.MOMENT
    products: list[tuple[Fact, Expr]] = []
    parts = {}
    for one, two, sign in KERNELS.PAIRS[f"sum, {wave}"]:
        noise = KERNELS.noise(two)
        noisy = mean_of(noise)
        body = KERNELS.LOSS[one]
        size = real(at_most(absolute(body), F * exp(t * L)), "0 <= F")
        finite = dominated(size, PLAIN, integrable(moment, E(PLAIN, F * exp(t * L))))
        alone = marginal(P, PLAIN, body, finite)
        product = independent(
            BOTH,
            body,
            noisy.body,
            integrable(alone, E(P, body)),
            integrable(noise, noisy),
        )
        products += [
            (product, formula(sign)),
            (noise, sign * E(P, body)),
            (alone, sign * noise.relation.right),
        ]
        parts[mean_of(product).body] = formula(sign)
    known = [integrable(one, mean_of(one)) for one, _ in products[::3]]
    whole = linear(BOTH, KERNELS.mean_body(f"sum, {wave}"), parts, *known)
    turned = KERNELS.PRODUCT
    value = turned.re if wave == "cos" else turned.im
    return combine(equal(whole.relation.left, value), whole, *products)


KERNEL = SMOOTH.UPPER
FACTOR = ALL.FACTOR
LARGER = h**2 * t * (t + 1) / 2
"""What the noise adds to log M(t)."""
MISSING = SMOOTH.LEFT.at(D=2 * PI / W, N=N + 1)
"""The shipped truncation beyond the node N, relative to M(t) exp(-t eps)."""


def sums() -> dict[str, Fact]:
    """M(t), and what defines the sums of the nodes."""
    turned = ALL.COSINE * KERNEL.re - ALL.SINE * KERNEL.im
    node = (2 / W * exp(-t * eps) * turned).at(theta=FIRST.angle(N + 1))
    first = FACTOR / W * KERNEL.re.at(theta=0)
    more = equal(ALL.total(N + 1), ALL.total(N) + node)
    return {
        "moment": ALL.MOMENT,
        "first": assume(equal(ALL.total(formula(0)), first)),
        "one more": assume(more, Whole("N", 0), every="N"),
        **FIRST.nodes(),
    }


def moment() -> Fact:
    """M(t) of the loss with the noise."""
    noise = exponential_moment(NORMAL, t * h)
    body = exp(t * NOISE)
    scale = exp(t * h**2 / 2)
    own = E(NORMAL, exp(t * h * x))
    scaled = linear(NORMAL, body, {exp(t * h * x): scale}, integrable(noise, own))
    loss = F * exp(t * L)
    alone = marginal(P, PLAIN, loss, integrable(ALL.MOMENT, E(PLAIN, loss)))
    finite = integrable(alone, E(P, loss)), integrable(scaled, E(NORMAL, body))
    product = independent(BOTH, loss, body, *finite)
    whole = F * exp(t * (L + NOISE))
    same = expect(
        real(equal(whole, loss * body)), BOTH, integrable(product, E(BOTH, loss * body))
    )
    value = exp(t * h * t * h / 2) * scale
    return combine(
        equal(E(BOTH, whole), exp(m + LARGER)),
        same,
        product,
        (scaled, E(P, loss)),
        (noise, scale * E(P, loss)),
        (alone, value),
        (ALL.MOMENT, value),
    )


@cache
def with_noise() -> Fact:
    """E[F (1 - exp(eps - L - G))_+] is at most the sum and what it leaves out of each loss."""
    wide = instance(
        lemma("engine/averaged-nodes", "above"), PLAIN, BOTH, {"L": L + NOISE, "F": F}
    )
    there = specialize(wide, m=m + LARGER)
    own = sums()
    first = combine(
        equal(ALL.total(formula(0)), exp(m + LARGER - t * eps) * FIRST.first_node()),
        own["first"],
        given=ORDER,
    )
    (wanted,) = (
        one.relation
        for one in there.hypotheses
        if one.relation.left == ALL.total(N + 1)
    )
    height = FIRST.angle(N + 1)
    turned = [
        placed(transform(wave), *ORDER, Whole("N", 0), theta=height) for wave in WAVES
    ]
    step = combine(wanted, own["one more"], *turned, given=ORDER)
    return discharge(there, moment(), first, step)


def further() -> Fact:
    """D(N + n) - D(N) is at most M(t) exp(-t eps) times the truncation."""
    order = ("0 < t", "0 < h", "0 < B", "0 < W", "1 <= N", Whole("N", 0))
    height = FIRST.angle(N + n + 1)
    turned = [part.at(theta=height) * exp(-m) for part in (ALL.COSINE, ALL.SINE)]
    sum_ = (ALL.total(N + n) - ALL.total(N)) / FACTOR
    more = sums()["one more"]
    start = combine(equal(sum_.at(n=0), 0), (more, 0), given=ORDER)
    values = {"u": turned[0], "v": turned[1], "theta": height}
    term = 2 * PI / W / PI * SMOOTH.contribution(KERNEL).at(**values)
    grown = combine(
        equal(sum_.at(n=n + 1), sum_ + term),
        (specialize(more, N=N + n), 1 / FACTOR),
        (more, 0),
        given=ORDER,
    )
    modulus = combine(
        at_most(turned[0] ** 2 + turned[1] ** 2, B**2),
        (QUADRATURE.decay(), exp(-2 * m)),
        given=("0 < B", *ORDER, "1 <= N"),
    )
    found: Fact
    *_, (found, _) = SMOOTH.left_out(
        "upper kernel",
        sum_,
        start,
        grown,
        modulus,
        *order,
        **values,
        D=2 * PI / W,
        N=N + 1,
    )
    return found


def in_the_limit(part: Statement) -> Iterator[Step]:
    """More and more nodes: what they add is bounded, and what is left out of them vanishes."""
    left = further()
    yield left, "the nodes that are left out"
    *given, _ = part.given
    numbers = (*given, Whole("N", 0), Whole("n", 1))
    noisy = under(specialize(with_noise(), N=N + n), *numbers)
    yield noisy, "with more nodes"
    raised = lemma("engine/smooth-above", "noise")
    larger = exp(m + LARGER - t * eps)
    rest = W * larger / (2 * PI**2)
    small = real(at_most(EACH.T.at(N=N + n), W / (2 * PI**2) / n), *given, "1 <= n")
    near = combine(
        at_most(part.claim.left, part.claim.right + rest / n),
        raised,
        noisy,
        (under(left, *numbers), FACTOR),
        (under(small, *numbers), larger),
    )
    yield near, "up to a part that falls with their number"
    found = vanishing(near, "n", part.claim.right, rest)
    yield given_by(found, is_law(NORMAL)), "which vanishes"


THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "noise",
            "the profile is at most that of the loss and an independent Gaussian loss"
            " of shift h",
            at_most(E(PLAIN, PROFILE), E(BOTH, RAISED)),
            above,
        ),
        Statement(
            "at most",
            "so it is at most the upper sum and the truncation",
            at_most(E(PLAIN, PROFILE), ALL.total(N) + MISSING * FACTOR),
            in_the_limit,
            ("0 < t", "0 < h", "0 < B", "0 < W", *ALL.ALLOWED),
            {**sums(), "decay": QUADRATURE.decay()},
            ALL.witness("above", B=1, h=1),
            (FIRST.POISSON,),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the upper kernel is that of the quadrature without noise",
            equal(KERNEL.re.at(theta=0), 1 / (t * (t + 1))),
            ("0 < t", "0 < h"),
        ),
    ),
)
