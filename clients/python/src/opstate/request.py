"""One request to a server, and how often it is sent."""

import http.client
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from opstate.errors import ServerError, read_problem
from opstate.json_value import Json

Headers = Mapping[str, str] | Callable[[], Mapping[str, str]]


@dataclass(frozen=True)
class RetryPolicy:
    """How a request that got no answer, or came at a bad time, is sent again.

    It is sent `tries` times in all. The server says by Retry-After how long to wait; otherwise it
    is twice as long each time, from `first` to `longest` seconds, with a random part.
    """

    tries: int = 8
    first: float = 0.25
    longest: float = 10.0
    sleep: Callable[[float], None] = time.sleep

    def pause(self, attempt: int, retry_after: float | None = None) -> None:
        """Waits after the attempt with this number, from 0 on."""
        backoff = min(self.longest, self.first * 2**attempt) * random.uniform(0.5, 1)
        self.sleep(backoff if retry_after is None else retry_after)


@dataclass(frozen=True)
class Answer:
    """An answer that was read. `headers` have names in lower case; `body` is None without JSON."""

    status: int
    headers: Mapping[str, str]
    body: Json


class Requester:
    """Sends requests to the routes at `url`, such as "https://boards.example.com/opstate".

    `headers` are the credentials; a function is called for each request, so that it can give a
    fresh token. `timeout` is in seconds, for a connection and for each read.
    """

    def __init__(
        self,
        url: str,
        headers: Headers | None = None,
        *,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f'"{url}" is no address of a server: http://... or https://...')
        self._scheme = parts.scheme
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._headers = headers or {}
        self._timeout = timeout
        self.retry = retry or RetryPolicy()

    def open(
        self,
        method: str,
        path: str,
        body: Json = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Sends a request once. The caller reads the response and closes the connection."""
        is_secure = self._scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=timeout or self._timeout)
        own = self._headers() if callable(self._headers) else self._headers
        text = None if body is None else json.dumps(body).encode()
        typed = {} if text is None else {"content-type": "application/json"}
        try:
            connection.request(
                method, self._prefix + path, text, {**typed, **own, **(headers or {})}
            )
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def send(self, method: str, path: str, body: Json = None) -> Answer:
        """Sends a request, again after a lost answer, 429 and 5xx. Any last answer is returned.

        Only for what may be sent twice: reads, and submissions with an id. Raises OSError or
        HTTPException when no answer came at all.
        """
        attempt = 0
        while True:
            is_last = attempt + 1 >= self.retry.tries
            wait = None
            try:
                answer = self._send_once(method, path, body)
            except (OSError, http.client.HTTPException):
                if is_last:
                    raise
            else:
                problem = _temporary_problem(answer)
                if problem is None or is_last:
                    return answer
                wait = problem.retry_after
            self.retry.pause(attempt, wait)
            attempt += 1

    def call(self, method: str, path: str, body: Json = None) -> Json:
        """The body of an answer. Raises ServerError when the request was refused."""
        answer = self.send(method, path, body)
        if 200 <= answer.status < 300:
            return answer.body
        raise read_problem(answer.status, answer.headers, answer.body)

    def _send_once(self, method: str, path: str, body: Json) -> Answer:
        connection, response = self.open(method, path, body)
        try:
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, json_of(response.read()))
        finally:
            connection.close()


def _temporary_problem(answer: Answer) -> ServerError | None:
    """Why the request is to be sent again; None when its answer is final."""
    is_verdict = isinstance(answer.body, dict) and "rejection" in answer.body
    if answer.status < 400 or is_verdict:
        return None
    problem = read_problem(answer.status, answer.headers, answer.body)
    return problem if problem.is_temporary else None


def json_of(text: bytes) -> Json:
    """The value of a body; None when it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def path_part(text: str) -> str:
    """An id as a part of a path."""
    return quote(text, safe="~")
