// What a screen reader is given to speak.

import { afterEach, expect, it, vi } from "vitest";
import { createAnnouncer } from "../src/announcer.ts";

afterEach(() => void vi.useRealTimers());

it("gives all that is said in one moment, in its order, and then only what is new", () => {
  vi.useFakeTimers();
  const announcer = createAnnouncer();
  for (const sentence of ["One.", "Two."]) announcer.say(sentence);
  expect(announcer.getState().sentence).toBe("One. Two.");
  vi.advanceTimersByTime(0);
  announcer.say("Three.");
  expect(announcer.getState()).toEqual({ sentence: "Three.", turn: 3 });
});
