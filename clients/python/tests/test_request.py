"""What is sent again, after how long, and under which id."""

import unittest
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from opstate import Accepted, Client, Rejected, RetryPolicy, ServerError
from opstate.retry_after import retry_after
from tests.scripted_server import Scripted, ScriptedServer

ACCEPTED = Scripted(200, {"accepted": True, "version": 1})
LOST = Scripted(None)


def problem(status: int, code: str, **headers: str) -> Scripted:
    """A problem document."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Scripted(status, {"status": status, "code": code, "detail": "Why."}, names)


class Requests(unittest.TestCase):
    """A client, and a server that answers as a test says."""

    def submit(
        self, *answers: Scripted, tries: int = 8
    ) -> tuple[Any, list[tuple[str, str, Any]], list[float]]:
        """Submits to a server with these answers: the outcome, what was sent, the waits."""
        server = ScriptedServer(*answers)
        self.addCleanup(server.close)
        waits: list[float] = []
        client = Client(server.url, retry=RetryPolicy(tries=tries, sleep=waits.append))
        outcome: Any
        try:
            outcome = client.thread("t").submit({"type": "clear"})
        except Exception as error:  # the tests look at it
            outcome = error
        return outcome, server.requests, waits

    def test_a_lost_answer_is_asked_for_again_under_the_same_id(self) -> None:
        outcome, requests, waits = self.submit(LOST, LOST, ACCEPTED)
        self.assertEqual(outcome, Accepted(1))
        self.assertEqual(len(requests), 3)
        self.assertEqual(len(waits), 2)
        self.assertEqual(len({body["id"] for _, _, body in requests}), 1)

    def test_retry_after_in_seconds_is_waited_for(self) -> None:
        busy = problem(429, "too_many_submissions", retry_after="7")
        outcome, _, waits = self.submit(busy, ACCEPTED)
        self.assertEqual((outcome, waits), (Accepted(1), [7.0]))

    def test_retry_after_as_a_date_is_waited_for(self) -> None:
        date = format_datetime(datetime.now(UTC) + timedelta(hours=10), usegmt=True)
        outcome, _, waits = self.submit(problem(503, "closing", retry_after=date), ACCEPTED)
        self.assertEqual(outcome, Accepted(1))
        self.assertGreater(waits[0], 3_600)
        self.assertLessEqual(waits[0], 36_000)

    def test_a_date_is_counted_from_now(self) -> None:
        now = datetime(2015, 10, 21, 7, 27, tzinfo=UTC)
        self.assertEqual(retry_after("Wed, 21 Oct 2015 07:28:00 GMT", now), 60.0)
        self.assertEqual(retry_after("Wed, 21 Oct 2015 07:26:00 GMT", now), 0.0)
        self.assertIsNone(retry_after("soon", now))

    def test_a_rejection_is_a_verdict_whatever_its_status(self) -> None:
        rejection = {"code": "failed", "message": "A bug."}
        body: dict[str, Any] = {"version": 3, "attempt": 1, "rejection": rejection}
        outcome, requests, _ = self.submit(Scripted(500, body))
        self.assertEqual(outcome, Rejected(3, body["rejection"], 1))
        self.assertEqual(len(requests), 1)

    def test_a_request_that_is_refused_is_not_sent_again(self) -> None:
        outcome, requests, _ = self.submit(problem(403, "not_allowed"))
        self.assertIsInstance(outcome, ServerError)
        self.assertEqual((outcome.status, outcome.code), (403, "not_allowed"))
        self.assertEqual(len(requests), 1)

    def test_it_gives_up_after_so_many_tries(self) -> None:
        outcome, requests, waits = self.submit(problem(503, "closing", retry_after="1"), tries=3)
        self.assertEqual(outcome.code, "closing")
        self.assertEqual((len(requests), waits), (3, [1.0, 1.0]))

    def test_without_an_answer_at_all_it_says_so(self) -> None:
        outcome, requests, _ = self.submit(LOST, tries=2)
        self.assertIsInstance(outcome, OSError)
        self.assertEqual(len(requests), 2)

    def test_waits_grow_to_the_longest(self) -> None:
        waits: list[float] = []
        policy = RetryPolicy(first=1, longest=4, sleep=waits.append)
        for attempt in range(6):
            policy.pause(attempt)
        self.assertTrue(all(0.5 <= wait <= 4 for wait in waits))
        self.assertGreaterEqual(waits[5], 2)

    def test_an_address_that_is_none_is_refused_at_once(self) -> None:
        with self.assertRaisesRegex(ValueError, "is no address of a server"):
            Client("localhost:4310")


if __name__ == "__main__":
    unittest.main()
