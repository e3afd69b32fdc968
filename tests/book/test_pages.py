"""The book as pages: formulas in MathML say what they say in text, and nothing is left out."""

import html
import json
import random
import re
from fractions import Fraction
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from rdpacct.book.entry import check, text
from rdpacct.book.pages.entry import entry_shown, page_name
from rdpacct.book.pages.mathml import GREEK, math
from rdpacct.book.pages.sharpness import sharpness_picture
from rdpacct.book.pages.site import write_site
from rdpacct.cli import main
from rdpacct.exact.formula import Expr, formula
from rdpacct.proof.claim import Comparison
from rdpacct.proof.described import laws_in
from rdpacct.proof.entries import ids, theorem
from rdpacct.proof.kernel.logic import conditions_of
from rdpacct.proof.language import KERNEL_FUNCTIONS, read_comparisons

pytest.importorskip("jinja2")

FEW = ("cdp/kl-half", "gaussian/delta", "group/pure")
LATIN = {letter: name for name, letter in GREEK.items()}
FORMULAS = (
    "a - b*c + 2",
    "-a*(b - 3)/c",
    "a**2/(b*c) - 1/3",
    "exp(-a**2/2)*sqrt(b + c)",
    "(a + b)**(c/2)",
    "(-a)**3 + a**(-2)",
    "max(a, b*c) - min(a, 1)",
    "abs(a - b)/tanh(c)",
    "-(a - b) - (c - 2)",
    "2*3**a*(b/c)**2",
    "log(1 + exp(a))/cbrt(b)",
    "1/(a/(b - c))",
    "exp(a)**2*(a*b)**c",
    "-2*(a + 1/2)*exp(b)**c - 5/7*a",
)


def spelled(element: Element) -> str:
    """The text that a MathML element spells, with every group in parentheses."""
    parts = [spelled(child) for child in element]
    match element.tag:
        case "mfrac":
            return f"(({parts[0]})/({parts[1]}))"
        case "msup" if parts[0] == "e":
            return f"exp({parts[1]})"
        case "msup":
            return f"(({parts[0]})**({parts[1]}))"
        case "msub":
            return "".join(parts)
        case "msqrt":
            return f"sqrt({''.join(parts)})"
        case "mroot":
            return f"cbrt({parts[0]})"
        case "mrow" if parts[0] == "|":
            return f"abs({''.join(parts[1:-1])})"
        case "math" | "mrow":
            return "".join(parts)
    told = element.text or ""
    if element.tag == "mi":
        return LATIN.get(told, told)
    signs = {"\N{MINUS SIGN}": "-", "\N{INVISIBLE TIMES}": "*", "·": "*", "=": "=="}
    return signs.get(told, told)


def expression(written: str) -> Expr:
    """A formula from its text."""
    return read_comparisons(f"{written} <= 0", KERNEL_FUNCTIONS)[0].left


@pytest.mark.parametrize("written", FORMULAS)
def test_a_formula_in_mathml_has_the_value_of_the_formula(written: str) -> None:
    """Read back from what a reader sees, it is the same number."""
    expr = expression(written)
    again = expression(spelled(fromstring(math(expr))))
    source = random.Random(7)
    for _ in range(3):
        point = {name: Fraction(source.randrange(1, 40), 8) for name in ("a", "b", "c")}
        values = {name: formula(value) for name, value in point.items()}
        try:
            first = expr.at(**values).ball(80)
        except (ValueError, ZeroDivisionError):
            continue
        second = again.at(**values).ball(80)
        gap = abs(float(first) - float(second))
        assert gap <= 1e-12 * (1 + abs(float(first)))


def test_a_wrong_formula_is_told_apart() -> None:
    """The comparison above can fail: parentheses that are left out change the number."""
    element = fromstring(math(expression("a*(b + c)")))
    flat = spelled(element).replace("(", "").replace(")", "")
    values = {"a": formula(2), "b": formula(3), "c": formula(5)}
    assert float(expression(flat).at(**values).ball(60)) == 11


