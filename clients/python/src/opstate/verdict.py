"""The answer to a submission: accepted or rejected."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from opstate.errors import read_problem
from opstate.json_value import Json

_NOT_FINAL = ("conflict", "needs_approval")


@dataclass(frozen=True)
class Accepted:
    """`commit` is None when nothing was changed, or when the commit is no longer kept."""

    version: int
    commit: dict[str, Json] | None = None
    accepted: Literal[True] = True

    @property
    def is_final(self) -> bool:
        """It stays for its id."""
        return True


@dataclass(frozen=True)
class Rejected:
    """`attempt` counts equal refusals."""

    version: int
    rejection: dict[str, Json]
    attempt: int
    accepted: Literal[False] = False

    @property
    def code(self) -> str:
        """opstate's code, such as `refused` or `conflict`."""
        return str(self.rejection.get("code"))

    @property
    def reason(self) -> str | None:
        """The application's reason, such as `item_not_found`."""
        return self.rejection.get("reason")

    @property
    def message(self) -> str:
        """A sentence for a person or a model."""
        return str(self.rejection.get("message"))

    @property
    def details(self) -> Json:
        """What would be legal, as the application gave it."""
        return self.rejection.get("details")

    @property
    def is_final(self) -> bool:
        """Whether it stays for its id. Otherwise the same submission may be accepted later."""
        return self.code not in _NOT_FINAL


Verdict = Accepted | Rejected


def verdict_of(item: Mapping[str, Json]) -> Verdict:
    """The verdict in an answer, or in a list of them."""
    if item.get("accepted") is True:
        return Accepted(item["version"], item.get("commit"))
    return Rejected(item["version"], item["rejection"], item["attempt"])


def read_verdict(status: int, headers: Mapping[str, str], body: Json) -> Verdict:
    """The verdict that an answer is. Raises ServerError when the request itself was refused."""
    is_refusal = isinstance(body, dict) and "rejection" in body and "attempt" in body
    if 200 <= status < 300 or is_refusal:
        return verdict_of(body)
    raise read_problem(status, headers, body)
