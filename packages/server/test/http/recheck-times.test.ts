// When it is asked again whether something may go on, on a clock of the test.

import { describe, expect, it } from "vitest";
import { type Clock, AccessRecheck } from "../../src/http/recheck-access.ts";
import type { Access } from "../../src/http/access.ts";
import { Problem } from "../../src/http/problem.ts";

const MINUTE = 60_000;

/** Time goes on by `pass` alone. */
function testClock(random = () => 1) {
  let now = 1_000_000;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    random,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  async function pass(milliseconds: number): Promise<void> {
    const end = now + milliseconds;
    await settle();
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      now = next.at;
      timers = timers.filter((timer) => timer !== next);
      next.callback();
      await settle();
    }
    now = end;
  }
  return { clock, pass, settle, count: () => timers.length };
}

type Answer = () => Promise<Pick<Access, "expiresAt">>;
const allowed: Answer = async () => ({});
const failed: Answer = () => Promise.reject(new Error("the directory is down"));
const silent: Answer = () => new Promise(() => {});

function begin({ random = () => 1, expiresIn }: { random?: () => number; expiresIn?: number } = {}) {
  const time = testClock(random);
  const start = time.clock.now();
  const says = { answer: allowed, asked: [] as number[], errors: 0, problems: [] as string[] };
  const recheck = new AccessRecheck({
    check() {
      says.asked.push(time.clock.now() - start);
      return says.answer();
    },
    expiresAt: expiresIn === undefined ? undefined : new Date(start + expiresIn),
    interval: MINUTE,
    onRefused: ({ code }) => says.problems.push(code),
    onError: () => (says.errors += 1),
    clock: time.clock,
  });
  const at = (milliseconds: number) => new Date(start + milliseconds);
  return { ...time, says, recheck, at };
}

describe("the check is made again", () => {
  it("at least once in every interval, and at another moment each time", async () => {
    const draws = [1, 0, 0.5];
    const { pass, says } = begin({ random: () => draws.shift() ?? 1 });
    await pass(3 * MINUTE);
    expect(says.asked).toEqual([60_000, 90_000, 135_000]);
  });

  it("when the credentials expire, and goes on when they were renewed", async () => {
    const { pass, says, at } = begin({ expiresIn: 10_000 });
    says.answer = async () => ({ expiresAt: at(25_000) });
    await pass(20_000);
    expect(says.asked).toEqual([10_000]);
    says.answer = () => Promise.reject(new Problem("unauthenticated", "Expired."));
    await pass(MINUTE);
    expect([says.asked, says.problems]).toEqual([[10_000, 25_000], ["unauthenticated"]]);
  });

  it("at once on request, and once more when the request came during a check", async () => {
    const { settle, says, recheck } = begin();
    const answers: (() => void)[] = [];
    says.answer = () => new Promise((resolve) => answers.push(() => resolve({})));
    for (let count = 0; count < 3; count += 1) recheck.ask();
    await settle();
    expect(says.asked).toEqual([0]);
    answers[0]?.();
    await settle();
    expect(says.asked).toEqual([0, 0]);
    answers[1]?.();
    await settle();
    expect(says.asked).toEqual([0, 0]);
  });

  it("5 seconds after a check that failed", async () => {
    const { pass, says, recheck } = begin();
    says.answer = failed;
    recheck.ask();
    await pass(4_999);
    says.answer = allowed;
    await pass(1);
    expect([says.asked, says.errors, says.problems]).toEqual([[0, 5_000], 1, []]);
  });

  it("no more after it was closed, and leaves no timer", async () => {
    const { pass, says, recheck, count } = begin({ expiresIn: 10_000 });
    recheck.close();
    recheck.ask();
    recheck.askSoon();
    await pass(MINUTE);
    expect([says.asked, count()]).toEqual([[], 0]);
  });
});

describe("it ends", () => {
  it("when two checks in a row fail, and not when one between them does not", async () => {
    const { pass, says, recheck } = begin();
    for (const answer of [failed, allowed, failed]) {
      says.answer = answer;
      recheck.ask();
      await pass(1);
    }
    expect(says.problems).toEqual([]);
    await pass(5_000);
    expect([says.problems, says.errors]).toEqual([["failure"], 3]);
  });

  it("when a check has no answer for 10 seconds", async () => {
    const { pass, says, recheck, count } = begin();
    says.answer = silent;
    recheck.ask();
    await pass(9_999);
    expect(says.problems).toEqual([]);
    await pass(1);
    expect([says.problems, count()]).toEqual([["failure"], 0]);
  });

  it("when the check at the end of the credentials fails", async () => {
    const { pass, says } = begin({ expiresIn: 10_000 });
    says.answer = failed;
    await pass(10_000);
    expect(says.problems).toEqual(["failure"]);
  });

  it("once, whatever comes later", async () => {
    const { pass, says, recheck } = begin();
    const answers: (() => void)[] = [];
    says.answer = () =>
      new Promise((_, reject) => answers.push(() => reject(new Problem("not_allowed", "Not any more."))));
    recheck.ask();
    recheck.ask();
    answers[0]?.();
    await pass(MINUTE);
    recheck.ask();
    await pass(MINUTE);
    expect([says.problems, says.asked]).toEqual([["not_allowed"], [0]]);
  });
});
