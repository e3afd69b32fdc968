"""The entries of the theorem book, found and loaded one by one, from the checkout or from the
installed package.
"""

import importlib.util
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from types import ModuleType

from rdpacct.errors import InputError
from rdpacct.exact.number import shorten
from rdpacct.proof.claim import Comparison
from rdpacct.proof.kernel.fact import Fact
from rdpacct.proof.places import folder
from rdpacct.proof.theorem import Statement, Theorem


def ids() -> list[str]:
    """The ids of all entries, in order: ``cdp/kl-half`` is the file cdp/kl_half.py."""
    files = (path for path in folder().rglob("*.py") if not path.name.startswith("_"))
    return sorted(
        path.relative_to(folder()).with_suffix("").as_posix().replace("_", "-")
        for path in files
    )


def unknown(name: str) -> InputError:
    """There is no such entry; the nearest ones are named."""
    near = nearest(name)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return InputError(
        f"the theorem {shorten(name)!r} is not known; {meant}`rdpacct verify --list` lists"
        " those that are."
    )


def nearest(name: str) -> list[str]:
    """The ids that are most like a name that is none: in whole, or in their last part."""
    known = ids()
    wanted = name[:100].replace("_", "-")
    by_end = {one.split("/")[-1]: one for one in known}
    close = get_close_matches(wanted, known, n=2, cutoff=0.8)
    ends = get_close_matches(wanted.split("/")[-1], by_end, n=2, cutoff=0.75)
    return list(dict.fromkeys([*close, *(by_end[end] for end in ends)]))[:2]


@cache
def module(name: str) -> ModuleType:
    """The module of an entry; nothing is proved by loading it."""
    path = folder() / f"{name.replace('-', '_')}.py"
    if "_" in name or ".." in name or not path.is_file():
        raise unknown(name)
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
    title = " ".join((loaded.__doc__ or "").partition("\n\n")[0].split())
    return replace(found, name=name, title=title)


def statement(name: str, part: str) -> Comparison:
    """What a part of an entry claims, without its proof."""
    return _part(name, part).claim


@cache
def lemma(name: str, part: str) -> Fact:
    """What a part of an entry proves, for use in another entry."""
    return _part(name, part).fact()


def _part(name: str, part: str) -> Statement:
    (found,) = [
        one for one in (*theorem(name).parts, *theorem(name).sharp) if one.name == part
    ]
    return found
