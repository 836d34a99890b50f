"""A server that answers as a test says, to see what is sent how often."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Scripted:
    """An answer. Without a status the connection is closed instead."""

    status: int | None
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class ScriptedServer:
    """Answers requests with a list of answers, in order; the last one again and again."""

    def __init__(self, *answers: Scripted) -> None:
        self.requests: list[tuple[str, str, Any]] = []
        self._answers = [*answers]
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._answer))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, method: str, path: str, body: Any) -> Scripted:
        self.requests.append((method, path, body))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def _handler(answer: Callable[[str, str, Any], Scripted]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            text = self.rfile.read(length)
            given = answer(self.command, self.path, json.loads(text) if text else None)
            if given.status is None:
                self.close_connection = True
                return
            body = json.dumps(given.body).encode()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

        def log_message(self, *_: object) -> None:
            """Prints nothing."""

    return Handler
