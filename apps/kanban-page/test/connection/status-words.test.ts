import { expect, it } from "vitest";
import { board } from "@opstate/kanban-domain";
import {
  lostWords,
  noBoardWords,
  stableStatus,
  spokenStatus,
  STATUS_NAMES,
  statusSentence,
  storageWords,
  unsentEdits,
} from "../../src/connection/status-words.ts";

it.each([
  ["online", 0, "Live", "All edits saved"],
  ["online", 1, "Live", "Saving 1 edit"],
  ["offline", 0, "Offline", "You can keep editing"],
  ["offline", 2, "Offline", "2 edits waiting, sent when the connection is back"],
  ["unauthenticated", 0, "Signed out", "Sign in to continue"],
  ["unauthenticated", 2, "Signed out", "Sign in to continue. 2 edits not sent"],
  ["forbidden", 0, "No access", "You do not have access to this board"],
  ["not_found", 0, "Not found", "This board no longer exists"],
] as const)("%s with %i that wait: %s, %s", (status, pending, name, sentence) => {
  expect([STATUS_NAMES[status], statusSentence(status, pending)]).toEqual([name, sentence]);
});

it("says what is the matter where there is no board, and not that it opens by itself when it does not", () => {
  expect(noBoardWords("connecting").title).toBe("Opening the board");
  expect(noBoardWords("offline").text).toContain("by itself");
  expect(noBoardWords("forbidden")).toEqual({ title: "No access", text: "You do not have access to this board." });
});

it("says to a screen reader when the page is let in no more, and when it is again", () => {
  expect(spokenStatus("online", "unauthenticated", 1)).toBe("Signed out. Sign in to continue. 1 edit not sent.");
  expect(spokenStatus("unauthenticated", stableStatus("unauthenticated", "connecting"), 1)).toBeUndefined();
  expect(spokenStatus("unauthenticated", "online", 0)).toBe("Connected again. All edits saved.");
});

it("says what is not sent, and what does not outlive a reload", () => {
  const edit = { id: "1", at: "2026-01-01T00:00:00.000Z", operation: board.op.remove({ cardId: "T-1" }) };
  const waiting = [{ ...edit, status: "queued" }] as const;
  expect(lostWords({ lost: [] })).toBeUndefined();
  expect(lostWords({ lost: waiting })).toBe("1 edit of before cannot be sent");
  expect(unsentEdits({ status: "offline", lost: [], pending: waiting })).toEqual([]);
  expect(unsentEdits({ status: "forbidden", lost: waiting, pending: waiting })).toHaveLength(2);
  const storage = new Error("full");
  expect(storageWords({ pending: waiting })).toBeUndefined();
  expect(storageWords({ pending: [], storage })).toBeUndefined();
  expect(storageWords({ pending: waiting, storage })).toContain("leave the page open");
});
