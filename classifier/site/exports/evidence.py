"""The data files as a script, because a page that is opened as a file cannot fetch data."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from classifier.files.json_text import compact_json
from classifier.site.verify import EVIDENCE

_TABLES = ("quarantine.csv", "excluded.csv")


def evidence_script(files: Mapping[str, bytes], other_paths: Collection[str]) -> bytes:
    """Return evidence.js: the unchanged data files, and the paths of all files of the site.

    other_paths: paths of files that are not in `files`.
    """
    parts = {name: files[name].strip() for name in EVIDENCE}
    parts |= {name: compact_json(files[name].decode()) for name in _TABLES}
    parts["sentences.jsonl"] = b"[" + b",".join(files["sentences.jsonl"].splitlines()) + b"]"
    parts["files"] = compact_json(sorted({*files, *other_paths}))
    items = (compact_json(name) + b": " + content for name, content in parts.items())
    return b"window.fieldguideEvidence = {\n" + b",\n".join(items) + b"\n};\n"
