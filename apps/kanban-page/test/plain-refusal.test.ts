import { memoryLog, openThread, type Rejection } from "@opstate/core";
import { board, boardFrom, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { plainRefusal } from "../src/plain-refusal.ts";

const agent = { kind: "agent", id: "agent" };
const ada = { kind: "user", id: "ada" };

async function open() {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: agent });
  return thread;
}

const other = boardFrom({ columns: [{ title: "Backlog", cards: [{ title: "Sketch", cardId: "T-2" }] }] });
const rename = board.op.editCard({ cardId: "T-2", title: "Night colours" });

describe("a refusal in plain words", () => {
  it("says what a change of a branch would touch on the board", async () => {
    const thread = await open();
    const branch = await thread.branch();
    await branch.dispatch(rename, { actor: agent });
    await thread.dispatch({ type: "$replace", value: other }, { actor: agent });
    const [change] = await branch.diff();
    const words = plainRefusal(change?.rejection as Rejection, thread.getState());
    expect(words).toContain('On the board it would set "title" of "Sketch" (T-2) to "Night colours" instead of');
    expect(words).not.toMatch(/Version|parent|\/columns/);
  });

  it("names by its title what an edit would change that was made for something else", async () => {
    const thread = await open();
    const basedOn = thread.version;
    await thread.dispatch({ type: "$replace", value: other }, { actor: agent });
    const verdict = await thread.dispatch(rename, { actor: ada, basedOn });
    if (verdict.accepted) throw new Error("it was not refused");
    expect(verdict.rejection.reason).toBe("other_thing");
    expect(plainRefusal(verdict.rejection, thread.getState())).toBe(
      'Not done: by now it would change "Sketch", which it was not meant for. Look again, then repeat it.',
    );
  });

  it("leaves the board's own words", async () => {
    const verdict = await (await open()).dispatch(board.op.remove({ cardId: "T-99" }), { actor: ada });
    if (verdict.accepted) throw new Error("it was not refused");
    expect(plainRefusal(verdict.rejection, null)).toBe(verdict.rejection.message);
  });
});
