// Who is here, as frames: few of them, and none that matters is missing.

import type { Participant } from "@opstate/client/carriers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ThreadPresence } from "../../src/threads/thread-presence.ts";

function presence() {
  const told: Participant[][] = [];
  const shown = new ThreadPresence("launch", ({ json }) => {
    told.push(JSON.parse(new TextDecoder().decode(json)).participants);
  });
  return { shown, told, sessions: () => told.map((list) => list.map(({ session }) => session)) };
}

const somebody = (session: string, data?: unknown): Participant => ({
  session,
  actor: { kind: "user", id: "ada" },
  ...(data !== undefined && { data }),
});

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe("who is here", () => {
  it("is sent at once, then at most ten times a second, and the last state always", () => {
    const { shown, told } = presence();
    for (let count = 0; count < 1_000; count += 1) {
      shown.show(somebody("p", count));
      vi.advanceTimersByTime(1);
    }
    expect(told.length).toBeLessThanOrEqual(11);
    expect(told.length).toBeGreaterThan(8);
    vi.advanceTimersByTime(200);
    expect(told[0]).toEqual([somebody("p", 0)]);
    expect(told.at(-1)).toEqual([somebody("p", 999)]);
  });

  it("is not sent again when nothing changed", () => {
    const { shown, told } = presence();
    for (let count = 0; count < 5; count += 1) {
      shown.show(somebody("p", "same"));
      shown.hide("nobody");
      vi.advanceTimersByTime(1_000);
    }
    expect(told).toHaveLength(1);
  });

  it("is sent with all participants, also when no one is left", () => {
    const { shown, sessions } = presence();
    shown.show(somebody("p"));
    vi.advanceTimersByTime(100);
    shown.show(somebody("q"));
    vi.advanceTimersByTime(100);
    shown.hide("p");
    shown.show(somebody("r"));
    shown.hide("q");
    shown.hide("r");
    vi.advanceTimersByTime(100);
    expect(sessions()).toEqual([["p"], ["p", "q"], ["q"], []]);
    expect(shown.isEmpty()).toBe(true);
  });

  it("costs a reader about 64 KB a second, however many are here", () => {
    const { shown, told } = presence();
    const large = "x".repeat(2_000);
    for (let count = 0; count < 200; count += 1) shown.show(somebody(`p${count}`, large));
    vi.advanceTimersByTime(1_000);
    told.splice(0);
    for (let count = 0; count < 5_000; count += 1) {
      shown.show(somebody("p0", count));
      vi.advanceTimersByTime(1);
    }
    const bytes = told.reduce((size, list) => size + JSON.stringify(list).length, 0);
    expect(bytes).toBeLessThan(6 * 64 * 1024);
    expect(bytes).toBeGreaterThan(3 * 64 * 1024);
    // Those who came last are told.
    expect(told.at(-1)?.at(-1)?.session).toBe("p199");
  });

  it("is empty once the thread has ended", () => {
    const { shown, told } = presence();
    shown.show(somebody("p"));
    shown.show(somebody("q"));
    shown.end();
    shown.show(somebody("r"));
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveLength(1);
    expect(shown.isEmpty()).toBe(true);
  });
});
