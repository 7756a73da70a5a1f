"""The command line: each command parses, makes one library call, prints. Only here is printed.

A file a group of commands. Heavy parts (scikit-learn, pandas, …) are imported inside the commands:
--help answers at once.
"""

from __future__ import annotations

import gc
import signal
import sys
from io import TextIOWrapper

_YOUNG = 20_000
"""Objects that may be new before Python looks for cycles among them: with its 700 that takes seven
of a hundred seconds of a build, which makes many objects and hardly a cycle."""


def main() -> None:
    """Run the command line. Ctrl-C is one line from the first import to the end of the process."""
    gc.set_threshold(_YOUNG, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a pipe on Windows knows no letter beyond Europe's
            stream.reconfigure(errors="backslashreplace")
    try:
        from classifier.cli.commands import app

        app()
    except KeyboardInterrupt:
        print("Stopped; nothing was written.", file=sys.stderr)
        raise SystemExit(130) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # what is left is Python's own end
