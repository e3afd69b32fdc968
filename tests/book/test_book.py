"""The theorem book: every entry runs, needs each of its hypotheses, and does not prove its
falsehoods.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rdpacct.book.entry import SETTLED, check, completed, searched, text
from rdpacct.book.errata import errata_page, is_from_the_sources
from rdpacct.book.findings import Finding, Grade, findings, worst_grade
from rdpacct.book.rules import all_rules
from rdpacct.book.verify import owed
from rdpacct.cli import main
from rdpacct.exact.formula import Symbol
from rdpacct.exact.functions import exp
from rdpacct.proof import proof_files
from rdpacct.proof.axioms import Axiom
from rdpacct.proof.check import Rejected
from rdpacct.proof.check import check as check_certificate
from rdpacct.proof.described import laws_in
from rdpacct.proof.entries import ids, lemma, theorem
from rdpacct.proof.instance import example
from rdpacct.proof.kernel import (
    Fact,
    Refused,
    assume,
    at_most,
    axiom,
    below,
    combine,
    real,
)
from rdpacct.proof.kernel import side as side_module
from rdpacct.proof.kernel.side import searching
from rdpacct.proof.kernel.statements import laws_of
from rdpacct.proof.search import sides as searched_sides
from rdpacct.proof.sides import alone
from rdpacct.proof.theorem import (
    Falsehood,
    Refutation,
    Statement,
    Status,
    Theorem,
    by_prover,
)

ROOT = Path(__file__).parents[2]

STATEMENTS = {
    "random-dp": (
        "definition",
        "relaxation",
        "remark-3",
        "composition",
        "post-processing",
    ),
    "histogram": ("privacy", "accuracy", "neighbours"),
    "sensitivity": (
        "laplace-global",
        "smooth-laplace",
        "random",
        "dkw",
        "quantile",
        "ratio",
        "u-statistic",
    ),
    "cdp": (
        *(
            "tail",
            "gaussian",
            "group-gaussian",
            "composition",
            "post-processing",
            "from-dp",
            "hoeffding",
        ),
        *("kl-sum", "kl-half", "md-dominate", "md-symmetric", "noise-n-queries"),
    ),
    "smooth": (
        *(
            "median-global",
            "median-local",
            "regression",
            "optimal",
            "efficient",
            "admissible",
        ),
        *("cauchy-like", "laplace", "gaussian"),
    ),
}
NAMES = [f"{chapter}/{name}" for chapter, names in STATEMENTS.items() for name in names]
MISSION = (
    "cdp/gaussian",
    "cdp/kl-half",
    "sensitivity/smooth-laplace",
    "random-dp/composition",
    "cdp/composition",
)


def test_all_statements_of_the_sources_have_an_entry() -> None:
    assert len(NAMES) == 36
    assert set(NAMES) <= set(ids())


def test_the_documents_count_the_printed_statements() -> None:
    """The number in the documents is that of the entries which settle a printed statement."""
    printed = sum(map(is_from_the_sources, ids()))
    assert (
        f"the {printed} statements that the five sources print"
        in (ROOT / "docs" / "theorems.md").read_text()
    )
    assert (
        f"the {printed} statements that the sources print"
        in (ROOT / "CHANGELOG.md").read_text()
    )


@pytest.mark.parametrize("name", ids())
def test_entry_says_what_it_does(name: str) -> None:
    """Title, printed and proved statement, idea and source; a finding where the sources were wrong
    or weak.
    """
    sections = text(name)
    entry = theorem(name)
    assert sections["Title"].endswith(".")
    assert {"Printed", "Proved", "Idea", "Source"} <= set(sections)
    graded = [one for one in findings(name) if one.grade is not Grade.NOTE]
    assert all(one.says for one in findings(name))
    if not is_from_the_sources(name):
        return
    if entry.verdict in (Status.CORRECTED, Status.REFUTED):
        assert graded, "what is wrong in print has a grade"
    elif entry.verdict in (Status.SHARPENED, Status.PARTLY):
        assert findings(name)
    elif entry.verdict is Status.PROVED:
        assert not graded


AS_SHIPPED = {
    "discrete-gaussian/transform": ("wave, ",),
    "laplace/transform": ("product of ",),
    "sampling/gaussian-far-moment": ("least_", "most_"),
    "sampling/laplace-apart": ("missed, ",),
}
"""Entries with parts that say which formula the shipped code works out where what is given holds:
the code was run under it, and the formula that came out is the same without it.
"""


def weaker(part: Any, conditions: bool = True) -> Iterator[Any]:
    """The part with one of its conditions or hypotheses taken away, in every way."""
    for number in range(len(part.given) if conditions else 0):
        yield (
            f"given {part.given[number]}",
            replace(part, given=part.given[:number] + part.given[number + 1 :]),
        )
    for key in part.assuming:
        kept = {other: fact for other, fact in part.assuming.items() if other != key}
        yield f"assuming {key}", replace(part, assuming=kept)


def wrong_parts(name: Any) -> Iterator[Any]:
    """The parts of an entry without one hypothesis each, and with the claim of a falsehood each."""
    entry = theorem(name)
    for part in entry.parts:
        needed = not part.name.startswith(AS_SHIPPED.get(name, ()))
        yield from (
            (f"{part.name} without {what}", less) for what, less in weaker(part, needed)
        )
        for falsehood in entry.falsehoods:
            if falsehood.claim == part.claim:
                continue  # it lacks a hypothesis
            swapped = replace(part, claim=falsehood.claim, given=falsehood.given)
            yield f"{part.name} with {falsehood.claim}", swapped


def proves_no_more(name: Any, most: Any = None) -> None:
    """No proof of the entry goes through for a part that is wrong; of many such parts some are
    tried, spread evenly.
    """
    wrong = list(wrong_parts(name))
    count = len(wrong) if most is None else min(most, len(wrong))
    for number in range(count):
        what, part = wrong[number * len(wrong) // count]
        with pytest.raises(Refused):
            pytest.fail(f"{name} proves {what}: {part.fact()}")


@pytest.mark.parametrize("name", ids())
def test_entry_verifies_and_proves_no_more(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it runs from the certificates that ship, and nothing more: two wrong parts, in a
    short search for each side condition that is new and that no point refutes.

    One test, because what was proved for the first is not searched for again. The slow tests take
    all wrong parts, and search for every side condition.
    """
    assert check(name, seed=1).problem == ""
    monkeypatch.setattr(searched_sides, "LEAST", 0.1)
    monkeypatch.setattr(side_module, "SUPPLIER", "tests.proof.kernel_chainer")
    with searching(0.2):
        proves_no_more(name, most=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ids())
