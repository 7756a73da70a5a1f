"""A session that gives the user's key to the service that it is meant for, and to nobody else."""

from __future__ import annotations

from requests import PreparedRequest, Response, Session

from classifier.extras.fetch.service import KEY_HEADERS


class KeySession(Session):
    """A session in which a redirect to another server takes no key along.

    Of itself requests holds back the header Authorization alone.
    """

    def rebuild_auth(self, prepared_request: PreparedRequest, response: Response) -> None:
        """Take the keys off a redirected request that leads elsewhere, or is no longer secret."""
        super().rebuild_auth(prepared_request, response)
        asked, led_to = response.request.url or "", prepared_request.url or ""
        if self.should_strip_auth(asked, led_to):
            for name in KEY_HEADERS:
                prepared_request.headers.pop(name, None)
