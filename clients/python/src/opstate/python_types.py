"""JSON Schema (draft 2020-12) as Python types: a TypedDict for each object with properties."""

import json
import keyword

from opstate.json_value import Json

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def is_name(text: str) -> bool:
    """Whether a text may be a name in Python."""
    return text.isidentifier() and not keyword.iskeyword(text)


class TypeWriter:
    """Collects the texts of types, each before or after those that use it: uses are quoted."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._names: set[str] = set()
        self._defs: dict[str, Json] = {}
        self._defined: dict[str, str] = {}
        self._root = ""

    def define(self, name: str, schema: Json) -> str:
        """Writes a named type of a whole schema. Returns its name."""
        self._root = self._free(name)
        self._defs = schema.get("$defs", {})
        self._defined = {}
        root = self._root
        if _has_properties(schema):
            self._write_object(root, schema)
        else:
            self.texts.append(f"{root} = {self._type(root + 'Value', schema)!r}")
        return root

    def _type(self, name: str, schema: Json) -> str:
        """The type of a schema, in words of Python. `name` is for an object that it may need."""
        if not isinstance(schema, dict):
            return "Any"
        if "$ref" in schema:
            return self._reference(schema["$ref"])
        if "const" in schema:
            return _literal([schema["const"]])
        if "enum" in schema:
            return _literal(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                parts = [self._type(f"{name}{at}", part) for at, part in enumerate(schema[union])]
                return _union(parts)
        kind = schema.get("type")
        if isinstance(kind, list):
            return _union([self._type(name, {**schema, "type": one}) for one in kind])
        if kind in _SCALARS:
            return _SCALARS[kind]
        if kind == "array":
            return f"list[{self._type(name + 'Item', schema.get('items'))}]"
        if _has_properties(schema):
            free = self._free(name)
            self._write_object(free, schema)
            return free
        if kind == "object":
            return f"dict[str, {self._type(name + 'Value', schema.get('additionalProperties'))}]"
        return "Any"

    def _reference(self, ref: str) -> str:
        if ref == "#":
            return self._root
        key = ref.removeprefix("#/$defs/")
        if key not in self._defs:
            return "Any"
        if key not in self._defined:
            schema = self._defs[key]
            # Known before it is written: it may refer to itself.
            self._defined[key] = self._free(f"{self._root}{_words(key)}")
            if _has_properties(schema):
                self._write_object(self._defined[key], schema)
            else:
                name = self._defined[key]
                self._defined[key] = "Any"
                self._defined[key] = self._type(name, schema)
        return self._defined[key]

    def _write_object(self, name: str, schema: Json) -> None:
        at = len(self.texts)
        required = set(schema.get("required", []))
        members: dict[str, str] = {}
        for key, part in schema["properties"].items():
            kind = self._type(name + _words(key), part)
            members[key] = kind if key in required else f"NotRequired[{kind}]"
        description = schema.get("description")
        self.texts.insert(at, _typed_dict(name, members, description))

    def _free(self, name: str) -> str:
        while name in self._names:
            name += "_"
        self._names.add(name)
        return name


def _typed_dict(name: str, members: dict[str, str], description: str | None) -> str:
    if not all(is_name(key) for key in members):
        pairs = ", ".join(f"{json.dumps(key)}: {json.dumps(kind)}" for key, kind in members.items())
        return f'{name} = TypedDict("{name}", {{{pairs}}})\n'
    lines = [f"class {name}(TypedDict):"]
    if description is not None:
        lines.append(f"    {json.dumps(description)}\n")
    lines += [f"    {key}: {json.dumps(kind)}" for key, kind in members.items()]
    if len(lines) == 1:
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def _literal(values: list[Json]) -> str:
    if all(value is None or isinstance(value, str | int | bool) for value in values):
        return f"Literal[{', '.join(repr(value) for value in values)}]"
    return "Any"


def _union(parts: list[str]) -> str:
    unique = [*dict.fromkeys(parts)]
    return "Any" if "Any" in unique else " | ".join(unique)


def _has_properties(schema: Json) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("properties"), dict)


def _words(key: str) -> str:
    letters = "".join(letter if letter.isalnum() and letter.isascii() else " " for letter in key)
    return "".join(word[:1].upper() + word[1:] for word in letters.split()) or "Member"
