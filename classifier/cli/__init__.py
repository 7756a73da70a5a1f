"""The command line: each command parses its options, makes one library call and prints.

Only this package prints. There is one file per group of commands. Commands import heavy packages
(scikit-learn, pandas) when they are called, so that `--help` is fast.
"""

from __future__ import annotations

import gc
import signal
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line. Ctrl-C prints one line, not a traceback, even during imports."""
    # A command fills large structures without cycles: to search them for cycles so often as Python
    # does by default takes a tenth of the time of a build.
    gc.set_threshold(500_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # A Windows pipe may lack characters.
            stream.reconfigure(errors="backslashreplace")
    try:
        from classifier.cli.commands import app

        app()
    except KeyboardInterrupt:
        print("Stopped; nothing was written.", file=sys.stderr)
        raise SystemExit(130) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # From here only Python itself exits.
