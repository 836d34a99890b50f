"""What a server refuses as a request. A refused operation is a verdict instead."""

from collections.abc import Mapping
from datetime import datetime

from opstate.json_value import Json
from opstate.retry_after import retry_after


class ServerError(Exception):
    """The server refused a request, or failed.

    `code` is that of the problem document, or `http_<status>` when there is none. `retry_after` is
    in seconds, where the server says when to send again.
    """

    def __init__(
        self, status: int, code: str, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may be accepted later."""
        late = self.status >= 500 or self.status in (408, 425, 429)
        return late or self.retry_after is not None


def read_problem(
    status: int, headers: Mapping[str, str], body: Json, now: datetime | None = None
) -> ServerError:
    """The error that an answer means. `headers` have names in lower case."""
    problem = body if isinstance(body, dict) else {}
    code, detail, seconds = (problem.get(name) for name in ("code", "detail", "retryAfter"))
    wait = retry_after(headers.get("retry-after"), now)
    if wait is None and isinstance(seconds, int | float) and not isinstance(seconds, bool):
        wait = float(seconds)
    return ServerError(
        status,
        code if isinstance(code, str) else f"http_{status}",
        detail if isinstance(detail, str) else f"The server answered {status}.",
        wait,
    )
