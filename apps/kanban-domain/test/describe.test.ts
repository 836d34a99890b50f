// Operations as sentences, for the feed and the chat.

import { memoryLog, openThread } from "@opstate/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { board, describe, describeCommit, restoreId, sampleBoard } from "../src/index.ts";

const { op } = board;

test.each<[unknown, string]>([
  [
    op.move({ cardId: "T-42", toColumn: "in-progress" }),
    "Move 'Let people undo an agent's whole run' (T-42): Backlog -> In Progress",
  ],
  [
    op.move({ cardId: "T-42", toColumn: "in-progress", position: 0 }),
    "Move 'Let people undo an agent's whole run' (T-42): Backlog -> In Progress at the top",
  ],
  [
    op.move({ cardId: "T-42", fromColumn: "backlog", toColumn: "backlog", position: 2 }),
    "Move 'Let people undo an agent's whole run' (T-42) within Backlog at position 3",
  ],
  [
    op.move({ cardId: "T-8", fromColumn: "review", toColumn: "done" }),
    "Move 'Search over all boards' (T-8): Review -> Done",
  ],
  [op.move({ cardId: "T-8", toColumn: "done" }), "Move 'Search over all boards' (T-8) to Done"],
  [op.move({ cardId: "T-99", toColumn: "nowhere" }), "Move T-99 to nowhere"],
  [op.move({ fromColumn: "done", toColumn: "review" }), "Move the column Done to the place of Review"],
  [op.remove({ cardId: "T-15" }), "Remove 'Keep edits made while offline' (T-15) from In Progress"],
  [op.remove({ fromColumn: "done" }), "Clear Done"],
  [op.addCard({ columnId: "done", title: "Write docs" }), "Add 'Write docs' to Done"],
  [
    op.editCard({ cardId: "T-3", title: "New", priority: 1 }),
    "Change 'Keyboard shortcuts, with a list of them' (T-3): rename it to 'New', set its priority to 1",
  ],
  [op.addColumn({ title: "Blocked" }), "Add the column 'Blocked'"],
  [op.renameColumn({ columnId: "review", title: "QA" }), "Rename the column Review to 'QA'"],
  [op.removeColumn({ columnId: "review" }), "Remove the column Review"],
  [{ type: "$replace", value: sampleBoard }, "Replace the board: 4 columns, 13 cards"],
  [sampleBoard, "Replace the board: 4 columns, 13 cards"],
  [
    { type: "$batch", operations: [op.remove({ cardId: "T-1" }), op.remove({ cardId: "T-2" })] },
    "2 operations at once: Remove 'Write the launch announcement' (T-1) from Backlog; Remove 'Dark mode for the settings page' (T-2) from Backlog",
  ],
  [{ type: "$undo", ids: ["a"], versions: [7] }, "Take back 1 change"],
  [{ type: "$undo", ids: ["a", "b"], versions: [7, 9, 8], dropped: ["c"] }, "Take back 3 changes, with what needed it"],
  [{ type: "$undo", ids: [], versions: [3, 4, 5, 6, 9] }, "Take back 5 changes"],
  // As earlier releases wrote them above, as ranges below.
  [{ type: "$undo", versions: [[7, 9]], dropped: [8] }, "Take back 3 changes, with what needed it"],
  [{ type: "$undo", versions: [[1, 20_000]] }, "Take back 20000 changes"],
  [{ type: "$undo", versions: [3, [5, 9]] }, "Take back 6 changes"],
  [{ type: "$undo", versions: [[1, 1e300], ["a", 2], "b", [9, 1], null, 4] }, "Take back 1 change"],
  [{ type: "$undo" }, "Take back 0 changes"],
  [
    { type: "$propose", operation: op.remove({ cardId: "T-15" }) },
    "Propose: Remove 'Keep edits made while offline' (T-15) from In Progress",
  ],
  [
    { type: "$approve", operation: op.remove({ cardId: "T-15" }) },
    "Accept: Remove 'Keep edits made while offline' (T-15) from In Progress",
  ],
  [{ type: "$decline", proposal: "p", reason: "Not yet" }, "Decline a proposal: 'Not yet'"],
  [{ type: "$merge", operation: op.addColumn({ title: "QA" }) }, "Merge: Add the column 'QA'"],
  [{ type: "explode" }, "Unknown operation 'explode'"],
  [{ type: "constructor" }, "Unknown operation 'constructor'"],
  [{ type: "move" }, "Move the column undefined to the place of undefined"],
  [{}, "Not an operation: {...}"],
  ["rubbish", "Not an operation: rubbish"],
])("%j", (operation, sentence) => expect(describe(operation, sampleBoard)).toBe(sentence));

test("a commit has the words that it was made with, in the frame of what the log did", async () => {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  const [ada, agent] = [
    { kind: "user", id: "ada" },
    { kind: "agent", id: "agent" },
  ];
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: agent });
  await thread.propose(op.move({ cardId: "T-42", toColumn: "done" }), { actor: agent, id: "p" });
  await thread.approve("p", { actor: ada });
  await thread.dispatch(op.move({ cardId: "T-42", toColumn: "review" }), { actor: ada });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: ada, id: restoreId(1, "r") });
  const history = await thread.history();
  expect(history.map((entry) => entry.kind === "commit" && describeCommit(entry.commit))).toEqual([
    "Replace the board: 4 columns, 13 cards",
    "Propose: Move 'Let people undo an agent's whole run' (T-42): Backlog -> Done",
    "Accept: Move 'Let people undo an agent's whole run' (T-42): Backlog -> Done",
    "Move 'Let people undo an agent's whole run' (T-42): Done -> Review",
    "Restore version 1",
  ]);
});

test.each([
  op.move({ cardId: "T-42", toColumn: "done" }),
  op.remove({ cardId: "T-15" }),
  op.addCard({ columnId: "done", title: "Write docs" }),
  op.editCard({ cardId: "T-3", title: "New" }),
  op.addColumn({ title: "Blocked" }),
  op.renameColumn({ columnId: "review", title: "QA" }),
])("$type describes itself", async (operation) => {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  const system = { kind: "system", id: "demo" };
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: system });
  const verdict = await thread.dispatch(operation, { actor: system });
  expect(verdict.accepted && verdict.commit?.sentence).toBe(describe(operation, sampleBoard));
});

test("without a board the ids are shown as they are", () => {
  expect(describe(op.move({ cardId: "T-42", fromColumn: "backlog", toColumn: "in-progress" }))).toBe(
    "Move T-42: backlog -> in-progress",
  );
});

test("anything at all gets a sentence", () => {
  const types = fc.constantFrom("move", "remove", "addCard", "editCard", "$batch", "$replace", "toString");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything({ withBigInt: true, withNullPrototype: true }),
        fc.record({ type: types, cardId: fc.anything(), operations: fc.anything(), value: fc.anything() }),
      ),
      (operation) => {
        expect(describe(operation, sampleBoard)).toMatch(/./);
      },
    ),
  );
});
