// What a trace says of the state that a call was made on.

import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { operation, operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { board, openSample, sample } from "../support/board.ts";
import { call, say } from "../support/talk.ts";

/** The opstate metadata of each model call and tool call, in order. */
class Trace extends BaseCallbackHandler {
  readonly name = "trace";
  override readonly awaitHandlers = true;
  readonly calls: (readonly [string, Readonly<Record<string, unknown>>])[] = [];

  override handleChatModelStart(...[, , , , , , metadata]: unknown[]): void {
    this.#add("model", metadata);
  }

  override handleToolStart(...[, , , , , metadata, name]: unknown[]): void {
    this.#add(String(name), metadata);
  }

  #add(what: string, metadata: unknown): void {
    const own = Object.entries(metadata ?? {}).filter(([key]) => key.startsWith("opstate_"));
    this.calls.push([what, Object.fromEntries(own)]);
  }
}

describe.each(["v1", "v2"] as const)("a trace of an agent (%s)", (version) => {
  it("has the thread's id and the version that the model was shown, on every call", async () => {
    const [left, right] = [await openSample("left-thread"), await openSample("right-thread")];
    const own = tool(
      async (_input, runtime) => (await operation(runtime, board.op.remove({ cardId: "T-2" }), { thread: left })).text,
      { name: "own", description: "Own", schema: z.object({}) },
    );
    const trace = new Trace();
    await createAgent({
      model: fakeModel()
        .respond(call(["left_remove", { cardId: "T-1" }]))
        .respond(call(["own", {}]))
        .respond(say("done")),
      tools: [own, ...operationTools(board, { thread: left, middleware: "left" })],
      middleware: [
        opstateMiddleware(board, { thread: left, name: "left" }),
        opstateMiddleware(board, { thread: right, name: "right" }),
      ],
      version,
    }).invoke({ messages: "go" }, { callbacks: [trace] });
    const at = (version: number) => ({
      opstate_left_thread_id: "left-thread",
      opstate_left_version: version,
      opstate_right_thread_id: "right-thread",
      opstate_right_version: 1,
    });
    expect(trace.calls).toEqual([
      ["model", at(1)],
      ["left_remove", at(1)],
      ["model", at(2)],
      ["own", at(2)],
      ["model", at(3)],
    ]);
  });

  it("has the version of a field that decides", async () => {
    const trace = new Trace();
    await createAgent({
      model: fakeModel()
        .respond(call(["remove", { cardId: "T-1" }]))
        .respond(say("done")),
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
      version,
    }).invoke({ messages: "go", board: sample }, { callbacks: [trace] });
    expect(trace.calls).toEqual([
      ["model", { opstate_board_version: 1 }],
      ["remove", { opstate_board_version: 1 }],
      ["model", { opstate_board_version: 2 }],
    ]);
  });
});
