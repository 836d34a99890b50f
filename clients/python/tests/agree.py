"""Reads cases, a line of JSON each, and writes what this client makes of them."""

import json
import sys

from tests.readings import answer_reading, patch_reading


def main() -> None:
    """Answers until the input ends."""
    for line in sys.stdin:
        case = json.loads(line)
        if "answer" in case:
            reading = answer_reading(case["answer"])
        else:
            reading = patch_reading(case["document"], case["patch"])
        sys.stdout.write(json.dumps(reading) + "\n")


if __name__ == "__main__":
    main()
