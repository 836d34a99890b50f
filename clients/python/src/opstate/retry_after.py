"""The header Retry-After: seconds, or a date."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\s*\d+(\.\d+)?\s*", re.ASCII)


def retry_after(text: str | None, now: datetime | None = None) -> float | None:
    """Seconds to wait, 0 at least; None when the header is absent or neither of both."""
    if text is None:
        return None
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
