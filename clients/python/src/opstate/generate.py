"""Typed operations from a server's schema.

    python -m opstate.generate http://localhost:4310 launch > board.py
    python -m opstate.generate schema.json > board.py
"""

import argparse
import json
import re
import sys
from pathlib import Path

from opstate.client import Client
from opstate.json_value import Json
from opstate.python_types import TypeWriter, is_name

_HEAD = '''"""The operations of "{name}", version {version}, as opstate.generate wrote them."""

from typing import Any, Literal, NotRequired, TypedDict, Unpack
'''


def generate(schema: dict[str, Json]) -> str:
    """A Python module with a type for the state, and a type and a function for each operation."""
    types = TypeWriter()
    types.define("State", schema["state"])
    functions: list[str] = []
    used: set[str] = set()
    for operation in schema["operations"]:
        name: str = operation["name"]
        input_type = types.define(f"{_class_name(name)}Input", operation["inputSchema"])
        functions.append(_function(name, operation["description"], input_type, used))
    head = _HEAD.format(name=schema["definition"], version=schema["definitionVersion"])
    return "\n\n".join([head, *types.texts, *functions]) + "\n"


def _function(operation: str, description: str, input_type: str, used: set[str]) -> str:
    name = _function_name(operation)
    while name in used or not is_name(name):
        name += "_"
    used.add(name)
    return (
        f'def {name}(**given: "Unpack[{input_type}]") -> dict[str, Any]:\n'
        f"    {json.dumps(description)}\n"
        f'    return {{**given, "type": {json.dumps(operation)}}}\n'
    )


def _function_name(operation: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|-", "_", operation)
    return words.lower()


def _class_name(operation: str) -> str:
    words = re.split(r"[-_]", operation)
    return "".join(word[:1].upper() + word[1:] for word in words if word)


def main(arguments: list[str] | None = None) -> int:
    """The program. Returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m opstate.generate", description=__doc__)
    parser.add_argument("source", help="the address of a server, or a file with its schema")
    parser.add_argument("thread", nargs="?", help="a thread of the server")
    parser.add_argument("--header", action="append", default=[], help='"name: value" to send along')
    given = parser.parse_args(arguments)
    if given.source.startswith(("http://", "https://")):
        if given.thread is None:
            parser.error("with the address of a server, name a thread, too")
        headers = dict(header.split(": ", 1) for header in given.header)
        schema = Client(given.source, headers).thread(given.thread).schema()
    else:
        schema = json.loads(Path(given.source).read_text(encoding="utf-8"))
    sys.stdout.write(generate(schema))
    return 0


if __name__ == "__main__":
    sys.exit(main())
