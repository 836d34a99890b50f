"""The client with a real server: operations, undo, proposals and tools."""

import unittest

from opstate import Accepted, Rejected, ServerError, Tools
from tests.server_case import ServerCase, add


class Operations(ServerCase):
    """What is done, refused and taken back."""

    # State and operations

    def test_a_snapshot_has_the_state_and_its_reader(self) -> None:
        snapshot = self.bob.snapshot()
        self.assertEqual(snapshot.version, 0)
        self.assertEqual(snapshot.state, {"items": [], "open": 0})
        self.assertEqual(snapshot.definition, "conformance")
        self.assertEqual(snapshot.actor, {"kind": "user", "id": "bob"})

    def test_an_operation_is_accepted_with_its_commit(self) -> None:
        verdict = self.ada.submit(add("a"), id="one", run_id="r", tool_call_id="c")
        assert isinstance(verdict, Accepted)
        assert verdict.commit is not None
        self.assertEqual(verdict.version, 1)
        self.assertEqual(verdict.commit["runId"], "r")
        self.assertEqual(self.ada.snapshot(min_version=1).version, 1)

    def test_a_refused_operation_says_what_would_be_legal(self) -> None:
        self.ada.submit(add("a"))
        verdict = self.ada.submit({"type": "check", "itemId": "z", "done": True})
        assert isinstance(verdict, Rejected)
        self.assertEqual((verdict.code, verdict.reason), ("refused", "item_not_found"))
        self.assertEqual(verdict.details, {"available": ["a"]})
        self.assertTrue(verdict.is_final)

    def test_a_submission_whose_answer_is_lost_has_one_effect(self) -> None:
        self.server.lose_next_answer()
        verdict = self.ada.submit(add("a"))
        self.assertEqual((verdict.accepted, verdict.version), (True, 1))
        self.assertEqual(self.items(), ["a"])

    def test_an_id_has_one_effect_over_a_restart_of_the_server(self) -> None:
        first = self.ada.submit(add("a"), id="once")
        self.server.kill()
        self.server.start()
        self.assertEqual(self.ada.submit(add("a"), id="once"), first)
        self.assertEqual(self.items(), ["a"])

    def test_a_list_is_judged_item_by_item(self) -> None:
        verdicts = self.ada.submit_all([add("a"), add("a"), add("b")])
        self.assertEqual([verdict.accepted for verdict in verdicts], [True, False, True])

    def test_an_expected_version_that_has_passed_is_a_conflict(self) -> None:
        self.ada.submit(add("a"))
        verdict = self.ada.submit(add("b"), expected_version=0)
        assert isinstance(verdict, Rejected)
        self.assertEqual((verdict.code, verdict.is_final), ("conflict", False))

    def test_a_right_that_is_missing_is_an_error(self) -> None:
        with self.assertRaises(ServerError) as raised:
            self.thread("rita").submit(add("a"))
        self.assertEqual((raised.exception.status, raised.exception.code), (403, "not_allowed"))

    def test_a_thread_that_is_missing_is_an_error(self) -> None:
        with self.assertRaises(ServerError) as raised:
            self.client("ada").thread("no-such-thread").snapshot()
        self.assertEqual(raised.exception.code, "unknown_thread")

    def test_threads_are_listed_and_deleted(self) -> None:
        ids = [one["threadId"] for one in self.client("ada").threads()]
        self.assertIn(self.thread_id, ids)
        self.client("ada").delete(self.thread_id)
        with self.assertRaises(ServerError):
            self.ada.snapshot()

    def test_a_deletion_whose_answer_is_lost_is_no_error(self) -> None:
        self.server.lose_next_answer()
        self.client("ada").delete(self.thread_id)
        with self.assertRaises(ServerError) as raised:
            self.ada.snapshot()
        self.assertEqual(raised.exception.code, "unknown_thread")

    def test_the_history_comes_page_after_page(self) -> None:
        self.ada.submit_all([add(f"i{number}") for number in range(200)])
        self.ada.submit(add("i0"))
        entries = [*self.ada.history(rejections=True)]
        self.assertEqual(len(entries), 201)
        self.assertEqual(entries[-1]["kind"], "refusal")

    # Undo and proposals

    def test_an_undo_keeps_what_others_did_since(self) -> None:
        self.bot.submit(add("a"), run_id="r1")
        self.bob.submit(add("b"))
        self.assertTrue(self.ada.undo(run_id="r1").accepted)
        self.assertEqual(self.items(), ["b"])

    def test_an_undo_names_what_needs_its_target(self) -> None:
        self.ada.submit(add("a"), id="a")
        self.bob.submit({"type": "rename", "itemId": "a", "title": "Bob's"})
        verdict = self.ada.undo(ids=["a"])
        assert isinstance(verdict, Rejected)
        self.assertEqual(verdict.reason, "dependents")
        self.assertTrue(self.ada.undo(ids=["a"], on_dependent="drop").accepted)
        self.assertEqual(self.items(), [])

    def test_a_proposal_waits_for_another_actor(self) -> None:
        self.ada.submit(add("a"))
        refused = self.bot.submit({"type": "remove", "itemId": "a"})
        assert isinstance(refused, Rejected)
        self.assertEqual(refused.code, "needs_approval")
        self.bot.propose({"type": "remove", "itemId": "a"}, id="p")
        (proposal,) = self.ada.proposals()
        self.assertEqual((proposal["id"], self.items()), ("p", ["a"]))
        self.assertTrue(self.ada.approve("p", proposed_at=proposal["version"]).accepted)
        self.assertEqual(self.items(), [])
        decided = self.bot.proposal("p")
        assert decided is not None
        self.assertEqual(decided["how"], "approved")

    def test_a_proposal_is_declined_with_a_reason(self) -> None:
        self.bot.propose(add("a"), id="p")
        self.assertTrue(self.ada.decline("p", reason="Not now").accepted)
        decided = self.bot.proposal("p")
        assert decided is not None
        self.assertEqual((decided["how"], decided["reason"]), ("declined", "Not now"))
        self.assertIsNone(self.bot.proposal("none"))

    # Tools

    def test_the_tools_are_those_that_the_actor_may_use(self) -> None:
        names = [tool.name for tool in Tools(self.bot, prefix="list_").list()]
        self.assertEqual(names[0], "list_add")
        self.assertNotIn("list_clear", names)
        self.assertIn("clear", [tool.name for tool in Tools(self.ada).list()])

    def test_a_call_has_one_effect_and_the_verdict_as_its_text(self) -> None:
        tools = Tools(self.bot)
        for _ in range(2):
            result = tools.call("add", {"itemId": "a", "title": "A"}, call_id="c1", run_id="r1")
            self.assertEqual(result.text, "Accepted: conformance is now at version 1.")
        result = tools.call("add", {"itemId": "a", "title": "A"}, call_id="c2", run_id="r1")
        self.assertIn('Refused (item_exists): There is an item "a"', result.text)
        self.assertEqual(self.items(), ["a"])

    def test_a_call_that_needs_approval_is_proposed(self) -> None:
        self.ada.submit(add("a"))
        result = Tools(self.bot).call("remove", {"itemId": "a"}, call_id="c1")
        self.assertTrue(result.proposed)
        self.assertIn("it waits for a person's approval", result.text)
        self.assertEqual((len(self.ada.proposals()), self.items()), (1, ["a"]))


if __name__ == "__main__":
    unittest.main()
