"""What this client makes of patches and of answers, as plain JSON: for comparison."""

import json
from datetime import datetime
from typing import Any

from opstate import Accepted, PatchError, ServerError, apply_patch
from opstate.verdict import read_verdict


def patch_reading(document: Any, patch: Any) -> dict[str, Any]:
    """The document after a patch, or the code of the error."""
    try:
        return {"after": apply_patch(document, patch)}
    except PatchError as error:
        return {"error": error.code}


def answer_reading(answer: dict[str, Any], now: datetime | None = None) -> dict[str, Any]:
    """The verdict of an answer, or the error; `retryAfter` is in milliseconds."""
    text = answer["text"] if "text" in answer else json.dumps(answer.get("body"))
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    try:
        verdict = read_verdict(answer["status"], answer["headers"], body)
    except ServerError as error:
        wait = error.retry_after
        said = {} if wait is None else {"retryAfter": round(wait * 1000)}
        return {
            "error": {
                "status": error.status,
                "code": error.code,
                "message": str(error),
                **said,
            }
        }
    if isinstance(verdict, Accepted):
        commit = {} if verdict.commit is None else {"commit": verdict.commit}
        return {
            "verdict": {"accepted": True, "version": verdict.version, **commit},
            "final": verdict.is_final,
        }
    return {
        "verdict": {
            "accepted": False,
            "version": verdict.version,
            "rejection": verdict.rejection,
            "attempt": verdict.attempt,
        },
        "final": verdict.is_final,
    }
