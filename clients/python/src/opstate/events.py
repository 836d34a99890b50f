"""Server-sent events, read line by line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class ServerEvent:
    """`retry` is in milliseconds, in an event without data."""

    event: str
    data: str
    id: str | None = None
    retry: int | None = None


def read_events(lines: Iterable[bytes]) -> Iterator[ServerEvent]:
    """The events of a stream. One that is cut off in the middle is none."""
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in lines:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            if data:
                yield ServerEvent(fields.get("event", "message"), "\n".join(data), fields.get("id"))
            fields, data = {}, []
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "retry" and value.isascii() and value.isdigit():
            yield ServerEvent("", "", retry=int(value))
        elif name in ("event", "id"):
            fields[name] = value
