"""The command that audits running code: every exit, the file of inputs, workers and interrupts."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rdpacct import audit_code, check_refutation
from rdpacct.cli import main

RELEASE = """
import time


def noisy(data, rng, size):
    return sum(data) + rng.laplace(size=size)


def quiet(data, rng, size):
    return sum(data) + rng.laplace(scale=0.5, size=size)


def talks(data, rng):
    print("the data are", data)
    return sum(data) + rng.laplace()


def slow(data, rng):
    time.sleep(1e-3)
    return sum(data) + rng.laplace()


def raises(data, rng):
    return 1 / (len(data) - 4)


def leaves(data, rng):
    import os

    os._exit(3)


def one(data):
    return 1


def needs_more(data, rng, other):
    return 1


def position(data, rng, size, /):
    return [1] * size


def yields(data, rng):
    yield 1


async def waits(data, rng):
    return 1


quick = lambda data, rng: sum(data) + rng.laplace()
number = 3
"""
INPUTS = 'claim = "PureDP(epsilon=1)"\nx = [1, 0, 1]\nx_neighbor = [1, 0, 1, 1]\n'
PAIRS = """
claims = ["PureDP(epsilon=1)", "Laplace(scale=1)"]
relation = "add_or_remove_one"

[[pairs]]
name = "one more"
x = [1]
x_neighbor = [1, 1]

