"""The vectors say what this client makes of patches, answers and histories."""

import unittest
from datetime import UTC, datetime

from opstate import apply_patch
from opstate.json_value import equal
from tests.readings import answer_reading, patch_reading
from tests.vectors import read_vectors


class Vectors(unittest.TestCase):
    """Each is held to its vector."""

    def same(self, found: object, wanted: object) -> None:
        """The same JSON: 1 is not True."""
        self.assertTrue(equal(found, wanted), f"{found!r} is not {wanted!r}")

    def test_patches_apply_as_the_vectors_say(self) -> None:
        vectors = read_vectors("patches")
        self.assertGreater(len(vectors), 35)
        for vector in vectors:
            with self.subTest(vector["name"]):
                wanted = {key: vector[key] for key in ("after", "error") if key in vector}
                self.same(patch_reading(vector["before"], vector["patch"]), wanted)

    def test_a_patch_changes_nothing_that_it_was_given(self) -> None:
        for vector in read_vectors("patches"):
            patch_reading(vector["before"], vector["patch"])
        # They are read again: nothing of them may have been written to.
        for vector, untouched in zip(
            (given := read_vectors("patches")), read_vectors("patches"), strict=True
        ):
            patch_reading(vector["before"], vector["patch"])
            self.same(vector, untouched)
        self.assertTrue(given)

    def test_answers_are_read_as_the_vectors_say(self) -> None:
        vectors = read_vectors("verdicts")
        self.assertGreater(len(vectors), 20)
        for vector in vectors:
            with self.subTest(vector["name"]):
                now = datetime(2026, 1, 1, tzinfo=UTC)
                self.same(answer_reading(vector["answer"], now), vector["reading"])

    def test_the_commits_of_a_history_lead_from_state_to_state_and_back(self) -> None:
        for history in read_vectors("histories"):
            states = history["states"]
            for commit in history["commits"]:
                with self.subTest(history["name"], version=commit["version"]):
                    before, after = states[commit["version"] - 1], states[commit["version"]]
                    self.same(apply_patch(before, commit["patches"]), after)
                    self.same(apply_patch(after, commit["inverse"]), before)


if __name__ == "__main__":
    unittest.main()
