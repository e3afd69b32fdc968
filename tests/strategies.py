"""Hypothesis strategies: exact numbers, and mechanisms drawn from the declared limits of their
parameters.
"""

from dataclasses import fields
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms import shipped
from rdpacct.mechanisms.discrete.discrete_gaussian import DiscreteGaussian
from rdpacct.mechanisms.discrete.discrete_laplace import DiscreteLaplace
from rdpacct.mechanisms.finite.finite_mechanism import FiniteMechanism
from rdpacct.mechanisms.gaussian.gaussian import Gaussian
from rdpacct.mechanisms.laplace.laplace import Laplace
from rdpacct.mechanisms.parallel import Parallel
from rdpacct.mechanisms.poisson.poisson_sampled import PoissonSampled
from rdpacct.mechanisms.promised.promised import Promised
from rdpacct.privacy.guarantee import ApproxDP, GaussianDP, PureDP
from rdpacct.privacy.relation import SensitivityIn

positive = st.builds(
    lambda k, n: Fraction(k, n), st.integers(1, 200), st.integers(1, 40)
).filter(lambda x: Fraction(1, 20) <= x <= 20)
"""Exact rationals of ordinary size: from a twentieth to twenty."""

unit = st.builds(
    lambda k, n: Fraction(min(k, n), n), st.integers(0, 30), st.integers(1, 30)
)


@st.composite
def tables(draw: st.DrawFn) -> FiniteMechanism:
    """Finite mechanisms with small integer weights, zeros included."""
    inputs = draw(st.integers(2, 3))
    outputs = draw(st.integers(2, 4))
    weights = st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs).filter(
        sum
    )
    rows = [draw(weights) for _ in range(inputs)]
    return FiniteMechanism(
        [[Fraction(weight, sum(row)) for weight in row] for row in rows]
    )


@st.composite
def mechanisms(draw: st.DrawFn, cls: type[Any]) -> Any:
    """Instances of a mechanism class, from what its fields declare."""
    if cls is FiniteMechanism:
        return draw(tables())
    if cls is PoissonSampled:
        base = draw(st.sampled_from([Gaussian, Laplace]))
        return PoissonSampled(draw(mechanisms(base)), draw(unit))
    if cls is Parallel:
        return Parallel([draw(mechanisms(Laplace))])
    if cls is Promised:
        return Promised(
            draw(
                st.one_of(
                    st.builds(PureDP, positive),
                    st.builds(ApproxDP, positive, unit),
                    st.builds(GaussianDP, positive),
                )
            )
        )
    values: dict[str, Any] = {}
    for field in fields(cls):
        declared = vars(cls).get(field.name)
        if isinstance(declared, SensitivityIn):
            whole = cls in (DiscreteGaussian, DiscreteLaplace)
            values[field.name] = draw(st.integers(1, 4) if whole else positive)
        elif isinstance(declared, Parameter):
            drawn = draw(unit if declared.most == 1 else positive)
            values[field.name] = (
                drawn + declared.least
                if declared.above_least and declared.least
                else drawn
            )
        elif field.type in (bool, "bool"):
            values[field.name] = draw(st.booleans())
        elif field.type in (int, "int"):
            values[field.name] = draw(st.integers(2, 6))
    if cls is DiscreteGaussian:
        given = draw(st.sampled_from(["sigma", "sigma_squared"]))
        values = {given: values[given], "sensitivity": values["sensitivity"]}
    if cls is Gaussian:
        values["sigma"] = max(values["sigma"], values["sensitivity"] / Fraction(100))
    return cls(**values)


any_mechanism = st.sampled_from(
    sorted(shipped().values(), key=lambda cls: cls.__name__)
).flatmap(mechanisms)
