"""The second opinion: margins by mpmath, tables of values, and what is violated."""

import importlib
import json
import random
from typing import Any

import pytest

from rdpacct.book.numeric import TABLES, second_opinion, table_of
from rdpacct.book.numeric.opinion import Opinion, opinion_of
from rdpacct.book.numeric.values import Numbers, Unsupported, load
from rdpacct.cli import main
from rdpacct.exact.formula import Symbol, formula
from rdpacct.exact.functions import absolute, exp, normal_density
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.kernel import (
    Density,
    E,
    Law,
    Stretch,
    Table,
    assume,
    at_most,
    below,
    equal,
    event,
    relations,
)
from rdpacct.proof.theorem import Falsehood, Statement, by_prover

mp = load()
x, eps, t, L = map(Symbol, ("x", "eps", "t", "L"))
NOISE = Density("N", ("x",), (), (Stretch(None, None, exp(-absolute(x)) / 2),))
NORMAL = Density("G", ("x",), (), (Stretch(None, None, normal_density(x, 0, 1)),))
COIN = Table("T", ("x",), (), (((formula(1),), eps), ((formula(0),), 1 - eps)))
LOSS = Law("P", ("L",), relations("-eps <= L <= eps"))


def opinion(claim: Any, *given: Any, **assuming: Any) -> Opinion:
    part = Statement("p", "", claim, by_prover(""), given, assuming)
    return opinion_of(mp, part, random.Random(0))


def margin(claim: Any, *given: Any, **assuming: Any) -> float:
    reading = opinion(claim, *given, **assuming).reading
    assert reading is not None
    return float(reading.margin)


def test_means_are_sums_and_integrals_to_fifty_digits() -> None:
    """A mean under a table, a density with a kink, an event and a tilted normal law."""
    numbers = Numbers(mp)
    half = mp.mpf(1) / 2
    beyond = event(NOISE, "A", below(2, x))
    values = {
        E(COIN, x + 3): mp.mpf(7) / 2,
        E(NOISE, absolute(x)): mp.mpf(1),
        E(beyond, Symbol("A")): mp.exp(-2) / 2,
        E(NORMAL, exp(t * x)): mp.exp(half * half / 2),
    }
    for mean, truth in values.items():
        value = numbers.value(mean, {"eps": half, "t": half})
        assert abs(value - truth) < mp.mpf(10) ** -45


def test_margins_of_true_and_false_claims() -> None:
    """Equations and sharp inequalities have a margin of 0, false ones a negative one."""
    assert abs(margin(equal(E(NOISE, x**2), 2))) < 1e-40
    assert 0 <= margin(at_most(1 + x, exp(x))) < 1e-6
    assert margin(at_most(1 + x + x**2, exp(x))) < -0.01
    assert margin(at_most(E(COIN, x), eps / 2), "0 <= eps <= 1") < -0.01
    assert margin(equal(E(NOISE, absolute(x)), 2)) < -0.1


def test_a_law_known_by_name_gets_rows_that_satisfy_its_hypotheses() -> None:
    """The Kullback-Leibler divergence of a bounded loss: the true bound holds, a smaller one is
    broken.
    """
    mass = assume(equal(E(LOSS, exp(-L)), 1))
    kl = E(LOSS, L)
    given = ("0 < eps", "eps <= 2")
    assert margin(at_most(kl, eps * (exp(eps) - 1) / 2), *given, mass=mass) >= 0
    assert margin(at_most(kl, eps / 100), *given, mass=mass) < 0


def test_what_has_no_numbers_says_why() -> None:
    every = assume(at_most(E(LOSS, exp(t * L)), 1), every="t")
    found = opinion(at_most(E(LOSS, L), 0), every=every)
    assert found.reading is None
    assert "needs an instance" in found.why
    with pytest.raises(Unsupported):
        Numbers(mp).value(E(LOSS, L), {})


