"""Releases beside a ramp: pairs that dominate only there, and the ramp taken out again.

Printed: not in the sources.
Proved: The ramp is the pair of the densities 2 y and 1 on the unit interval, a release of its own
    that is independent of all others. (1) Let a release beside the ramp be dominated by a pair
    beside the ramp: if y is the ratio Q/P of the release times that of the ramp, and a that of the
    pair times that of the ramp, then E max(1 - v y, 0) <= E max(1 - v a, 0) for all v >= 0. The
    same holds after whatever was released before, with the ratio w, and followed by independent
    pairs, with the ratio s, in the place of later releases: E max(1 - w s y, 0) <= E max(1 - w s a,
    0). (2) For a test 0 <= e <= 1 of the ramp with E e = p under P and E e s = q under Q, max(p - w
    q, 0) <= E max(1 - w s, 0): delta(epsilon) of the releases is at most 1/p times that of the
    releases and the ramp at epsilon + log(p/q), as shipped. (3) The event that y is within 2 h of 1
    has the shipped probabilities. (4) The loss log(2 y) of the ramp has the shipped transform, and
    its modulus falls along a line at least as shipped.
Idea: A ramp makes hockey sticks into squares: E max(2 y u - 2 t v, 0) = max(u - t v, 0)**2/u. A
    pair that dominates in squares can be much smaller than one that dominates in hockey sticks.
Source: original to this package. Squares in the place of hockey sticks are those of Eaton (1974)
    and Bentkus (2004), for sums of bounded variables.
"""

from rdpacct.book.words import (
    E, Falsehood, Iterator, Law, Statement, Status, Step, Symbol, Theorem, assume, at_most,
    by_prover, combine, dominated, equal, example, exp, expect, formulas, given_by, integrable,
    linear, log, maximum, module, proves, ramp_decay, ramp_event, ramp_moment, read, real,
    relations, specialize, sqrt, under, without_ramp, without_ramp_level,
)  # fmt: skip

FILTER = module("adaptive/gaussian")
w, s, e, p, q, h, t, y, eps, d = map(
    Symbol, ("w", "s", "e", "p", "q", "h", "t", "y", "eps", "d")
)
RAMP = Law("W", ("s", "e"), relations("0 <= s", "0 <= e", "e <= 1"))
"""The ratio Q/P of the ramp, and a test of it."""
MASSES = ramp_event(h)
LEVEL = read(without_ramp_level(*formulas(eps, p, q)))
STICK = maximum(1 - w * s, 0)