def test_entry_is_found_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search finds what ships, and the verdict is the same."""
    monkeypatch.setattr(side_module, "_settled", {})
    monkeypatch.setattr(side_module, "_in_vain", {})
    anew = searched(name)
    monkeypatch.undo()
    assert (anew.problem, anew.verdict) == ("", check(name).verdict)


def shipped_for(name: str, key: Any, change: Any) -> Any:
    """The proof file of an entry, with a certificate of its own changed, as that of a claim."""
    file = proof_files.shipped(name)
    assert file is not None
    one = next(iter(file.certificates.values()))
    wrong = {key: change(file.certificates.get(key, one))}
    return replace(file, certificates={**file.certificates, **wrong})


def without_a_proof(certificate: Any) -> Any:
    return {**certificate, "proof": [{"rule": "ground"}]}


def of_another_claim(certificate: Any) -> Any:
    return {
        **certificate,
        "claim": {"given": [], "conclusion": "0 <= 1"},
        "proof": [{"rule": "ground"}],
    }


def refuted(certificate: Any) -> Any:
    return {**certificate, "verdict": "refuted"}


@pytest.mark.parametrize("change", [without_a_proof, of_another_claim, refuted])
def test_a_certificate_that_ships_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, change: Callable[..., Any]
) -> None:
    """A wrong one, or one of another claim, is refused, not used."""
    monkeypatch.setattr(side_module, "_settled", {})
    monkeypatch.setattr(side_module, "_in_vain", {})
    goal = below(0, exp(Symbol("x")))
    wrong = shipped_for("cdp/tail", (str(goal), ()), change)
    monkeypatch.setattr(proof_files, "shipped", lambda _: wrong)
    with alone("cdp/tail"), pytest.raises(Refused, match="certificate"):
        side_module.settle(goal, [])


def test_an_entry_without_its_certificates_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is searched for while an entry is checked, unless that is asked for."""
    monkeypatch.setattr(side_module, "_settled", {})
    monkeypatch.setattr(side_module, "_in_vain", {})
    file = proof_files.from_bytes(proof_files.place_of("cdp/tail").read_bytes())
    fewer = replace(file, certificates={})
    monkeypatch.setattr(proof_files, "shipped", lambda _: fewer)
    assert "`make certificates` searches for one" in check("cdp/tail").problem


