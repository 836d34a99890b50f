// A timer that comes late, on a clock of its own.

import { expect, it } from "vitest";
import { StallMonitor } from "../../src/observe/stall-monitor.ts";

it("reports how long no request was answered, and nothing when it was not long", () => {
  let time = 0;
  let look = () => {};
  let running = 0;
  const stalls: number[] = [];
  const monitor = new StallMonitor({
    onStall: (duration) => stalls.push(duration),
    now: () => time,
    every(_, callback) {
      look = callback;
      running += 1;
      return () => (running -= 1);
    },
  });
  monitor.start();
  monitor.start();
  for (const passed of [100, 100, 149, 150, 100, 1_300]) {
    time += passed;
    look();
  }
  expect(stalls).toEqual([50, 1_200]);
  expect(running).toBe(1);
  monitor.stop();
  monitor.stop();
  expect(running).toBe(0);
});
