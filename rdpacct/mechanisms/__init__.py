"""The mechanisms, one file each, and what such a file needs; a mechanism is found by its class
name.
"""

import importlib
import pkgutil
import re

from rdpacct.exact.parameter import Parameter
from rdpacct.mechanisms.mechanism import (
    Mechanism,
    NoiseMechanism,
    Plan,
    StudyOnlyWarning,
    randomness,
    rational_of,
)
from rdpacct.privacy.forms import Forms
from rdpacct.privacy.loss import PrivacyLoss
from rdpacct.privacy.parts import LOSS, Atom, Piece
from rdpacct.privacy.relation import Norm, RelationIn, SensitivityIn

__all__ = [
    "LOSS",
    "Atom",
    "Forms",
    "Mechanism",
    "NoiseMechanism",
    "Norm",
    "Parameter",
    "Piece",
    "Plan",
    "PrivacyLoss",
    "RelationIn",
    "SensitivityIn",
    "StudyOnlyWarning",
    "find",
    "randomness",
    "rational_of",
    "shipped",
]


def find(name: str) -> type[Mechanism] | None:
    """The mechanism class of that name; its file is tried first, then all files."""
    if name not in Mechanism.shipped:
        file = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        if any(module.name == file for module in pkgutil.iter_modules(__path__)):
            importlib.import_module(f"{__name__}.{file}")
    known = Mechanism.shipped if name in Mechanism.shipped else shipped()
    cls = known.get(name)
    if cls is None or cls.__abstractmethods__:
        return None
    return cls


def shipped() -> dict[str, type[Mechanism]]:
    """Every mechanism class by name: those of this folder, and those that the user has defined."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return {
        name: cls
        for name, cls in Mechanism.shipped.items()
        if not cls.__abstractmethods__
    }
