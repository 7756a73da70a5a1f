"""The colours of a survey: from one accent its dark one, and the shades of figures and heat maps.

Contrast is that of WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of the relative luminances.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

LIGHT, DARK = "#0b5f7a", "#7cc6df"
"""The accent of the shipped style, which also a style sheet without one is taken to have."""
_PAPER, _NIGHT = "#fdfdfb", "#14171a"
_MIN_CONTRAST = 5.0
_MEDIA = re.compile(r"@media([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}")
_ACCENT = re.compile(r"--accent:\s*(#[0-9a-fA-F]{6})\b")


@dataclass(frozen=True, slots=True)
class Colours:
    """An accent, and what is drawn in it: name of a variable of figures/style.css -> colour."""

    accent: str
    accent_dark: str
    light: Mapping[str, str]
    dark: Mapping[str, str]


def accents(colour: str) -> tuple[str, str]:
    """Return an accent that can be read on light paper, and its like on dark.

    >>> accents("#7a2048")
    ('#7a2048', '#af7991')
    """
    return _until(colour, _PAPER, "#000000"), _until(colour, _NIGHT, "#ffffff")


def colours_of(style: str) -> Colours:
    """Return the colours of figures on pages with a style sheet: its last --accent, light and dark.

    >>> colours_of(":root { --accent: #7a2048; }").accent
    '#7a2048'
    """
    media = _MEDIA.findall(style)
    light = _ACCENT.findall(_MEDIA.sub("", style))
    dark = [a for kind, rules in media if "dark" in kind for a in _ACCENT.findall(rules)]
    accent = light[-1] if light else LIGHT
    accent_dark = dark[-1] if dark else accents(accent)[1] if light else DARK
    return Colours(accent, accent_dark, _shades(accent, _PAPER), _shades(accent_dark, _NIGHT))


def _shades(accent: str, paper: str) -> dict[str, str]:
    strongest = "#000000" if paper == _PAPER else "#ffffff"
    shades = {"s1": accent, "s2": _mixed(accent, paper, 0.45)}
    shades |= {f"l{n}": _mixed(accent, paper, part) for n, part in enumerate((0.15, 0.28, 0.42), 1)}
    return shades | {"l4": accent, "l5": _mixed(accent, strongest, 0.75)}


def _until(colour: str, ground: str, towards: str) -> str:
    """Return the colour, mixed so far towards another that it can be read on a ground."""

    def contrast(mixed: str) -> float:
        brighter, darker = sorted((_luminance(mixed), _luminance(ground)), reverse=True)
        return (brighter + 0.05) / (darker + 0.05)

    parts = (_mixed(colour, towards, 1 - step / 20) for step in range(20))
    return next((mixed for mixed in parts if contrast(mixed) >= _MIN_CONTRAST), towards)


def _mixed(colour: str, other: str, part: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(part * a + (1 - part) * b):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    parts = (channel / 255 for channel in _channels(colour))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue
