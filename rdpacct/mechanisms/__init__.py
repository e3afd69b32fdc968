"""The mechanisms, one file or one folder each; a mechanism is found by its class name.

The names in ``__all__`` are what the file of a mechanism needs, one of yours or one of ours.
"""

import importlib
import pkgutil
import re
from functools import cache

from rdpacct.exact.formula import Expr
from rdpacct.exact.parameter import Parameter, rational_of
from rdpacct.mechanisms.mechanism import Mechanism, NoiseMechanism, Plan
from rdpacct.mechanisms.source import randomness
from rdpacct.mechanisms.study_only import StudyOnlyWarning
from rdpacct.privacy.constants import about, value
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Part, Piece
from rdpacct.privacy.profile import Profile
from rdpacct.privacy.relation import Norm, RelationIn, SensitivityIn
from rdpacct.privacy.transform import Direction, Transform
from rdpacct.provenance import by

__all__ = [
    "LOSS",
    "Atom",
    "Direction",
    "Expr",
    "Forms",
    "Mechanism",
    "NoiseMechanism",
    "Norm",
    "Parameter",
    "Part",
    "Piece",
    "Plan",
    "PrivacyLoss",
    "Profile",
    "RelationIn",
    "SensitivityIn",
    "StudyOnlyWarning",
    "Transform",
    "about",
    "by",
    "randomness",
    "rational_of",
    "value",
]


def find(name: str) -> type[Mechanism] | None:
    """The mechanism class of that name, which the user may have defined."""
    if name not in Mechanism.registry:
        one_of_ours(name)
    known = Mechanism.registry if name in Mechanism.registry else known_mechanisms()
    cls = known.get(name)
    if cls is None or cls.__abstractmethods__:
        return None
    return cls


def one_of_ours(name: str) -> type[Mechanism] | None:
    """The mechanism class of that name in this folder; the file that is named like it is tried
    first.
    """
    file = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    module = _files().get(file)
    if module is not None:
        in_file = _mechanisms_of(module)
        if name in in_file:
            return in_file[name]
    return ours().get(name)


def ours() -> dict[str, type[Mechanism]]:
    """Every mechanism class of this folder by name."""
    return {
        name: cls
        for module in _files().values()
        for name, cls in _mechanisms_of(module).items()
    }


def known_mechanisms() -> dict[str, type[Mechanism]]:
    """Every mechanism class by name: those of this folder, and those that the user has defined."""
    ours()
    return {
        name: cls
        for name, cls in Mechanism.registry.items()
        if not cls.__abstractmethods__
    }


@cache
def _files() -> dict[str, str]:
    """The module of each file in this folder and in the folders in it, by the name of the file."""
    files = {}
    for file in pkgutil.iter_modules(__path__):
        if file.ispkg:
            inside = [f"{path}/{file.name}" for path in __path__]
            for other in pkgutil.iter_modules(inside):
                files[other.name] = f"{__name__}.{file.name}.{other.name}"
        else:
            files[file.name] = f"{__name__}.{file.name}"
    return files


def _mechanisms_of(module_name: str) -> dict[str, type[Mechanism]]:
    """The mechanisms that a file of this folder defines."""
    module = importlib.import_module(module_name)
    return {
        name: cls
        for name, cls in vars(module).items()
        if _is_defined_in(module.__name__, name, cls)
    }


def _is_defined_in(module: str, name: str, value: object) -> bool:
    if not isinstance(value, type) or not issubclass(value, Mechanism):
        return False
    return (
        value.__module__ == module
        and not name.startswith("_")
        and not value.__abstractmethods__
    )