FAST = (
    "cdp/kl-half",
    "cdp/from-dp",
    "cdp/tail",
    "conversion/pure-to-zcdp-classical",
    "histogram/neighbours",
    "random-dp/composition",
    "sensitivity/strongly-convex",
    "smooth/admissible",
    "smooth/cauchy-like",
)


def no_margin_is_violated(name: str) -> int:
    """How many statements of an entry have numbers; none of them is violated."""
    readings = [one for one in second_opinion(name) if one.reading is not None]
    assert [one.statement for one in readings if one.reading.violated] == []  # type: ignore[union-attr]
    return len(readings)


@pytest.mark.parametrize("name", FAST)
def test_no_margin_of_an_entry_is_violated(name: str) -> None:
    assert no_margin_is_violated(name) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ids())
def test_no_margin_of_any_entry_is_violated(name: str) -> None:
    no_margin_is_violated(name)


def falsehoods(*names: str) -> list[tuple[str, Falsehood]]:
    """The falsehoods of some entries that are relations between real formulas."""
    return [
        (name, one)
        for name in names
        for one in theorem(name).falsehoods
        if not one.assuming and "E_" not in str(one.claim) and one.claim.symbols()
    ]


@pytest.mark.parametrize(
    ("name", "falsehood"),
    falsehoods("cdp/gaussian", "cdp/group-gaussian", "smooth/regression"),
)
def test_a_falsehood_has_a_negative_margin(name: str, falsehood: Falsehood) -> None:
    found = opinion_of(mp, falsehood, random.Random(name))
    assert found.reading is not None
    assert found.reading.violated


COLUMNS = {
    "cdp/gaussian": ((2, 3), (4, 5)),
    "cdp/kl-half": ((1, 2),),
    "sensitivity/smooth-laplace": ((2, 4),),
}


@pytest.mark.parametrize(
    "name",
    [
        "cdp/kl-half",
        pytest.param("cdp/gaussian", marks=pytest.mark.slow),
        pytest.param("sensitivity/smooth-laplace", marks=pytest.mark.slow),
    ],
)
def test_a_table_agrees_with_the_closed_form(name: str) -> None:
    """Each column by quadrature is the one beside it, to ten digits."""
    for row in table_of(name)[1:]:
        for one, two in COLUMNS[name]:
            assert float(row[one]) == pytest.approx(float(row[two]), rel=1e-10)


def test_the_tables_of_composition() -> None:
    """Random DP composes; adaptive concentrated DP does about the declared mean only."""
    for row in table_of("random-dp/composition")[1:]:
        assert float(row[3]) <= float(row[4])
    for row in table_of("cdp/composition")[1:]:
        assert float(row[2]) > float(row[3])
        assert float(row[4]) < float(row[5])
    assert set(TABLES) <= set(ids())


def test_the_command_prints_margins_and_a_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", "--numeric", "cdp/kl-half"]) == 0
    shown = capsys.readouterr().out
    assert "tanh: least margin" in shown
    assert "KL of the pair" in shown
    assert "0 violated" in shown
    assert main(["verify", "--numeric", "cdp/kl-half", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert all(one["violated"] is False for one in data["numeric"])
    assert len(data["tables"]["cdp/kl-half"]) == 6


def test_a_violated_margin_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [opinion(at_most(1 + x + x**2, exp(x)))]
    monkeypatch.setattr("rdpacct.cli.numeric.second_opinion", lambda _: wrong)
    assert main(["verify", "--numeric", "cdp/kl-half"]) == 1
    assert "VIOLATED" in capsys.readouterr().out
    none = [Opinion("p", None, why="needs an instance")]
    monkeypatch.setattr("rdpacct.cli.numeric.second_opinion", lambda _: none)
    assert main(["verify", "--numeric", "cdp/kl-half"]) == 3


def test_without_mpmath_one_sentence_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = importlib.import_module

    def missing(name: str, *rest: Any) -> Any:
        if name == "mpmath":
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr("rdpacct.book.numeric.values.importlib.import_module", missing)
    assert main(["verify", "--numeric", "cdp/kl-half"]) == 2
    assert "mpmath, which is not installed" in capsys.readouterr().err
