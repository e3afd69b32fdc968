"""The mechanisms, one file each; every public mechanism in this folder is found by its class name."""

import importlib
import pkgutil

from rdpacct.mechanisms.mechanism import Mechanism, Plan, StudyOnlyWarning

__all__ = ["Mechanism", "Plan", "StudyOnlyWarning", "shipped"]


def shipped() -> dict[str, type[Mechanism]]:
    """Every mechanism class by name: those of this folder, and those that the user has defined."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return {name: cls for name, cls in Mechanism.shipped.items() if not cls.__abstractmethods__}
