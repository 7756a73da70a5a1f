"""What a text looks like that no reader knows: for the message to the person who gave it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import PurePath
from typing import Final

from classifier.corpus.readers.fields import shown

_FACES: Final = (
    (r"@\w+\s*[{(]", "BibTeX, which is not read yet"),
    (r"TY  - ", "RIS, which is not read yet"),
    (r"(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b", "an HTML page"),
    (r"<(?:\?xml|!doctype|[a-z][\w:.-]*[\s/>])", "XML or HTML"),
)
# Of a text longer than this, too little is gained by parsing it for a message.
_MOST_JSON = 50_000_000


def describe_unknown(file: str, text: str) -> tuple[str, str]:
    """Return what the text of `file` looks like, for "found …", and the cure or ""."""
    start = re.sub(r"\A(?:\s*%[^\n]*\n)*\s*", "", text[:20_000])
    for face, found in _FACES:
        if re.match(face, start, re.IGNORECASE):
            return found, ""
    if start[:1] in ("[", "{"):
        return _describe_json(file, text)
    if PurePath(file).suffix.lower() in (".csv", ".tsv"):
        return f"a header without 'title': {shown(text.partition(chr(10))[0])}", ""
    return "a text that no reader knows", ""


def _describe_json(file: str, text: str) -> tuple[str, str]:
    try:
        value = json.loads(text[:_MOST_JSON])
    except (ValueError, RecursionError):
        return "a text that no reader knows", ""
    if isinstance(value, list):
        return "a JSON list", _jq(".[]", file)
    lists = [key for key in value if isinstance(value[key], list) and value[key]]
    keys = [key for key in lists if all(isinstance(item, dict) for item in value[key])]
    if keys:
        return f"a JSON object with the list '{keys[0]}'", _jq(f".{json.dumps(keys[0])}[]", file)
    if "title" not in value:
        return "a JSON object without 'title'", ""
    return "a JSON object over several lines", _jq(".", file)


def _jq(query: str, file: str) -> str:
    path = PurePath(file)
    stem = path.with_suffix("") if path.suffix.lower() == ".json" else path
    target = f"{path}.new" if path.suffix == ".jsonl" else f"{stem}.jsonl"
    names = f"{shlex.quote(file)} > {shlex.quote(target)}"
    return f"Write one object a line: jq -c {shlex.quote(query)} {names}"
