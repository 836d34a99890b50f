"""Plays the calls that it reads: a line of JSON for each, and a line of JSON as the answer."""

import json
import sys

from opstate import Client, Tools

url, thread_id, credentials = sys.argv[1:]
thread = Client(url, {"authorization": credentials}).thread(thread_id)
tools = Tools(thread)
shown = 0

for line in sys.stdin:
    call = json.loads(line)
    if call is None:
        shown = thread.snapshot().version
        text = ""
    else:
        text = tools.call(
            call["name"],
            call["input"],
            call_id=call["id"],
            run_id=call["run"],
            based_on=shown,
        ).text
    print(json.dumps({"text": text}), flush=True)