def test_greek_letters_and_digits() -> None:
    """Names are written as in the literature, and the plain text is kept for readers by ear."""
    shown = math(Comparison(expression("eps1"), "<=", expression("delta")))
    assert "<msub><mi>\N{GREEK SMALL LETTER EPSILON}</mi><mn>1</mn></msub>" in shown
    assert 'alttext="eps1 &lt;= delta"' in shown


@pytest.mark.parametrize("name", FEW)
def test_every_hypothesis_is_on_the_page(name: str, tmp_path: Path) -> None:
    """Supports, what is given and what is assumed, the verdict, axioms and steps in words."""
    write_site(tmp_path, [name])
    page = html.unescape((tmp_path / page_name(name)).read_text())
    entry = theorem(name)
    for part in (*entry.parts, *entry.sharp):
        lines = [*laws_in(part), str(part.claim)]
        lines += map(str, conditions_of(*part.given))
        for fact in part.assuming.values():
            lines += [str(hypothesis) for hypothesis in fact.hypotheses]
        for line in lines:
            assert line in page, line
    for line in (*entry.in_words, *(says for says, _ in check(name).refuted)):
        assert line in page
    assert f">{check(name).verdict}<" in page
    assert text(name)["Proved"] in page


def test_links_lead_to_pages_and_nothing_leads_outside(tmp_path: Path) -> None:
    """Every link of every page is a page that was written; no page loads anything."""
    written = write_site(tmp_path, FEW)
    files = {file.name for file in tmp_path.iterdir()}
    assert written.pages == len(files) == len(FEW) + 2
    assert not written.failed
    for file in tmp_path.iterdir():
        page = file.read_text()
        assert set(re.findall(r'href="([^"#]+)"', page)) <= files
        assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
        assert "@import" not in page


def test_an_inequality_in_one_variable_has_its_picture(tmp_path: Path) -> None:
    """Both sides are drawn where it is given; a statement about a law has no picture."""
    entry = theorem("laplace/mean")
    part = next(one for one in (*entry.parts, *entry.sharp) if one.name == "small")
    picture = sharpness_picture(part, "here")
    assert "Both sides of s + exp(-s) - 1" in picture
    assert sharpness_picture(part, "here") == picture
    about_a_law = next(
        one for one in theorem("cdp/kl-half").parts if one.name == "tanh"
    )
    assert sharpness_picture(about_a_law, "here") == ""
    write_site(tmp_path, ["laplace/mean"])
    assert "how sharp the inequality is" in (tmp_path / "laplace-mean.html").read_text()


def test_a_step_that_says_that_a_mean_is_finite_is_text() -> None:
    """It is no relation, and was a traceback that ended the whole book."""
    shown = entry_shown("discrete-gaussian/transform")
    steps = [step for statement in shown.statements for step in statement.steps]
    assert any(step.text.endswith("is finite") for step in steps)


def test_text_is_escaped() -> None:
    """What an entry says is text, also where it has a sign of HTML."""
    shown = entry_shown("cdp/kl-half")
    assert any("<=" in says for _, says in shown.sections)


def test_the_command_writes_pages_and_refuses_unknown_entries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the exit codes of the contract."""
    folder = tmp_path / "pages"
    assert main(["book", "group/pure", "-o", str(folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["pages"] == 3
    assert Path(data["index"]).exists()
    assert main(["book", "group/pur", "-o", str(folder)]) == 2
    assert "group/pure" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["book", "group/pure", "-o", str(tmp_path / "file")]) == 2


@pytest.mark.slow
def test_the_whole_book_becomes_pages(tmp_path: Path) -> None:
    """Every entry has its page, and none fails."""
    written = write_site(tmp_path)
    assert written.pages == len(ids()) + 2
    assert not written.failed
