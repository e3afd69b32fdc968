"""Plan files for the tests of reports."""

from pathlib import Path

CLINIC = """\
version = 1
title = "Clinic statistics 2026"
relation = "add_or_remove_one"
unit = "person"

[[releases]]
name = "weekly visits"
date = 2026-01-05
mechanism = "Gaussian(sigma=7)"
count = 52

[[releases]]
name = "triage model"
date = 2026-03-01
mechanism = "PoissonSampled(Gaussian(sigma=1.1), rate=256/60000)"
count = 100

[[releases]]
name = "geocoding"
by = "the vendor"
guarantee = "ApproxDP(epsilon=1/10, delta=1e-7)"

[[claims]]
name = "board decision"
guarantee = "ApproxDP(epsilon=9, delta=1e-6)"

[[claims]]
name = "leaflet"
by = "marketing"
guarantee = "ApproxDP(epsilon=1, delta=1e-6)"
"""
NASTY = """\
version = 1
title = "<script>alert(1)</script> & <b onclick='x'>"
note = "</style><img src=x onerror=alert(1)>"
unit = "<i>person</i>"

[[releases]]
name = "$\\\\frac{1}$ <script>alert(1)</script>"
by = "\\" onmouseover=\\"alert(1)"
note = "{{ 7*7 }} {% raw %}"
mechanism = "Laplace(scale=10)"

[[releases]]
name = "_\\u65e5\\u672c \\u0416"
mechanism = "Gaussian(sigma=5)"

[[claims]]
name = "<script>alert(1)</script>"
guarantee = "ApproxDP(epsilon=1, delta=1e-6)"
"""
"""Texts that would be code, or a formula, on a page that does not escape them."""


def write(folder: Path, text: str, name: str = "plan") -> str:
    """The name of a file with this plan."""
    file = folder / f"{name}.toml"
    file.write_text(text)
    return str(file)
