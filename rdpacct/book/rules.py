"""The rules of the package, read off its source: every function tagged ``@by("chapter/entry")``.

Nothing is imported for it, so that a question about one theorem opens the few files that name it.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Rule:
    """A tagged function: where it lives, what it says, and the theorem that must stand behind
    it.
    """

    theorem: str
    module: str
    name: str
    says: str


def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package, in the order of their theorems."""
    return _in_order(rule for path in _sources() for rule in _rules_in(path))


def rules_by(theorem: str) -> tuple[Rule, ...]:
    """The rules that rest on one theorem."""
    tag = f'@by("{theorem}")'
    paths = [path for path in _sources() if tag in _text(path)]
    return _in_order(
        rule for path in paths for rule in _rules_in(path) if rule.theorem == theorem
    )


def _in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(rules, key=lambda rule: (rule.theorem, rule.module, rule.name)))


def _sources() -> list[Path]:
    """The files of the package that may have rules, in order."""
    return sorted(
        path for path in PACKAGE.rglob("*.py") if "_theorems" not in path.parts
    )


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _rules_in(path: Path) -> tuple[Rule, ...]:
    if "@by(" not in _text(path):
        return ()
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return tuple(_tagged(ast.parse(_text(path)), ".".join(parts), ""))


def _tagged(node: ast.AST, module: str, prefix: str) -> Iterator[Rule]:
    """The tagged functions of a module or a class, and of the classes in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _tagged(child, module, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            first = (ast.get_docstring(child) or "").partition("\n\n")[0]
            says = " ".join(first.split())
            for theorem in filter(None, map(_theorem, child.decorator_list)):
                yield Rule(theorem, module, f"{prefix}{child.name}", says)


def _theorem(decorator: ast.expr) -> str | None:
    """The theorem that a decorator names, if it is the tag of a rule."""
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name)):
        return None
    if decorator.func.id != "by" or len(decorator.args) != 1:
        return None
    named = decorator.args[0]
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        return named.value
    return None
