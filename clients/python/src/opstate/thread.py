"""One shared state of a server: reading it, changing it, taking back."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from opstate.follow import Following
from opstate.json_value import Json
from opstate.request import Requester, path_part
from opstate.verdict import Verdict, read_verdict, verdict_of

OnDependent = Literal["refuse", "drop", "keep"]


@dataclass(frozen=True)
class Snapshot:
    """The state at a version, and which actor the reader is."""

    version: int
    state: Json
    definition: str
    incarnation: str
    floor: int
    actor: dict[str, str]
    parent: dict[str, Json] | None = None


def new_id() -> str:
    """An id for a submission."""
    return uuid.uuid4().hex


class Thread:
    """A thread of a server. Every call is one request, sent again when its answer is lost.

    Raises ServerError when the server refuses the request. A refused operation is a verdict.
    """

    def __init__(self, requester: Requester, thread_id: str) -> None:
        self._requester = requester
        self.id = thread_id
        self._path = f"/threads/{path_part(thread_id)}"

    def snapshot(self, min_version: int | None = None) -> Snapshot:
        """The state now; with `min_version` no older than that."""
        found = self._get("", minVersion=min_version)
        return Snapshot(
            version=found["version"],
            state=found["state"],
            definition=found["definition"],
            incarnation=found["incarnation"],
            floor=found["floor"],
            actor=found["actor"],
            parent=found.get("parent"),
        )

    def submit(
        self,
        operation: Json,
        *,
        id: str | None = None,
        run_id: str | None = None,
        tool_call_id: str | None = None,
        expected_version: int | None = None,
        based_on: int | None = None,
    ) -> Verdict:
        """Submits an operation. Under one id it has one effect, however often it is sent.

        Without `id` one is made, so that a lost answer is safe. Give one to be safe over a restart
        of your own program, too.
        """
        return self._verdict(
            "/operations",
            id=id or new_id(),
            operation=operation,
            runId=run_id,
            toolCallId=tool_call_id,
            expectedVersion=expected_version,
            basedOn=based_on,
        )

    def submit_all(self, operations: list[Json], *, run_id: str | None = None) -> list[Verdict]:
        """Submits up to 256 operations in one request. Each is judged by itself, in order."""
        items = [
            _present(id=new_id(), operation=operation, runId=run_id) for operation in operations
        ]
        answers = self._requester.call("POST", f"{self._path}/operations", items)
        return [verdict_of(answer) for answer in answers]

    def undo(
        self,
        *,
        ids: list[str] | None = None,
        run_id: str | None = None,
        actor: dict[str, str] | None = None,
        since: int | None = None,
        on_dependent: OnDependent | None = None,
        id: str | None = None,
    ) -> Verdict:
        """Takes back commits by their ids, those of a run, or those of an actor.

        What others did since stays. To redo, undo the commit of the undo.
        """
        target = _present(ids=ids, runId=run_id, actor=actor, since=since)
        return self._verdict(
            "/undo", id=id or new_id(), target=target, onDependent=on_dependent
        )

    def propose(
        self,
        operation: Json,
        *,
        id: str | None = None,
        expires_at: str | None = None,
        based_on: int | None = None,
        run_id: str | None = None,
        tool_call_id: str | None = None,
    ) -> Verdict:
        """Proposes an operation: another actor decides. The proposal's id is the submission's."""
        return self._verdict(
            "/proposals",
            id=id or new_id(),
            operation=operation,
            expiresAt=expires_at,
            basedOn=based_on,
            runId=run_id,
            toolCallId=tool_call_id,
        )

    def proposals(self) -> list[dict[str, Json]]:
        """The open proposals, oldest first."""
        return list(self._get("/proposals"))

    def proposal(self, proposal: str) -> dict[str, Json] | None:
        """What became of a proposal; None when there is none."""
        found: dict[str, Json] | None = self._get(f"/proposals/{path_part(proposal)}")
        return found

    def approve(
        self,
        proposal: str,
        *,
        proposed_at: int | None = None,
        anyway: bool | None = None,
        id: str | None = None,
    ) -> Verdict:
        """Approves a proposal of another actor; `proposed_at` is the version that was shown."""
        return self._verdict(
            f"/proposals/{path_part(proposal)}/approve",
            id=id or new_id(),
            proposedAt=proposed_at,
            anyway=anyway,
        )

    def decline(
        self,
        proposal: str,
        *,
        reason: str | None = None,
        proposed_at: int | None = None,
        id: str | None = None,
    ) -> Verdict:
        """Declines a proposal, or takes back one's own."""
        return self._verdict(
            f"/proposals/{path_part(proposal)}/decline",
            id=id or new_id(),
            reason=reason,
            proposedAt=proposed_at,
        )

    def history(self, after: int = 0, *, rejections: bool = False) -> Iterator[dict[str, Json]]:
        """The entries after a version, oldest first, page after page."""
        while True:
            page = self._get("/history", after=after, rejections="true" if rejections else None)
            yield from page
            if not page or page[-1]["kind"] != "commit":
                return
            after = page[-1]["commit"]["version"]

    def schema(self) -> dict[str, Json]:
        """What this reader may do, as JSON Schema."""
        return dict(self._get("/schema"))

    def follow(self, known: Snapshot | None = None) -> Following:
        """The changes from now on, or from a snapshot that is known. Close it at the end."""
        start = (known.version, known.state, known.incarnation) if known else None
        return Following(self._requester, f"{self._path}/events", start)

    def _get(self, path: str, **query: Json) -> Json:
        present = _present(**query)
        search = f"?{urlencode(present)}" if present else ""
        return self._requester.call("GET", f"{self._path}{path}{search}")

    def _verdict(self, path: str, **body: Json) -> Verdict:
        answer = self._requester.send("POST", f"{self._path}{path}", _present(**body))
        return read_verdict(answer.status, answer.headers, answer.body)


def _present(**members: Json) -> dict[str, Json]:
    """The members that are not None. `operation` may be null."""
    return {
        name: value for name, value in members.items() if value is not None or name == "operation"
    }
