"""The entries of the theorem book, found and loaded one by one, from the checkout or from the
installed package.
"""

import importlib.util
from functools import cache
from types import ModuleType

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.places import folder
from rdpacct.proof.theorem import Part, Theorem


def ids() -> list[str]:
    """The ids of all entries, in order: ``cdp/kl-half`` is the file cdp/kl_half.py."""
    files = (path for path in folder().rglob("*.py") if not path.name.startswith("_"))
    return sorted(
        path.relative_to(folder()).with_suffix("").as_posix().replace("_", "-")
        for path in files
    )


@cache
def module(name: str) -> ModuleType:
    """The module of an entry; nothing is proved by loading it."""
    path = folder() / f"{name.replace('-', '_')}.py"
    if "_" in name or ".." in name or not path.is_file():
        raise InputError(
            f"the theorem {shorten(name)!r} is not known; `rdpacct verify` lists those"
            " that are."
        )
    spec = importlib.util.spec_from_file_location(
        f"rdpacct_theorems.{name.replace('/', '.').replace('-', '_')}", path
    )
    if spec is None or spec.loader is None:
        raise InputError(f"the theorem {name} cannot be loaded; reinstall the package.")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@cache
def theorem(name: str) -> Theorem:
    """The entry with this id: its ``THEOREM``, or what its function ``theorem`` states.

    A statement is a function where shipped code with a comparison in it is run with symbols, which
    the prover decides.
    """
    loaded = module(name)
    found: Theorem = loaded.THEOREM if hasattr(loaded, "THEOREM") else loaded.theorem()
    return found


def statement(name: str, part: str) -> Comparison:
    """What a part of an entry claims, without its proof."""
    return _part(name, part).claim


@cache
def lemma(name: str, part: str) -> Fact:
    """What a part of an entry proves, for use in another entry."""
    return _part(name, part).fact()


def _part(name: str, part: str) -> Part:
    (found,) = [
        one for one in (*theorem(name).parts, *theorem(name).sharp) if one.name == part
    ]
    return found