THEOREM = Theorem(
    verdict=Status.PROVED,
    parts=(
        Statement(
            "one release",
            "a release that is dominated by a pair beside the ramp, after what was"
            " released before, and followed by independent pairs",
            at_most(
                E(FILTER.THEN, FILTER.gained(FILTER.w * FILTER.s * FILTER.y)),
                E(FILTER.THEN, FILTER.gained(FILTER.w * FILTER.s * FILTER.a)),
            ),
            FILTER.one_release,
            ("0 <= w",),
            {
                "dominated": assume(
                    at_most(
                        E(FILTER.PAIRS, FILTER.gained(FILTER.v * FILTER.y)),
                        E(FILTER.PAIRS, FILTER.gained(FILTER.v * FILTER.a)),
                    ),
                    "0 <= v",
                    every="v",
                ),
            },
            example({"w": 1}, {"Z": [((1, 1), 1)], "D": [(1, 1)]}),
        ),
        Statement(
            "taken out",
            "a test of the ramp, with the probabilities p and q",
            at_most(maximum(p - w * q, 0), E(RAMP, STICK)),
            given=("0 <= w",),
            assuming={
                "under P": assume(equal(E(RAMP, e), p)),
                "under Q": assume(equal(E(RAMP, e * s), q)),
            },
            witness=example({"w": 1, "p": 1, "q": 1}, {"W": [((1, 1), 1)]}),
        ),
        Statement(
            "delta",
            "1/p times what the test leaves is the excess of the releases",
            equal(
                read(without_ramp(*formulas(maximum(p - w * q, 0), p))),
                maximum(1 - w * q / p, 0),
            ),
            given=("p > 0",),
        ),
        Statement(
            "level",
            "the level at which the sum and the ramp are asked",
            equal(exp(LEVEL) * q, exp(eps) * p),
            by_prover("as it stands"),
            ("p > 0", "q > 0"),
        ),
        Statement(
            "event",
            "the integral of 2 y from 1 - 2 h to 1, as it is shipped",
            equal(1 - (1 - 2 * h) ** 2, MASSES[0]),
            by_prover("as it stands"),
        ),
        Statement(
            "event under Q",
            "and the length of that interval",
            equal(1 - (1 - 2 * h), MASSES[1]),
            by_prover("as it stands"),
        ),
        Statement(
            "transform",
            "2**(t + 2) over 2 (t + 2), which the integral of 2 y (2 y)**t up to 1 is",
            equal(
                read(ramp_moment(*formulas(exp((t + 1) * log(2)), t))),
                exp((t + 2) * log(2)) / (2 * (t + 2)),
            ),
            by_prover("as it stands"),
            ("t > 0",),
        ),
        Statement(
            "decay",
            "|t + 2|/|t + 2 + i y| is at most the shipped bound from a height on",
            at_most(
                1 / sqrt(1 + (y / (t + 2)) ** 2), read(ramp_decay(*formulas(t, h)))
            ),
            given=("t > 0", "h >= 0", "h <= y"),
        ),
    ),
    falsehoods=(
        Falsehood(
            "the delta of the releases is at most that of the releases and the ramp, at the"
            " level that is asked",
            at_most(
                maximum(1 - w * MASSES[1] / MASSES[0], 0),
                maximum(MASSES[0] - w * MASSES[1], 0),
            ),
            ("0 <= w", "w <= 1", "0 < h", "2*h < 1"),
        ),
    ),
    in_words=(
        "The integral of (2 y)**(z + 1) over the unit interval is 2**(z + 1)/(z + 2).",
        "Release after release, the last one first: each is replaced by its pair beside the"
        " ramp, by the part `one release`; the ramp is then taken out.",
    ),
    rules=(
        ramp_moment,
        ramp_decay,
        ramp_event,
        without_ramp,
        without_ramp_level,
    ),
)


@proves("taken out")
def taken_out(part: Statement) -> Iterator[Step]:
    """The positive part is at least the test times what it is the positive part of."""
    got = part.assuming
    domain = (*RAMP.support, *part.given)
    gap = 1 - w * s
    line = specialize(real("e*x <= max(x, 0)", "0 <= e", "e <= 1"), x=gap)
    yield line, "pointwise"
    positive = real(at_most(0, w * s), *domain)
    small = given_by(
        specialize(real("max(1 - x, 0) <= 1", "0 <= x"), x=w * s), positive
    )
    least = specialize(real("0 <= max(x, 0)"), x=gap)
    finite = dominated(small, RAMP, lower=least)
    means = [integrable(got[name], got[name].relation.left) for name in got]
    flat = linear(RAMP, e * gap, {e: 1, e * s: -w}, *means)
    over = expect(line, RAMP, integrable(flat, flat.relation.left), finite)
    yield over, "averaged"
    uses = (got["under P"], (got["under Q"], -w))
    upper = combine(at_most(p - w * q, E(RAMP, STICK)), over, flat, *uses)
    zero = expect(least, RAMP, finite)
    larger = specialize(
        real("max(x, 0) <= z", "x <= z", "0 <= z"), x=p - w * q, z=E(RAMP, STICK)
    )
    yield given_by(larger, upper, zero), "and not negative"


@proves("delta")
def scaled(part: Statement) -> Iterator[Step]:
    """A positive factor can be taken out of a maximum."""
    fact = real("max(p - x, 0)/p == max(1 - x/p, 0)", "p > 0")
    yield fact, "a positive factor"
    yield combine(part.claim, specialize(fact, x=w * q)), "here"


@proves("decay")
def falls(part: Statement) -> Iterator[Step]:
    """The root grows with the height."""
    root = real("1/sqrt(1 + b**2) <= 1/sqrt(1 + a**2)", "0 <= a", "a <= b")
    yield root, "a root grows"
    given = relations(*map(str, part.given))
    least = real(at_most(0, h / (t + 2)), *given)
    order = real(at_most(h / (t + 2), y / (t + 2)), *given)
    root = under(root, "0 <= a", "a <= b", *given)
    found = given_by(specialize(root, a=h / (t + 2), b=y / (t + 2)), least, order)
    yield combine(part.claim, found), "at both heights"
