"""The mistakes that people make on the command line, and the sentence that each gets: what is
wrong, and the remedy.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rdpacct import InputError, Promised, PureDP, calibrate, read_plan
from rdpacct.cli import main
from rdpacct.errors import TextPlace

PLAN = "Gaussian(sigma=1)"


def asked(plan: str) -> tuple[str, ...]:
    """The question for the epsilon of a plan."""
    return ("epsilon", plan, "--delta", "1e-6")


def at(delta: str) -> tuple[str, ...]:
    """The question at a delta."""
    return ("epsilon", PLAN, "--delta", delta)


def claimed(claim: str) -> tuple[str, ...]:
    """The audit of a claim."""
    return ("audit", PLAN, "--claim", claim)


KINDS: dict[str, list[tuple[tuple[str, ...], str, str | None]]] = {
    "a typo in a mechanism": [
        (asked("Gausian(sigma=1)"), "did you mean Gaussian?", "Gausian(sigma=1)"),
        (asked("2*Laplce(scale=1)"), "did you mean Laplace?", "Laplce(scale=1)"),
    ],
    "the wrong case of a mechanism": [
        (asked("gaussian(sigma=1)"), "did you mean Gaussian?", "gaussian(sigma=1)"),
        (asked("LAPLACE(scale=1)"), "did you mean Laplace?", "LAPLACE(scale=1)"),
    ],
    "another name of a mechanism": [
        (asked("Geometric(scale=1)"), "did you mean DiscreteLaplace?", None),
        (
            asked("Poisson(Gaussian(sigma=1), rate=0.1)"),
            "did you mean PoissonSampled?",
            None,
        ),
        (asked("Rappor(epsilon=1)"), "did you mean SymmetricUnaryEncoding?", None),
        (asked("Report(epsilon=1)"), "did you mean ReportNoisyMax?", None),
        (asked("Noisy_Max(epsilon=1)"), "did you mean ReportNoisyMax?", None),
        (
            asked("DPFTRL(sigma=1)"),
            "did you mean MatrixMechanism or TreeAggregation?",
            None,
        ),
        (asked("RDP(alpha=2)"), "did you mean RenyiDP or RandomDP?", None),
    ],
    "another name of a mechanism for a claim": [
        (claimed("Geometric(scale=1)"), "give one of PureDP, ApproxDP,", None),
    ],
    "a mechanism that does not exist": [
        (
            asked("Frobnicate(x=1)"),
            "give one of BestOfPoissonRuns, BestOfRuns, DiscreteGaussian,",
            None,
        ),
    ],
    "a typo in a parameter": [
        (
            asked("Gaussian(sgima=1)"),
            "it takes sigma, sensitivity; did you mean sigma?",
            "sgima=1",
        ),
    ],
    "the wrong case of a parameter": [
        (asked("Gaussian(Sigma=1)"), "did you mean sigma?", "Sigma=1"),
    ],
    "a short form of a parameter": [
        (claimed("ApproxDP(eps=1, delta=1e-5)"), "did you mean epsilon?", "eps=1"),
    ],
    "the parameter of another package": [
        (
            asked("Laplace(epsilon=1)"),
            "for an epsilon take scale = sensitivity/epsilon.",
            "epsilon=1",
        ),
        (
            asked("Gaussian(noise_multiplier=1.1)"),
            "sigma is the noise multiplier times",
            "noise_multiplier=1.1",
        ),
        (asked("PoissonSampled(Gaussian(sigma=1), q=0.1)"), "is called rate.", "q=0.1"),
    ],
    "the parameter of the mechanism inside": [
        (
            asked("PoissonSampled(sigma=1, rate=0.1)"),
            "as in PoissonSampled(Gaussian(sigma=1), rate=0.01).",
            "sigma=1",
        ),
    ],
    "parameters by position": [
        (asked("Gaussian(1)"), "give its parameters by name.", "Gaussian(1)"),
        (
            asked("PoissonSampled(Gaussian(sigma=1), 0.1)"),
            "PoissonSampled(Gaussian(sigma=1), rate=..., group=...); give its parameters"
            " by name.",
            None,
        ),
    ],
    "claims by position": [
        (
            claimed("ApproxDP(1, 1e-5)"),
            "ApproxDP(epsilon=..., delta=...); give its parameters by name.",
            None,
        ),
    ],
    "a missing parameter": [
        (asked("Gaussian()"), "needs sigma; give it, as in Gaussian(sigma=...", None),
        (claimed("ApproxDP(epsilon=1)"), "needs delta; give it", None),
    ],
    "a parameter given twice": [
        (asked("Gaussian(sigma=1, sigma=2)"), "give it once.", "sigma=2"),
    ],
    "a comma in a decimal of a plan": [
        (asked("Gaussian(sigma=0,5)"), "and decimals with a point.", None),
    ],
    "a comma in a decimal": [
        (at("0,001"), "write a decimal with a point, as in 0.001.", ","),
    ],
    "a comma between thousands": [
        (asked("1,000*Gaussian(sigma=1)"), "write 1000 without a comma", ","),
    ],
    "an underscore between thousands": [
        (asked("1_000*Gaussian(sigma=1)"), "without underscores, as in 1000.", "_000"),
    ],
    "a space between thousands": [
        (at("1 000"), "write a number without spaces, as in 1000.", "000"),
    ],
    "percent": [
        (at("1%"), "as in 0.01 for 1 percent.", "%"),
        (
            asked("PoissonSampled(Gaussian(sigma=1), rate=1%)"),
            "as in 0.01 for 1 percent.",
            "%",
        ),
    ],
    "units": [
        (
            asked("Gaussian(sigma=1 ms)"),
            "write the number 1 alone, without a unit.",
            "ms",
        ),
    ],
    "a power with a caret": [
        (at("10^-6"), "write a power with **, as in 10**-6, or 1e-6.", "^"),
    ],
    "a power of ten as a difference": [
        (at("10-6"), "write 1e-6 for a power of ten.", None),
    ],
    "the number e": [(at("e"), "write exp(1)", None)],
    "a word for a number": [(at("one"), "give one such as 0.5 or 1e-6.", None)],
    "an infinite number": [(at("inf"), "which is not a finite number; give one", None)],
    "a probability out of range": [
        (at("5"), "give a probability such as 1e-6.", None),
        (at("-1e-6"), "give a probability such as 1e-6.", None),
        (
            ("tradeoff", PLAN, "--false-positives", "5"),
            "give a probability such as 0.05.",
            None,
        ),
    ],
    "a batch size for a rate": [
        (
            asked("PoissonSampled(Gaussian(sigma=1), rate=256)"),
            "give the share of the records, as in rate=256/60000.",
            "rate=256",
        ),
    ],
    "a negative scale": [
        (
            asked("2*Laplace(scale=-1)"),
            "must be above 0; give such a value.",
            "scale=-1",
        ),
    ],
    "the logarithm of another name": [
        (
            asked("Gaussian(sigma=ln(2))"),
            "write log for the natural one.",
            "sigma=ln(2)",
        ),
    ],
    "a formula that is a whole number": [
        (
            asked("Gaussian(sigma=sqrt(2)*sqrt(2))"),
            "cannot be told from 2; write that",
            "sigma=sqrt(2)*sqrt(2)",
        ),
    ],
    "a product without its sign": [
        (
            asked("10 Gaussian(sigma=1)"),
            "write a product with *, as in 10*Gaussian.",
            "Gaussian",
        ),
    ],
    "an x for a product": [
        (asked("1000x Gaussian(sigma=1)"), "as in 1000*Gaussian(sigma=1).", "x"),
        (asked("Gaussian(sigma=1)x1000"), "as in 1000*Gaussian(sigma=1).", "x1000"),
        (asked("3\u00d7Gaussian(sigma=1)"), "write a product with *.", "\u00d7"),
    ],
    "a power for a repetition": [
        (asked("Gaussian(sigma=1)**9"), "as in 1000*Gaussian(sigma=1).", PLAN),
        (asked("Gaussian(sigma=1)^9"), "as in 1000*Gaussian(sigma=1).", "^"),
    ],
    "a count that is not whole": [
        (asked("2.5*Gaussian(sigma=1)"), "must be a whole number", None),
    ],
    "releases joined by a comma": [
        (asked("Gaussian(sigma=1), Laplace(scale=1)"), "join releases with +.", ","),
    ],
    "releases joined by a semicolon": [
        (asked("Gaussian(sigma=1); Laplace(scale=1)"), "join releases with +", ";"),
    ],
    "releases joined by a word": [
        (
            asked("Gaussian(sigma=1) and Laplace(scale=1)"),
            "join releases with +.",
            "and",
        ),
    ],
    "releases side by side": [
        (
            asked("Gaussian(sigma=1) Laplace(scale=1)"),
            "join releases with +.",
            "Laplace",
        ),
    ],
    "a list of releases": [
        (asked("[Gaussian(sigma=1), Laplace(scale=1)]"), "join releases with +.", None),
    ],
    "a subtraction": [
        (asked("Gaussian(sigma=1) - Laplace(scale=1)"), "releases only add up", None),
    ],
    "a plan that ends early": [
        (asked("Gaussian(sigma=1) +"), "complete it.", " "),
    ],
    "an open parenthesis": [
        (asked("Gaussian(sigma=1"), "close what is open with ')'.", " "),
    ],
    "a parenthesis too many": [
        (asked("Gaussian(sigma=1))"), "leave it out, or open it before.", ")"),
    ],
    "brackets for parentheses": [
        (
            asked("Gaussian[sigma=1]"),
            "write the parameters in ( ), as in Gaussian(...).",
            "[",
        ),
    ],
    "no parentheses": [
        (asked("Gaussian sigma=1"), "as in Gaussian(sigma=...).", "sigma"),
    ],
    "a parameter without its sign": [
        (asked("Gaussian(sigma 1)"), "write a parameter as in sigma=1.", "1"),
    ],
    "a colon for an equals sign": [
        (asked("Gaussian(sigma:1)"), "write a parameter as in sigma=1.", ":"),
    ],
    "quotes inside of a plan": [
        (asked("Gaussian(sigma='1')"), "without quotes.", "'"),
    ],
    "a Greek letter": [
        (
            asked("Gaussian(\u03c3=1)"),
            "'\u03c3' at position 10, which has no meaning there; "
            "spell Greek letters out, here sigma.",
            "\u03c3",
        ),
    ],
    "the name of the package": [
        (asked("rdpacct.Gaussian(sigma=1)"), "write names without one", "."),
    ],
    "an open number outside of calibrate": [
        (asked("Gaussian(sigma=?)"), "let rdpacct calibrate find one.", "sigma=?"),
    ],
    "calibrate without an open number": [
        (
            ("calibrate", PLAN, "--epsilon", "1", "--delta", "1e-6"),
            "write exactly one ?, as in Gaussian(sigma=?).",
            None,
        ),
    ],
    "a plan inside of a mechanism": [
        (
            asked("PoissonSampled(2*Gaussian(sigma=1), rate=0.1)"),
            "holds one mechanism",
            None,
        ),
    ],
    "a number for a promise": [
        (
            asked("Promised(guarantee=1)"),
            "the promise is 1, which is not a guarantee; give one",
            None,
        ),
    ],
    "a claim in the words of a paper": [
        (claimed("(1, 1e-5)-DP"), "as in ApproxDP(epsilon=1, delta=1e-5).", ","),
        (
            claimed("epsilon=1, delta=1e-5"),
            "as in ApproxDP(epsilon=1, delta=1e-5).",
            "=",
        ),
        (claimed("epsilon<=1"), "as in ApproxDP(epsilon=1, delta=1e-5).", "<"),
    ],
    "a claim by a short name": [
        (
            claimed("RDP(alpha=2, epsilon=1)"),
            "did you mean RenyiDP or RandomDP?",
            "RDP(alpha=2, epsilon=1)",
        ),
        (claimed("zCDP(rho=1)"), "did you mean ZCDP?", "zCDP(rho=1)"),
        (claimed("GDP(mu=1)"), "did you mean GaussianDP?", "GDP(mu=1)"),
    ],
    "a mechanism for a claim": [
        (claimed(PLAN), "give one of PureDP, ApproxDP,", PLAN),
    ],
    "no quotes around a plan": [
        (("epsilon", "Gaussian", "sigma=1", "--delta", "1e-6"), "into quotes", None),
    ],
    "a missing option": [
        (
            ("epsilon", PLAN),
            "--delta is missing; give it, as in rdpacct epsilon",
            None,
        ),
    ],
    "an option without its value": [
        (("epsilon", PLAN, "--delta"), "--delta has no value; give one after it", None),
    ],
    "a typo in an option": [
        (("epsilon", PLAN, "--detla", "1e-6"), "did you mean --delta?", None),
    ],
    "the wrong case of an option": [
        (("epsilon", PLAN, "--Delta", "1e-6"), "did you mean --delta?", None),
    ],
    "one letter of an option": [
        (("epsilon", PLAN, "-d", "1e-6"), "did you mean --delta?", None),
    ],
    "another name of an option": [
        (("renyi", PLAN, "--alpha", "2"), "did you mean --order?", None),
    ],
    "a parameter as an option": [
        (
            ("epsilon", "Gaussian", "--sigma", "1", "--delta", "1e-6"),
            "it is part of the plan; write it there, as in Gaussian(sigma=1).",
            None,
        ),
    ],
    "the number that the command finds": [
        (
            ("epsilon", PLAN, "--epsilon", "1"),
            "epsilon is what this command finds; give --delta, or ask rdpacct delta.",
            None,
        ),
        (
            ("delta", PLAN, "--delta", "1"),
            "delta is what this command finds; give --epsilon, or ask rdpacct epsilon.",
            None,
        ),
        (("explain", PLAN, "--epsilon", "1"), "give --delta.", None),
    ],
    "an option twice": [
        (("epsilon", PLAN, "--delta", "1", "--delta", "2"), "give it once.", None),
    ],
    "an unknown direction or relation": [
        ((*at("1e-6"), "--direction", "up"), "give add or remove.", None),
        ((*at("1e-6"), "--relation", "sideways"), "replace_one", None),
    ],
    "a typo in a command": [
        (("epsilom", PLAN, "--delta", "1e-6"), "did you mean epsilon?", None),
        (("Epsilon", PLAN, "--delta", "1e-6"), "did you mean epsilon?", None),
    ],
    "a short form of a command": [
        (("eps", PLAN, "--delta", "1e-6"), "did you mean epsilon?", None),
    ],
    "no command": [((), "no command is given", None)],
    "an option before the command": [
        (("--delta", "1"), "give the command first.", None)
    ],
    "a file of another kind": [
        (asked("plan.yaml"), "only .toml and .json are read", None),
    ],
    "a file that is not there": [(asked("missing.toml"), "does not exist", None)],
    "an unknown theorem": [
        (("show", "gaussian/dleta"), "did you mean gaussian/delta", None),
        (("show", "no/such-theorem"), "is not known", None),
    ],
    "one equals sign in a relation": [
        (("prove", "x = 0"), "write an equation with ==.", "="),
    ],
    "a turned relation": [(("prove", "x => 0"), "write >=.", "=")],
    "no relation": [(("prove", "x + 1"), "a relation such as <=", " ")],
    "two relations in one": [
        (("prove", "x > 0 and y > 0"), "give each other one by --given.", "and"),
        (
            ("prove", "x >= 0", "--given", "x > 0, y > 0"),
            "give each other one by --given.",
            ",",
        ),
    ],
    "a product in the manner of a paper": [
        (("prove", "2 x <= 3"), "write a product with *.", "x"),
    ],
    "a power in a relation": [
        (("prove", "x^2 >= 0"), "write a power with **, as in x**2.", "^"),
    ],
    "a function of another name": [
        (("prove", "ln(x) <= x"), "did you mean log?", "ln"),
        (("prove", "sin(x) <= 1"), "use one of min, max, exp,", "sin"),
    ],
    "two dashes as a value": [
        (("renyi", "Laplace(scale=1)", "--order=--"), "give another one.", None),
        (("epsilon", "Laplace(scale=1)", "--delta", "--"), "give another one.", None),
    ],
    "a function without its argument": [
        (("prove", "exp x >= 1"), "write exp(...).", "exp"),
    ],
}
"""What people write, by the kind of mistake: the arguments, the remedy, and the text that is marked
(None if it does not matter).
"""
MISTAKES = [
    (kind, arguments, remedy, marked)
    for kind, cases in KINDS.items()
    for arguments, remedy, marked in cases
]


def test_there_are_many_kinds_of_mistakes() -> None:
    """Far more than forty, each with an example that no other one has."""
    assert len(KINDS) > 70
    lines = [arguments for _, arguments, _, _ in MISTAKES]
    assert len(set(lines)) == len(lines)


@pytest.mark.parametrize(
    ("kind", "arguments", "remedy", "marked"),
    MISTAKES,
    ids=[f"{kind}: {' '.join(arguments)}" for kind, arguments, _, _ in MISTAKES],
)
def test_each_mistake_gets_its_remedy(
    capsys: pytest.CaptureFixture[str],
    kind: str,
    arguments: tuple[str, ...],
    remedy: str,
    marked: str | None,
) -> None:
    """One sentence on the error output that names the remedy, exit code 2, and where a text was
    read, carets under the part that is wrong.
    """
    code = main(list(arguments))
    sentence, *place = capsys.readouterr().err.splitlines()
    assert code == 2, kind
    assert len(sentence) < 400
    assert sentence.endswith((".", "?"))
    assert remedy in sentence
    assert len(place) in (0, 2)
    if marked is not None:
        text, carets = place
        start = carets.index("^")
        assert text[start : len(carets)].ljust(1) == marked
        assert carets == " " * start + "^" * len(marked)


def test_a_place_in_a_long_text_is_shown_with_its_surroundings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The text is cut on both sides, and what cannot be printed takes one column."""
    plan = (
        "Gaussian(sigma=1)\n+\t" * 50 + "Laplace(scal=1)" + " + Gaussian(sigma=1)" * 50
    )
    assert main(["epsilon", plan, "--delta", "1e-6"]) == 2
    _, text, carets = capsys.readouterr().err.splitlines()
    assert text.startswith("  ...")
    assert text.endswith("...")
    assert len(text) < 100
    assert text[carets.index("^") : len(carets)] == "scal=1"


def test_carets_stand_under_wide_letters() -> None:
    """A letter of two columns moves the carets by two, and a combining mark not at all."""
    assert TextPlace("\u6f22 ^", 2, 3).lines()[1] == "   ^"
    assert TextPlace("e\u0301 ^", 3, 4).lines()[1] == "  ^"


def test_places_in_python() -> None:
    """The error itself knows the place, also behind the name of a release in a file."""
    with pytest.raises(InputError) as caught:
        read_plan("3*Gaussian(sgima=1)")
    place = caught.value.place
    assert place is not None
    assert place.text[place.start : place.end] == "sgima=1"
    assert caught.value.within("release 2").place is place


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
            "PoissonSampled(Exponential(epsilon=1), rate=0.1)",
            "--delta",
            "1e-6",
        ]
    )
    assert code == 2
    assert "GaussianLattice" not in capsys.readouterr().err
