// Where this fold differs from the official client, on purpose: one row each, with what either side
// makes of it. The test asserts both.

/** What came of the events: messages as the protocol has them, and the agent's state. */
export interface Outcome {
  readonly messages?: readonly unknown[];
  readonly state?: unknown;
}

export interface Difference {
  readonly name: string;
  /** Why we do otherwise. */
  readonly because: string;
  readonly events: readonly (Record<string, unknown> & { readonly type: string })[];
  readonly official: Outcome;
  readonly ours: Outcome;
  /** What our state says about it beside that. */
  readonly chat?: Record<string, unknown>;
}

const run = { type: "RUN_STARTED", threadId: "t", runId: "r" };
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const idle = { phase: "idle", conflicts: [] };
const delta = (...patch: readonly Record<string, unknown>[]) => ({ type: "STATE_DELTA", delta: patch });
const snapshot = (value: unknown) => ({ type: "STATE_SNAPSHOT", snapshot: value });
const start = (messageId: string) => ({ type: "TEXT_MESSAGE_START", messageId });
const say = (messageId: string, text: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: text });
const assistant = (id: string, content: string) => ({ id, role: "assistant", content });
const conflict = (code: string) => ({ phase: "running", conflicts: [{ code }] });

export const differences: readonly Difference[] = [
  {
    name: "a patch that fails is a conflict",
    because: "the specification wants a failure surfaced; the client prints it and goes on",
    events: [run, snapshot({ a: 1 }), delta({ op: "replace", path: "/a", value: 2 }, { op: "remove", path: "/b" })],
    official: { state: { a: 1 } },
    ours: { state: { a: 1 } },
    chat: { conflicts: [{ index: 1, code: "not_found", state: { a: 1 } }] },
  },
  {
    name: "a stream that ends inside a run is an error",
    because: "the specification forbids to report it as a success; the client does",
    events: [run, start("m1"), say("m1", "half")],
    official: { messages: [assistant("m1", "half")] },
    ours: { messages: [assistant("m1", "half")] },
    chat: { phase: "error", error: { kind: "truncated" }, messages: [{ status: "incomplete" }] },
  },
  {
    name: "a run's error is kept",
    because: "the client's run resolves, and the error is nowhere",
    events: [run, { type: "RUN_ERROR", message: "no tokens left", code: "E1" }],
    official: { messages: [] },
    ours: { messages: [] },
    chat: { phase: "error", error: { kind: "agent", message: "no tokens left", code: "E1" } },
  },
  {
    name: "a value moved into itself is a conflict",
    because: "RFC 6902 forbids it; the client makes a state that contains itself, which no JSON can hold",
    events: [run, snapshot({ a: { b: 1 } }), delta({ op: "move", from: "/a", path: "/a/b" })],
    official: {},
    ours: { state: { a: { b: 1 } } },
    chat: conflict("invalid_operation"),
  },
  {
    name: "removing the whole state is a conflict",
    because: "nothing would be left, and nothing is no JSON value; the client makes it null",
    events: [run, snapshot({ a: 1 }), delta({ op: "remove", path: "" })],
    official: { state: null },
    ours: { state: { a: 1 } },
    chat: conflict("invalid_operation"),
  },
  {
    name: "moving what is not there to the root is a conflict",
    because: "RFC 6902 wants an error; the client's state becomes undefined",
    events: [run, snapshot({ a: 1 }), delta({ op: "move", from: "/none", path: "" })],
    official: { state: undefined },
    ours: { state: { a: 1 } },
    chat: conflict("not_found"),
  },
  {
    name: "moving an item beyond its list is a conflict",
    because: "RFC 6902 takes the item out first, and the list is one shorter then; the client puts it at the end",
    events: [run, snapshot([1, 2, 3]), delta({ op: "move", from: "/0", path: "/3" })],
    official: { state: [2, 3, 1] },
    ours: { state: [1, 2, 3] },
    chat: conflict("not_found"),
  },
  {
    name: "copying an item beyond a list is a conflict",
    because: "RFC 6902 forbids an index beyond the end; the client checks it for additions only",
    events: [run, snapshot({ a: 1, list: [] }), delta({ op: "copy", from: "/a", path: "/list/1" })],
    official: { state: { a: 1, list: [1] } },
    ours: { state: { a: 1, list: [] } },
    chat: conflict("not_found"),
  },
  {
    name: "an index with a leading zero is a conflict",
    because: "RFC 6901 forbids it; the client reads it as a number",
    events: [run, snapshot([1]), delta({ op: "add", path: "/01", value: 2 })],
    official: { state: [1, 2] },
    ours: { state: [1] },
    chat: conflict("not_found"),
  },
  {
    name: "removing what every object inherits is a conflict",
    because: "it is no member; the client says it was removed",
    events: [run, snapshot({ a: 1 }), delta({ op: "remove", path: "/toString" })],
    official: { state: { a: 1 } },
    ours: { state: { a: 1 } },
    chat: conflict("not_found"),
  },
  {
    name: "a member added to a number is a conflict",
    because: "a number has no members; the client says it applied, and the change is lost",
    events: [run, snapshot(1), delta({ op: "add", path: "/a", value: 1 })],
    official: { state: 1 },
    ours: { state: 1 },
    chat: conflict("not_found"),
  },
  {
    name: "an activity stays an object",
    because: "the protocol says so of its content; the client lets a patch make it anything",
    events: [
      run,
      { type: "ACTIVITY_SNAPSHOT", messageId: "a1", activityType: "plan", content: { n: 1 } },
      { type: "ACTIVITY_DELTA", messageId: "a1", activityType: "plan", patch: [{ op: "replace", path: "", value: 5 }] },
    ],
    official: { messages: [{ id: "a1", role: "activity", activityType: "plan", content: 5 }] },
    ours: { messages: [{ id: "a1", role: "activity", activityType: "plan", content: { n: 1 } }] },
    chat: { conflicts: [{ code: "invalid_state", messageId: "a1" }] },
  },
  {
    name: "a result that comes twice is there once",
    because: "ids are unique; the client lists the message twice, and its agent then sends both",
    events: [
      run,
      { type: "TOOL_CALL_RESULT", messageId: "t1", toolCallId: "c1", content: "one" },
      { type: "TOOL_CALL_RESULT", messageId: "t1", toolCallId: "c1", content: "two" },
    ],
    official: {
      messages: [
        { id: "t1", role: "tool", toolCallId: "c1", content: "one" },
        { id: "t1", role: "tool", toolCallId: "c1", content: "two" },
      ],
    },
    ours: { messages: [{ id: "t1", role: "tool", toolCallId: "c1", content: "two" }] },
  },
  {
    name: "a result under another message's id gets an id of its own",
    because: "ids are unique; the client has two messages of one id, and finds the first only",
    events: [
      run,
      start("m1"),
      say("m1", "hi"),
      { type: "TOOL_CALL_RESULT", messageId: "m1", toolCallId: "c1", content: "one" },
    ],
    official: { messages: [assistant("m1", "hi"), { id: "m1", role: "tool", toolCallId: "c1", content: "one" }] },
    ours: { messages: [assistant("m1", "hi"), { id: "c1:result", role: "tool", toolCallId: "c1", content: "one" }] },
    chat: { warnings: [{ code: "wrong_target" }] },
  },
  {
    name: "a call without a parent does not take a message's id",
    because: "ids are unique; the client makes a second message of that id",
    events: [run, start("c1"), say("c1", "hi"), { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "search" }],
    official: {
      messages: [assistant("c1", "hi"), { id: "c1", role: "assistant", toolCalls: [called("c1", "search")] }],
    },
    ours: { messages: [assistant("c1", "hi"), { id: "c1:2", role: "assistant", toolCalls: [called("c1", "search")] }] },
  },
  {
    name: "a snapshot that names an id twice has it once",
    because: "ids are unique; the client lists both, and later takes the first for both",
    events: [run, { type: "MESSAGES_SNAPSHOT", messages: [assistant("m1", "one"), assistant("m1", "two")] }],
    official: { messages: [assistant("m1", "one"), assistant("m1", "two")] },
    ours: { messages: [assistant("m1", "two")] },
  },
  {
    name: "what older agents call THINKING gets the same ids every time",
    because:
      "a replayed stream gives the same state; the client draws random ids, in a stage before the ones compared here",
    events: [
      run,
      { type: "THINKING_TEXT_MESSAGE_START" },
      { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "hm" },
      { type: "THINKING_TEXT_MESSAGE_END" },
      finished,
    ],
    official: { messages: [] },
    ours: { messages: [{ id: "r:thinking:1", role: "reasoning", content: "hm" }] },
    chat: idle,
  },
];

function called(id: string, name: string) {
  return { id, type: "function", function: { name, arguments: "" } };
}
