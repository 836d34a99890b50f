// Sequences of events, valid for the most part: each move looks at what is open and does something
// with it, or now and then something that the protocol forbids. Ids come from small pools, so that
// they meet.

import { defined } from "@opstate/core";
import fc from "fast-check";

type Event = Record<string, unknown> & { type: string };

/** What the generator knows to be open. */
class Open {
  running = false;
  readonly texts = new Set<string>();
  readonly calls = new Set<string>();
  readonly reasonings = new Set<string>();
  readonly spans = new Set<string>();
  readonly steps = new Set<string>();
  readonly subagents = new Set<string>();
  /** The agent's state is a scalar: a patch below it is a documented difference. */
  scalar = false;
  runs = 0;
  results = 0;

  get anything(): boolean {
    return [this.texts, this.calls, this.reasonings, this.spans, this.steps, this.subagents].some(
      (ids) => ids.size > 0,
    );
  }
}

/** Draws from one number after another; the same numbers always give the same sequence. */
class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }
  number(below: number): number {
    // xorshift32
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % below;
  }
  chance(percent: number): boolean {
    return this.number(100) < percent;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.number(items.length)]!;
  }
  oneOf(ids: ReadonlySet<string>, otherwise: string): string {
    return ids.size === 0 || this.chance(3) ? otherwise : this.pick([...ids]);
  }
}

const messageIds = ["m1", "m2", "m3", "m4", "m5", "m6"];
const callIds = ["c1", "c2", "c3", "c4"];
const reasoningIds = ["r1", "r2", "r3"];
const activityIds = ["a1", "a2"];
const subagentIds = ["s1", "s2", "s3"];

/** Each seed gives a sequence; a shorter prefix of it is a smaller counterexample. */
export const sequences = fc
  .record({ seed: fc.nat({ max: 0xffff_fffe }), length: fc.integer({ min: 1, max: 60 }) })
  // As from a wire: no two places hold the same object, which the client's patches would write to.
  .map(({ seed, length }) => JSON.parse(JSON.stringify(sequence(seed + 1, length))) as Event[]);

function sequence(seed: number, length: number): Event[] {
  const draw = new Draw(Math.imul(seed, 2_654_435_761));
  // Some xorshift states start slowly.
  for (let warm = 0; warm < 8; warm++) draw.number(2);
  const open = new Open();
  const events: Event[] = [];
  while (events.length < length) events.push(...decorated(draw, move(draw, open)));
  return events;
}

function move(draw: Draw, open: Open): Event[] {
  if (!open.running && !draw.chance(2)) {
    open.running = true;
    open.runs++;
    const input = draw.chance(20)
      ? { input: { threadId: "t", runId: "r", messages: [message(draw), message(draw)], tools: [], context: [] } }
      : {};
    return [{ type: "RUN_STARTED", threadId: "t", runId: `run${open.runs}`, ...input }];
  }
  const weights = [
    [14, text],
    [14, call],
    [8, chunk],
    [8, reasoning],
    [8, state],
    [6, activity],
    [4, snapshot],
    [4, step],
    [5, subagent],
    [3, encrypted],
    [3, aside],
    [3, odd],
    [7, close],
    [3, end],
  ] as const;
  let roll = draw.number(weights.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, make] of weights) {
    if (roll < weight) return make(draw, open);
    roll -= weight;
  }
  return [];
}

function text(draw: Draw, open: Open): Event[] {
  const roll = draw.number(10);
  if (roll < 3) {
    const messageId = draw.pick(messageIds);
    if (open.texts.has(messageId) && !draw.chance(3)) return [];
    open.texts.add(messageId);
    const name = draw.chance(5) ? { name: "n" } : {};
    const role = draw.chance(60) ? { role: draw.pick(["assistant", "user", "system", "developer"]) } : {};
    return [{ type: "TEXT_MESSAGE_START", messageId, ...role, ...name }];
  }
  const messageId = draw.oneOf(open.texts, draw.pick(messageIds));
  if (open.texts.size === 0 && !draw.chance(3)) return [];
  if (roll < 8) return [{ type: "TEXT_MESSAGE_CONTENT", messageId, delta: draw.pick(["a", "bc", "", "é"]) }];
  open.texts.delete(messageId);
  return [{ type: "TEXT_MESSAGE_END", messageId }];
}

