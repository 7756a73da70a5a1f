"""`python -m tools.faults.prove`: is every write seen where faults are injected? strace says so."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tools.faults.injector import Injector
from tools.faults.layer import LAYER
from tools.faults.scenarios import GOLDEN, ROOT, SCENARIOS

CALLS = {
    "write": "write",
    "pwrite64": "write",
    "writev": "write",
    "rename": "rename",
    "renameat": "rename",
    "renameat2": "exchange",
    "unlink": "unlink",
    "unlinkat": "unlink",
    "rmdir": "unlink",
    "mkdir": "mkdir",
    "mkdirat": "mkdir",
    "link": "link",
    "linkat": "link",
    "chmod": "chmod",
    "fchmodat": "chmod",
    "fsync": "fsync",
    "fdatasync": "fsync",
    "utimensat": "utime",
    "sendfile": "copy",
    "copy_file_range": "copy",
    "ftruncate": "truncate",
    "truncate": "truncate",
}
"""Call of the kernel -> operation of the injector."""
_LINE = re.compile(r"^\d+ +(\w+)\((.*)$")


def kernel_counts(log: Path, root: Path) -> Counter[str]:
    """Return how often the kernel was asked to change something below `root`, by operation."""
    counts: Counter[str] = Counter()
    for line in log.read_text("utf-8", "replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        name, arguments = match[1], match[2]
        is_data = CALLS.get(name) == "write"  # then what is written is quoted, too
        if str(root) not in (arguments.partition('"')[0] if is_data else arguments):
            continue
        if name in ("open", "openat") and re.search("O_(WRONLY|RDWR|CREAT)", arguments):
            counts["open"] += 1
        elif name in CALLS:
            counts[CALLS[name]] += 1
    return counts


def injector_counts(seen: list[tuple[str, str]]) -> Counter[str]:
    """Return the same of what the injector saw."""
    as_kernel = {"rmdir": "unlink"}
    silent = ("read", "list", "close")
    return Counter(as_kernel.get(op, op) for op, _ in seen if op not in silent)


def child(name: str, seen: Path) -> None:
    """Run a scenario under the injector, no fault at all, and note what was seen."""
    scenario = next(each for each in (*LAYER, *SCENARIOS) if each.name == name)
    injector = Injector([Path.cwd().parent])
    injector.install()
    try:
        scenario.act()
    except SystemExit as end:
        if end.code:
            raise
    finally:
        os.chdir("/")
        seen.write_bytes(pickle.dumps(injector.seen))


def prove(name: str, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Return what the kernel and the injector counted in one run of a scenario."""
    scenario = next(each for each in (*LAYER, *SCENARIOS) if each.name == name)
    project, seen, log = folder / "work" / "bread", folder / "seen", folder / "log"
    project.mkdir(parents=True)
    if scenario.is_project:
        shutil.copytree(GOLDEN, project, dirs_exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ready = f"from tools.faults.prove import *; prepare({name!r})"
    subprocess.run([sys.executable, "-c", ready], cwd=project, env=environment, check=True)
    act = f"from tools.faults.prove import *; child({name!r}, Path({str(seen)!r}))"
    strace = ["strace", "-f", "-y", "-s", "4096", "-o", str(log), "-e", "trace=%file,%desc"]
    subprocess.run([*strace, sys.executable, "-c", act], cwd=project, env=environment, check=True)
    return kernel_counts(log, folder / "work"), injector_counts(pickle.loads(seen.read_bytes()))


def prepare(name: str) -> None:
    """Bring the working folder into the state from which a scenario starts."""
    next(each for each in (*LAYER, *SCENARIOS) if each.name == name).prepare()


def main(names: list[str]) -> None:
    print("| scenario | operation | kernel | injector |\n|---|---|---:|---:|")
    differs = False
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            kernel, injector = prove(name, Path(folder))
        for operation in sorted(kernel | injector):
            print(f"| {name} | {operation} | {kernel[operation]} | {injector[operation]} |")
        differs = differs or kernel != injector
    sys.exit(differs)


if __name__ == "__main__":
    main(sys.argv[1:] or ["files: a folder for another", "build, cold", "review apply"])
