"""The server of `review serve`: that of the site, with another page."""

from __future__ import annotations

import secrets
from functools import partial
from threading import Lock

from classifier.errors import UsageError
from classifier.extras.serve.address import open_sockets
from classifier.extras.serve.news import News
from classifier.extras.serve.review import Review
from classifier.extras.serve.review_requests import ReviewRequest
from classifier.extras.serve.server import Server
from classifier.extras.serve.site_folder import SiteFolder
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.read_rows import is_reviewer


def review_server(
    project: Project, reviewer: str, port: int | None, progress: Progress | None = None
) -> tuple[Server, str]:
    """Return a server that answers nothing yet, and the address of its page with its token.

    Raises UsageError where the port is taken, nothing was built, or nobody knows who reviews.
    """
    if not reviewer or not is_reviewer(reviewer):
        raise UsageError(f"--reviewer {reviewer!r}: wanted the name of who decides.")
    review = Review(project, project.out, reviewer, progress)
    token = secrets.token_urlsafe(18)
    handler = partial(ReviewRequest, review, token, Lock())
    server = Server(open_sockets(port), SiteFolder(project.out), News(), handler=handler)
    return server, f"{server.address}?token={token}"