function call(draw: Draw, open: Open): Event[] {
  const roll = draw.number(10);
  if (roll < 3) {
    const toolCallId = draw.pick(callIds);
    if (open.calls.has(toolCallId) && !draw.chance(3)) return [];
    open.calls.add(toolCallId);
    const parent = draw.chance(70)
      ? { parentMessageId: draw.pick(draw.chance(90) ? messageIds : [...activityIds, ...reasoningIds]) }
      : {};
    return [{ type: "TOOL_CALL_START", toolCallId, toolCallName: draw.pick(["search", "move"]), ...parent }];
  }
  if (roll === 3) {
    // An id of its own for every result: what a second use of one comes to is a documented
    // difference.
    const messageId = `t${open.runs}.${open.results++}`;
    const content = draw.chance(80)
      ? "done"
      : [
          { type: "text", text: "done" },
          { type: "image", source: { type: "url", value: "u" } },
        ];
    return [{ type: "TOOL_CALL_RESULT", messageId, toolCallId: draw.pick(callIds), content }];
  }
  const toolCallId = draw.oneOf(open.calls, draw.pick(callIds));
  if (open.calls.size === 0 && !draw.chance(3)) return [];
  if (roll < 8) return [{ type: "TOOL_CALL_ARGS", toolCallId, delta: draw.pick(['{"a":', "1}", "", "{}"]) }];
  open.calls.delete(toolCallId);
  return [{ type: "TOOL_CALL_END", toolCallId }];
}

function chunk(draw: Draw): Event[] {
  const delta = draw.chance(80) ? { delta: draw.pick(["x", "yz", ""]) } : {};
  const named = draw.chance(50);
  switch (draw.number(3)) {
    case 0:
      return [
        {
          type: "TEXT_MESSAGE_CHUNK",
          ...(named && { messageId: draw.pick(messageIds) }),
          ...(draw.chance(8) && { role: "user" }),
          ...delta,
        },
      ];
    case 1: {
      const call = {
        toolCallId: draw.pick(callIds),
        toolCallName: "search",
        ...(draw.chance(30) && { parentMessageId: draw.pick(messageIds) }),
      };
      return [{ type: "TOOL_CALL_CHUNK", ...(named && call), ...delta }];
    }
    default:
      return [{ type: "REASONING_MESSAGE_CHUNK", ...(named && { messageId: draw.pick(reasoningIds) }), ...delta }];
  }
}

function reasoning(draw: Draw, open: Open): Event[] {
  const messageId = draw.pick(draw.chance(95) ? reasoningIds : messageIds);
  const roll = draw.number(10);
  if (roll < 2) {
    if (open.spans.has(messageId) && !draw.chance(3)) return [];
    open.spans.add(messageId);
    return [{ type: "REASONING_START", messageId }];
  }
  if (roll < 4) {
    if (open.reasonings.has(messageId) && !draw.chance(3)) return [];
    open.reasonings.add(messageId);
    return [{ type: "REASONING_MESSAGE_START", messageId, role: "reasoning" }];
  }
  if (roll === 4) {
    if (open.spans.size === 0 && !draw.chance(3)) return [];
    const id = draw.oneOf(open.spans, messageId);
    open.spans.delete(id);
    return [{ type: "REASONING_END", messageId: id }];
  }
  if (open.reasonings.size === 0 && !draw.chance(3)) return [];
  const id = draw.oneOf(open.reasonings, messageId);
  if (roll < 8) return [{ type: "REASONING_MESSAGE_CONTENT", messageId: id, delta: "hm" }];
  open.reasonings.delete(id);
  return [{ type: "REASONING_MESSAGE_END", messageId: id }];
}

const paths = ["/a", "/b", "/list", "/list/0", "/list/1", "/list/-", "/a/b", "/x/y/z", "", "/a~1b"];
const inner = paths.filter((path) => path !== "");
const containers: readonly unknown[] = [[1, 2], { b: 1 }, { list: [] }, []];
const scalars: readonly unknown[] = [0, 1, null, "text", false];
const values: readonly unknown[] = [0, 1, null, "text", false, [1, 2], { b: 1 }, { list: [] }, []];

function operation(draw: Draw, paths: readonly string[]): Record<string, unknown> {
  const op = draw.pick([
    "add",
    "add",
    "add",
    "replace",
    "replace",
    "remove",
    "test",
    "move",
    "copy",
    ...(draw.chance(5) ? ["increment"] : []),
  ]);
  const path = draw.pick(paths);
  if (op === "add" || op === "replace" || op === "test" || op === "increment")
    return { op, path, value: draw.pick(path === "" ? containers : values) };
  // Below the root, never into itself, not within one list nor beyond its end: what that comes to
  // are documented differences.
  const below = path === "" ? "/a" : path === "/list/1" && op !== "remove" ? "/list/-" : path;
  const from = draw.pick(
    inner.filter((other) => op === "copy" || !(`${below}/`.startsWith(`${other}/`) || sameList(below, other))),
  );
  return op === "remove" ? { op, path: below } : { op, from, path: below };
}

