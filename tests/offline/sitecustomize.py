"""Read by every Python that a test starts: it has no network but loopback either."""

import os
import sys

from loopback_only import NOTED_IN, watch

if NOTED_IN in os.environ:
    sys.addaudithook(watch)
