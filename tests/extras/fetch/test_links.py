"""Links that lead nowhere."""

from __future__ import annotations

from replay_server import Answer, Replay

from classifier.extras.fetch.links import check_links
from classifier.papers.paper import Paper


def test_what_is_gone_twice_is_dead(server: Replay) -> None:
    def paper(path: str) -> Paper:
        return Paper(path, url=f"{server.url}{path}")

    server.answering = lambda asked: Answer(status=200 if asked.path == "/there" else 404)
    papers = [paper("/there"), paper("/gone"), Paper("none"), Paper("x", url="http://127.0.0.1:9/")]
    found = check_links(papers, sleep=lambda _: None)
    assert [(link.paper.title, link.state, link.said) for link in found] == [
        ("/gone", "dead", "404"),
        ("x", "not reached", "ConnectionError"),
    ]
