"""The colours of a survey, derived from one accent colour.

Contrast is that of WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of the relative luminances.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

LIGHT, DARK = "#0b5f7a", "#7cc6df"
"""The accent of the shipped style, and the default for a style sheet without an accent."""
_LIGHT_GROUND, _DARK_GROUND = "#fdfdfb", "#14171a"
_MIN_CONTRAST = 5.0
_MEDIA_RULE = re.compile(r"@media([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}")
_ACCENT = re.compile(r"--accent:\s*(#[0-9a-fA-F]{6})\b")


@dataclass(frozen=True, slots=True)
class Colours:
    """The accent colour, and the colours of figures by CSS variable in figures/style.css."""

    accent: str
    accent_dark: str
    light: Mapping[str, str]
    dark: Mapping[str, str]


def legible_accents(colour: str) -> tuple[str, str]:
    """Return versions of a colour that are legible on a light and on a dark background.

    >>> legible_accents("#7a2048")
    ('#7a2048', '#af7991')
    """
    return _make_legible(colour, _LIGHT_GROUND, "#000000"), _make_legible(
        colour, _DARK_GROUND, "#ffffff"
    )


def colours_of(style: str) -> Colours:
    """Return the colours for a style sheet, from its last `--accent` for light and for dark pages.

    >>> colours_of(":root { --accent: #7a2048; }").accent
    '#7a2048'
    """
    media = _MEDIA_RULE.findall(style)
    light = _ACCENT.findall(_MEDIA_RULE.sub("", style))
    dark = [a for kind, rules in media if "dark" in kind for a in _ACCENT.findall(rules)]
    accent = light[-1] if light else LIGHT
    accent_dark = legible_accents(accent)[1] if light else DARK
    if dark:
        accent_dark = dark[-1]
    return Colours(
        accent, accent_dark, _shades(accent, _LIGHT_GROUND), _shades(accent_dark, _DARK_GROUND)
    )


def _shades(accent: str, background: str) -> dict[str, str]:
    """Return the shades of an accent on a background."""
    strongest = "#000000" if background == _LIGHT_GROUND else "#ffffff"
    return {
        "s1": accent,
        "s2": _mix(accent, background, 0.45),
        "l1": _mix(accent, background, 0.15),
        "l2": _mix(accent, background, 0.28),
        "l3": _mix(accent, background, 0.42),
        "l4": accent,
        "l5": _mix(accent, strongest, 0.75),
    }


def _make_legible(colour: str, background: str, target: str) -> str:
    """Mix a colour with `target` until it has enough contrast on `background`."""
    for step in range(20):
        mixed = _mix(colour, target, 1 - step / 20)
        brighter, darker = sorted((_luminance(mixed), _luminance(background)), reverse=True)
        if (brighter + 0.05) / (darker + 0.05) >= _MIN_CONTRAST:
            return mixed
    return target


def _mix(colour: str, other_colour: str, share: float) -> str:
    """Mix two colours.

    share: share of the first colour, from 0 to 1.
    """
    pairs = zip(_rgb_channels(colour), _rgb_channels(other_colour), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = (channel / 255 for channel in _rgb_channels(colour))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb_channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue from 0 to 255."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue
