// Which tab leads, step by step. The simulation has what no list of steps can have.

import { describe, expect, it } from "vitest";
import {
  elect,
  type Election,
  type ElectionEffect,
  type ElectionEvent,
  startElection,
} from "../../src/tabs/election.ts";

/** A tab that is told events, and what it does. */
class Elected {
  state: Election;

  constructor(tab: string, ...events: readonly ElectionEvent[]) {
    this.state = startElection(tab);
    this.take(...events);
  }

  /** What it does in words. */
  take(...events: readonly ElectionEvent[]): readonly string[] {
    return events.flatMap((event) => {
      const { state, effects } = elect(this.state, event);
      this.state = state;
      return effects.map(inWords);
    });
  }
}

function inWords(effect: ElectionEffect): string {
  switch (effect.do) {
    case "post":
      return `post ${effect.message.type}`;
    case "join":
      return `join ${effect.leader.tab}`;
    case "lock":
      return effect.steal ? "take the lock" : "ask for the lock";
    case "enter":
      return `enter ${effect.group}`;
    case "watch":
      return `watch ${effect.tab}`;
    default:
      return effect.do;
  }
}

const alone: readonly ElectionEvent[] = [{ type: "start" }];
const waiting: readonly ElectionEvent[] = [...alone, { type: "confirmed", group: "g" }, { type: "entered" }];
const leading: readonly ElectionEvent[] = [...waiting, { type: "granted" }];
const lead = (from: string, term = `${from} 1`): ElectionEvent => ({
  type: "heard",
  from,
  message: { type: "lead", term },
});

describe("the election", () => {
  it("opens a tab's own connection, and searches for others when the actor is confirmed", () => {
    const tab = new Elected("a");
    expect(tab.take({ type: "start" })).toEqual(["open", "join a"]);
    expect(tab.take({ type: "start" })).toEqual([]);
    expect(tab.take({ type: "confirmed", group: "g" })).toEqual(["enter g"]);
    expect(tab.take({ type: "entered" })).toEqual(["ask for the lock", "post who", "timer"]);
    expect(tab.take({ type: "granted" })).toEqual(["post lead", "decided"]);
  });

  it("keeps its connection until it knows of a leader", () => {
    const tab = new Elected("b", ...waiting);
    expect(tab.take({ type: "timer" })).toEqual(["post who", "decided", "timer"]);
    expect(tab.take(lead("a"))).toEqual(["close", "watch a", "join a", "decided"]);
  });

  it("leads when the lock comes to it, and says so", () => {
    const tab = new Elected("b", ...waiting, lead("a"));
    expect(tab.take({ type: "gone", tab: "a" })).toEqual(["part"]);
    expect(tab.take({ type: "granted" })).toEqual(["open", "join b", "post lead", "decided"]);
    expect(tab.take({ type: "heard", from: "c", message: { type: "who" } })).toEqual(["post lead"]);
  });

  it("closes its connection before anything else when its lock is lost", () => {
    const tab = new Elected("a", ...leading);
    expect(tab.take({ type: "lost" })).toEqual(["close", "part", "ask for the lock", "post who", "timer"]);
    expect(tab.take(lead("b"))).toEqual(["watch b", "join b", "decided"]);
  });

  it("steals the lock of a leader that does not answer, and not of one that does", () => {
    const tab = new Elected("b", ...waiting, lead("a"));
    const alive: ElectionEvent = { type: "heard", from: "a", message: { type: "alive", term: "a 1", to: "b" } };
    for (let beat = 0; beat < 10; beat++)
      expect(tab.take({ type: "timer" }, alive)).toEqual(["post ping", "decided", "timer"]);
    expect(tab.take({ type: "timer" }, { type: "timer" })).not.toContain("take the lock");
    expect(tab.take({ type: "timer" })).toContain("take the lock");
  });

  it("reports to a tab that counts on an earlier term that it has ended", () => {
    const tab = new Elected("a", ...leading);
    const ping = (term: string): ElectionEvent => ({
      type: "heard",
      from: "b",
      message: { type: "ping", term, to: "a" },
    });
    expect(tab.take(ping("a 0"))).toEqual(["post ended"]);
    expect(tab.take(ping("a 1"))).toEqual(["post alive"]);
    const other = new Elected("b", ...waiting, lead("a"));
    expect(other.take({ type: "heard", from: "a", message: { type: "ended", term: "a 0" } })).toEqual([]);
    expect(other.take({ type: "heard", from: "a", message: { type: "ended", term: "a 1" } })).toEqual([
      "part",
      "post who",
    ]);
  });

  it("leaves its group when the authority finds another actor in its connection", () => {
    const tab = new Elected("a", ...leading);
    expect(tab.take({ type: "confirmed", group: "g" })).toEqual([]);
    expect(tab.take({ type: "confirmed", group: "h" })).toEqual(["post ended", "leave", "enter h"]);
    expect(tab.take({ type: "entered" })).toEqual(["ask for the lock", "post who", "timer"]);
  });

  it("stays alone where tabs cannot find each other", () => {
    const tab = new Elected("a", ...alone, { type: "confirmed", group: "g" });
    expect(tab.take({ type: "unable" })).toEqual(["leave", "decided"]);
    expect(tab.take({ type: "confirmed", group: "h" }, { type: "timer" })).toEqual([]);
  });

  it("ends with everything that it had", () => {
    expect(new Elected("a", ...leading).take({ type: "closed" })).toEqual(["leave", "close"]);
    expect(new Elected("a").take({ type: "closed" })).toEqual(["close"]);
  });
});
