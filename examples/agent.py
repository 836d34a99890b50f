# An agent in Python: the operations are its tools. pip install ./clients/python from a clone.

from opstate import Client, Tools

url = "http://127.0.0.1:4310"
client = Client(url, {"authorization": "Bearer planner"})
thread = client.create("demo", "board")
tools = Tools(thread)

# What your model gets, and what this one, a scripted one, calls.
print([(tool.name, tool.input_schema["required"]) for tool in tools.list()])
name, arguments = "add", {"title": "From Python"}

result = tools.call(name, arguments, call_id="call-1", run_id="run-1")
print(result.text)
print(thread.snapshot().state)
