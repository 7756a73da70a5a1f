"""Fuzzes a reader, guided by the code that its inputs reach: python -m tools.fuzz.readers bibtex.

Needs `pip install -e '.[fuzz]'`. A reader may yield records and raise InputError; at whatever else
it raises, and at an input that takes it longer than five seconds, libFuzzer stops and names the
file with that input. `content` is how files are opened: archives, encodings. What stands behind
the name goes to libFuzzer: `-max_total_time=600`, `-seed=2`, `-minimize_crash=1 FILE`. `all` is
each in turn, as long as `-max_total_time` says.
"""

from __future__ import annotations

import ast
import bz2
import gzip
import io
import lzma
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["classifier.papers", "classifier.files", "classifier.text", "bibtexparser"]
):
    from classifier.errors import InputError
    from classifier.files.content import Content, contents, text_content
    from classifier.files.reading import binary_kind
    from classifier.papers.paper import Paper
    from classifier.papers.reader import Reader
    from classifier.papers.readers import READERS, reader_for
    from classifier.papers.readers.refusals import describe_file

CONTENT = "content"
"""The name under which the opening of files is fuzzed."""
ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "inputs"
MAX_BYTES = 2_000
"""Of a seed: longer ones are tried less often."""
TOKENS: tuple[str, ...] = (
    "{", "}", "@article{", "@comment{", "@string(", '"', " = ", "#", ",", "\\", "$", "\\'{e}",
    "crossref = {a}", "author = {", " and ", "month = jan", "archiveprefix", "eprint",
    "\n", "\r", "\t", " ", ";", "|", "||", "---", "- ", "* ", "1. ", "# ", "## ", "> ", "```",
    "[", "](", ")", "![", "**", "__", "`", "<br>", "<details>", "</details>", "<summary>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "<!DOCTYPE ", "<!ENTITY ", "</", "/>", "&amp;",
    "&#x1F41D;", "&#0;", "&lt;", "<script>", "<table>", "<tr>", "<td>", "<a href=\"", "<i>",
    "TY  - JOUR", "TI  - ", "AU  - ", "ER  - ", "AB  - ", "PMID- ", "FAU - ", "PT J", "UT ", "EF",
    "%0 ", "%A ", "%T ", "\\\\", "arXiv:", "https://arxiv.org/abs/2403.00001", "10.1000/182",
    '{"title": "', '"authors": [', '": {', "null", "true", "[]", "{}", "1e999", "-0", "NaN",
    "\\ud83d", "\\u0000", "None", "'", "title", "Title", "Authors", "Year", "DOI", "Abstract",
    "2024-02-30", "Mar 1, 2024", "2024", "et al.", "others", "\ufeff", "\u00a0", "\u200b",
    "\u2028", "\x00", "\x0b", "\x0c", "\x1c", "\x85", "é", "Ã©", "ﬁ", "𝒳", "²", "٣", "İ",
)  # fmt: skip
"""What the formats are made of, and the signs that programs stumble over."""


def main() -> None:
    """Fuzz one reader until libFuzzer ends, or all of them."""
    readers = {reader.name: reader for reader in READERS}
    name, *options = sys.argv[1:] or [""]
    if name == "all":
        command = [sys.executable, "-m", "tools.fuzz.readers"]
        codes = [subprocess.call([*command, each, *options]) for each in [CONTENT, *readers]]
        sys.exit(any(codes))
    if name != CONTENT and name not in readers:
        sys.exit(f"expected one of {', '.join(['all', CONTENT, *readers])}")
    reader = readers.get(name)
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    (folder / "seeds").mkdir()
    for number, data in enumerate(_seeds_of(reader) if reader else _packed()):
        (folder / "seeds" / str(number)).write_bytes(data)
    tokens = folder / "tokens.txt"
    tokens.write_text("".join(f'"{_escaped(token)}"\n' for token in TOKENS))
    limits = ["-max_len=5000", "-len_control=0", "-timeout=5", "-rss_limit_mb=2000"]
    files = [f"-dict={tokens}", f"-artifact_prefix={folder}/", str(folder / "seeds")]
    print(f"{name}: {folder}", flush=True)
    atheris.Setup([sys.argv[0], *limits, *options, *files], _target(reader, folder / "input"))
    atheris.Fuzz()


def _target(reader: Reader | None, path: Path) -> Callable[[bytes], None]:
    """Return what is run on an input: a reader where it knows it, or the opening of files."""

    def read(data: bytes) -> None:
        content = content_of(data)
        if reader is None or reader.reject_reason(content):
            return
        for record in reader.read(content):
            if isinstance(record, Paper):
                assert record.title.strip(), "a paper without a title"

    def open_file(data: bytes) -> None:
        path.write_bytes(data)
        for content in contents(path, "fuzz"):
            for line in content.lines(100) if content.is_text else ():
                line.encode("utf-8", "surrogatepass")
            if reader_for(content) is None:
                describe_file(content)

    def run(data: bytes) -> None:
        try:
            read(data) if reader else open_file(data)
        except InputError as error:
            str(error).encode()

    return run


def content_of(data: bytes) -> Content:
    """Return bytes as what readers get; a text of them is in UTF-8."""
    if binary_kind(data):
        return Content("fuzz", lambda: io.BytesIO(data), "", "", "")
    return text_content("fuzz", data.decode("utf-8", "replace"))


def _seeds_of(reader: Reader) -> list[bytes]:
    """Return examples that a reader knows: those in our tests, and pieces of the real files."""
    own = (example.replace("@@", "honey").encode() for example in reader.examples)
    found = {*_examples(), *own, *_pieces()}
    filled = (data for data in found if data.strip())
    return sorted(data for data in filled if not reader.reject_reason(content_of(data)))


def _examples() -> Iterator[bytes]:
    """Yield the longer strings in the tests of readers: they are examples of the formats."""
    for path in sorted((ROOT / "tests" / "papers").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and 20 < len(text) <= MAX_BYTES:
                yield text.encode("utf-8", "replace")


def _pieces() -> Iterator[bytes]:
    """Yield the start of each real file, and other pieces of it behind its first line."""
    for path in sorted(REAL.rglob("*")) if REAL.is_dir() else ():
        if path.is_file() and not path.name.startswith("MANIFEST"):
            data = path.read_bytes()
            if len(data) <= 20 * MAX_BYTES and binary_kind(data):
                yield data
            yield data[:MAX_BYTES]
            head = data.partition(b"\n")[0][:MAX_BYTES]
            for place in range(1, 5):
                yield head + data[data.find(b"\n", len(data) * place // 5) :][:MAX_BYTES]


def _packed() -> Iterator[bytes]:
    """Yield small files in all packings and encodings."""
    text = "@article{bees,\n  title = {Bées and brèad — 蜜蜂},\n  year = 2024}\n" * 3
    for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "gb18030"):
        yield text.encode(name, "replace")
    data = text.encode()
    yield from (gzip.compress(data, mtime=0), bz2.compress(data), lzma.compress(data))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bib", text)
        archive.writestr("b/c.bib.gz", gzip.compress(data, mtime=0))
    yield packed.getvalue()


def _escaped(token: str) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
        for byte in token.encode()
    )


if __name__ == "__main__":
    main()
