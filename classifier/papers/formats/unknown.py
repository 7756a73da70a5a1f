"""What a file looks like that no reader knows: for the message to the person who gave it."""

from __future__ import annotations

import re
from typing import Final

from classifier.files.content import Content
from classifier.files.signature import binary_kind
from classifier.papers.fields import shown

_FACES: Final = (
    (r"(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b", "an HTML page"),
    (r"<(?:\?xml|!doctype|[a-z][\w:.-]*[\s/>])", "XML"),
    (r"[\[{]", "JSON"),
)


def describe_unknown(content: Content) -> str:
    """Return what a file looks like, for "found …"."""
    if not content.is_text:
        return binary_kind(content.start_bytes)
    start = content.start.lstrip()
    for face, found in _FACES:
        if re.match(face, start[:20_000], re.IGNORECASE):
            return f"{found} that no reader knows"
    return f"a text that no reader knows, which begins {shown(start[:200])}"
