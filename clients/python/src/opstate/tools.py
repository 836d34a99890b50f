"""The operations of a thread as tools that a model can call."""

import json
from dataclasses import dataclass

from opstate.json_value import Json
from opstate.thread import Thread
from opstate.verdict import Rejected, Verdict


@dataclass(frozen=True)
class Tool:
    """`input_schema` is a JSON Schema of an object. With `approval` a call waits for a person."""

    name: str
    description: str
    input_schema: dict[str, Json]
    approval: bool = False


@dataclass(frozen=True)
class ToolResult:
    """`text` is for the model: what the server said, never more."""

    text: str
    verdict: Verdict
    proposed: bool = False


class Tools:
    """The tools of a thread, as the server offers them to this actor.

    `prefix` is put before each name, for models with several threads.
    """

    def __init__(self, thread: Thread, prefix: str = "") -> None:
        self._thread = thread
        self._prefix = prefix
        schema = thread.schema()
        self._name = schema["definition"]
        self._tools = {
            prefix + one["name"]: Tool(
                name=prefix + one["name"],
                description=one["description"],
                input_schema=one["inputSchema"],
                approval=one.get("approval", False),
            )
            for one in schema["operations"]
        }

    def list(self) -> list[Tool]:
        """All tools, for the request to a model."""
        return [*self._tools.values()]

    def call(
        self,
        name: str,
        arguments: dict[str, Json],
        *,
        call_id: str,
        run_id: str | None = None,
        based_on: int | None = None,
    ) -> ToolResult:
        """Carries out a model's call. The same `call_id` of a run has one effect.

        `based_on` is the version that the model was shown: a call that means what others have
        changed since is a conflict. A call that needs approval is proposed. Raises KeyError for a
        tool that is not offered.
        """
        tool = self._tools[name]
        operation = {**arguments, "type": name.removeprefix(self._prefix)}
        id = call_id if run_id is None else f"{run_id}:{call_id}"
        submit = self._thread.propose if tool.approval else self._thread.submit
        verdict = submit(
            operation, id=id, run_id=run_id, tool_call_id=call_id, based_on=based_on
        )
        proposal = id if tool.approval else None
        return ToolResult(_text_of(self._name, verdict, proposal), verdict, tool.approval)


def _text_of(name: str, verdict: Verdict, proposal: str | None) -> str:
    """The words that agents in TypeScript read, too."""
    if isinstance(verdict, Rejected):
        reason = verdict.code if verdict.reason is None else verdict.reason
        details = "" if verdict.details is None else f"\nDetails: {json.dumps(verdict.details)}"
        return f"Refused ({reason}): {verdict.message}{details}"
    if proposal is not None:
        return (
            f'Proposed as "{proposal}": it waits for a person\'s approval. '
            f"Until it is approved, {name} is unchanged by this call. "
            "Continue without it, and do not propose it again."
        )
    if verdict.commit is None:
        return f"Accepted: {name} is at version {verdict.version}."
    return f"Accepted: {name} is now at version {verdict.version}."
