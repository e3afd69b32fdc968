"""Command lines that once crashed, hung, were refused or said nothing, with their true values.

Each truth comes from elsewhere: a sum over all outputs, a closed form, or the literal of another
accountant.
"""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import mpmath
import pytest

from rdpacct import Gaussian, profile, read_plan
from rdpacct.cli import main
from tests.counting import counted_work

MOST_WORK = 20_000_000
"""Of all questions that one command asks, in units of about a microsecond."""


def told(capsys: pytest.CaptureFixture[str], *words: Any) -> Any:
    """The exit code and the object of a command, within the work that it may take."""
    with counted_work() as work:
        code = main([*words, "--json"])
    assert work.number < MOST_WORK
    return code, json.loads(capsys.readouterr().out)


def ends(bound: Any) -> Any:
    """The ends of a printed bound as numbers."""
    return [
        mpmath.mpf(bound.get(f"{side}_text", bound[side]))
        for side in ("lower", "upper")
    ]


def encloses(bound: Any, truth: Any, accuracy: Any, known: float = 1e-12) -> None:
    """The truth, known to a relative error, is inside; the ends are near to each other."""
    low, high = ends(bound)
    slack = abs(truth) * known
    assert low - slack <= truth <= high + slack
    assert high - low <= accuracy * abs(truth)


def discrete_gaussian(sigma: Any) -> Any:
    """The losses and probabilities of a discrete Gaussian release with sensitivity 1."""
    far = math.ceil(14 * sigma)
    weights = [math.exp(-(x**2) / (2 * sigma**2)) for x in range(-far, far + 1)]
    total = math.fsum(weights)
    return [
        ((1 - 2 * x) / (2 * sigma**2), w / total)
        for x, w in zip(range(-far, far + 1), weights, strict=True)
    ]


def enumerated_delta(sigmas: Any, epsilon: Any) -> Any:
    """delta of two discrete Gaussians by the sum over all pairs of outputs."""
    first, second = map(discrete_gaussian, sigmas)
    return math.fsum(
        p * q * -math.expm1(epsilon - loss - more)
        for (loss, p), (more, q) in product(first, second)
        if loss + more > epsilon
    )


@pytest.mark.parametrize(
    ("sigmas", "epsilon"),
    [((5, 10), 1), ((5, 10), 0), ((2, 3), 1), ((4, 3), 1), ((2, 4), 1.5)],
)
def test_two_discrete_gaussians(
    capsys: pytest.CaptureFixture[str], sigmas: tuple[int, ...], epsilon: float
) -> None:
    """Mixes of lattices: once an IndexError, or a factor of two wide."""
    plan = " + ".join(f"DiscreteGaussian(sigma={sigma})" for sigma in sigmas)
    truth = enumerated_delta(sigmas, epsilon)
    code, data = told(capsys, "delta", plan, "--epsilon", str(epsilon))
    assert code == 0
    encloses(data["delta"], truth, 1e-6, known=1e-9)
    low, high = ends(
        told(capsys, "epsilon", plan, "--delta", repr(truth))[1]["epsilon"]
    )
    assert low - 1e-6 <= epsilon <= high + 1e-6
    assert high - low < 1e-6


