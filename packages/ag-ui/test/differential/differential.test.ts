// The fold and its stages against the official client's, event by event, over generated sequences.

import type { AGUIEvent } from "@ag-ui/core";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chatReducer, chunkStage, type ChatState, initialChatState, toAgUiMessages, verifyStage } from "@opstate/ag-ui";
import { runs } from "../../../../tools/runs.ts";
import { enforce } from "../../src/enforce/enforce.ts";
import { officialFold, officialStages } from "./official.ts";
import { sequences } from "./sequences.ts";

const SEQUENCES = runs(2_000, 21_000);

// The official client prints what it tolerates.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

interface Passed {
  readonly events: readonly (readonly AGUIEvent[])[];
  readonly failedAt?: number;
}

function ourStages(given: readonly unknown[]): Passed {
  let chunks = chunkStage.initial();
  let order = verifyStage.initial();
  const events: AGUIEvent[][] = [];
  for (const [position, raw] of given.entries()) {
    const passed: AGUIEvent[] = [];
    events.push(passed);
    const { event, error } = { event: undefined, error: undefined, ...enforce(raw) };
    if (error !== undefined) return { events, failedAt: position };
    if (event === undefined) continue;
    const [nextChunks, expanded] = chunkStage.step(chunks, event as unknown as AGUIEvent);
    chunks = nextChunks;
    for (const one of expanded) {
      const [nextOrder, verified] = verifyStage.step(order, one);
      order = nextOrder;
      if (verified.some((out) => out.type === "RUN_ERROR" && out.code === "protocol_violation"))
        return { events, failedAt: position };
      passed.push(...verified);
    }
  }
  return { events };
}

const folded = (state: ChatState) => ({ messages: toAgUiMessages(state), state: state.state });

it("agrees with the official client at every event", async () => {
  let events = 0;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (given) => {
      const official = officialStages(given);
      const ours = ourStages(given);
      expect({ at: ours.failedAt, why: official.message }).toEqual({ at: official.failedAt, why: official.message });
      expect(ours.events).toEqual(official.events);
      events += given.length;
      if (official.failedAt !== undefined) failures++;

      const passed = official.events.flat();
      const theirs = await officialFold(passed, { messages: [], state: {} });
      let chat: ChatState = initialChatState();
      for (const [position, event] of passed.entries()) {
        expect(folded(chat), `before event ${position}`).toEqual(theirs[position]);
        chat = chatReducer(chat, event);
      }
      expect(folded(chat), "at the end").toEqual(theirs.at(-1));

      // The fold alone, on what came from the wire, comes to the same.
      const wire = given.slice(0, official.failedAt ?? given.length);
      const before = official.events.slice(0, wire.length).flat().length;
      expect(folded(wire.reduce<ChatState>(chatReducer, initialChatState()))).toEqual(theirs[before]);
    }),
    { numRuns: SEQUENCES },
  );
  // A generator that only makes what fails, or only what passes, would judge little.
  expect(failures).toBeGreaterThan(SEQUENCES / 20);
  expect(failures).toBeLessThan(SEQUENCES * 0.95);
  expect(events).toBeGreaterThan(SEQUENCES * 5);
}, 1_800_000);
