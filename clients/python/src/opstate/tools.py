"""The operations of a thread as tools that a model can call."""

import json
from dataclasses import dataclass

from opstate.json_value import Json
from opstate.thread import Thread
from opstate.verdict import Accepted, Verdict


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
        self._tools = {
            prefix + one["name"]: Tool(
                name=prefix + one["name"],
                description=one["description"],
                input_schema=one["inputSchema"],
                approval=one.get("approval", False),
            )
            for one in thread.schema()["operations"]
        }

    def list(self) -> list[Tool]:
        """All tools, for the request to a model."""
        return [*self._tools.values()]

    def call(
        self, name: str, arguments: dict[str, Json], *, call_id: str, run_id: str | None = None
    ) -> ToolResult:
        """Carries out a model's call. The same `call_id` of a run has one effect.

        A call that needs approval is proposed. Raises KeyError for a tool that is not offered.
        """
        tool = self._tools[name]
        operation = {**arguments, "type": name.removeprefix(self._prefix)}
        id = call_id if run_id is None else f"{run_id}:{call_id}"
        submit = self._thread.propose if tool.approval else self._thread.submit
        verdict = submit(operation, id=id, run_id=run_id, tool_call_id=call_id)
        return ToolResult(_text_of(verdict, tool.approval), verdict, tool.approval)


def _text_of(verdict: Verdict, proposed: bool) -> str:
    if isinstance(verdict, Accepted):
        if proposed:
            return "Proposed. Nothing is changed until a person approves it."
        return f"Accepted: the state is at version {verdict.version}."
    reason = verdict.code if verdict.reason is None else f"{verdict.code}, {verdict.reason}"
    details = "" if verdict.details is None else f" Details: {json.dumps(verdict.details)}"
    return f"Rejected ({reason}): {verdict.message}{details}"
