"""Server-sent events, line by line."""

import unittest

from opstate.events import ServerEvent, read_events


class Events(unittest.TestCase):
    """What is read of a stream."""

    def test_an_event_has_its_name_id_and_data(self) -> None:
        lines = [b"id: 3\n", b"event: commits\n", b'data: {"a": 1}\n', b"\n"]
        self.assertEqual([*read_events(lines)], [ServerEvent("commits", '{"a": 1}', "3")])

    def test_comments_and_unknown_fields_are_ignored(self) -> None:
        lines = [b":\n", b"\n", b"later: x\r\n", b"data:no space\r\n", b"\r\n"]
        self.assertEqual([*read_events(lines)], [ServerEvent("message", "no space")])

    def test_the_time_to_come_back_is_read(self) -> None:
        self.assertEqual([*read_events([b"retry: 250\n", b"\n"])], [ServerEvent("", "", retry=250)])

    def test_an_event_that_is_cut_off_is_none(self) -> None:
        self.assertEqual([*read_events([b"event: commits\n", b"data: {}\n"])], [])


if __name__ == "__main__":
    unittest.main()
