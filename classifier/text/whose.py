"""Whose number it is: the paper's own, a baseline's, a rival's, people's or an attack's.

By the words between a number and the one before it. A system with a name that the paper is
compared with is a rival; one without, or the state before, is a baseline.
"""

from __future__ import annotations

import re
from typing import Literal

Whose = Literal["own", "baseline", "rival", "human", "attack"]

STARTS_FROM = re.compile(
    r"(?:\b(?<!range )(?<!ranged )(?<!ranges )(?<!ranging )(?<!varied )(?<!vary )(?<!varying )"
    r"from\s(?:[\w.-]+\s){0,3}"
    r"|\b(?:increase|improvement|rise|drop|reduction)\b[^()]{0,60}\()$"
)
_THEN_TO = re.compile(
    r"\s?[^;]{0,60}?\bto (?:about |over |nearly |almost |only |just |(?:less|more) than |below "
    r"|under )?\d"
)
_ATTACK = re.compile(
    r"\battack(?:s|ers?)? (?:success|failure)|\bASR\b|\bjailbreak success|\battacks? succeeds?\b",
    re.IGNORECASE,
)
_ONLY_LIST = re.compile(r"^\s?(?:pass@\d\s)?(?:,|,?\sand|\sor|&)\s[^,;]{0,40}$")
_AND_OF_ANOTHER = re.compile(r"^\s(?:for|by|with|of|from)\s[^,;.()]{1,60}\sand\s(?:about |only )?$")
_ALSO_IN_BRACKETS = re.compile(r"^[^()]*\)(?:,|,?\s(?:and|or))\s[^,;()]{0,40}\((?:\d+/\d+\s\[)?$")
_HUMAN = re.compile(
    r"\b(?:humans?(?!\s(?:gold|judge?ments?|preferences?|ratings?|labels?|annotations?)\b)|people"
    r"|experts?|annotators?|clinicians|physicians)"
    r"(?:[- ]level)?(?:\s[\w-]+){0,5}?"
    r"\s(?:of|at|achiev\w+|reach\w*|come|comes|scor\w+|solv\w+|perform\w*|obtain\w*|attain\w*|\()"
    r"[^,;]{0,30}$",
    re.IGNORECASE,
)
_HUMAN_BEHIND = re.compile(r"\s(?:for|by|of|from) (?:the )?(?:humans?(?! performance)|experts)\b")
_COMPARED = re.compile(
    r"(?:\b(?:vs\.?|versus|against|[Cc]ompared (?:with|to))\s(?:only |about )?\(?"
    r"|\b(?:vs\.?|versus)\s[^;:,]{1,60}\s\(?(?:\d+/\d+\s\[)?"
    r"|\b(?:[Cc]ompared (?:with|to)|relative to|than|against"
    r"|(?<!carries )(?<!carry )over|up from|previous best)\s"
    r"(?!(?:about|only|just|half|an?)\s)(?:[^;:,]{1,60}?[’'\s(])"
    r"|\b(?:surpass|exceed|outperform|beat)\w*\s(?:the |all |previous |prior |[A-Z])[^;:,]{1,60}"
    r"(?:\(|[’']s? |\bof |\bat )"
    r"|, which (?:only )?(?:achiev|obtain|reach|scor|attain)\w*\s(?:[a-z]+\s){0,3})[~<>≈]?$"
)
_AGAINST = re.compile(r"\s?(?:vs\b|versus\b)")
_OTHERS = re.compile(
    r"(?:\b(?:while|whereas|but)\s[^;]{0,40}?(?:baselines?|state-of-the-art|existing|prior|previous"
    r"|GPT-\S+|Claude|Gemini|o\d)|\bbaselines?\b[^,;]{0,30}?|\b(?:at first|initially|originally)"
    r"|\b(?:which|that) (?:prior|previous|existing)\b)"
    r"\b[^;]{0,60}$"
)
# "Outperforms previous models with an accuracy of 98.7 %", "beats all baselines, and reaches 94 %".
_REACHED_ITSELF = re.compile(
    r",\sand\s(?:reach|achiev|attain|scor|obtain)\w*\s(?:[a-z]+\s){0,3}$"
    r"|\b(?:surpass|exceed|outperform|beat)\w*\s[^;:,]{1,60}\b(?:with|by achieving|reaching)"
    r"\s(?:an?|the)\s[\w -]{3,40}\sof\s$"
)
_NAMED = r"\b(?:[A-Z][\w.-]*[A-Z0-9][\w.-]*|[A-Z][a-z]+[- ]?\d)"
_NAME = re.compile(_NAMED)
_CONTROL_BEHIND = re.compile(r"[)\]]*\s(?:\w+\s){0,2}(?:from|in) the control (?:group|arm)\b")
_FROM_A_MODEL = re.compile(r"\b(?:trained|starting|tuned)\b[^;]{0,40}\bfrom\s[A-Z][\w.-]*\s\($")
_NAMED_BEHIND = re.compile(rf"\s?(?:for|by|of|from|in)\s(?:the\s)?(?:[a-z-]+\s){{0,3}}{_NAMED}")


def whose_number(
    text: str, match: re.Match[str], between: str, earlier: Whose, *, is_change: bool
) -> Whose:
    """Return whose a number of a sentence is.

    Args:
        between: the text between the number before it, or the start, and itself.
        earlier: whose the number before it is.
        is_change: whether it is a rise or fall, which the paper claims.
    """
    if earlier != "own" and (_ONLY_LIST.match(between) or _ALSO_IN_BRACKETS.match(between)):
        return earlier
    if earlier in ("baseline", "rival") and _AND_OF_ANOTHER.match(between):
        return "rival" if _NAMED_BEHIND.match(text, match.end()) else "baseline"
    near = text[max(0, match.start() - 60) : match.end() + 40]
    own: Whose = "attack" if _ATTACK.search(near) else "own"
    if _CONTROL_BEHIND.match(text, match.end()) or _FROM_A_MODEL.search(between):
        return "baseline"
    is_signed = bool((match.groupdict().get("sign") or "").strip("+ "))
    if (is_change and not is_signed) or _AGAINST.match(text, match.end()):
        return own
    if _HUMAN.search(between) or _HUMAN_BEHIND.match(text, match.end()):
        return "human"
    beside = _COMPARED.search(between) or _OTHERS.search(between)
    is_attacked = own == "attack" and beside and beside.group().startswith("against")
    if beside and not is_attacked and not _REACHED_ITSELF.search(between):
        at = max(0, beside.start() - 80) if ", which" in beside.group() else beside.start()
        is_named = _NAME.search(between, at) or _NAMED_BEHIND.match(text, match.end())
        return "rival" if is_named else "baseline"
    if STARTS_FROM.search(between) and _THEN_TO.match(text, match.end()):
        return "baseline"
    return own
