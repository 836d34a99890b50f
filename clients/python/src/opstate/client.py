"""A server of opstate."""

from opstate.errors import ServerError
from opstate.json_value import Json
from opstate.request import Headers, Requester, RetryPolicy, path_part
from opstate.thread import Thread


class Client:
    """The threads of a server.

    >>> client = Client("http://localhost:4310", {"authorization": "Bearer ..."})
    >>> thread = client.thread("launch")
    """

    def __init__(
        self,
        url: str,
        headers: Headers | None = None,
        *,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._requester = Requester(url, headers, timeout=timeout, retry=retry)

    def thread(self, thread_id: str) -> Thread:
        """A thread that exists. Nothing is sent yet."""
        return Thread(self._requester, thread_id)

    def create(self, thread_id: str, definition: str) -> Thread:
        """A thread of a definition, created when there is none."""
        self._requester.call("PUT", f"/threads/{path_part(thread_id)}", {"definition": definition})
        return self.thread(thread_id)

    def delete(self, thread_id: str) -> None:
        """Deletes a thread with its branches. Needs the right to administer it.

        One that is gone is no error: the answer to the request that deleted it may be lost.
        """
        try:
            self._requester.call("DELETE", f"/threads/{path_part(thread_id)}")
        except ServerError as error:
            if error.code != "unknown_thread":
                raise

    def threads(self, limit: int = 500) -> list[dict[str, Json]]:
        """The oldest threads that this reader may read."""
        return list(self._requester.call("GET", f"/threads?limit={limit}"))
