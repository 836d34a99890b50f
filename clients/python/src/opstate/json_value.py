"""JSON values, as Python's `json` reads them."""

from typing import Any

Json = Any
"""None, bool, int, float, str, list of these, or dict of these by str."""


def equal(a: Json, b: Json) -> bool:
    """Whether two JSON values are the same: `1` is `1.0` and not `True`, as Python has it."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list):
        return (
            isinstance(b, list)
            and len(a) == len(b)
            and all(equal(x, y) for x, y in zip(a, b, strict=True))
        )
    if isinstance(a, dict):
        return (
            isinstance(b, dict)
            and a.keys() == b.keys()
            and all(equal(value, b[key]) for key, value in a.items())
        )
    return not isinstance(b, list | dict) and a == b
