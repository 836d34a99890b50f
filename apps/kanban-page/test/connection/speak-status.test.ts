// What is spoken of the connection, and in what order with the verdicts that it brings.

import type { ThreadSync } from "@opstate/client";
import { createSource } from "@opstate/core/readable";
import { board } from "@opstate/kanban-domain";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createAnnouncer } from "../../src/announcer.ts";
import { speakStatus } from "../../src/connection/speak-status.ts";
import { createNotices } from "../../src/notices/notices.ts";
import { showRefusals } from "../../src/edits.ts";
import type { BoardThread } from "../../src/open-board.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("a connection that is back", () => {
  it("is announced with what was saved, as soon as all of it is", async () => {
    const { said, show, end } = speaking();
    await show("offline", { waiting: ["1", "2"] });
    await vi.advanceTimersByTimeAsync(1_000);
    await show("connecting", { waiting: ["1", "2"] });
    await show("online", { waiting: ["1", "2"] });
    await show("online", { waiting: ["2"] });
    expect(said).toEqual(["Offline. You can keep editing."]);
    await show("online");
    expect(said.slice(1)).toEqual(["Connected again. All edits saved."]);
    end();
    await show("offline");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toHaveLength(2);
  });

  it("is announced with what is being saved when that takes long", async () => {
    const { said, show } = speaking();
    await show("offline", { waiting: ["1"] });
    await vi.advanceTimersByTimeAsync(1_000);
    await show("online", { waiting: ["1"] });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said.slice(1)).toEqual(["Connected again. Saving 1 edit."]);
  });

  it("is not announced when it was lost for a moment only", async () => {
    const { said, show } = speaking();
    for (const status of ["offline", "connecting", "online"] as const) await show(status);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([]);
  });
});

describe("a lost connection", () => {
  it("is announced though it is being tried again when that is found, once", async () => {
    const { said, show } = speaking();
    await show("offline");
    await show("connecting");
    await vi.advanceTimersByTimeAsync(1_000);
    for (const status of ["offline", "connecting", "offline"] as const) await show(status);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual(["Offline. You can keep editing."]);
  });
});

describe("the refusal of an edit that waited", () => {
  it.each([
    ["by the authority", ["connecting", "online"]],
    ["by the page, which gets the others' commits before it is online", ["connecting"]],
  ] as const)("is the last word, %s", async (_, statuses) => {
    const { said, show } = speaking();
    await show("offline", { waiting: ["1"] });
    await vi.advanceTimersByTimeAsync(1_000);
    for (const status of statuses) await show(status, { waiting: ["1"] });
    await show(statuses.at(-1) ?? "online", { refused: ["1"] });
    await show("online", { refused: ["1"] });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(said.slice(1)).toEqual(["Connected again.", "Connected again. Refused: 1."]);
  });

  it("comes after what is still being saved, and with all other refusals of that moment", async () => {
    const { said, show } = speaking();
    await show("offline", { waiting: ["1", "2", "3"] });
    await vi.advanceTimersByTimeAsync(1_000);
    await show("connecting", { waiting: ["2"], refused: ["1", "3"] });
    expect(said.at(-1)).toBe("Connected again. Saving 1 edit. Refused: 1. Refused: 3.");
  });

  it("says nothing of the connection when the edit did not wait for it", async () => {
    const { said, show } = speaking();
    await show("offline");
    await vi.advanceTimersByTimeAsync(1_000);
    await show("offline", { refused: ["1"] });
    await vi.advanceTimersByTimeAsync(1_000);
    await show("online", { refused: ["1"] });
    expect(said.slice(1)).toEqual(["Refused: 1.", "Connected again. All edits saved."]);
  });
});

/** A page that was online. `said`: each text of its live region. */
function speaking() {
  const announcer = createAnnouncer();
  const said: string[] = [];
  announcer.subscribe(({ sentence }) => void said.push(sentence));
  const sync = createSource(syncOf("online", {}));
  // As on a page: refusals are told as long as it is open, the status by its status bar.
  onTestFinished(showRefusals({ sync, getState: () => null } as unknown as BoardThread, createNotices(), announcer));
  const end = speakStatus(sync, announcer);
  return {
    said,
    end,
    async show(status: ThreadSync["status"], waits: Waits = {}) {
      sync.set(syncOf(status, waits))();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

interface Waits {
  readonly waiting?: readonly string[];
  readonly refused?: readonly string[];
}

function syncOf(status: ThreadSync["status"], { waiting = [], refused = [] }: Waits): ThreadSync {
  const operation = board.op.remove({ cardId: "T-1" });
  const rejections = refused.map((id) => ({
    id,
    operation,
    verdict: { rejection: { reason: "none", message: `Refused: ${id}.` } },
  }));
  return { status, pending: waiting.map((id) => ({ id, operation })), rejections } as unknown as ThreadSync;
}
