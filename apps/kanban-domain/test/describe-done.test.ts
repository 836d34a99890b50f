import { describeDone, sampleBoard } from "@opstate/kanban-domain";
import fc from "fast-check";
import { expect, it } from "vitest";

it.each([
  [{ type: "move", cardId: "T-1", toColumn: "done" }, 'moved "Write the launch announcement" to Done'],
  [
    { type: "move", cardId: "T-1", toColumn: "backlog", position: 0 },
    'moved "Write the launch announcement" within its column',
  ],
  [{ type: "move", fromColumn: "done", position: 0 }, "moved the column Done"],
  [{ type: "remove", cardId: "T-1" }, 'removed "Write the launch announcement"'],
  [{ type: "remove", fromColumn: "done" }, "cleared Done"],
  [{ type: "addCard", columnId: "review", title: "Send invoices", priority: 2 }, 'added "Send invoices" to Review'],
  [{ type: "editCard", cardId: "T-1", title: "Announce" }, 'renamed "Write the launch announcement" to "Announce"'],
  [{ type: "editCard", cardId: "T-1", priority: 1 }, 'set the priority of "Write the launch announcement" to 1'],
  [
    { type: "editCard", cardId: "T-1", title: "Announce", priority: 1 },
    'renamed "Write the launch announcement" to "Announce" and set the priority of it to 1',
  ],
  [{ type: "renameColumn", columnId: "done", title: "Shipped" }, 'renamed the column Done to "Shipped"'],
  [{ type: "$undo", versions: [3, 4] }, "took back 2 changes"],
  [{ type: "$undo", versions: [3, [5, 8]] }, "took back 5 changes"],
  [{ type: "$undo" }, "took back 1 change"],
  [
    { type: "$approve", operation: { type: "addColumn", title: "Later" } },
    "accepted a proposal: Add the column 'Later'",
  ],
  [{ type: "$batch", operations: [{}, {}] }, "made 2 changes as one"],
  [{ columns: [] }, "replaced the board"],
  [{ type: "move", cardId: "T-999", toColumn: "nowhere" }, 'moved "T-999" to nowhere'],
])("%j: %s", (operation, sentence) => {
  expect(describeDone(operation, sampleBoard)).toBe(sentence);
});

it("tells anything", () => {
  fc.assert(fc.property(fc.anything(), (operation) => void expect(describeDone(operation, null)).toMatch(/./)));
});
