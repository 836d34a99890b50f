"""JSON Patch (RFC 6902), applied strictly: all or nothing, and nothing given is written to."""

import re
from collections.abc import Callable
from typing import Literal

from opstate.json_value import Json, equal
from opstate.pointer import parse_pointer

PatchErrorCode = Literal[
    "invalid_patch",
    "invalid_operation",
    "invalid_pointer",
    "invalid_value",
    "not_found",
    "test_failed",
]

_INDEX = re.compile(r"0|[1-9][0-9]*")
_PROTO = "__proto__"


class PatchError(Exception):
    """A patch that does not apply. `index` is the operation that failed; -1: the patch itself."""

    def __init__(self, code: PatchErrorCode, message: str, index: int = -1) -> None:
        super().__init__(message)
        self.code: PatchErrorCode = code
        self.index = index


def apply_patch(document: Json, patch: Json) -> Json:
    """The document after a patch. It shares what is untouched with the one before.

    Raises PatchError; then nothing of the patch was applied.
    """
    if not isinstance(patch, list):
        raise PatchError("invalid_patch", "A patch is a list of operations.")
    for index, operation in enumerate(patch):
        try:
            document = _apply(document, operation)
        except PatchError as error:
            error.index = index
            raise
    return document


def _apply(document: Json, operation: Json) -> Json:
    if not isinstance(operation, dict):
        raise PatchError("invalid_operation", "An operation is an object.")
    match operation.get("op"):
        case "add":
            path = _tokens(operation, "path")
            return _add(document, path, _value(operation))
        case "remove":
            return _remove(document, _tokens(operation, "path"))
        case "replace":
            path = _tokens(operation, "path")
            return _replace(document, path, _value(operation))
        case "move":
            return _move(document, _tokens(operation, "from"), _tokens(operation, "path"))
        case "copy":
            source, path = _tokens(operation, "from"), _tokens(operation, "path")
            return _add(document, path, _read(document, source))
        case "test":
            path = _tokens(operation, "path")
            value = _value(operation)
            if not equal(_read(document, path), value):
                raise PatchError("test_failed", f"{operation['path']} has another value.")
            return document
        case other:
            raise PatchError("invalid_operation", f"{other!r} is no operation of JSON Patch.")


def _tokens(operation: dict[str, Json], member: str) -> list[str]:
    if member not in operation:
        raise PatchError("invalid_operation", f'"{member}" is missing.')
    pointer = operation[member]
    if not isinstance(pointer, str):
        raise PatchError("invalid_pointer", f'"{member}" must be a text.')
    try:
        tokens = parse_pointer(pointer)
    except ValueError as error:
        raise PatchError("invalid_pointer", str(error)) from None
    if _PROTO in tokens:
        raise PatchError("invalid_pointer", f'"{member}" must not name "{_PROTO}".')
    return tokens


def _value(operation: dict[str, Json]) -> Json:
    if "value" not in operation:
        raise PatchError("invalid_operation", f'{operation["op"]} needs a "value".')
    value = operation["value"]
    if _has_proto(value):
        raise PatchError("invalid_value", f'The value has a key "{_PROTO}".')
    return value


def _has_proto(value: Json) -> bool:
    if isinstance(value, list):
        return any(_has_proto(item) for item in value)
    if isinstance(value, dict):
        return _PROTO in value or any(_has_proto(item) for item in value.values())
    return False


def _read(document: Json, path: list[str]) -> Json:
    for token in path:
        document = _child(document, token)
    return document


def _add(document: Json, path: list[str], value: Json) -> Json:
    def insert(parent: Json, token: str) -> Json:
        if isinstance(parent, dict):
            return {**parent, token: value}
        at = len(parent) if token == "-" else _index(parent, token, len(parent) + 1)
        return [*parent[:at], value, *parent[at:]]

    return _edit(document, path, insert) if path else value


def _remove(document: Json, path: list[str]) -> Json:
    def drop(parent: Json, token: str) -> Json:
        _child(parent, token)
        if isinstance(parent, dict):
            return {key: value for key, value in parent.items() if key != token}
        at = int(token)
        return [*parent[:at], *parent[at + 1 :]]

    if not path:
        raise PatchError("invalid_operation", "The whole document cannot be removed. Replace it.")
    return _edit(document, path, drop)


def _replace(document: Json, path: list[str], value: Json) -> Json:
    def put(parent: Json, token: str) -> Json:
        _child(parent, token)
        return _with(parent, token, value)

    return _edit(document, path, put) if path else value


def _move(document: Json, source: list[str], path: list[str]) -> Json:
    if source == path:
        _read(document, source)
        return document
    if path[: len(source)] == source:
        raise PatchError("invalid_operation", "A value cannot move into itself.")
    value = _read(document, source)
    return _add(_remove(document, source), path, value)


def _edit(node: Json, path: list[str], change: Callable[[Json, str], Json]) -> Json:
    """Changes the container that has a place, in copies of all that hold it."""
    token, *rest = path
    if not isinstance(node, list | dict):
        raise PatchError("not_found", f'A value without members has no "{token}".')
    if not rest:
        return change(node, token)
    return _with(node, token, _edit(_child(node, token), rest, change))


def _with(parent: Json, token: str, value: Json) -> Json:
    if isinstance(parent, dict):
        return {**parent, token: value}
    at = int(token)
    return [*parent[:at], value, *parent[at + 1 :]]


def _child(parent: Json, token: str) -> Json:
    if isinstance(parent, list):
        return parent[_index(parent, token, len(parent))]
    if isinstance(parent, dict) and token in parent:
        return parent[token]
    raise PatchError("not_found", f'There is no "{token}".')


def _index(parent: list[Json], token: str, length: int) -> int:
    # No index has so many digits, and Python refuses to read thousands of them.
    if len(token) <= 15 and _INDEX.fullmatch(token) and int(token) < length:
        return int(token)
    raise PatchError("not_found", f'"{token}" is no index of a list of {len(parent)}.')