def test_a_claim_that_holds_of_two_discrete_gaussians(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """delta(1) is 2.92e-7: the claim of 1e-6 holds, and once the crash said that it fails."""
    plan = "DiscreteGaussian(sigma=5)+DiscreteGaussian(sigma=10)"
    code, data = told(
        capsys, "audit", plan, "--claim", "ApproxDP(epsilon=1, delta=1e-6)"
    )
    assert (code, data["verdict"]) == (0, "holds")
    code, data = told(
        capsys, "audit", plan, "--claim", "ApproxDP(epsilon=1, delta=2e-7)"
    )
    assert (code, data["verdict"]) == (1, "fails")
    plan = "2*DiscreteGaussian(sigma=1.2345) + DiscreteGaussian(sigma=2)"
    assert (
        told(capsys, "audit", plan, "--claim", "ApproxDP(epsilon=20, delta=1e-5)")[0]
        == 0
    )


@pytest.mark.parametrize(
    "plan",
    [
        "DiscreteGaussian(sigma=5)+MaximallyDivergent(epsilon=0.5, neutral=0.5)",
        "DiscreteGaussian(sigma=5)+RandomizedResponse(epsilon=0.5, answers=4)",
        "DiscreteGaussian(sigma=2) + DiscreteLaplace(scale=3, sensitivity=2)",
        "DiscreteGaussian(sigma=100) + DiscreteGaussian(sigma=200)",
    ],
)
def test_other_mixes_of_lattices(capsys: pytest.CaptureFixture[str], plan: str) -> None:
    """An answer, and the two questions agree: delta at the epsilon of a delta is that delta."""
    code, data = told(capsys, "epsilon", plan, "--delta", "1e-6")
    low, high = ends(data["epsilon"])
    assert code == 0
    assert high - low < 1e-4 * high
    above = ends(
        told(capsys, "delta", plan, "--epsilon", mpmath.nstr(low, 20))[1]["delta"]
    )[1]
    below = ends(
        told(capsys, "delta", plan, "--epsilon", mpmath.nstr(high, 20))[1]["delta"]
    )[0]
    assert below <= 1e-6 * (1 + 1e-6)
    assert above >= 1e-6 * (1 - 1e-6)


LITERALS = [
    # DP-SGD: another accountant says 2.381686 on a grid that rounds up
    (
        [
            "epsilon",
            "14062*PoissonSampled(Gaussian(sigma=1.1), rate=256/60000)",
            "--delta",
            "1e-5",
        ],
        2.38159692136,
        1e-9,
    ),
    # PLD-Accountant's parameters, by a contour integral
    (
        [
            "epsilon",
            "10000*PoissonSampled(Gaussian(sigma=1), rate=0.01)",
            "--delta",
            "1e-6",
        ],
        6.9073844950,
        1e-9,
    ),
    (
        [
            "epsilon",
            "10000*PoissonSampled(Gaussian(sigma=1), rate=0.02)",
            "--delta",
            "1e-6",
        ],
        15.6417460630,
        1e-9,
    ),
    (
        [
            "delta",
            "10000*PoissonSampled(Gaussian(sigma=1), rate=0.01)",
            "--epsilon",
            "1",
        ],
        0.2391429614,
        1e-8,
    ),
    (
        [
            "epsilon",
            "DiscreteGaussian(sigma=2) + DiscreteGaussian(sigma=4)",
            "--delta",
            "1e-3",
        ],
        1.54610207,
        1e-6,
    ),
    (["gaussian-dp", "PureDP(epsilon=1) + PureDP(epsilon=2)"], 2.358, 0.13),
    (["renyi", "Gaussian(sigma=0.1)", "--order", "128"], 6400.0, 1e-12),
]
FIELDS = {"gaussian-dp": "mu"}


@pytest.mark.parametrize(("words", "truth", "accuracy"), LITERALS, ids=str)
def test_literals_of_others(
    capsys: pytest.CaptureFixture[str], words: list[str], truth: float, accuracy: float
) -> None:
    """Values that were computed outside of this package."""
    code, data = told(capsys, *words)
    assert code == 0
    encloses(
        data[FIELDS.get(words[0], words[0])],
        truth,
        accuracy,
        known=2e-4 if accuracy > 0.1 else 1e-8,
    )


@pytest.mark.parametrize(
    "plan", ["10000*PoissonSampled(Gaussian(sigma=0.001), rate=0.2)"]
)
def test_far_parameters_are_answered(
    capsys: pytest.CaptureFixture[str], plan: str
) -> None:
    """Once a TypeError after 25 s: nearly every draw tells all, and each costs about 1/(2
    sigma**2).
    """
    code, data = told(capsys, "epsilon", plan, "--delta", "1e-4")
    low, high = ends(data["epsilon"])
    assert code == 0
    assert 0.9e9 < low <= high < 1.2e9


def test_two_far_draws_with_a_small_rate(capsys: pytest.CaptureFixture[str]) -> None:
    """delta is at most the probability that a record is drawn, and about that where sigma is
    tiny.
    """
    code, data = told(
        capsys,
        "delta",
        "2*PoissonSampled(Gaussian(sigma=0.01), rate=0.01)",
        "--epsilon",
        "1",
    )
    assert code == 0
    encloses(data["delta"], 1 - 0.99**2, 1e-6, known=1e-9)


def test_calibration_to_a_far_epsilon(capsys: pytest.CaptureFixture[str]) -> None:
    """Once it hung; at such an epsilon sigma is about 0.0016."""
    plan = "976563*PoissonSampled(Gaussian(sigma=?), rate=1024/100000000)"
    code, data = told(
        capsys, "calibrate", plan, "--epsilon", "5907984.81339406", "--delta", "1e-7"
    )
    assert code == 0
    assert 0.00159 < data["insufficient"] < data["sufficient"] < 0.0016


@pytest.mark.parametrize(
    ("plan", "truth", "known"),
    [
        ("PoissonSampled(Gaussian(sigma=?), rate=0.01)", 0.67379289246, 1e-11),
        pytest.param(
            "25*PoissonSampled(Gaussian(sigma=?, sensitivity=6), rate=0.001)",
            3.2095616,
            1e-7,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_least_noise_of_others(
    capsys: pytest.CaptureFixture[str], plan: str, truth: float, known: float
) -> None:
    """Another accountant has 0.67379294682 and 3.20956502598 for epsilon 1, by its grid."""
    code, data = told(capsys, "calibrate", plan, "--epsilon", "1", "--delta", "1e-5")
    assert code == 0
    encloses(data["value"], truth, 1e-7, known=known)


def test_one_sampled_release_at_its_least_noise() -> None:
    """delta at that noise by the closed form of one sampled release, at 40 digits."""
    with mpmath.workdps(40):
        rate, sigma = mpmath.mpf("0.01"), mpmath.mpf("0.67379289246")
        cut = sigma**2 * mpmath.log((mpmath.e - 1 + rate) / rate) + mpmath.mpf(1) / 2
        at_zero = mpmath.ncdf(-cut / sigma)
        at_one = mpmath.ncdf((1 - cut) / sigma)
        delta = (1 - rate) * at_zero + rate * at_one - mpmath.e * at_zero
        assert abs(delta / mpmath.mpf("1e-5") - 1) < 1e-9


def test_a_rate_with_an_open_numerator(capsys: pytest.CaptureFixture[str]) -> None:
    """The mistake was once said to be at position 82 of a text of 55 characters."""
    plan = "14062*PoissonSampled(Gaussian(sigma=1.1), rate=?/60000)"
    code, data = told(capsys, "calibrate", plan, "--epsilon", "1", "--delta", "1e-5")
    assert code == 0
    size = data["sufficient_text"]
    assert 116 < float(size) < 117
    found = told(capsys, "delta", plan.replace("?", size), "--epsilon", "1")[1]
    assert ends(found["delta"])[1] <= 1e-5


def test_a_parameter_may_be_a_number_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    same = Gaussian(sigma=numpy.int64(2))
    assert same == Gaussian(sigma=2)


def test_the_noise_of_training(capsys: pytest.CaptureFixture[str]) -> None:
    """sigma = 0.968407923 for epsilon 3 (another accountant: 0.96965, rounded up), as a decimal."""
    plan = "14062*PoissonSampled(Gaussian(sigma=?), rate=256/60000)"
    code, data = told(capsys, "calibrate", plan, "--epsilon", "3", "--delta", "1e-5")
    assert code == 0
    encloses(data["value"], 0.96840792366, 1e-9, known=1e-9)
    assert "/" not in data["sufficient_text"]
    same = told(capsys, "delta", data["plan"], "--epsilon", "3")[1]
    assert ends(same["delta"])[1] <= 1e-5
    assert data["rests_on"] == same["rests_on"]


def test_a_calibration_rests_on_the_theorems_of_its_plan(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every theorem of the question that the calibrated plan answers is listed."""
    for plan in (
        "?*Laplace(scale=10)",
        "Gaussian(sigma=?) + Laplace(scale=3)",
        "20*DiscreteGaussian(sigma=?)",
    ):
        data = told(capsys, "calibrate", plan, "--epsilon", "2", "--delta", "1e-6")[1]
        delta = told(capsys, "delta", data["plan"], "--epsilon", "2")[1]
        assert set(delta["rests_on"]) <= set(data["rests_on"])


@pytest.mark.parametrize(
    ("plan", "epsilon", "delta", "truth"),
    [
        ("Laplace(scale=?)", "1", "0", 1),
        ("3*Laplace(scale=?)", "1/2", "0", 6),
        ("Laplace(scale=?/3)", "1", "0", 3),
        ("RandomizedResponse(epsilon=?)", "2", "0", 2),
        ("?*RandomizedResponse(epsilon=0.5)", "2", "0", 4),
    ],
)
def test_calibration_without_delta(
    capsys: pytest.CaptureFixture[str], plan: str, epsilon: str, delta: str, truth: int
) -> None:
    """The largest loss is the target: closed forms."""
    code, data = told(capsys, "calibrate", plan, "--epsilon", epsilon, "--delta", delta)
    assert code == 0
    encloses(data["value"], truth, 1e-9)


def test_calibration_of_unbounded_losses_without_delta(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No sigma makes a Gaussian purely private, and the sentence says so."""
    assert (
        main(["calibrate", "Gaussian(sigma=?)", "--epsilon", "1", "--delta", "0"]) == 2
    )
    assert "unbounded" in capsys.readouterr().err


def test_what_remains_of_a_budget(capsys: pytest.CaptureFixture[str]) -> None:
    """0.7622 of epsilon is left beside three teams' releases, and eleven more of one kind are."""
    plan = "Gaussian(sigma=5) + Laplace(scale=4) + RandomizedResponse(epsilon=0.2)"
    code, data = told(
        capsys,
        "calibrate",
        f"{plan} + PureDP(epsilon=?)",
        "--epsilon",
        "2",
        "--delta",
        "1e-6",
    )
    assert code == 0
    spent = ends(told(capsys, "epsilon", data["plan"], "--delta", "1e-6")[1]["epsilon"])
    assert spent[1] <= 2 + 1e-9
    assert spent[0] >= 2 - 1e-6


@pytest.mark.parametrize("command", ["epsilon", "delta", "calibrate", "audit"])
def test_the_relation_of_a_file_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    """Every command that reads a plan file answers for the relation that the file states."""
    file = tmp_path / "plan.toml"
    text = "Gaussian(sigma=?)" if command == "calibrate" else "Gaussian(sigma=2)"
    file.write_text(f'plan = "{text}"\nrelation = "replace_one"\n')
    rest = {
        "epsilon": ["--delta", "1e-6"],
        "delta": ["--epsilon", "1"],
        "calibrate": ["--epsilon", "1", "--delta", "1e-6"],
        "audit": ["--claim", "PureDP(epsilon=1)"],
    }
    assert (
        told(capsys, command, str(file), *rest[command])[1]["relation"] == "replace_one"
    )
    assert (
        main([command, str(file), *rest[command], "--relation", "add_or_remove_one"])
        == 2
    )
    assert "stated for replace_one" in capsys.readouterr().err


@pytest.mark.parametrize(
    "plan", ["Gaussian(sigma=1)", "Laplace(scale=1)", "3*DiscreteGaussian(sigma=2)"]
)
def test_numbers_beyond_doubles(capsys: pytest.CaptureFixture[str], plan: str) -> None:
    """An epsilon of 1e4000 is answered and printed as it was written, in few characters."""
    assert main(["delta", plan, "--epsilon", "1e4000"]) == 0
    out = capsys.readouterr().out
    assert "epsilon = 1e+4000\n" in out
    assert len(out) < 1500
    code, data = told(capsys, "delta", plan, "--epsilon", "1e4000")
    assert (code, data["delta"]["lower"]) == (0, 0)
    assert data["delta"]["upper"] <= 5e-324


def test_long_decimals_print_as_they_were_written() -> None:
    """Also 25 figures, and ratios stay ratios."""
    for text in (
        "1.234567890123456789012345",
        "1e-30",
        "123456789.000000000000000001",
        "1/3",
        "8/1875",
        "1e+4000",
    ):
        assert str(read_plan(f"Gaussian(sigma={text})")) == f"Gaussian(sigma={text})"


AUDITS = [
    (
        "SparseHistogram(n=100, k=5, alpha=1)+SparseHistogram(n=100, k=5, alpha=1)",
        "GaussianDP(mu=1)",
    ),
    ("PoissonSampled(Laplace(scale=2), rate=1e-300)", "MeanCDP(mu=1, tau=1)"),
    (
        "ApproxDP(epsilon=1, delta=0.1) + ApproxDP(epsilon=2, delta=0.2)",
        "GaussianDP(mu=1)",
    ),
]


@pytest.mark.parametrize(("plan", "claim"), AUDITS)
def test_audits_of_infinite_parameters(
    capsys: pytest.CaptureFixture[str], plan: str, claim: str
) -> None:
    """Once OverflowErrors.

    No mu suffices where a loss may be infinite; a rate of 1e-300 makes hardly any loss.
    """
    code, data = told(capsys, "audit", plan, "--claim", claim)
    assert (code, data["verdict"]) in {(0, "holds"), (1, "fails"), (3, "undecided")}
    if "ApproxDP" in plan:
        assert code == 1
    if "1e-300" in plan:
        assert code != 1


UNBOUNDED = [
    "Gaussian(sigma=1)",
    "2*Laplace(scale=1) + Gaussian(sigma=1)",
    "DiscreteGaussian(sigma=1)",
    "PoissonSampled(Gaussian(sigma=1), rate=0.1)",
    "ZCDP(rho=0.1)",
]


@pytest.mark.parametrize("epsilon", ["99999", "1e30", "1e400", "1e4000"])
@pytest.mark.parametrize("plan", UNBOUNDED)
def test_no_epsilon_is_far_enough_for_unbounded_losses(
    capsys: pytest.CaptureFixture[str], plan: str, epsilon: str
) -> None:
    """The claim fails, also where no event can be shown; once a crash, a hang or undecided."""
    for claim in (
        f"PureDP(epsilon={epsilon})",
        f"ApproxDP(epsilon={epsilon}, delta=0)",
    ):
        code, data = told(capsys, "audit", plan, "--claim", claim)
        assert (code, data["verdict"]) == (1, "fails")
        assert data["witness"] is None or ends(data["witness"]["p"])[0] > 0
    assert (
        told(
            capsys,
            "audit",
            "3*Laplace(scale=1)",
            "--claim",
            f"PureDP(epsilon={epsilon})",
        )[0]
        == 0
    )


def test_thousands_of_promises(capsys: pytest.CaptureFixture[str]) -> None:
    """Three thousand times GaussianDP(mu=1) is GaussianDP(mu=sqrt(3000)), however it is written."""
    code, data = told(
        capsys, "delta", " + ".join(["GaussianDP(mu=1)"] * 3000), "--epsilon", "1500"
    )
    with mpmath.workdps(40):
        mu = mpmath.sqrt(3000)
        truth = mpmath.ncdf(mu / 2 - 1500 / mu) - mpmath.exp(1500) * mpmath.ncdf(
            -mu / 2 - 1500 / mu
        )
    assert code == 0
    encloses(data["delta"], truth, 1e-6)


def test_a_loose_target_does_not_hang(capsys: pytest.CaptureFixture[str]) -> None:
    """delta may be all but 1: every sigma meets that, and nothing runs out of memory on the way to
    say so.
    """
    target = ["--epsilon", "1", "--delta", "0.9999999999999999999999"]
    with counted_work() as work:
        code = main(
            ["calibrate", "PoissonSampled(Gaussian(sigma=?), rate=0.1)", *target]
        )
    assert code == 2
    assert "loose" in capsys.readouterr().err
    assert work.number < MOST_WORK


@pytest.mark.parametrize(
    ("guarantee", "theorem"),
    [("PureDP(epsilon=1)", "composition/approx-dp-worst-pair")],
)
def test_a_promise_rests_on_its_own_theorem(
    capsys: pytest.CaptureFixture[str], guarantee: str, theorem: str
) -> None:
    """And on no theorem about another guarantee."""
    assert told(capsys, "epsilon", guarantee, "--delta", "1e-6")[1]["rests_on"] == [
        theorem
    ]


def test_moments_of_a_plan_are_not_wider_than_its_zcdp(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The upper end of a plan of discrete Gaussians is at most what the conversion of its rho
    gives.
    """
    code, data = told(
        capsys, "epsilon", "96*DiscreteGaussian(sigma=5)", "--delta", "1e-10"
    )
    rho = 96 / (2 * 25)
    assert code == 0
    assert data["epsilon"]["upper"] <= rho + 2 * math.sqrt(rho * 10 * math.log(10))


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    """--version, help and the bare command say what there is."""
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("rdpacct ")
    assert main(["help"]) == 0
    assert "rdpacct epsilon" in capsys.readouterr().out
    assert main([]) == 2
    assert "usage: rdpacct" in capsys.readouterr().out


def test_a_sampled_laplace_release_beyond_doubles_answers() -> None:
    """The plan of its transform overflows; the answer stays between the record being drawn and
    one.
    """
    found = profile("3*PoissonSampled(Laplace(scale=1e-300), rate=0.1)").delta(20)
    assert 0 <= found.lower <= 1 - Fraction(9, 10) ** 3 <= found.upper <= 1


def test_noise_beyond_doubles_leaves_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A sampled release whose shift is 0 in doubles adds nothing that can be seen."""
    plan = "3*PoissonSampled(Gaussian(sigma=1e3999), rate=0.1) + Laplace(scale=1)"
    code, data = told(capsys, "delta", plan, "--epsilon", "0.5")
    assert code == 0
    assert (
        data["delta"]["lower"] <= 1 - math.exp(-1 / 4) + 1e-15 <= data["delta"]["upper"]
    )
    plan = (
        "PoissonSampled(Gaussian(sigma=1e3999), rate=0.1) + MeanCDP(mu=0.1, tau=0.4)"
        " + Exponential(epsilon=?)"
    )
    code, data = told(capsys, "calibrate", plan, "--epsilon", "100", "--delta", "0.5")
    assert code == 0


def test_a_counterexample_of_too_many_digits_leaves_the_claim_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It exists for some x below exp(1e5), and has more digits than Python writes."""
    claim = ("e**x >= 1 + x", "--given", "0 < x < exp(1e5)", "--timeout", "0.2")
    code, data = told(capsys, "prove", *claim)
    assert code == 3
    assert "too long" in data["why"]