function sameList(path: string, other: string): boolean {
  return path.startsWith("/list/") && other.startsWith("/list/");
}

function patch(draw: Draw, within: readonly string[], rootOnly = false): Record<string, unknown>[] {
  if (rootOnly) return [{ op: draw.pick(["add", "replace", "test"]), path: "", value: draw.pick(scalars) }];
  return Array.from({ length: draw.number(4) }, () => operation(draw, within));
}

function state(draw: Draw, open: Open): Event[] {
  if (draw.chance(30)) {
    const snapshot = draw.pick<unknown>([{ a: 1, list: [1, { b: 2 }] }, {}, 0, null, false, ["x"], "s"]);
    open.scalar = typeof snapshot !== "object" || snapshot === null;
    return [{ type: "STATE_SNAPSHOT", snapshot }];
  }
  return [{ type: "STATE_DELTA", delta: patch(draw, paths, open.scalar) }];
}

function activity(draw: Draw): Event[] {
  const messageId = draw.pick(draw.chance(92) ? activityIds : messageIds);
  const activityType = draw.pick(["plan", "search"]);
  if (draw.chance(50)) {
    const replace = draw.chance(40) ? { replace: draw.chance(50) } : {};
    return [
      { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content: draw.pick([{ a: 1, list: [1] }, {}]), ...replace },
    ];
  }
  // Never the root: that an activity stays an object is a documented difference.
  return [{ type: "ACTIVITY_DELTA", messageId, activityType, patch: patch(draw, inner) }];
}

function message(draw: Draw): Record<string, unknown> {
  const fields = { ...(draw.chance(10) && { metadata: { k: 1 } }), ...(draw.chance(5) && { encryptedValue: "e" }) };
  switch (draw.number(8)) {
    case 0:
      return { id: draw.pick(messageIds), role: "user", content: [{ type: "text", text: "hi" }], ...fields };
    case 1:
      return { id: draw.pick(reasoningIds), role: "reasoning", content: "thought", ...fields };
    case 2:
      return { id: draw.pick(activityIds), role: "activity", activityType: "plan", content: { a: 2 } };
    case 3: {
      const id = draw.pick(callIds);
      return {
        id: draw.pick(messageIds),
        role: "assistant",
        toolCalls: [{ id, type: "function", function: { name: "search", arguments: "{}" } }],
      };
    }
    case 4:
      return { id: `u${draw.number(1000)}`, role: "tool", toolCallId: draw.pick(callIds), content: "snap", ...fields };
    default:
      return {
        id: draw.pick(messageIds),
        role: draw.pick(["assistant", "user", "system"]),
        content: "snap",
        ...fields,
      };
  }
}

function snapshot(draw: Draw): Event[] {
  const list = Array.from({ length: draw.number(6) }, () => message(draw));
  // Ids once each: what a second use comes to is a documented difference.
  const messages = list.filter((one, index) => list.findIndex(({ id }) => id === one["id"]) === index);
  const authority = draw.pick<unknown>([
    null,
    ["plan"],
    [],
    "plan",
    { authoritativeActivityTypes: null },
    { authoritativeActivityTypes: ["plan"] },
  ]);
  return [
    { type: "MESSAGES_SNAPSHOT", messages, ...(draw.chance(20) && { metadata: { "@ag-ui/client": authority } }) },
  ];
}

function step(draw: Draw, open: Open): Event[] {
  const stepName = draw.pick(["plan", "act"]);
  if (open.steps.has(stepName) ? draw.chance(97) : draw.chance(3)) {
    open.steps.delete(stepName);
    return [{ type: "STEP_FINISHED", stepName }];
  }
  open.steps.add(stepName);
  return [{ type: "STEP_STARTED", stepName }];
}

function subagent(draw: Draw, open: Open): Event[] {
  const id = draw.pick(subagentIds);
  const subagentRunId = draw.chance(97) ? `${id}.${open.runs}` : id;
  if (open.subagents.has(subagentRunId)) {
    open.subagents.delete(subagentRunId);
    if (draw.chance(20)) return [{ type: "SUBAGENT_ERROR", subagentRunId, message: "failed" }];
    const outcome = draw.chance(30) ? { outcome: { type: "suspended", interruptIds: ["i1"] } } : {};
    return [{ type: "SUBAGENT_FINISHED", subagentRunId, ...outcome }];
  }
  open.subagents.add(subagentRunId);
  const parent = draw.chance(20) ? { parentSubagentRunId: draw.pick([...open.subagents]) } : {};
  return [
    { type: "SUBAGENT_STARTED", subagentRunId, name: id, ...(parent.parentSubagentRunId !== subagentRunId && parent) },
  ];
}

