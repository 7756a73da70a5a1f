"""Two names exchanged in one step, so that neither of them is ever missing."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV}


def exchange(one: Path, other: Path) -> bool:
    """Exchange what two names lead to; False where the system or its file system cannot.

    Raises OSError where it could, and may not.
    """
    if not sys.platform.startswith(("linux", "darwin")):
        return False
    import ctypes  # late: it is of use only where something is swapped

    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    try:
        if sys.platform == "darwin":
            failed = library.renamex_np(first, second, _EXCHANGE)
        else:
            failed = library.renameat2(_HERE, first, _HERE, second, _EXCHANGE)
    except AttributeError:  # a C library of before 2018
        return False
    if not failed:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code), str(one))