[[pairs]]
name = "two more"
x = [1]
x_neighbor = [1, 1, 1]
"""
HERE = "audited_release"
"""The module; no other test imports one of that name."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the module and its inputs, which is the current one."""
    (tmp_path / f"{HERE}.py").write_text(RELEASE)
    (tmp_path / "inputs.toml").write_text(INPUTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line(function: str, *more: str, inputs: str = "inputs.toml") -> list[str]:
    """A command line that runs in this process."""
    named = f"{HERE}:{function}"
    return ["audit-code", named, "--inputs", inputs, "--workers", "0", *more]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """The object that a command line prints, and nothing else."""
    code = main([*words, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["exit"] == code
    return data


@pytest.mark.parametrize("method", ["sequential", "fixed"])
def test_a_refutation_exits_with_1_and_its_certificate_is_accepted(
    method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is checked by check; one that is changed is rejected."""
    asked = line("quiet", "--method", method, "--trials", "4000")
    assert main([*asked, "--certificate", "c.json"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("fails: PureDP(epsilon=1)\n")
    assert "the certificate is in c.json" in said
    certificate = json.loads(Path("c.json").read_text())
    assert check_refutation(certificate).claim == "PureDP(epsilon=1)"
    assert main(["check", "c.json"]) == 0
    certificate["confidence"] = "0.9999999999999999999"
    Path("c.json").write_text(json.dumps(certificate))
    assert main(["check", "c.json"]) == 1


def test_what_is_not_refuted_exits_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    """Consistent is never 0, and there is nothing to certify."""
    assert main(line("noisy", "--trials", "2000", "--certificate", "c.json")) == 3
    said = capsys.readouterr().out
    assert "consistent with 2000 trials" in said
    assert "no certificate is written" in said
    assert not Path("c.json").exists()


def test_several_pairs_and_claims_share_the_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every pair with every claim, each with a fourth of the error; the worst gives the code."""
    Path("pairs.toml").write_text(PAIRS)
    data = told(capsys, *line("noisy", "--trials", "4000", inputs="pairs.toml"))
    found = [(each["pair"], each["verdict"]) for each in data["audits"]]
    assert found == [
        ("one more", "undecided"),
        ("one more", "undecided"),
        ("two more", "fails"),
        ("two more", "fails"),
    ]
    assert {each["confidence"] for each in data["audits"]} == {"0.99975"}
    assert (data["confidence"], data["exit"]) == ("0.999", 1)
    assert data["relation"] == "add_or_remove_one"


def test_claims_of_the_line_come_beside_those_of_the_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And once if both name the same."""
    more = ["--claim", "PureDP(epsilon=1)", "--claim", "PureDP(epsilon=2)"]
    data = told(capsys, *line("noisy", "--trials", "200", *more))
    claims = [each["claim"] for each in data["audits"]]
    assert claims == ["PureDP(epsilon=1)", "PureDP(epsilon=2)"]


def test_the_relation_of_the_file_is_that_of_a_claimed_plan(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A plan with a sensitivity for adding is refused for replacing where it has to be."""
    Path("inputs.toml").write_text(
        INPUTS.replace('claim = "PureDP(epsilon=1)"', 'relation = "replace_one"')
    )
    data = told(
        capsys, *line("noisy", "--trials", "200", "--claim", "Laplace(scale=1)")
    )
    assert data["relation"] == "replace_one"


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_code_prints_is_no_part_of_the_answer(workers: str, folder: Path) -> None:
    """It goes to the error output, from this process and from workers."""
    words = ["audit-code", f"{HERE}:talks", "--inputs", "inputs.toml"]
    words += ["--workers", workers, "--trials", "64", "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", "rdpacct", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert ran.returncode == 3
    assert json.loads(ran.stdout)["verdict"] == "undecided"
    assert ran.stderr.count("the data are") == 128


@pytest.mark.parametrize(
    "function", [pytest.param("quiet", marks=pytest.mark.slow), "quick"]
)
def test_the_number_of_workers_is_not_in_the_answer(
    function: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also of a lambda, which processes find by its name."""
    answers = []
    for workers in ("0", "2"):
        words = ["audit-code", f"{HERE}:{function}", "--inputs", "inputs.toml"]
        main([*words, "--trials", "3000", "--workers", workers, "--json"])
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


MISTAKES = {
    "no colon": (["nothing"], "no module before a colon"),
    "a file": (["release.py:noisy"], "give release:noisy"),
    "no name": ([f"{HERE}:no-isy"], "not a name of Python"),
    "no module": (
        ["nosuchmodule:noisy"],
        "neither in the current folder nor installed",
    ),
    "a broken module": (["broken_release:f"], "raised ZeroDivisionError"),
    "a module that exits": (["exiting_release:f"], "raised SystemExit"),
    "no function": ([f"{HERE}:noisi"], "did you mean noisy?"),
    "a number": ([f"{HERE}:number"], "is 3 and cannot be called"),
    "one parameter": ([f"{HERE}:one"], "(data) and cannot be called so"),
    "three parameters": ([f"{HERE}:needs_more"], "cannot be called so"),
    "size by position": ([f"{HERE}:position"], "cannot be called so"),
    "a generator": ([f"{HERE}:yields"], "gives a generator"),
    "a coroutine": ([f"{HERE}:waits"], "gives a coroutine"),
    "an error": (
        [f"{HERE}:raises"],
        "raised ZeroDivisionError (division by zero) on x_n",
    ),
    "no claim": ([f"{HERE}:noisy", "--inputs", "bare.toml"], "nothing is claimed"),
    "a wrong claim": ([f"{HERE}:noisy", "--claim", "PureDP(x=1)"], "no parameter 'x'"),
    "drawn data": (
        [f"{HERE}:noisy", "--claim", "RandomDP(alpha=1, gamma=0.1)"],
        "drawn",
    ),
    "a confidence": ([f"{HERE}:noisy", "--confidence", "2"], "above 0 and below 1"),
    "trials": ([f"{HERE}:noisy", "--trials", "3"], "from 16"),
    "a seed": ([f"{HERE}:noisy", "--seed", "-1"], "the seed"),
    "a method": ([f"{HERE}:noisy", "--method", "magic"], "'sequential' or 'fixed'"),
    "workers": ([f"{HERE}:noisy", "--workers", "many"], "the number of workers"),
    "an ending": ([f"{HERE}:noisy", "--certificate", "c.txt"], "does not end in .json"),
    "a folder": ([f"{HERE}:noisy", "--certificate", "no/c.json"], "cannot be written"),
    "no file": ([f"{HERE}:noisy", "--inputs", "none.toml"], "does not exist"),
    "a format": ([f"{HERE}:noisy", "--inputs", "inputs.csv"], ".toml nor in .json"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_sentence_and_exit_2(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Never a traceback, and no trial is run before what can be read is read."""
    Path("broken_release.py").write_text("1 / 0\n")
    Path("exiting_release.py").write_text("import sys\nsys.exit(0)\n")
    Path("bare.toml").write_text("x = 1\nx_neighbor = 2\n")
    given, says = MISTAKES[name]
    inputs = [] if "--inputs" in given else ["--inputs", "inputs.toml"]
    workers = [] if "--workers" in given else ["--workers", "0"]
    assert main(["audit-code", *given, *inputs, *workers]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err.splitlines()[0]
    assert "Traceback" not in err
    assert all(below.startswith("  ") for below in err.splitlines()[1:])


FILES = {
    "x = 1": "has no x_neighbor",
    "x_neighbor = 1": "has no x;",
    "x = 1\nx_neighbour = 2": "did you mean x_neighbor?",
    "x = 1\nx_neighbor = 1": "are equal",
    "x = 1\nx_neighbor = 2\nrelation = 'other'": "the relation",
    "x = 1\nx_neighbor = 2\nrelation = 3": "relation is the number 3",
    "x = 1\nx_neighbor = 2\nclaim = 3": "claim has the number 3",
    "x = 1\nx_neighbor = 2\nclaims = 'PureDP(epsilon=1)'": "a list of texts",
    "x = 1\nx_neighbor = 2\nclaims = [1]": "claims has the number 1",
    "x = 1\nx_neighbor = 1e999": "not a finite double",
    "x = 1\nx_neighbor = nan": "not a finite double",
    "x = [1]\nx_neighbor = [2, inf]": "x_neighbor[1] is inf",
    "x = 2026-01-01\nx_neighbor = 1": "a time as a text",
    "x = 1\npairs = []": "both pairs and x",
    "pairs = []": "give 1 to 100",
    "pairs = 3": "a list of tables",
    "pairs = [{x = 1}]": "pair 1 has no x_neighbor",
    "pairs = [{x = 1, x_neighbor = 2}, {x = 1, y = 2}]": "pair 2 has the unknown field",
    "pairs = [3]": "pair 1 is the number 3",
    "x = ": "not valid TOML",
    f"x = 1\nx_neighbor = {'[' * 40}{']' * 40}": "nested more than",
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_of_inputs_is_read_strictly(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each mistake is named with its place in the file."""
    Path("inputs.toml").write_text(text + "\n")
    assert main(line("noisy", "--claim", "PureDP(epsilon=1)")) == 2
    first = capsys.readouterr().err.splitlines()[0]
    assert FILES[text] in first
    assert "inputs.toml" in first or "the relation" in first


def test_a_json_file_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers are doubles, null is None, and tables are dictionaries."""
    Path("inputs.json").write_text(
        '{"x": [0.5, 1], "x_neighbor": [0.5, 1, 1], "claim": "PureDP(epsilon=1)"}'
    )
    words = line("noisy", "--trials", "200", inputs="inputs.json")
    assert told(capsys, *words)["audits"][0]["trials"] == 200


@pytest.mark.parametrize("workers", ["0", "1"])
def test_the_traceback_of_the_user_is_shown_on_request(
    workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """From this process or from a worker; the sentence comes last."""
    words = ["audit-code", f"{HERE}:raises", "--inputs", "inputs.toml"]
    assert main([*words, "--workers", workers, "--traceback"]) == 2
    err = capsys.readouterr().err
    assert "1 / (len(data) - 4)" in err
    assert err.splitlines()[-1].startswith("rdpacct: the mechanism raised")


def test_a_mechanism_that_ends_its_process_is_bad_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A lost worker is one sentence and no crash of this program."""
    words = ["audit-code", f"{HERE}:leaves", "--inputs", "inputs.toml"]
    assert main([*words, "--workers", "1"]) == 2
    assert "a worker of the executor was lost" in capsys.readouterr().err


def interrupted(folder: Path, *more: str) -> tuple[int, str, str]:
    """What a real process says that gets SIGINT, with all of its group, in the middle."""
    (folder / "telling.py").write_text(
        "import pathlib, time\n"
        "def slow(data, rng):\n"
        "    time.sleep(1e-3)\n"
        "    pathlib.Path('begun').touch()\n"
        "    return sum(data) + rng.laplace()\n"
    )
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from rdpacct.cli import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(sys.argv[1:]))\n"
    )
    (folder / "program.py").write_text(program)
    words = ["audit-code", "telling:slow", "--inputs", "inputs.toml", *more]
    process = subprocess.Popen(
        [sys.executable, "program.py", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    for _ in range(600):
        if (folder / "begun").exists():
            break
        time.sleep(0.1)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.slow)])
def test_an_interrupted_audit_says_what_it_has(folder: Path, workers: str) -> None:
    """Exit code 130, an object that says so, and one sentence."""
    code, out, err = interrupted(folder, "--workers", workers, "--json")
    data = json.loads(out)
    assert (code, data["exit"], data["verdict"]) == (130, 130, "undecided")
    assert data["interrupted"] is True
    done = data["audits"][0]["trials"]
    assert done < data["trials"]
    assert err == (
        f"rdpacct: interrupted after {done} of 100000 trials, which refute no claim.\n"
    )


def test_a_refutation_stands_if_a_later_audit_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 1, and the object says that not all was run."""
    calls = []

    def second_is_interrupted(*given: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:

            def stop(*_: Any) -> None:
                raise KeyboardInterrupt

            named["progress"] = stop
        return audit_code(*given, **named)

    audited = "rdpacct.cli.running.code_audits.audit_code"
    monkeypatch.setattr(audited, second_is_interrupted)
    claims = ["--claim", "PureDP(epsilon=2)", "--claim", "PureDP(epsilon=3)"]
    data = told(capsys, *line("quiet", "--trials", "2000", *claims))
    assert (data["exit"], data["planned"], len(data["audits"])) == (1, 3, 2)
    assert data["audits"][1]["interrupted"]