@pytest.mark.slow
@pytest.mark.parametrize("name", ids())
def test_entry_proves_no_more_in_more_time(name: str) -> None:
    """The same with a longer search for each side condition."""
    assert check(name, seed=1).problem == ""
    with searching(0.5):
        proves_no_more(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ids())
def test_attacks_find_nothing(name: str) -> None:
    """Random exact instances do not contradict what is proved."""
    attacks = theorem(
        name
    ).attacks  # not in the parameters: that would load the whole book
    if not attacks:
        pytest.skip("it has no attacks")

    @settings(max_examples=20, deadline=None, derandomize=True)
    @given(seed=st.integers(min_value=2))
    def run(seed: int) -> None:
        for attack in attacks:
            assert attack.run(seed) > 0

    run()


def test_the_axioms_are_few_and_have_references() -> None:
    """At most four, each with one text in one place; no part takes its claim from one."""
    axioms = {one.name: one for name in ids() for one in theorem(name).axioms}
    assert 0 < len(axioms) <= 4
    for name in ids():
        entry = theorem(name)
        for result in entry.axioms:
            first = axioms[result.name]
            assert (result.reference, result.says) == (first.reference, first.says)
            assert re.search(r"\b\d{4}\b", result.reference)
            assert {one.name for one in result.believed} == {result.name}
            assert len(result.says) > 200, "the result with all its hypotheses"
        for part in (*entry.parts, *entry.sharp):
            forms = {one.relation for result in part.axioms for one in result.believed}
            assert part.claim not in forms, f"{name} {part.name}"


def test_the_package_itself_has_no_axioms() -> None:
    inside = [
        path.name
        for path in (ROOT / "rdpacct").rglob("*.py")
        if "axiom(" in path.read_text()
    ]
    assert sorted(inside) == ["logic.py", "verify.py"], "the rule, and its printing"


def test_axioms_are_printed_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    """The result in words, its forms with their hypotheses, and who leans on it, also in words."""
    names = ["discrete-gaussian/theta", "engine/smoothing", "smooth/circle-transform"]
    assert main(["verify", "--axioms", *names]) in (0, 1)
    said = " ".join(capsys.readouterr().out.split())
    for name in names[::2]:
        for result in theorem(name).axioms:
            assert f"{result} {result.says}" in said
            for form in result.believed:
                assert " ".join(f"formally: {form}".split()) in said
                assert all(f"if {one}" in said for one in form.hypotheses)
    assert "used by smooth/circle-transform" in said
    assert "in words of engine/smoothing" in said


X = Symbol("x")
BELIEF = Axiom(
    "a result",
    "Author 1900",
    "x is at most 0",
    (axiom("a result", "x <= 0", assuming=(assume("y <= 0"),)),),
)


def halved(fact: Fact) -> Fact:
    """x/2 <= 0, from x <= 0 or less."""
    rest = -fact.relation.right / 2
    return combine(at_most(X / 2, 0), (fact, Fraction(1, 2)), rest=rest)


