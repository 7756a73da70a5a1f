"""The Jinja environment of the site: a project's own templates first, then the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.bccache import Bucket, BytecodeCache

from classifier.files.memo import Memos, memo_key
from classifier.project import shipped_folder
from classifier.site.paths import STYLE_SHEETS


def make_environment(template_folders: Sequence[Path], memos: Memos | None = None) -> Environment:
    """Return an environment that looks a template up in each folder in turn, the shipped one last.

    HTML and SVG are escaped, Markdown is not. A name that a page does not know is an error. `memos`
    hold what earlier builds compiled.
    """
    folders = [*template_folders, shipped_folder("templates")]
    return Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in dict.fromkeys(folders)]),
        autoescape=select_autoescape(enabled_extensions=("html", "svg", "xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=_Compiled(memos) if memos else None,
    )


def style_sheets(environment: Environment) -> tuple[tuple[str, str], ...]:
    """Return (name, medium) of the style sheets that there are."""
    names = environment.list_templates(extensions=["css"])
    return tuple(sheet for sheet in STYLE_SHEETS if sheet[0] in names)


class _Compiled(BytecodeCache):
    """Compiled templates as memos: one a template, under its place and source."""

    def __init__(self, memos: Memos) -> None:
        self._memos = memos

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return f"{name}\n{filename}"

    def load_bytecode(self, bucket: Bucket) -> None:
        content = self._memos.recall(*_memo_of(bucket))
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._memos.keep(*_memo_of(bucket), bucket.bytecode_to_string())


def _memo_of(bucket: Bucket) -> tuple[str, str]:
    """Return (name, key) of the memo of a template."""
    name = bucket.key.partition("\n")[0]
    return f"templates/{name}.compiled", memo_key([bucket.key, bucket.checksum], "jinja2")
