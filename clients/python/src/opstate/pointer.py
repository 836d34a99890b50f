"""JSON Pointer (RFC 6901), read strictly."""

import re

_WRONG_TILDE = re.compile(r"~(?![01])")


def parse_pointer(pointer: str) -> list[str]:
    """The tokens of a pointer; `""` has none. Raises ValueError when it is none."""
    if pointer == "":
        return []
    if not pointer.startswith("/") or _WRONG_TILDE.search(pointer):
        raise ValueError(
            f'"{pointer}" is no JSON Pointer: it is empty or begins with "/", '
            'and has "~" as "~0" and "~1" only'
        )
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def format_pointer(tokens: list[str]) -> str:
    """The pointer of tokens, with `~` and `/` in them escaped."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)