def a_part(**changes: Any) -> Statement:
    """A part that rests on a result."""
    (form,) = BELIEF.forms
    part = Statement(
        "p",
        "half",
        at_most(X / 2, 0),
        lambda _: iter([(halved(form), "by the result")]),
        assuming={"y": assume("y <= 0")},
        axioms=(BELIEF,),
    )
    return replace(part, **changes)


OTHERS = {
    "another name": axiom("my result", "x <= 0", assuming=(assume("y <= 0"),)),
    "another claim": axiom("a result", "x <= -1", assuming=(assume("y <= 0"),)),
    "another domain": axiom("a result", "x <= 0", "x >= 1", assuming=BELIEF.forms),
    "fewer hypotheses": axiom("a result", "x <= 0"),
    "the claim": axiom("a result", at_most(X / 2, 0)),
}


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_an_axiom_that_is_not_declared_proves_nothing(name: str) -> None:
    fact = OTHERS[name]
    if fact.relation != at_most(X / 2, 0):
        fact = halved(fact)
    part = a_part(given=("x >= 1",))
    with pytest.raises(Refused, match="not declared"):
        part.accept(fact)
    with pytest.raises(Refused, match="not declared"):
        a_part(axioms=()).steps()
    a_part().steps()


def test_every_part_refuses_its_claim_as_an_axiom() -> None:
    """For each part of the book: its claim, believed under the conditions of the part."""
    tried = 0
    for name in ids():
        for part in theorem(name).parts:
            invented = axiom(
                "invented", part.claim, *part.given, assuming=(*part.assuming.values(),)
            )
            with pytest.raises(Refused):
                part.accept(invented)
            tried += 1
    assert tried > 300


def test_every_rule_of_the_package_rests_on_a_settled_entry() -> None:
    assert [f"{rule.theorem}: {rule.module}.{rule.name}" for rule in owed()] == []
    assert len(all_rules()) >= 55


def test_few_are_open_and_none_of_the_mission() -> None:
    verdicts = {name: theorem(name).verdict for name in ids()}
    assert sum(verdict is Status.OPEN for verdict in verdicts.values()) <= 4
    assert all(verdicts[name] in SETTLED for name in MISSION)


def test_few_of_the_printed_statements_are_not_settled() -> None:
    """At most three are assumed or settled in part only; those say what is missing."""
    unsettled = [name for name in NAMES if theorem(name).verdict not in SETTLED]
    assert len(unsettled) <= 3
    partly = [name for name in unsettled if theorem(name).verdict is Status.PARTLY]
    assert all(theorem(name).missing for name in partly)


def test_the_theorems_that_docs_and_answers_cite_are_in_the_book() -> None:
    """Every id in the pages, the examples and the package is an entry; an invented one would be
    found.
    """
    chapters = "|".join(sorted({name.split("/")[0] for name in ids()}))
    cited = re.compile(rf"(?<![\w/.-])(?:{chapters})/[a-z0-9-]+(?![\w/-]|\.py)")
    files = [
        ROOT / "README.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "examples").glob("*.py"),
    ]
    files += [*(ROOT / "rdpacct").rglob("*.py"), *(ROOT / "theorems").rglob("*.py")]
    found = {name for file in files for name in cited.findall(file.read_text())}
    assert len(found) > 60
    quotients = {"sensitivity/scale", "sensitivity/sigma", "sensitivity/epsilon"}
    assert found - set(ids()) == quotients
    assert cited.findall("as cdp/no-such-theorem says") == ["cdp/no-such-theorem"]


def test_lemmas_are_found_by_name() -> None:
    assert (
        lemma("cdp/composition", "one-sided").relation
        == theorem("cdp/composition").parts[0].claim
    )


def an_entry(**changes: Any) -> Any:
    part = Statement(
        "p",
        "exp is above its tangent",
        real("1 + x <= exp(x)").relation,
        by_prover("convex"),
    )
    false = Falsehood("strictly", below(*_sides()))
    return replace(Theorem(Status.PROVED, (part,), falsehoods=(false,)), **changes)


def _sides() -> Any:
    one = real("1 + x <= exp(x)").relation
    return one.left, one.right


