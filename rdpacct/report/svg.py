"""A drawn picture as a part of a page: in its colors, with ids of its own, and words for those who
do not see it.
"""

import re
from xml.etree import ElementTree

from rdpacct.report.pictures import INK, LINE, SERIES, SOFT

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
COLORS = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    **{color: f"var(--series-{place})" for place, color in enumerate(SERIES)},
}
"""What stands for each drawn color in a page."""
FONTS = re.compile(r"font-family: [^;]*; ?")
"""The fonts of a drawing, which the page has its own for."""


def inlined(drawn: str, name: str, title: str, description: str) -> str:
    """The drawing as an element of a page, whose ids begin with a name."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)  # noqa: S314  our own drawing
    for part in (*root.findall(f"{{{SVG}}}metadata"), *_styles(root)):
        root.remove(part)
    for element in root.iter():
        _adapt(element, name)
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-description")
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        words = ElementTree.Element(f"{{{SVG}}}{tag}")
        words.text = text
        words.set("id", f"{name}-{'description' if tag == 'desc' else tag}")
        root.insert(place, words)
    return ElementTree.tostring(root, encoding="unicode")


def _styles(root: ElementTree.Element) -> list[ElementTree.Element]:
    """The definitions that hold rules for the whole page."""
    kept = f"{{{SVG}}}style"
    return [part for part in root if part.find(kept) is not None]


def _adapt(element: ElementTree.Element, name: str) -> None:
    """The colors of the page, and ids that no other picture has."""
    for key, value in list(element.attrib.items()):
        if key == "id":
            element.set(key, f"{name}-{value}")
        elif key == f"{{{XLINK}}}href":
            del element.attrib[key]
            element.set("href", f"#{name}-{value.removeprefix('#')}")
        elif "url(#" in value:
            element.set(key, value.replace("url(#", f"url(#{name}-"))
        for color, variable in COLORS.items():
            if color in element.attrib.get(key, ""):
                element.set(key, element.attrib[key].replace(color, variable))
    if "style" in element.attrib:
        element.set("style", FONTS.sub("", element.attrib["style"]))
