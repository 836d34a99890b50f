"""The state of a thread as it changes, over cut lines and restarts of the server."""

import unittest
from collections.abc import Iterator

from opstate import Change, ServerError
from opstate.json_value import equal
from tests.server_case import ServerCase, add


class Changes(ServerCase):
    """What a reader gets who follows a thread."""

    def test_changes_come_as_they_happen(self) -> None:
        self.ada.submit(add("a"))
        with self.bob.follow() as following:
            changes = iter(following)
            first = next(changes)
            self.assertEqual((first.version, first.commits), (1, []))
            self.ada.submit(add("b"), id="b")
            second = until(changes, 2)
            self.assertEqual([commit["id"] for commit in second.commits], ["b"])
            self.assertEqual(following.actor, {"kind": "user", "id": "bob"})
            self.assertTrue(equal(second.state, self.ada.snapshot().state))

    def test_a_stream_that_is_cut_resumes_with_every_commit(self) -> None:
        with self.bob.follow() as following:
            changes = iter(following)
            next(changes)
            versions: list[int] = []
            for number in range(1, 6):
                self.server.cut()
                self.ada.submit(add(f"i{number}"))
                while not versions or versions[-1] < number:
                    change = next(changes)
                    self.assertNotEqual(change.commits, [], "it begins again with a snapshot")
                    versions += [commit["version"] for commit in change.commits]
            self.assertEqual(versions, [1, 2, 3, 4, 5])
            self.assertTrue(equal(following.state, self.ada.snapshot().state))

    def test_a_stream_resumes_when_the_server_was_killed_and_started_again(self) -> None:
        with self.bob.follow() as following:
            changes = iter(following)
            next(changes)
            self.ada.submit(add("a"))
            until(changes, 1)
            self.server.kill()
            self.server.start()
            self.ada.submit(add("b"))
            change = until(changes, 2)
            self.assertNotEqual(change.commits, [])
            self.assertTrue(equal(change.state, self.ada.snapshot().state))

    def test_following_goes_on_from_a_snapshot_that_is_known(self) -> None:
        self.ada.submit(add("a"))
        known = self.bob.snapshot()
        self.ada.submit(add("b"))
        with self.bob.follow(known) as following:
            change = next(iter(following))
            self.assertEqual([commit["version"] for commit in change.commits], [2])

    def test_a_thread_that_was_created_again_begins_with_its_own_state(self) -> None:
        self.ada.submit_all([add("a"), add("b")])
        known = self.bob.snapshot()
        self.client("ada").delete(self.thread_id)
        self.client("ada").create(self.thread_id, "conformance")
        self.ada.submit_all([add("x"), add("y"), add("z")])
        with self.bob.follow(known) as following:
            change = next(iter(following))
            self.assertEqual((change.version, change.commits), (3, []))
            self.assertTrue(equal(change.state, self.ada.snapshot().state))

    def test_a_state_that_is_not_the_servers_is_read_anew(self) -> None:
        self.ada.submit_all([add("a"), add("b")])
        with self.bob.follow() as following:
            changes = iter(following)
            next(changes)
            following.state = {"items": []}
            self.ada.submit({"type": "check", "itemId": "b", "done": True})
            change = until(changes, 3)
            self.assertEqual(change.commits, [])
            self.assertTrue(equal(change.state, self.ada.snapshot().state))

    def test_a_reader_without_the_right_is_told_why(self) -> None:
        with self.client("eve").thread(self.thread_id).follow() as following:
            with self.assertRaises(ServerError) as raised:
                next(iter(following))
            self.assertEqual(raised.exception.code, "unauthenticated")

    def test_closing_ends_the_iteration(self) -> None:
        following = self.bob.follow()
        seen = []
        for change in following:
            seen.append(change.version)
            following.close()
        self.assertEqual(seen, [0])


def until(changes: Iterator[Change], version: int) -> Change:
    """The first change that leads to a version, or beyond."""
    for change in changes:
        if change.version >= version:
            return change
    raise AssertionError("The changes ended.")


if __name__ == "__main__":
    unittest.main()