BROKEN = {
    "a false part": an_entry(
        parts=(
            Statement(
                "p",
                "strict",
                real("x <= x + 1").relation,
                lambda _: iter([(real("0 <= 1"), "")]),
            ),
        )
    ),
    "a true falsehood": an_entry(
        falsehoods=(Falsehood("true", real("x <= x + 1").relation),)
    ),
    "no falsehood": an_entry(falsehoods=()),
    "no proof": an_entry(parts=()),
    "a refutation that assumes": an_entry(
        falsehoods=(
            Falsehood(
                "assumed",
                at_most(*_sides()),
                refutation=lambda: Refutation("words", (_assumed(),)),
            ),
        )
    ),
    "a refutation by a true fact": an_entry(
        falsehoods=(
            Falsehood(
                "beside the point",
                below(*_sides()),
                refutation=lambda: Refutation("words", (real("0 < exp(x)"),)),
                instance=example({"x": 1}),
            ),
        )
    ),
    "an instance that breaks nothing": an_entry(
        falsehoods=(Falsehood("at 1", below(*_sides()), instance=example({"x": 1})),)
    ),
    "conditions that nothing satisfies": an_entry(
        parts=(
            Statement(
                "p",
                "",
                real("1 + x <= exp(x)").relation,
                lambda part: iter([(real(part.claim), "")]),
                ("x > 1", "x**2 < 1/2"),
            ),
        )
    ),
    "a witness that is none": an_entry(
        parts=(
            Statement(
                "p",
                "",
                real("1 + x <= exp(x)").relation,
                lambda part: iter([(real(part.claim), "")]),
                ("x > 1",),
                witness=example({"x": 0}),
            ),
        )
    ),
    "a refutation of words alone": an_entry(
        falsehoods=(
            Falsehood(
                "said", at_most(*_sides()), refutation=lambda: Refutation("words")
            ),
        )
    ),
    "open without a reason": an_entry(verdict=Status.OPEN),
    "partly settled without a reason": an_entry(verdict=Status.PARTLY),
    "settled with something missing": an_entry(missing="x < 0"),
    "rules on a part that is not settled": an_entry(
        verdict=Status.PARTLY, missing="x < 0", rules=(print,)
    ),
    "rules on a part that is not there": an_entry(
        verdict=Status.PARTLY, missing="x < 0", rules=(print,), rules_rest_on=("q",)
    ),
}


def _assumed() -> Any:
    from rdpacct.proof.kernel import assume

    return assume("x <= 0")


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_entry_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rdpacct.book.entry.theorem", lambda _: BROKEN[name])
    assert completed("x").problem


