// What every store of runs keeps.

import { memoryStreams } from "@opstate/streams";
import { describe, expect, it } from "vitest";
import { memoryRuns, type RunHead, type RunStore, streamRuns } from "../../src/index.ts";

const head = (key: string, more: Partial<RunHead> = {}): RunHead => ({
  threadId: "launch",
  incarnation: "i1",
  runId: `run-${key}`,
  key,
  agent: "robot",
  actor: { kind: "user", id: "ada" },
  startedAt: "2026-01-01T00:00:00.000Z",
  detached: true,
  isShared: false,
  prompt: [{ id: "u1", role: "user", content: "Plan it" }],
  ...more,
});

const STORES: readonly (readonly [name: string, make: () => RunStore])[] = [
  ["memoryRuns", memoryRuns],
  ["streamRuns", () => streamRuns(memoryStreams())],
];

describe.each(STORES)("%s", (_, make) => {
  it("gives the runs of a thread as they were written, oldest first", async () => {
    const store = make();
    const [a, b] = [head("a"), head("b")];
    await store.begin(a);
    await store.append(a, 0, ["1", "2"]);
    await store.begin(b);
    await store.append(a, 2, ["3"]);
    await store.end(a, "finished", "2026-01-01T00:01:00.000Z");
    await store.deliver?.(a);
    await store.begin(head("other", { threadId: "another" }));
    await store.begin(head("before", { incarnation: "i0" }));
    expect(await store.load("launch", "i1")).toEqual([
      {
        head: a,
        events: ["1", "2", "3"],
        end: { status: "finished", at: "2026-01-01T00:01:00.000Z" },
        delivered: true,
      },
      { head: b, events: [] },
    ]);
  });

  it("gives thousands of events in their order", async () => {
    const store = make();
    const written = Array.from({ length: 2_500 }, (_event, index) => `{"index":${index}}`);
    await store.begin(head("a"));
    for (const [index, event] of written.entries()) await store.append(head("a"), index, [event]);
    expect((await store.load("launch", "i1"))[0]?.events).toEqual(written);
  });

  it("has the events of an append once when it is repeated", async () => {
    const store = make();
    await store.begin(head("a"));
    await store.append(head("a"), 0, ["1", "2"]);
    await store.append(head("a"), 1, ["2", "3"]);
    expect((await store.load("launch", "i1"))[0]?.events).toEqual(["1", "2", "3"]);
  });

  it("forgets what is dropped, and what is written to it later", async () => {
    const store = make();
    for (const key of ["a", "b"]) await store.begin(head(key));
    await store.drop([head("a"), head("unknown")]);
    await store.append(head("a"), 0, ["1"]);
    await store.end(head("a"), "stopped", "2026-01-01T00:01:00.000Z");
    expect(await store.load("launch", "i1")).toEqual([{ head: head("b"), events: [] }]);
    await store.drop([head("b")]);
    expect(await store.load("launch", "i1")).toEqual([]);
    await store.begin(head("c"));
    expect(await store.load("launch", "i1")).toEqual([{ head: head("c"), events: [] }]);
  });
});
