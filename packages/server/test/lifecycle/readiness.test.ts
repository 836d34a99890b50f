// What /readyz finds out about the log, with a clock of its own.

import { describe, expect, it } from "vitest";
import { Readiness } from "../../src/lifecycle/readiness.ts";

function createProbe() {
  let time = 0;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const questions: { resolve(info?: undefined): void; reject(error: unknown): void }[] = [];
  const readiness = new Readiness({
    log: { info: () => new Promise((resolve, reject) => questions.push({ resolve, reject })) },
    now: () => time,
    after(milliseconds, callback) {
      const timer = { at: time + milliseconds, callback };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
  });
  return {
    readiness,
    questions,
    get timers() {
      return timers.length;
    },
    pass(milliseconds: number) {
      time += milliseconds;
      for (const { at, callback } of timers) if (at <= time) callback();
    },
  };
}

/** The question is asked in the next turn. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the log", () => {
  it("is ready when it answers, and no timer stays", async () => {
    const probe = createProbe();
    const fault = probe.readiness.fault();
    await turn();
    probe.questions[0]?.resolve();
    expect(await fault).toBeUndefined();
    expect(probe.timers).toBe(0);
  });

  it("is not when it fails, and the reason is passed on", async () => {
    const probe = createProbe();
    const fault = probe.readiness.fault();
    await turn();
    const error = new Error("disk full");
    probe.questions[0]?.reject(error);
    expect(await fault).toEqual({ reason: "failed", error });
  });

  it("is not when it is silent for two seconds", async () => {
    const probe = createProbe();
    const fault = probe.readiness.fault();
    await turn();
    probe.pass(2_000);
    expect(await fault).toEqual({ reason: "silent" });
  });

  it("is run once for all requests meanwhile, and again half a second after its answer", async () => {
    const probe = createProbe();
    const faults = [probe.readiness.fault(), probe.readiness.fault()];
    await turn();
    expect(probe.questions.length).toBe(1);
    probe.questions[0]?.resolve();
    await Promise.all(faults);
    probe.pass(499);
    await probe.readiness.fault();
    expect(probe.questions.length).toBe(1);
    probe.pass(1);
    void probe.readiness.fault();
    await turn();
    expect(probe.questions.length).toBe(2);
  });

  it("that hangs gets one question in half a minute, and is ready as soon as it answers", async () => {
    const probe = createProbe();
    for (let seconds = 0; seconds < 30; seconds += 2) {
      const fault = probe.readiness.fault();
      await turn();
      probe.pass(2_000);
      expect(await fault).toEqual({ reason: "silent" });
    }
    expect(probe.questions.length).toBe(1);
    const fault = probe.readiness.fault();
    await turn();
    expect(probe.questions.length).toBe(2);
    probe.questions[1]?.resolve();
    expect(await fault).toBeUndefined();
  });
});