@pytest.mark.parametrize(
    "entry",
    [
        an_entry(),
        an_entry(verdict=Status.PARTLY, missing="x < 0"),
        an_entry(
            verdict=Status.PARTLY,
            missing="x < 0",
            rules=(print,),
            rules_rest_on=("p",),
        ),
    ],
)
def test_a_sound_entry_passes(entry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rdpacct.book.entry.theorem", lambda _: entry)
    assert completed("x").problem == ""


def test_a_rule_rests_on_named_parts_of_what_is_partly_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rules of an entry that is partly settled are owed a proof unless it names their parts."""
    name = "cdp/gaussian"
    partly = replace(theorem(name), verdict=Status.PARTLY, missing="something")
    monkeypatch.setattr("rdpacct.book.verify.theorem", lambda _: partly)
    assert owed((name,))
    named = replace(partly, rules_rest_on=("mean", "moment"))
    monkeypatch.setattr("rdpacct.book.verify.theorem", lambda _: named)
    assert owed((name,)) == ()


def test_findings_have_grades_and_the_worst_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sections = {
        "Title": "x.",
        "Finding": "more holds.",
        "Finding (misprint)": "a letter.",
        "Finding (gap)": "a range.",
    }
    monkeypatch.setattr("rdpacct.book.findings.text", lambda _: sections)
    assert [one.grade for one in findings("x")] == [
        Grade.GAP,
        Grade.MISPRINT,
        Grade.NOTE,
    ]
    assert worst_grade("x") is Grade.GAP
    assert findings("x")[1] == Finding(Grade.MISPRINT, "a letter.")
    sections["Finding (wrong)"] = "no such grade"
    with pytest.raises(ValueError, match="wrong"):
        findings("x")


def test_the_errata_are_sorted_by_grade() -> None:
    """Each printed statement with a finding is under its worst grade, the gravest first, and what
    only the author's facts refute is not said to be refuted by the checker.
    """
    page = errata_page()
    places = [page.find(f"\n### {name}\n") for name in _by_grade()]
    assert min(places) > 0
    assert places == sorted(places)
    item = page.split("### cdp/composition\n")[1].split("\n### ")[0]
    assert "- Finding (false): " in item
    assert "Refuted by machine" not in page


def _by_grade() -> list[str]:
    printed = list(filter(is_from_the_sources, ids()))
    return [name for grade in Grade for name in printed if worst_grade(name) is grade]


def run(capsys: pytest.CaptureFixture[str], *arguments: Any) -> Any:
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_verify_writes_certificates_that_check_accepts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, data = run(
        capsys, "verify", "cdp/composition", "--certificate", str(tmp_path)
    )
    assert code == 0
    (entry,) = data["theorems"]
    files = sorted(tmp_path.rglob("*.json"))
    assert len(files) == entry["certificates"] > 0
    for file in files:
        assert main(["check", str(file)]) == 0
    capsys.readouterr()
    forged = json.loads(files[0].read_text())
    forged["claim"]["conclusion"] = "0 < 0"
    with pytest.raises(Rejected):
        check_certificate(forged)


def test_a_refutation_may_not_rest_on_an_axiom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor may an entry declare an axiom that it does not use, or lean on one without a name."""
    opposite = axiom("a result", "exp(x) <= 1 + x", "x == 1")
    false = Falsehood(
        "strictly",
        below(*_sides()),
        ("x == 1",),
        refutation=lambda: Refutation("words", (opposite,)),
    )
    for changes, problem in (
        ({"falsehoods": (false,)}, ""),
        ({"parts": (replace(an_entry().parts[0], axioms=(BELIEF,)),)}, "nothing uses"),
        ({"axioms_in_words": (BELIEF,), "in_words": ("as is known",)}, "nothing uses"),
    ):
        entry = an_entry(**changes)
        monkeypatch.setattr("rdpacct.book.entry.theorem", lambda _, one=entry: one)
        found = completed("x").problem
        assert found
        assert problem in found
    named = an_entry(axioms_in_words=(BELIEF,), in_words=("by a result",))
    monkeypatch.setattr("rdpacct.book.entry.theorem", lambda _: named)
    assert completed("x").axioms == ["a result (Author 1900)"]


def test_a_failing_entry_fails_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "rdpacct.book.entry.theorem", lambda _: BROKEN["a true falsehood"]
    )
    code, data = run(capsys, "verify", "cdp/composition")
    assert code == 1
    assert data["theorems"][0]["problem"]
    assert (data["theorems"][0]["verdict"], data["theorems"][0]["verified"]) == (
        "failed",
        False,
    )


def test_a_failed_entry_is_neither_shown_nor_counted_as_proved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts add up to the number of entries."""
    entries = {
        "cdp/composition": BROKEN["a true falsehood"],
        "cdp/gaussian": an_entry(),
    }
    monkeypatch.setattr("rdpacct.book.entry.theorem", entries.__getitem__)
    assert main(["verify", "--search", *entries]) == 1
    failed, why, proved, summary = capsys.readouterr().out.splitlines()
    assert failed.split()[:2] == ["cdp/composition", "failed"]
    assert why.startswith("  FAILED: ")
    assert proved.split()[:2] == ["cdp/gaussian", "proved"]
    assert summary.startswith("theorems: 2, of which 1 proved, 1 failed; ")
    assert main(["show", "cdp/composition"]) == 1
    assert "verdict: failed" in capsys.readouterr().out


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from rdpacct.cli import main
command = ["verify", "--attack", "smooth/order-statistic", "cdp/composition"]
codes = [main([*command, "--json"]), print("----"), main(command)]
sys.exit(0 if codes == [3, None, 3] else f"exit codes {codes}")
"""


