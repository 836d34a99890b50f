"""A real server, and a thread of its own for each test."""

import unittest
import uuid

from opstate import Client, RetryPolicy, Thread
from tests.running_server import RunningServer

QUICK = RetryPolicy(tries=200, first=0.02, longest=0.2)


class ServerCase(unittest.TestCase):
    """Each test has a thread of its own; ada made it."""

    server: RunningServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = RunningServer()
        cls.addClassCleanup(cls.server.close)

    def setUp(self) -> None:
        self.thread_id = f"python ä~{uuid.uuid4().hex}".replace(" ", "_")
        self.ada = self.client("ada").create(self.thread_id, "conformance")
        self.bob = self.thread("bob")
        self.bot = self.thread("bot")

    def client(self, name: str) -> Client:
        return Client(
            self.server.url, {"authorization": f"Bearer conformance-{name}"}, retry=QUICK
        )

    def thread(self, name: str) -> Thread:
        return self.client(name).thread(self.thread_id)

    def items(self) -> list[str]:
        return [item["itemId"] for item in self.ada.snapshot().state["items"]]


def add(item_id: str) -> dict[str, str]:
    """An operation that adds an item."""
    return {"type": "add", "itemId": item_id, "title": item_id.upper()}
