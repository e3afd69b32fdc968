"""The mistakes that people make on the command line, and the sentence that each gets: what is
wrong, and the remedy.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rdpacct import InputError, Promised, PureDP, calibrate, read_plan
from rdpacct.cli import main

PLAN = "Gaussian(sigma=1)"
MISTAKES = {
    # names of mechanisms
    ("epsilon", "Gausian(sigma=1)", "--delta", "1e-6"): "did you mean Gaussian?",
    ("epsilon", "gaussian(sigma=1)", "--delta", "1e-6"): "did you mean Gaussian?",
    (
        "epsilon",
        "Geometric(scale=1)",
        "--delta",
        "1e-6",
    ): "did you mean DiscreteLaplace?",
    (
        "epsilon",
        "Poisson(Gaussian(sigma=1), rate=0.1)",
        "--delta",
        "1e-6",
    ): "did you mean PoissonSampled?",
    (
        "epsilon",
        "Frobnicate(x=1)",
        "--delta",
        "1e-6",
    ): "give one of DiscreteGaussian, DiscreteLaplace,",
    # names of parameters
    (
        "epsilon",
        "Laplace(epsilon=1)",
        "--delta",
        "1e-6",
    ): "for an epsilon take scale = sensitivity/epsilon.",
    (
        "epsilon",
        "Gaussian(noise_multiplier=1.1)",
        "--delta",
        "1e-6",
    ): "sigma is the noise multiplier times",
    (
        "epsilon",
        "PoissonSampled(Gaussian(sigma=1), q=0.1)",
        "--delta",
        "1e-6",
    ): "is called rate.",
    (
        "epsilon",
        "Gaussian(sgima=1)",
        "--delta",
        "1e-6",
    ): "it takes sigma, sensitivity; did you mean sigma?",
    # how a plan is written
    (
        "epsilon",
        "10 Gaussian(sigma=1)",
        "--delta",
        "1e-6",
    ): "write a product with *, as in 10*Gaussian.",
    (
        "epsilon",
        "Gaussian(sigma=1), Laplace(scale=1)",
        "--delta",
        "1e-6",
    ): "join releases with +.",
    (
        "epsilon",
        "Gaussian(sigma=1) and Laplace(scale=1)",
        "--delta",
        "1e-6",
    ): "join releases with +.",
    (
        "epsilon",
        "Gaussian(sigma=1) - Laplace(scale=1)",
        "--delta",
        "1e-6",
    ): "releases only add up",
    (
        "epsilon",
        "Gaussian(sigma=?)",
        "--delta",
        "1e-6",
    ): "let rdpacct calibrate find one.",
    ("epsilon", "Gaussian(\u03c3=1)", "--delta", "1e-6"): (
        "'\u03c3' at position 10, which has no meaning there; "
        "spell Greek letters out, here sigma."
    ),
    (
        "epsilon",
        "PoissonSampled(2*Gaussian(sigma=1), rate=0.1)",
        "--delta",
        "1e-6",
    ): "holds one mechanism",
    (
        "epsilon",
        "Promised(guarantee=1)",
        "--delta",
        "1e-6",
    ): "the promise is 1, which is not a guarantee; give one",
    # options
    (
        "epsilon",
        PLAN,
        "--epsilon",
        "1",
    ): "epsilon is what this command finds; give --delta, or ask rdpacct delta.",
    (
        "delta",
        PLAN,
        "--delta",
        "1",
    ): "delta is what this command finds; give --epsilon, or ask rdpacct epsilon.",
    ("explain", PLAN, "--epsilon", "1"): "give --delta.",
    ("epsilon", PLAN): "--delta",
    ("epsilom", PLAN, "--delta", "1e-6"): "did you mean epsilon?",
    ("epsilon", PLAN, "--delta", "1e-6", "--direction", "up"): "give add or remove.",
    ("epsilon", PLAN, "--delta", "1e-6", "--relation", "sideways"): "replace_one",
    # files
    ("epsilon", "plan.yaml", "--delta", "1e-6"): "only .toml and .json are read",
    ("epsilon", "missing.toml", "--delta", "1e-6"): "does not exist",
    # claims
    (
        "audit",
        PLAN,
        "--claim",
        "(1, 1e-5)-DP",
    ): "as in ApproxDP(epsilon=1, delta=1e-5).",
    (
        "audit",
        PLAN,
        "--claim",
        "epsilon=1, delta=1e-5",
    ): "as in ApproxDP(epsilon=1, delta=1e-5).",
    (
        "audit",
        PLAN,
        "--claim",
        "RDP(alpha=2, epsilon=1)",
    ): "did you mean RenyiDP or RandomDP?",
    ("audit", PLAN, "--claim", "zCDP(rho=1)"): "did you mean ZCDP?",
    ("audit", PLAN, "--claim", "GDP(mu=1)"): "did you mean GaussianDP?",
    ("audit", PLAN, "--claim", PLAN): "give one of PureDP, ApproxDP,",
    # numbers
    ("epsilon", PLAN, "--delta", "1%"): "as in 0.01 for 1 percent.",
    ("epsilon", PLAN, "--delta", "0,001"): "write a decimal with a point, as in 0.001.",
    (
        "epsilon",
        PLAN,
        "--delta",
        "10^-6",
    ): "write a power with **, as in 10**-6, or 1e-6.",
    ("epsilon", PLAN, "--delta", "e"): "write exp(1)",
    (
        "epsilon",
        "Gaussian(sigma=ln(2))",
        "--delta",
        "1e-6",
    ): "write log for the natural one.",
    (
        "epsilon",
        "Gaussian(sigma=sqrt(2)*sqrt(2))",
        "--delta",
        "1e-6",
    ): "cannot be told from 2; write that",
    # commands
    (): "no command is given",
    ("--delta", "1"): "give the command first.",
    ("show", "no/such-theorem"): "is not known",
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_each_mistake_gets_its_remedy(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    """One sentence on the error output that ends in the remedy, and exit code 2."""
    code = main(list(arguments))
    err = capsys.readouterr().err
    assert code == 2
    assert err.count("\n") == 1
    assert len(err) < 400
    assert MISTAKES[arguments] in err


def test_an_error_is_an_object_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the one thing on the output is an object with the sentence and the exit code."""
    assert main(["epsilon", "Gausian(sigma=1)", "--delta", "1e-6", "--json"]) == 2
    out, err = capsys.readouterr()
    sentence = "the mechanism 'Gausian' is not known; did you mean Gaussian?"
    assert json.loads(out) == {"error": sentence, "exit": 2}
    assert err == f"rdpacct: {sentence}\n"