function encrypted(draw: Draw): Event[] {
  const subtype = draw.pick(["message", "tool-call"]);
  const entityId = draw.pick(subtype === "message" ? [...messageIds, ...reasoningIds, ...activityIds] : callIds);
  return [{ type: "REASONING_ENCRYPTED_VALUE", subtype, entityId, encryptedValue: "secret" }];
}

function aside(draw: Draw): Event[] {
  return [
    draw.chance(50) ? { type: "RAW", event: { any: 1 } } : { type: "CUSTOM", name: "mark", value: draw.pick(values) },
  ];
}

/**
 * What no 1.0 agent sends: unknown things, which are left out, and malformed ones, which end
 * everything.
 */
function odd(draw: Draw): Event[] {
  if (draw.chance(60)) {
    return [
      draw.pick<Event>([
        { type: "META", metaType: "thumbs" },
        { type: "CUSTOM", name: "mark", value: 1, unknown: { deep: [1] } },
        {
          type: "TOOL_CALL_RESULT",
          messageId: `p${draw.number(1e9)}`,
          toolCallId: "c1",
          content: [{ type: "hologram" }, { type: "text", text: "t", x: 1 }],
        },
        {
          type: "STATE_DELTA",
          delta: [
            { op: "increment", path: "/a" },
            { op: "add", path: "/seen", value: 1, extra: 1 },
          ],
        },
        { type: "RAW", event: 1, toString: "own" },
      ]),
    ];
  }
  return [
    draw.pick<Event>([
      { type: "TEXT_MESSAGE_CONTENT", messageId: 5, delta: "x" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: null },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "x", timestamp: 0.5 },
      { type: "TEXT_MESSAGE_START", messageId: "m1", role: "wizard" },
      { type: "STATE_DELTA", delta: "no list" },
      { type: "STATE_DELTA", delta: [{ op: "add", path: "no/slash", value: 1 }] },
      { type: "STATE_SNAPSHOT" },
      { type: "TOOL_CALL_START", toolCallId: "c1" },
      { type: "MESSAGES_SNAPSHOT", messages: [{ id: "m1", role: "assistant", content: 5 }] },
      { type: "ACTIVITY_SNAPSHOT", messageId: "a1", activityType: "plan", content: [] },
      { type: "CUSTOM", name: "mark", value: 1, metadata: null },
      { type: "RAW", event: 1, subagentRunId: null },
      { type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "interrupt", interrupts: [] } },
    ]),
  ];
}

/** Closes what is open, so that runs can finish. */
function close(_draw: Draw, open: Open): Event[] {
  const events: Event[] = [
    ...[...open.texts].map((messageId) => ({ type: "TEXT_MESSAGE_END", messageId })),
    ...[...open.calls].map((toolCallId) => ({ type: "TOOL_CALL_END", toolCallId })),
    ...[...open.reasonings].map((messageId) => ({ type: "REASONING_MESSAGE_END", messageId })),
    ...[...open.spans].map((messageId) => ({ type: "REASONING_END", messageId })),
    ...[...open.steps].map((stepName) => ({ type: "STEP_FINISHED", stepName })),
    ...[...open.subagents].map((subagentRunId) => ({ type: "SUBAGENT_FINISHED", subagentRunId })),
  ];
  for (const ids of [open.texts, open.calls, open.reasonings, open.spans, open.steps, open.subagents]) ids.clear();
  return events;
}

function end(draw: Draw, open: Open): Event[] {
  const before = draw.chance(95) ? close(draw, open) : [];
  open.running = draw.chance(3);
  if (draw.chance(25)) {
    close(draw, open);
    return [{ type: "RUN_ERROR", message: "failed", ...(draw.chance(50) && { code: "E" }) }];
  }
  const outcome = draw.pick<unknown>([
    undefined,
    { type: "success" },
    { type: "cancelled" },
    { type: "interrupt", interrupts: [{ id: "i1", reason: "approval" }] },
    { type: "postponed" },
  ]);
  return [...before, { type: "RUN_FINISHED", threadId: "t", runId: "r", ...defined({ outcome }) }];
}

/** Now and then metadata, or the tag of a subagent. */
function decorated(draw: Draw, events: Event[]): Event[] {
  return events.map((event) => {
    if (draw.chance(6))
      return {
        ...event,
        metadata: {
          ...(event["metadata"] as object),
          k: draw.number(3),
          [draw.pick(["u", "v"])]: { n: draw.number(2) },
        },
      };
    const untagged =
      ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"].includes(event.type) ||
      "subagentRunId" in event;
    return !untagged && draw.chance(4) ? { ...event, subagentRunId: draw.pick(subagentIds) } : event;
  });
}
