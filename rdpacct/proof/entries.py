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
from rdpacct.proof.kernel.said import SaidComparisons, use
from rdpacct.proof.places import folder
from rdpacct.proof.sides import loaded as is_loaded
from rdpacct.proof.theorem import Attack, Proof, Statement, Theorem

ATTACKS = "_attacks"
"""The folder of what is tried against the entries."""


def ids() -> list[str]:
    """The ids of all entries, in order: ``cdp/kl-half`` is the file cdp/kl_half.py."""
    files = (path.relative_to(folder()) for path in folder().glob("[!_]*/[!_]*.py"))
    return sorted(path.with_suffix("").as_posix().replace("_", "-") for path in files)


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
    by_end = {entry_id.split("/")[-1]: entry_id for entry_id in known}
    close = get_close_matches(wanted, known, n=2, cutoff=0.8)
    ends = get_close_matches(wanted.split("/")[-1], by_end, n=2, cutoff=0.75)
    return list(dict.fromkeys([*close, *(by_end[end] for end in ends)]))[:2]


def module(name: str) -> ModuleType:
    """The module of an entry; nothing is proved by loading it."""
    found = found_module(name)
    use(_said_in_module(name))
    return found


@cache
def _said_in_module(name: str) -> SaidComparisons:  # noqa: ARG001
    """What is taken as said while the module of an entry is loaded."""
    return SaidComparisons()


@cache
def _said_in_statements(name: str) -> SaidComparisons:  # noqa: ARG001
    """What is taken as said while the statements of an entry are made."""
    return SaidComparisons()


@cache
def found_module(name: str) -> ModuleType:
    """The module of an entry, loaded once."""
    file = _file_of(name)
    is_loaded(name)
    with _said_in_module(name).kept():
        return _loaded(file)


def loaded_anew(name: str) -> ModuleType:
    """The module of an entry, whether it was loaded before or not."""
    return _loaded(_file_of(name))


def _file_of(name: str) -> str:
    """The file of an entry, in the folder of the book."""
    file = f"{name.replace('-', '_')}.py"
    if "_" in name or ".." in name or not (folder() / file).is_file():
        raise unknown(name)
    return file


@cache
def attacks(name: str) -> tuple[Attack, ...]:
    """What is tried against an entry: ``ATTACKS`` of the file of its name in _attacks/, if there is
    one.
    """
    file = f"{ATTACKS}/{name.replace('-', '_')}.py"
    if not (folder() / file).is_file():
        return ()
    tried: tuple[Attack, ...] = _loaded(file).ATTACKS
    return tried


def _loaded(file: str) -> ModuleType:
    """The module of a file of the book."""
    name = file.removesuffix(".py").replace("/", ".")
    spec = importlib.util.spec_from_file_location(
        f"rdpacct_theorems.{name}", folder() / file
    )
    if spec is None or spec.loader is None:
        raise InputError(f"the theorem {name} cannot be loaded; reinstall the package.")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def theorem(name: str) -> Theorem:
    """The entry with this id: its ``THEOREM``, or what its function ``theorem`` states; nothing is
    proved by loading it.

    Where shipped code is run with symbols, a comparison in it is taken as said, and is proved
    before a statement of the entry is accepted.
    """
    entry = _entry(name)
    use(_said_in_statements(name))
    return entry


def said_in(name: str) -> SaidComparisons:
    """What is taken as said where the statements of an entry are made, and where its module is."""
    theorem(name)
    return _said_in_statements(name)


@cache
def _entry(name: str) -> Theorem:
    with _said_in_statements(name).kept():
        loaded = module(name)
        entry = assembled(loaded)
        tried = (*entry.attacks, *attacks(name))
    title = " ".join((loaded.__doc__ or "").partition("\n\n")[0].split())
    return replace(entry, name=name, title=title, attacks=tried)


def assembled(loaded: ModuleType) -> Theorem:
    """The statements of a module, each with the function that proves it, and its falsehoods.

    The module has the same from then on, so that a proof can rest on another part of its entry.
    """
    if not hasattr(loaded, "THEOREM"):
        stated: Theorem = loaded.theorem()
        return stated
    entry: Theorem = loaded.THEOREM
    proofs = _proofs(loaded)
    unstated = set(proofs) - {part.name for part in (*entry.parts, *entry.sharp)}
    if unstated:
        raise InputError(
            f"{loaded.__name__} proves {min(unstated)!r}, which it does not state."
        )
    entry = replace(
        entry,
        parts=tuple(_proved(part, proofs) for part in entry.parts),
        sharp=tuple(_proved(part, proofs) for part in entry.sharp),
        falsehoods=entry.falsehoods or getattr(loaded, "FALSEHOODS", ()),
    )
    vars(loaded)["THEOREM"] = entry
    return entry


def _proofs(loaded: ModuleType) -> dict[str, Proof]:
    """For each statement that a function of a module proves, that function."""
    return {
        name: value
        for value in vars(loaded).values()
        if not isinstance(value, ModuleType)
        for name in getattr(value, "__dict__", {}).get("proves", ())
    }


def _proved(part: Statement, proofs: dict[str, Proof]) -> Statement:
    return replace(part, proof=part.proof or proofs.get(part.name))


def statement(name: str, part: str) -> Comparison:
    """What a part of an entry claims, without its proof."""
    return theorem(name).part(part).claim


@cache
def lemma(name: str, part: str) -> Fact:
    """What a part of an entry proves, for use in another entry."""
    return theorem(name).part(part).fact()