FILES = {
    "syntax.toml": ('plan = "Gaussian(sigma=1)" x\n', ["line 1", "column"]),
    "later.toml": (
        '# a comment\nplan = "Gaussian(sigma=1)"\nrelation = sideways\n',
        ["line 3", "column"],
    ),
    "syntax.json": (
        '{"plan": "Gaussian(sigma=1)",\n "relation" 3}',
        ["line 2 column 13"],
    ),
    "twice.json": (
        '{"plan": "Gaussian(sigma=1)", "plan": "x"}',
        ["'plan' stands twice"],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_errors_of_files_keep_their_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """The line and the column of what is wrong are said, and nothing of the sentence is left
    out.
    """
    content, places = FILES[name]
    (tmp_path / name).write_text(content)
    assert main(["epsilon", str(tmp_path / name), "--delta", "1e-6"]) == 2
    err = capsys.readouterr().err
    assert all(place in err for place in places), err
    assert "characters)" not in err


def test_positions_are_those_of_the_text_that_was_given() -> None:
    """A mistake beside the open number is found where the user wrote it, whatever value is
    tried.
    """
    with pytest.raises(InputError, match="';' at position 38,"):
        calibrate("14062*PoissonSampled(Gaussian(sigma=?;), rate=256/60000)", 3, "1e-5")
    with pytest.raises(InputError, match=r"the open number \? at position 16"):
        read_plan("Gaussian(sigma=?)")


def test_formulas_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """sqrt(2) and log(3) are numbers, and are printed as they were written."""
    assert (
        main(
            [
                "epsilon",
                "Gaussian(sigma=sqrt(2)) + RandomizedResponse(epsilon=log(3))",
                "--delta",
                "1e-6",
            ]
        )
        == 0
    )
    assert (
        "Gaussian(sigma=sqrt(2)) + RandomizedResponse(epsilon=log(3))"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "text", ["Promised(PureDP(epsilon=1))", "Promised(guarantee=PureDP(epsilon=1))"]
)
def test_promises_are_read_under_their_own_name(text: str) -> None:
    """Both ways to write a promise give the plan of the guarantee itself."""
    assert read_plan(text) == read_plan("PureDP(epsilon=1)")
    assert read_plan(text).single == Promised(PureDP(1))


@pytest.mark.parametrize("word", ["True", "true"])
def test_words_of_both_languages_are_read(word: str) -> None:
    """True of Python and true of TOML."""
    mechanism: Any = read_plan(f"Exponential(epsilon=1, monotone={word})").single
    assert mechanism.monotone is True


def test_the_letter_e_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    """e is a variable of a claim, and the answer says so unless something is assumed of it."""
    assert main(["prove", "e**x >= 1 + x", "--timeout", "5"]) == 1
    assert "note: e is a variable here" in capsys.readouterr().out
    assert main(["prove", "e + 1 > e", "--given", "e > 0", "--timeout", "5"]) == 0
    assert "note" not in capsys.readouterr().out


def test_sentences_name_no_classes(capsys: pytest.CaptureFixture[str]) -> None:
    """A mechanism that cannot be sampled is refused in the words of the user."""
    code = main(
        [
            "epsilon",
            "PoissonSampled(RandomizedResponse(epsilon=1), rate=0.1)",
            "--delta",
            "1e-6",
        ]
    )
    assert code == 2
    assert "GaussianLattice" not in capsys.readouterr().err
