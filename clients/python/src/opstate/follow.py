"""The state of a thread as it changes: patches applied, and the stream resumed when it is lost."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import quote

from opstate.errors import ServerError, read_problem
from opstate.events import ServerEvent, read_events
from opstate.json_value import Json
from opstate.patch import PatchError, apply_patch
from opstate.request import Requester, json_of

SILENCE = 60.0
"""Seconds without a sign, after which a stream counts as lost. A heartbeat comes every 15."""


@dataclass(frozen=True)
class Change:
    """The state at a version. Without commits it is a whole new one: the first, or after a gap."""

    version: int
    state: Json
    commits: list[dict[str, Json]] = field(default_factory=list)


class _Lost(Exception):
    """The stream must be opened again."""


class Following:
    """The changes of a thread, one after the other; iterate over it, and close it.

    Do not change `state` or what a change has: later states share it.
    """

    def __init__(
        self, requester: Requester, path: str, known: tuple[int, Json, str] | None = None
    ) -> None:
        self._requester = requester
        self._path = path
        self._retry: float | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._lock = threading.Lock()
        self._closed = False
        self.version: int | None = known[0] if known else None
        self.state: Json = known[1] if known else None
        self.incarnation: str | None = known[2] if known else None
        self.actor: dict[str, str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the iteration, from any thread."""
        with self._lock:
            self._closed = True
            connection = self._connection
        if connection is not None:
            _shut(connection)

    def __iter__(self) -> Iterator[Change]:
        """Raises ServerError when the server does not let this reader go on."""
        attempt = 0
        while not self._closed:
            wait = None
            try:
                for change in self._read_stream():
                    attempt = 0
                    yield change
            except (_Lost, OSError, http.client.HTTPException):
                pass
            except ServerError as error:
                if not error.is_temporary:
                    raise
                wait = error.retry_after
            if self._closed:
                return
            # A stream that ends says when to come back.
            self._requester.retry.pause(attempt, self._retry if wait is None else wait)
            self._retry = None
            attempt += 1

    def _read_stream(self) -> Iterator[Change]:
        connection, response = self._open()
        try:
            if response.status != 200:
                headers = {name.lower(): value for name, value in response.getheaders()}
                raise read_problem(response.status, headers, json_of(response.read()))
            for event in read_events(response):
                change = self._take(event)
                if change is not None:
                    yield change
        finally:
            connection.close()

    def _open(self) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        query = f"?incarnation={quote(self.incarnation)}" if self.incarnation else ""
        position = {} if self.version is None else {"last-event-id": str(self.version)}
        connection, response = self._requester.open(
            "GET", self._path + query, headers=position, timeout=SILENCE
        )
        with self._lock:
            self._connection = connection
            closed = self._closed
        if closed:
            connection.close()
            raise _Lost
        return connection, response

    def _take(self, event: ServerEvent) -> Change | None:
        if event.retry is not None:
            self._retry = event.retry / 1000
            return None
        message = json.loads(event.data)
        match event.event:
            case "welcome":
                self.actor = message["actor"]
                self.incarnation = message["incarnation"]
            case "snapshot":
                self.version = message["snapshot"]["version"]
                self.state = message["snapshot"]["state"]
                return Change(message["snapshot"]["version"], self.state)
            case "commits":
                return self._apply(message["commits"])
            case "problem":
                raise read_problem(message["status"], {}, message)
        return None

    def _apply(self, commits: list[dict[str, Json]]) -> Change | None:
        version = self.version
        fresh = [one for one in commits if version is None or one["version"] > version]
        if not fresh:
            return None
        state = self.state
        for commit in fresh:
            if version is None or commit["version"] != version + 1:
                raise _Lost
            try:
                state = apply_patch(state, commit["patches"])
            except PatchError:
                # Whatever this state is, it is not the server's. It begins anew.
                self.version = self.incarnation = None
                raise _Lost from None
            version = commit["version"]
        assert version is not None
        self.version, self.state = version, state
        return Change(version, state, fresh)


def _shut(connection: http.client.HTTPConnection) -> None:
    """Wakes a reader of the connection in another thread."""
    try:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
