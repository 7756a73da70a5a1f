"""Fuzzes a reader, guided by the code that its inputs reach: python -m tools.fuzz.readers bibtex.

Needs `pip install -e '.[fuzz]'`. A reader may yield records and raise InputError; whatever else
it raises, and whatever takes it long, is written to a folder with the input that does it, made
as short as can be. `content` is how files are opened: archives, encodings.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

CONTENT = "content"
"""The name under which the opening of files is fuzzed."""
MOST_BYTES = 5_000
# What a run may take, in seconds of the processor; instrumented code takes three times as long.
MOST_SECONDS = 0.5
MOST_SECONDS_A_KILOBYTE = 0.05
HANGS = 5.0
MOST_MEGABYTES = 2_000

Target = Callable[[bytes], None]


class TooSlow(BaseException):
    """A run took too long; no reader may catch it."""


def main() -> None:
    """Fuzz one reader until its seconds are over, then print what was found."""
    arguments = _arguments()
    names = [reader.name for reader in _readers()]
    if arguments.list:
        print("\n".join([CONTENT, *names]))
    elif arguments.reader not in (CONTENT, *names):
        sys.exit(f"no reader {arguments.reader}; there are {', '.join([CONTENT, *names])}")
    else:
        _fuzz(arguments.reader, arguments.seconds, arguments.corpus, arguments.seed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.readers", description=__doc__)
    parser.add_argument("reader", nargs="?", help="its name; --list says which there are")
    parser.add_argument("--list", action="store_true", help="list the readers")
    parser.add_argument("--seconds", type=float, default=600, help="of the processor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, help="folder of inputs and findings, kept")
    return parser.parse_args()


def _readers() -> tuple:
    from classifier.papers.formats import READERS

    return READERS


def _fuzz(name: str, seconds: float, folder: Path | None, seed: int) -> None:
    import atheris

    for module in [name for name in sys.modules if name.split(".")[0] == "classifier"]:
        del sys.modules[module]  # imported anew, instrumented
    with atheris.instrument_imports(
        include=["classifier.papers", "classifier.files", "classifier.text", "bibtexparser"]
    ):
        import bibtexparser  # noqa: F401

        import classifier.papers.load  # noqa: F401
        from tools.fuzz.seeds import TOKENS, mutated, seeds_of

        target = _target(name)
        seeds = _content_seeds() if name == CONTENT else seeds_of(_reader(name))
    folder = folder or Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    inputs, findings = folder / "inputs", folder / "findings"
    for made in (inputs, findings):
        made.mkdir(parents=True, exist_ok=True)
    for data in seeds:
        (inputs / _digest(data)).write_bytes(data)
    dictionary = folder / "tokens.txt"
    dictionary.write_text("".join(f'"{_escaped(token)}"\n' for token in TOKENS))
    run = _Run(target, findings, seconds)
    random = Random(seed)

    def mutate(data: bytes, most: int, number: int) -> bytes:
        random.seed(number)
        if random.random() < 0.5:
            return atheris.Mutate(data, most)
        return mutated(data, seeds, random)[:most]

    print(f"{name}: {len(seeds)} seeds, in {folder}", flush=True)
    options = [
        f"-max_len={MOST_BYTES}", "-len_control=0", f"-dict={dictionary}", f"-seed={seed}",
        "-timeout=100", f"-rss_limit_mb={MOST_MEGABYTES}", f"-artifact_prefix={findings}/",
        "-print_final_stats=1", str(inputs),
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options], run, custom_mutator=mutate)
    atheris.Fuzz()


def _reader(name: str) -> object:
    return next(reader for reader in _readers() if reader.name == name)


def _target(name: str) -> Target:
    """Return what is run on an input: a reader where it knows it, or the opening of files."""
    from classifier.errors import InputError
    from classifier.papers.paper import Paper
    from tools.fuzz.seeds import content_of

    reader = None if name == CONTENT else _reader(name)

    def read(data: bytes) -> None:
        try:
            content = content_of(data)
            if reader.why_not(content):
                return
            for record in reader.read(content):
                if isinstance(record, Paper):
                    assert record.title.strip(), "a paper without a title"
                repr(record).encode()
        except InputError as error:
            str(error).encode()

    memory = Path("/dev/shm" if Path("/dev/shm").is_dir() else tempfile.gettempdir())
    path = memory / f"fuzz-content-{os.getpid()}"

    def open_file(data: bytes) -> None:
        from classifier.files.content import contents
        from classifier.papers.formats import describe_unknown, reader_for

        path.write_bytes(data)
        try:
            for content in contents(path, "fuzz"):
                for line in content.lines(100) if content.is_text else ():
                    line.encode("utf-8", "surrogatepass")
                content.digest()
                if reader_for(content) is None:
                    describe_unknown(content).encode()
        except InputError as error:
            str(error).encode()

    return open_file if name == CONTENT else read


class _Run:
    """Runs inputs until the time is over; keeps one input for each finding."""

    def __init__(self, target: Target, findings: Path, seconds: float) -> None:
        self._target = target
        self._findings = findings
        self._seconds = seconds
        self._started = time.process_time()
        self._runs = 0
        self._found: dict[str, str] = {}
        self._slowest = 0.0
        signal.signal(signal.SIGVTALRM, _too_slow)

    def __call__(self, data: bytes) -> None:
        """Run one input; called by the fuzzer."""
        self._runs += 1
        finding, seconds = self._finding(data)
        self._slowest = max(self._slowest, seconds)
        if finding and finding not in self._found:
            self._found[finding] = ""
            self._keep(finding, data)
        if time.process_time() - self._started > self._seconds:
            self._end()

    def _finding(self, data: bytes) -> tuple[str, float]:
        """Return what is wrong with a run, "" where nothing is, and the seconds that it took."""
        started = time.process_time()
        try:
            with _alarm(HANGS):
                self._target(data)
        except TooSlow as error:
            return f"hangs in {_place(error)}", HANGS
        except Exception as error:
            return f"{type(error).__name__} in {_place(error)}", 0
        seconds = time.process_time() - started
        allowed = max(MOST_SECONDS, MOST_SECONDS_A_KILOBYTE * len(data) / 1000)
        if seconds > allowed and self._slow_again(data, allowed):
            with _alarm(allowed / 2):
                try:
                    self._target(data)
                except TooSlow as error:
                    return f"slow in {_place(error)}", seconds
            return "slow", seconds
        return "", seconds

    def _slow_again(self, data: bytes, allowed: float) -> bool:
        """Say whether a run is slow once more: the first may have loaded a library."""
        started = time.process_time()
        self._target(data)
        return time.process_time() - started > allowed

    def _keep(self, finding: str, data: bytes) -> None:
        shorter = self._shortened(finding, data)
        path = self._findings / _digest(finding.encode())
        path.write_bytes(shorter)
        path.with_suffix(".whole").write_bytes(data)
        detail = self._traceback(shorter)
        path.with_suffix(".txt").write_text(f"{finding}\n{detail}")
        print(f"FOUND {finding}: {len(shorter)} bytes in {path}\n{detail}", flush=True)

    def _shortened(self, finding: str, data: bytes, seconds: float = 20) -> bytes:
        """Return the input with every piece left out without which it still does the same."""
        end = time.process_time() + seconds
        size = len(data) // 2
        while size:
            start = 0
            while start < len(data):
                if time.process_time() > end:
                    return data
                shorter = data[:start] + data[start + size :]
                if self._finding(shorter)[0] == finding:
                    data = shorter
                else:
                    start += size
            size //= 2
        return data

    def _traceback(self, data: bytes) -> str:
        try:
            with _alarm(HANGS):
                self._target(data)
        except BaseException:
            return traceback.format_exc(limit=-8)
        return ""

    def _end(self) -> None:
        spent = time.process_time() - self._started
        print(f"END {spent:.0f} s, {self._runs:,} runs, slowest {self._slowest:.2f} s")
        print("\n".join(sorted(self._found)) or "nothing found", flush=True)
        os._exit(1 if self._found else 0)


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise TooSlow once the process has computed so long."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _place(error: BaseException) -> str:
    """Return the last function of ours that an error comes from, and its line."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/classifier/" in frame.filename] or frames
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {ours[-1].name}"


def _content_seeds() -> list[bytes]:
    """Return small files in all packings and encodings."""
    import bz2
    import gzip
    import io
    import lzma
    import zipfile

    text = "@article{bees,\n  title = {Bées and brèad — 蜜蜂},\n  year = 2024}\n" * 3
    plain = [text.encode(name, "replace") for name in (
        "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "gb18030", "shift_jis",
    )]  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bib", text)
        archive.writestr("b/c.bib.gz", gzip.compress(text.encode(), mtime=0))
    data = plain[0]
    return [*plain, gzip.compress(data, mtime=0), bz2.compress(data), lzma.compress(data),
            packed.getvalue(), *_zstandard(data)]  # fmt: skip


def _zstandard(data: bytes) -> list[bytes]:
    try:
        import zstandard
    except ImportError:
        return []
    return [zstandard.ZstdCompressor().compress(data)]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _escaped(token: str) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
        for byte in token.encode()
    )


if __name__ == "__main__":
    main()
