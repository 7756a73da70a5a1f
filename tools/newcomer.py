"""From a clone to a survey of one's own papers, as a newcomer would: `python -m tools.newcomer`.

Takes a copy of what git has (the clone) into an empty folder, makes a fresh environment there with
the interpreter that runs this, and runs the commands of the README one by one in a shell with
nothing else on its path. Prints what was typed, what came, and the seconds, and at the end how many
commands and minutes it took; exits with 1 where that is more than a newcomer has patience for.
Installs packages, so it needs an index.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_COMMANDS, MOST_MINUTES = 6, 5
LIBRARY = "docs/examples/bees.bib"
"""What the newcomer has: a library of their own, outside of the clone."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the transcript."""

    command: str
    printed: str
    seconds: float


def commands() -> list[str]:
    """Return what is typed: the README's commands, `git clone` before them."""
    blocks = re.findall(r"^```sh[^\n]*\n(.*?)^```$", _readme(), re.MULTILINE | re.DOTALL)
    install = next(block for block in blocks if "pip install ." in block).splitlines()[0]
    own = next(block for block in blocks if "fieldguide new" in block).splitlines()
    own = [line.partition(" #")[0].rstrip() for line in own]
    own[0] = own[0].replace("library.bib", "../library.bib")
    return ["git clone CLONE fieldguide && cd fieldguide", install, ". .venv/bin/activate", *own]


def walk(folder: Path) -> Iterator[Step]:
    """Yield each command once it has been run in one shell that begins in `folder`."""
    (folder / "library.bib").write_bytes((ROOT / LIBRARY).read_bytes())
    python = Path(sys.executable).resolve().parent
    environment = {
        "HOME": str(folder),
        "PATH": f"{python}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
    }
    done = "END-OF-COMMAND"
    with subprocess.Popen(
        ["bash", "--norc"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment,
    ) as shell:
        assert shell.stdin
        assert shell.stdout
        for command in commands():
            started = time.monotonic()
            typed = command.replace("CLONE", ROOT.as_uri())
            shell.stdin.write(f"{typed}\necho {done} $?\n")
            shell.stdin.flush()
            lines: list[str] = []
            for line in shell.stdout:
                if line.startswith(done):
                    break
                lines.append(line)
            seconds = time.monotonic() - started
            if line.split()[-1] != "0":
                raise SystemExit(f"$ {command}\n{''.join(lines)}it failed")
            yield Step(command, "".join(lines), seconds)
        shell.stdin.close()


def _readme() -> str:
    return (ROOT / "README.md").read_text("utf-8")


def main() -> int:
    """Print the transcript, and say whether a newcomer would have stayed."""
    steps: list[Step] = []
    with tempfile.TemporaryDirectory() as folder:
        for step in walk(Path(folder)):
            sys.stdout.write(f"$ {step.command}\n{step.printed}[{step.seconds:.1f} s]\n\n")
            sys.stdout.flush()
            steps.append(step)
    minutes = sum(step.seconds for step in steps) / 60
    sys.stdout.write(f"{len(steps)} commands, {minutes:.1f} minutes\n")
    return int(len(steps) > MOST_COMMANDS or minutes > MOST_MINUTES)


if __name__ == "__main__":
    raise SystemExit(main())
