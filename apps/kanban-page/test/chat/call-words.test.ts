import { board, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createCallText, loggedText } from "../../src/chat/call-words.ts";
import { readOutcome } from "../../src/chat/outcome.ts";
import type { Call } from "../../src/chat/transcript.ts";
import { decidedVerdict, verdictOf, waitingVerdict } from "../../src/chat/verdict.ts";
import { commitEntry } from "../../src/timeline/log-entry.ts";
import { ada, agent, openBoard } from "../board-thread.ts";

const call = (change: Partial<Call> = {}): Call => ({
  toolCallId: "call",
  name: "move",
  json: "",
  operation: undefined,
  result: undefined,
  outcome: undefined,
  ...change,
});

const move = board.op.move({ cardId: "T-1", toColumn: "done" });
const SENTENCE = "Move 'Write the launch announcement' (T-1): Backlog -> Done";

describe("a tool call in words", () => {
  it("is said with the board as it was when the arguments were complete", async () => {
    const thread = await openBoard();
    const words = createCallText();
    expect(words(call(), thread.getState())).toBe("Move a card");
    expect(words(call({ operation: move }), thread.getState())).toBe(SENTENCE);
    await thread.dispatch(move, { actor: ada });
    expect(words(call({ operation: move }), thread.getState())).toBe(SENTENCE);
  });

  it("has no bare ids while there is no board yet, and titles as soon as there is one", () => {
    const words = createCallText();
    expect(words(call({ operation: move }), null)).toBe("Move a card");
    expect(words(call({ operation: move }), sampleBoard)).toBe(SENTENCE);
  });

  it("is as the log says it, of a change, a refusal and a proposal", async () => {
    const thread = await openBoard();
    const done = await thread.dispatch(move, { actor: agent, toolCallId: "call" });
    const back = board.op.move({ cardId: "T-1", toColumn: "backlog" });
    const asked = await thread.propose(back, { actor: agent, toolCallId: "asked" });
    const entries = [done, asked].flatMap((verdict) =>
      verdict.accepted && verdict.commit ? [commitEntry(verdict.commit)] : [],
    );
    expect(loggedText(call(), entries)).toBe(SENTENCE);
    expect(loggedText(call({ toolCallId: "asked" }), entries)).toBe(
      "Move 'Write the launch announcement' (T-1): Done -> Backlog",
    );
    expect(loggedText(call({ toolCallId: "another" }), entries)).toBeUndefined();
  });

  it("is what its result says, where the log does not reach back so far", () => {
    const result = `Accepted: board is now at version 3.\nDone: ${JSON.stringify(SENTENCE)}\nChanged: ...`;
    const words = createCallText();
    expect(words(call({ operation: move, result, outcome: readOutcome(result) }), null)).toBe(SENTENCE);
  });

  it("says of a new board how large it is", () => {
    const operation = { columns: sampleBoard.columns };
    expect(createCallText()(call({ name: "buildBoard", operation }), sampleBoard)).toBe(
      "Replace the board: 4 columns, 13 cards",
    );
  });

  it("has words for a tool that reads", () => {
    const words = createCallText();
    expect(words(call({ name: "recentChanges" }), null)).toBe("Look up the latest changes");
    expect(words(call({ name: "takeBack" }), null)).toBe("Take back the last run");
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
      ["proposed", "Proposed", undefined],
      ["answered", "Answered", undefined],
      ["running", "Asking", undefined],
      ["stopped", "Stopped", undefined],
    ]);
  });

  it("of an open proposal says whether it can be accepted as it was shown", () => {
    const words = [
      waitingVerdict({ stale: false, problem: undefined }),
      waitingVerdict({ stale: true, problem: undefined }),
      waitingVerdict({ stale: true, problem: "There is no card 'T-9'." }),
    ];
    expect(words.map(({ text, reason }) => [text, reason])).toEqual([
      ["Proposed, waiting for you", undefined],
      ["Changed since it was proposed", undefined],
      ["No longer possible", "There is no card 'T-9'."],
    ]);
  });

  it("of a decided proposal says who decided, how, and why", async () => {
    const thread = await openBoard();
    const bob = { kind: "user", id: "bob" };
    for (const id of ["yes", "anyway", "no", "other", "back"])
      await thread.propose(board.op.editCard({ cardId: "T-1", title: id }), { actor: agent, id });
    await thread.approve("yes", { actor: ada });
    await thread.approve("anyway", { actor: bob, anyway: true });
    await thread.decline("no", { actor: bob, reason: "Not before Friday" });
    await thread.decline("other", { actor: ada, reason: "Done differently: Move 'A' (T-1) to Done" });
    await thread.decline("back", { actor: agent });
    const said = [];
    for (const id of ["yes", "anyway", "no", "other", "back", "unknown"]) {
      const { kind, text, reason } = decidedVerdict(await thread.proposal(id), "ada");
      said.push([kind, text, reason]);
    }
    expect(said).toEqual([
      ["accepted", "Accepted by you", undefined],
      ["accepted", "Accepted anyway by bob", undefined],
      ["declined", "Declined by bob", "'Not before Friday'"],
      ["accepted", "Done differently by you", "Move 'A' (T-1) to Done"],
      ["declined", "Taken back by the agent", undefined],
      ["proposed", "Proposed", undefined],
    ]);
  });
});
