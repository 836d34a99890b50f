// The moments that components see, with frames that the test makes.

import { momentsOf } from "@opstate/client/binding";
import { createSource } from "@opstate/core/readable";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** A thread's state and sync, and what a component that follows both was shown. */
function follow() {
  const state = createSource(0);
  const sync = createSource({ version: 0, pending: ["none"] as readonly string[] });
  const source = { ...state, sync };
  const moments = momentsOf(source);
  const shown: string[] = [];
  const end = moments.subscribe(({ state: count, sync: { version } }) => shown.push(`${count}@${version}`));
  /** Both change together, as a replica's do. */
  const commit = (version: number) => {
    const tell = [state.set(version), sync.set({ ...sync.getState(), version })];
    for (const each of tell) each();
  };
  const edit = (count: number, id: string) => {
    const tell = [state.set(count), sync.set({ ...sync.getState(), pending: [id] })];
    for (const each of tell) each();
  };
  return { source, moments, shown, end, commit, edit };
}

describe("moments, with frames", () => {
  let frames: (() => void)[];
  const nextFrame = () => {
    for (const run of frames.splice(0)) run();
  };

  beforeEach(() => {
    frames = [];
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
    vi.stubGlobal("cancelAnimationFrame", (id: number) => void frames.splice(id - 1, 1, () => undefined));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("are the same for the same source", () => {
    const { source, moments } = follow();
    expect(momentsOf(source)).toBe(moments);
  });

  it("show a first change at once, and further ones of the frame together", () => {
    const { moments, shown, commit } = follow();
    for (const version of [1, 2, 3]) commit(version);
    expect(shown).toEqual(["1@1"]);
    expect([moments.getState().state, moments.now().state]).toEqual([1, 3]);
    nextFrame();
    expect(shown).toEqual(["1@1", "3@3"]);
    nextFrame();
    commit(4);
    expect(shown).toEqual(["1@1", "3@3", "4@4"]);
  });

  it("show an own edit at once, with what others did meanwhile", () => {
    const { shown, commit, edit } = follow();
    commit(1);
    commit(2);
    edit(7, "mine");
    expect(shown).toEqual(["1@1", "7@2"]);
  });

  it("request no frame for an own edit, and report it once", () => {
    const { shown, edit } = follow();
    edit(7, "mine");
    edit(8, "another");
    expect(shown).toEqual(["7@0", "8@0"]);
    expect(frames).toEqual([]);
  });

  it("notify the followers of a part of changes of that part alone", () => {
    const { source, moments, edit } = follow();
    const heard: string[] = [];
    const { state, sync } = moments.changesOf;
    const ends = [
      state.subscribe((now) => heard.push(`state ${now.state}`)),
      sync.subscribe((now) => heard.push(`sync ${now.sync.pending.join()}`)),
    ];
    edit(7, "mine");
    expect(heard).toEqual(["state 7", "sync mine"]);
    source.set(8)();
    expect(heard).toEqual(["state 7", "sync mine", "state 8"]);
    edit(8, "sent");
    expect(heard).toEqual(["state 7", "sync mine", "state 8", "sync sent"]);
    for (const end of ends) end();
    expect(moments.changesOf.state).toBe(state);
  });

  it("notify the followers of a part at the time, also those who came or went since the last change", () => {
    const { source, moments, edit } = follow();
    const heard: string[] = [];
    const hear = (name: string) => moments.changesOf.state.subscribe((now) => heard.push(`${name} ${now.state}`));
    const endFirst = hear("first");
    edit(1, "mine");
    const endSecond = hear("second");
    edit(2, "another");
    endFirst();
    edit(3, "third");
    expect(heard).toEqual(["first 1", "first 2", "second 2", "second 3"]);
    endSecond();
    expect(source.getState()).toBe(3);
  });

  it("never pair a state with the sync of another version", () => {
    const { shown, commit } = follow();
    for (let version = 1; version <= 20; version++) {
      commit(version);
      if (version % 3 === 0) nextFrame();
    }
    for (const each of shown) expect(each).toMatch(/^(\d+)@\1$/);
  });

  it("go on in a hidden page, which has no frames", () => {
    const { shown, commit } = follow();
    commit(1);
    commit(2);
    vi.advanceTimersByTime(100);
    expect(shown).toEqual(["1@1", "2@2"]);
  });

  it("follow nothing without a listener, and are up to date then", () => {
    const { moments, shown, end, commit } = follow();
    commit(1);
    commit(2);
    end();
    nextFrame();
    expect(shown).toEqual(["1@1"]);
    expect(moments.getState()).toEqual(moments.now());
    expect(moments.getState().state).toBe(2);
  });
});

describe("moments, without frames", () => {
  it("show each change at once", () => {
    const { shown, commit } = follow();
    for (const version of [1, 2, 3]) commit(version);
    expect(shown).toEqual(["1@1", "2@2", "3@3"]);
  });

  it("of a source without a sync have none", () => {
    const moments = momentsOf(createSource("a"));
    expect(moments.getState()).toEqual({ state: "a", sync: undefined });
  });
});
