"""A client of opstate: shared state that agents cannot corrupt, and people can take back."""

from opstate.client import Client
from opstate.errors import ServerError
from opstate.follow import Change, Following
from opstate.patch import PatchError, apply_patch
from opstate.request import Requester, RetryPolicy
from opstate.thread import Snapshot, Thread
from opstate.tools import Tool, ToolResult, Tools
from opstate.verdict import Accepted, Rejected, Verdict

__all__ = [
    "Accepted",
    "Change",
    "Client",
    "Following",
    "PatchError",
    "Rejected",
    "Requester",
    "RetryPolicy",
    "ServerError",
    "Snapshot",
    "Thread",
    "Tool",
    "ToolResult",
    "Tools",
    "Verdict",
    "apply_patch",
]
