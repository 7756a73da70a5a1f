"""The review page on the server: clients with the token get it, and their answers are saved."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from threading import Lock

from classifier.errors import FieldguideError
from classifier.files.kept_files import write_numbered
from classifier.files.lock import sole_writer

ADDRESS = "/-/review"
TOKEN = "X-Fieldguide-Token"
FILE = "X-Fieldguide-File"
MAX_BYTES = 20_000_000
_FILE_NAME = re.compile(r"reviews-[a-z0-9-]{1,60}\.csv")
_HEADER = b"id,title,"
_CLOSED = "Open the address of the review page that the terminal prints."


class ReviewDesk:
    """The review page of a project, and the only request that saves answers."""

    def __init__(self, make_page: Callable[[str], bytes], folder: Path) -> None:
        """Create a review desk.

        make_page: returns the page for a token. folder: folder for the answers.
        """
        self.token = secrets.token_urlsafe(18)
        self._make_page, self._folder = make_page, folder
        self._lock = Lock()
        self._page: tuple[str, bytes] = ("", b"")

    def page(self, token: str, version: str) -> tuple[int, bytes]:
        """Return a status and the page, or the reason why there is no page.

        version: version of the survey; if it has changed, the page is created again.
        """
        if not self._is_valid(token):
            return 403, _CLOSED.encode()
        with self._lock:
            if self._page[0] != version or not version:
                try:
                    self._page = version, self._make_page(self.token)
                except FieldguideError as error:
                    return 503, str(error).encode()
            return 200, self._page[1]

    def refusal_reason(self, headers: Message) -> tuple[int, str] | None:
        """Return the reason why a request may not save answers, or None.

        The server has already checked Host and refused foreign Origins.
        """
        if not self._is_valid(headers.get(TOKEN, "")):
            return 403, _CLOSED
        if headers.get("Origin") is None:
            return 403, "Only the review page may save answers."
        if headers.get("Content-Type") != "text/csv":
            return 415, "Expected text/csv."
        size = headers.get("Content-Length", "")
        if not size.isascii() or not size.isdigit() or int(size) > MAX_BYTES:
            return 413, "Too many answers for one file."
        if not _FILE_NAME.fullmatch(headers.get(FILE, "")):
            return 400, "Expected a file name such as reviews-ada.csv."
        return None

    def save(self, name: str, data: bytes) -> tuple[int, str]:
        """Write answers to a new file; return a status and a message for the page."""
        if not data.startswith(_HEADER):
            return 400, "Expected a sheet with the columns id, title, …"
        try:
            with sole_writer(self._folder):
                path = write_numbered(self._folder, name, data)
        except FieldguideError as error:
            return 503, str(error)
        shown = f"{path.parent.name}/{path.name}"
        return 200, f"Saved {shown}. Next: fieldguide review apply {shown}"

    def _is_valid(self, token: str) -> bool:
        """Return whether a token is the token of this server."""
        return hmac.compare_digest(token.encode(), self.token.encode())
