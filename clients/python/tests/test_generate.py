"""Typed operations from JSON Schema."""

import contextlib
import io
import json
import tempfile
import typing
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NotRequired

from opstate.generate import generate, main
from tests.vectors import read_vectors


def load(text: str) -> Any:
    """The module that a text is."""
    module = ModuleType("generated")
    exec(compile(text, "generated", "exec"), module.__dict__)
    return module


def schema(input_schema: dict[str, Any], name: str = "doIt", state: Any = None) -> dict[str, Any]:
    """A schema with one operation."""
    return {
        "definition": "test",
        "definitionVersion": 2,
        "state": state or {"type": "object", "properties": {}},
        "operations": [{"name": name, "description": "Do \"it\"", "inputSchema": input_schema}],
    }


def types_of(module: Any, name: str) -> dict[str, Any]:
    """The members of a TypedDict, resolved."""
    return typing.get_type_hints(getattr(module, name), module.__dict__, include_extras=True)


class Generated(unittest.TestCase):
    """The module that is written."""

    def test_an_operation_is_a_function_with_typed_members(self) -> None:
        module = load(generate(read_vectors("definition")))
        self.assertEqual(module.move(itemId="a", to=1), {"type": "move", "itemId": "a", "to": 1})
        self.assertEqual(module.clear(), {"type": "clear"})
        self.assertEqual(types_of(module, "MoveInput"), {"itemId": str, "to": int})
        self.assertEqual(module.move.__doc__, "Move an item to a position, counted from 0")

    def test_the_state_is_a_type(self) -> None:
        module = load(generate(read_vectors("definition")))
        self.assertEqual(types_of(module, "StateItemsItem")["done"], bool)
        self.assertEqual(types_of(module, "State")["items"], list[module.StateItemsItem])

    def test_every_kind_of_schema_has_its_type(self) -> None:
        properties = {
            "text": {"type": "string"},
            "choice": {"enum": ["a", "b", None]},
            "only": {"const": "x"},
            "ratio": {"type": "number"},
            "list": {"type": "array", "items": {"type": "integer"}},
            "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "kinds": {"type": ["string", "null"]},
            "anything": {},
            "inner": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        }
        given = {"type": "object", "properties": properties, "required": [*properties]}
        module = load(generate(schema(given)))
        self.assertEqual(
            types_of(module, "DoItInput"),
            {
                "text": str,
                "choice": Literal["a", "b", None],
                "only": Literal["x"],
                "ratio": float,
                "list": list[int],
                "map": dict[str, bool],
                "either": str | None,
                "kinds": str | None,
                "anything": Any,
                "inner": module.DoItInputInner,
            },
        )

    def test_what_is_not_required_may_be_left_out(self) -> None:
        module = load(generate(schema({"type": "object", "properties": {"a": {"type": "string"}}})))
        self.assertEqual(types_of(module, "DoItInput"), {"a": NotRequired[str]})
        self.assertEqual(module.do_it(), {"type": "doIt"})

    def test_names_that_python_does_not_have_are_kept_on_the_wire(self) -> None:
        properties = {"from": {"type": "string"}, "a-b": {"type": "integer"}}
        given = {"type": "object", "properties": properties, "required": ["from"]}
        module = load(generate(schema(given, "import")))
        operation = module.import_(**{"from": "x", "a-b": 1})
        self.assertEqual(operation, {"type": "import", "from": "x", "a-b": 1})
        self.assertEqual(types_of(module, "ImportInput"), {"from": str, "a-b": NotRequired[int]})

    def test_a_schema_that_refers_to_itself_is_a_type_that_does(self) -> None:
        node = {
            "type": "object",
            "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "required": ["children"],
        }
        tree = {"tree": {"$ref": "#/$defs/node"}}
        state = {"type": "object", "properties": tree, "$defs": {"node": node}}
        module = load(generate(schema({"type": "object", "properties": {}}, state=state)))
        self.assertEqual(types_of(module, "StateNode"), {"children": list[module.StateNode]})

    def test_a_member_type_does_not_change_what_operation_it_is(self) -> None:
        module = load(generate(schema({"type": "object", "properties": {}})))
        self.assertEqual(module.do_it(**{"type": "other"}), {"type": "doIt"})

    def test_the_program_reads_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "schema.json"
            file.write_text(json.dumps(read_vectors("definition")), encoding="utf-8")
            written = io.StringIO()
            with contextlib.redirect_stdout(written):
                self.assertEqual(main([str(file)]), 0)
        self.assertIn("def add(", written.getvalue())


if __name__ == "__main__":
    unittest.main()
