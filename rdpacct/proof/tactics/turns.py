"""Facts about the cosine that more than one theorem uses, each from the sign of a sine on half a
turn.
"""

from rdpacct.exact.formula import Expr, Symbol, formula
from rdpacct.exact.functions import cos, sin
from rdpacct.proof.kernel import (
    Density,
    E,
    Fact,
    Law,
    Stretch,
    at_most,
    combine,
    dominated,
    either,
    equal,
    expect,
    independent,
    integrable,
    integrate,
    linear,
    real,
    specialize,
    under,
)
from rdpacct.proof.kernel.laws import Independent

r, m, u = (Symbol(name) for name in ("r", "m", "u"))


def both(first: Fact, second: Fact) -> Fact:
    """0 <= a b, from 0 <= a and 0 <= b."""
    a = first.relation.right
    b = second.relation.right
    return combine(at_most(0, a * b), (first, b), (second, 0))


def cosine_falls() -> Fact:
    """cos(m) <= cos(r m) for 0 <= r <= 1 and 0 <= m <= pi."""
    given = ("0 <= r", "r <= 1", "0 <= m", "m <= pi")
    positive = under(
        real("0 <= sin(w)", "0 <= w", "w <= pi"), "0 <= w", "w <= pi", *given
    )
    half = [
        under(specialize(positive, w=angle), *given)
        for angle in ((1 + r) * m / 2, (1 - r) * m / 2)
    ]
    return combine(at_most(cos(m), cos(r * m)), (both(*half), 2))


def sine_is_concave() -> Fact:
    """r sin(m) <= sin(r m) for 0 <= r <= 1 and 0 < m <= pi: the integral of cos(r u) - cos(u) over
    u from 0 to m.
    """
    given = ("0 <= r", "r <= 1", "0 < m", "m <= pi")
    law = Density(
        "U", ("u",), (at_most(0, u), at_most(u, m)), (Stretch(m * 0, m, 1 / m),)
    )
    falls = specialize(cosine_falls(), m=u)
    body = r * (cos(r * u) - cos(u))
    sign = combine(at_most(0, body), (falls, r))
    inside = under(sign, *given, "0 <= u", "u <= m")
    mean = integrate(
        law, body, ((sin(r * u) - r * sin(u)) / m,), (u / m,), *given, on=((inside,),)
    )
    least = expect(inside, law, integrable(mean, E(law, body)))
    return combine(at_most(r * sin(m), sin(r * m)), (least, m), (mean, m))


def cosine_chord() -> Fact:
    """r**2 (1 - cos(m)) <= 1 - cos(r m) for -1 <= r <= 1 and 0 < m <= pi."""
    given = ("0 <= r", "r <= 1", "0 < m", "m <= pi")
    sines = under(specialize(sine_is_concave(), m=m / 2), *given)
    positive = under(real("0 <= sin(m/2)", "0 <= m", "m <= pi"), *given)
    claim = at_most(r**2 * (1 - cos(m)), 1 - cos(r * m))
    gap = combine(at_most(0, sin(r * m / 2) - r * sin(m / 2)), sines)
    total = combine(
        at_most(0, sin(r * m / 2) + r * sin(m / 2)), sines, (positive, 2 * r)
    )
    up = combine(claim, (both(gap, total), 2))
    turned = ("-1 <= r", "r <= 0", *given[2:])
    down = combine(claim, under(specialize(up, r=-r), *turned))
    return either(under(up, "-1 <= r", *given), under(down, "r <= 1", *turned))


def two_turns(law: Independent, height: Expr) -> Fact:
    """E cos(y (X - Z)) = E cos(y X) E cos(y Z) + E sin(y X) E sin(y Z) for independent X and Z."""
    first, second = (Symbol(part.variables[0]) for part in (law.first, law.second))
    bounded = {name: real(f"abs({name}(u)) <= 1") for name in ("cos", "sin")}

    def finite(name: str, law: Law) -> Fact:
        return dominated(
            specialize(bounded[name], u=height * Symbol(law.variables[0])), law
        )

    products = []
    bodies = []
    for name, f in (("cos", cos), ("sin", sin)):
        first_wave = f(height * first)
        second_wave = f(height * second)
        products.append(
            independent(
                law,
                first_wave,
                second_wave,
                finite(name, law.first),
                finite(name, law.second),
            )
        )
        bodies.append(first_wave * second_wave)
    known = [
        integrable(fact, E(law, body))
        for fact, body in zip(products, bodies, strict=True)
    ]
    turned = linear(
        law, cos(height * (first - second)), dict.fromkeys(bodies, 1), *known
    )
    total = sum((fact.relation.right for fact in products), formula(0))
    return combine(equal(turned.relation.left, total), turned, *products)
