import { readOutcome } from "../../src/chat/outcome.ts";
import { board } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createCallText } from "../../src/chat/call-words.ts";
import type { Call } from "../../src/chat/transcript.ts";
import { verdictOf } from "../../src/chat/verdict.ts";
import { commitEntry } from "../../src/timeline/log-entry.ts";
import { ada, openBoard, pageOf } from "../board-thread.ts";

const call = (change: Partial<Call> = {}): Call => ({
  toolCallId: "call",
  name: "move",
  json: "",
  operation: undefined,
  result: undefined,
  outcome: undefined,
  ...change,
});

describe("a tool call in words", () => {
  it("is said with the board as it was when the arguments were complete, and then as the log says it", async () => {
    const thread = await openBoard();
    const page = pageOf(thread);
    const end = page.subscribe(() => undefined);
    await page.ready();
    const words = createCallText(page);
    expect(words(call(), [])).toBe("move …");
    const operation = board.op.move({ cardId: "T-1", toColumn: "done" });
    expect(words(call({ operation }), [])).toBe("Move 'Write the launch announcement' (T-1): Backlog -> Done");
    const verdict = await thread.dispatch(operation, { actor: ada, toolCallId: "call" });
    await expect.poll(() => page.sync.getState().version).toBe(2);
    expect(words(call({ operation }), [])).toBe("Move 'Write the launch announcement' (T-1): Backlog -> Done");
    if (!verdict.accepted || !verdict.commit) throw new Error("the move was not taken");
    const logged = { ...commitEntry(verdict.commit), sentence: "As the log says it" };
    expect(words(call({ operation }), [logged])).toBe("As the log says it");
    expect(words(call({ operation, toolCallId: "another" }), [logged])).not.toBe("As the log says it");
    end();
  });

  it("has words for a tool that reads", () => {
    const words = createCallText({ getState: () => null });
    expect(words(call({ name: "recentChanges" }), [])).toBe("Look up the latest changes");
    expect(words(call({ name: "takeBack" }), [])).toBe("Take back the last run");
  });
});

describe("the verdict on a tool call", () => {
  it("is what its result says; without one it depends on whether the run goes on", () => {
    const kinds = [
      verdictOf(call({ result: "", outcome: { kind: "accepted" } }), true),
      verdictOf(
        call({ result: "", outcome: readOutcome("Accepted: board needed no change; it is at version 4.") }),
        true,
      ),
      verdictOf(call({ result: "", outcome: { kind: "refused", message: "There is no card" } }), true),
      verdictOf(call({ result: "", outcome: { kind: "proposed" } }), true),
      verdictOf(call({ result: "Nothing changed" }), true),
      verdictOf(call(), true),
      verdictOf(call(), false),
    ];
    expect(kinds.map(({ kind, text, reason }) => [kind, text, reason])).toEqual([
      ["accepted", "Accepted", undefined],
      ["accepted", "Nothing to change", undefined],
      ["refused", "Refused", "There is no card"],
      ["proposed", "Proposed, waiting for you", undefined],
      ["answered", "Answered", undefined],
      ["running", "Asking", undefined],
      ["stopped", "Stopped", undefined],
    ]);
  });
});
