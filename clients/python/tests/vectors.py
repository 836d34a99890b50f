"""The vectors of @opstate/conformance."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[3] / "packages" / "conformance" / "vectors"


def read_vectors(name: str) -> Any:
    """One file of vectors."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