def test_without_numpy_an_entry_is_not_run() -> None:
    """Where statements are tried on data, it is neither proved nor failed, and the exit code says
    that something is undecided.
    """
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stderr
    data, _, shown = ran.stdout.partition("----\n")
    composed, smooth = json.loads(data)["theorems"]
    assert (smooth["verdict"], smooth["needs"]) == ("not run", "numpy")
    assert not smooth["verified"]
    assert (composed["verdict"], composed["verified"]) == ("corrected", True)
    assert "  not run: needs numpy\n" in shown
    assert "theorems: 2, of which 1 corrected, 1 not run, 0 failed; " in shown


def test_show_prints_the_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "cdp/composition"]) == 0
    shown = capsys.readouterr().out
    for words in (
        "verdict: corrected",
        "Printed:",
        "Proved:",
        "Finding (false):",
        "assuming",
        "refuted by",
        "Axioms: none",
    ):
        assert words in shown
    worded = next(name for name in ids() if theorem(name).in_words)
    assert main(["show", worded]) == 0
    first_words = " ".join(theorem(worded).in_words[0].split()[:3])
    assert f"In words: {first_words}" in capsys.readouterr().out
    assert main(["show", "no/such"]) == 2


@pytest.mark.slow
def test_the_book_works_from_an_installed_wheel(tmp_path: Path) -> None:
    """Built as a wheel and unpacked elsewhere, the book is found inside the package."""
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-deps",
            "--wheel-dir",
            str(tmp_path),
            str(ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    place = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "zipfile", "-e", str(wheel), str(place)], check=True
    )
    code = (
        "import rdpacct, sys; from rdpacct.cli import main; "
        "print(rdpacct.__file__); sys.exit(main(['verify', 'cdp/composition']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert str(place) in ran.stdout


def test_the_index_names_each_entry_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The number in the source, the verdict, words and axioms, without running anything."""
    code, said = run(capsys, "verify", "--list")
    assert code == 0
    listed = {row["name"]: row for row in said["theorems"]}
    assert list(listed) == ids()
    assert listed["cdp/kl-half"]["source"] == "Dwork and Rothblum, Lemma 6"
    for name in (
        "discrete-gaussian/zcdp",
        "smooth/circle-transform",
        "engine/smoothing",
    ):
        assert listed[name]["axioms"] == [*map(str, theorem(name).axioms)] != []
        assert listed[name]["words"] == len(theorem(name).in_words)


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("cdp/kl-halve", "cdp/kl-half"),
        ("kl_half", "cdp/kl-half"),
        ("CDP/tail", "cdp/tail"),
    ],
)
def test_an_unknown_entry_gets_the_nearest(
    capsys: pytest.CaptureFixture[str], wrong: str, near: str
) -> None:
    for command in ("show", "verify"):
        assert main([command, wrong]) == 2
        assert near in capsys.readouterr().err


@pytest.mark.parametrize("name", ids())
def test_a_page_prints_every_hypothesis(name: str) -> None:
    """Each condition of a support, each condition and each hypothesis is on the page."""
    entry = theorem(name)
    for part in (*entry.parts, *entry.sharp):
        said = " ".join(laws_in(part))
        relations = [
            one.relation for a in part.assuming.values() for one in a.hypotheses
        ]
        for law in {law for one in (part.claim, *relations) for law in laws_of(one)}:
            assert f"{law.name}: " in said
            for condition in law.support:
                assert str(condition) in said


def test_the_page_of_a_bounded_loss_says_that_it_is_bounded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["show", "cdp/kl-half"]) == 0
    page = capsys.readouterr().out
    assert "law      P: any law of L, with -eps <= L and L <= eps" in page
    _, data = run(capsys, "show", "cdp/kl-half")
    assert data["statements"][0]["assuming"] == {"mass": ["E_P[exp(-L)] == 1"]}
