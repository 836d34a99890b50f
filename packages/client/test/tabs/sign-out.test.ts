// Signing out in one tab of a simulated browser, while others edit, save and lose their network.
//
// Every call of the store, every message between tabs and every word of the server waits for its
// turn, so a save may be under way in one tab while another one signs out.

import type { Actor } from "@opstate/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { clientOn } from "../../src/client-on.ts";
import type { Client, ClientStorage } from "../../src/index.ts";
import { memoryStorage } from "../../src/index.ts";
import "../../src/session.ts";
import { openStores } from "../../src/storage/stores.ts";
import { tabCarrier } from "../../src/tabs/tab-carrier.ts";
import { Browser } from "./simulation/browser.ts";
import { Server, simulatedCarrier, tally } from "./simulation/server.ts";
import { Tasks } from "./simulation/tasks.ts";

const url = "https://example.com";
const ada: Actor = { kind: "user", id: "ada" };
const bob: Actor = { kind: "user", id: "bob" };
const THREADS = ["t0", "t1"];

// A snapshot is saved a moment after its commit: the moment is a step.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

class World {
  readonly tasks = new Tasks();
  readonly browser = new Browser(this.tasks);
  readonly server = new Server();
  readonly storage = memoryStorage();
  readonly tabs: { readonly name: string; readonly actor: Actor; readonly client: Client }[] = [];
  readonly unreachable = new Set<string>();
  #edits = 0;

  /** `isNamed`: the page knows who it is before the server says it. */
  open(actor: Actor, isNamed = false): Client {
    const name = `tab ${this.tabs.length}`;
    const ports = this.browser.portsOf(name);
    const inner = simulatedCarrier({
      tasks: this.tasks,
      server: this.server,
      tab: name,
      credentials: () => actor,
      isReachable: () => !this.unreachable.has(name),
    });
    const client = clientOn(
      {
        carrier: tabCarrier(inner, { url, ports }),
        access: () => Promise.reject(new Error("not here")),
        ...(isNamed && { actor }),
      },
      {
        loadStores: stores(openStores(this.#slow(name), url, isNamed ? actor : undefined)),
        url,
        ports,
        isLocal: false,
        onError: undefined,
      },
    );
    this.tabs.push({ name, actor, client });
    for (const thread of THREADS) client.thread(tally, thread).subscribe(() => undefined);
    return client;
  }

  edit(client: Client, thread: string): void {
    const name = `e${(this.#edits += 1)}`;
    void client
      .thread(tally, thread)
      .dispatch({ type: "mark", name }, { id: `? ${name}` })
      .catch(() => undefined);
  }

  /** One task of any tab. */
  async step(pick: number): Promise<void> {
    const tabs = this.tasks.tabs();
    const tab = tabs[pick % Math.max(1, tabs.length)];
    const sources = tab === undefined ? [] : this.tasks.sources(tab);
    const source = sources[Math.floor(pick / 7) % Math.max(1, sources.length)];
    if (tab !== undefined && source !== undefined) this.tasks.take(tab, source);
    await settled();
  }

  /** Everything that is to happen happens. */
  async rest(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      vi.advanceTimersByTime(3_000);
      await settled();
      while (this.tasks.tabs().length > 0) await this.step(0);
      for (const { name } of this.tabs) this.#beat(name);
      await settled();
    }
  }

  statuses(client: Client): readonly string[] {
    return THREADS.map((thread) => client.thread(tally, thread).sync.getState().status);
  }

  /** The timer of the election. */
  #beat(tab: string): void {
    const call = this.browser.timers.get(tab);
    this.browser.timers.delete(tab);
    call?.();
  }

  /** The store of all tabs, whose calls take their time. */
  #slow(tab: string): ClientStorage {
    const turn = () => new Promise<void>((resolve) => this.tasks.add(tab, "store", resolve));
    const calls = Object.entries(this.storage) as [string, (...parameters: unknown[]) => Promise<unknown>][];
    return Object.fromEntries(
      calls.map(([name, call]) => [name, (...parameters: unknown[]) => turn().then(() => call(...parameters))]),
    ) as unknown as ClientStorage;
  }
}

const stores = (opened: ReturnType<typeof openStores>) => async () => opened;
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function storedOf(storage: ClientStorage, actor: Actor) {
  const threads = await Promise.all(THREADS.map((thread) => storage.load({ url, actor }, thread)));
  return {
    snapshots: threads.filter(({ snapshot }) => snapshot !== undefined).length,
    edits: threads.flatMap(({ edits }) => edits).length,
  };
}

describe("signing out in one of several tabs", () => {
  it("ends the session in all of them, and nothing of it is stored again", async () => {
    const step = fc.record({
      kind: fc.constantFrom("step", "step", "step", "step", "edit", "save"),
      pick: fc.nat(999),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 120 }),
        fc.array(step, { maxLength: 20 }),
        fc.nat(1),
        async (before, during, offline) => {
          const world = new World();
          const [first] = [world.open(ada)];
          await world.rest();
          if (offline === 1) for (const tab of ["tab 1", "tab 2"]) world.unreachable.add(tab);
          const others = [world.open(ada), world.open(ada, true)];
          const his = world.open(bob);
          await world.rest();
          const take = async ({ kind, pick }: { kind: string; pick: number }) => {
            const tab = world.tabs[pick % world.tabs.length]?.client ?? first;
            if (kind === "edit" && world.statuses(tab)[0] !== "closed") world.edit(tab, THREADS[pick % 2] ?? "t0");
            else if (kind === "save") vi.advanceTimersByTime(300);
            else await world.step(pick);
          };
          for (const each of before) await take(each);
          const done = first.signOut({ anyway: true });
          for (const each of during) await take(each);
          await world.rest();
          expect(await done).toMatchObject({ done: true });
          expect(world.statuses(first)).toEqual(["closed", "closed"]);
          for (const other of others) expect(world.statuses(other)).toEqual(["unauthenticated", "unauthenticated"]);
          expect(await storedOf(world.storage, ada)).toEqual({ snapshots: 0, edits: 0 });
          expect(await world.storage.lastActor(url)).not.toEqual(ada);
          expect(world.statuses(his)).toEqual(["online", "online"]);
          expect(await storedOf(world.storage, bob)).toEqual({ snapshots: 2, edits: 0 });
          // Whoever signs in again in one of them goes on there.
          world.unreachable.clear();
          const [again] = others as [Client];
          again.retry();
          await world.rest();
          expect(world.statuses(again)).toEqual(["online", "online"]);
          expect(await storedOf(world.storage, ada)).toEqual({ snapshots: 2, edits: 0 });
          for (const { client } of world.tabs) client.close();
        },
      ),
      { numRuns: runs(40, 2_000) },
    );
  });

  it("warns of what waits in any of them, each edit once, and then does nothing", async () => {
    const world = new World();
    const [first, second] = [world.open(ada), world.open(ada)];
    const his = world.open(bob);
    await world.rest();
    for (const tab of ["tab 0", "tab 1", "tab 2"]) world.unreachable.add(tab);
    for (const connection of world.server.connections) connection.cut();
    await world.rest();
    world.edit(first, "t0");
    world.edit(second, "t0");
    world.edit(second, "t1");
    world.edit(his, "t1");
    await world.rest();
    const warned = first.signOut();
    await world.rest();
    const { done, waiting } = await warned;
    expect(done).toBe(false);
    const names = waiting.map(({ threadId, pending }) => [
      threadId,
      ...pending.map(({ operation }) => (operation as { readonly name?: string }).name),
    ]);
    expect(names.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))).toEqual([
      ["t0", "e1", "e2"],
      ["t1", "e3"],
    ]);
    world.unreachable.clear();
    for (const { client } of world.tabs) client.retry();
    await world.rest();
    expect(world.statuses(second)).toEqual(["online", "online"]);
    const asked = first.signOut();
    await world.rest();
    expect(await asked).toEqual({ done: true, waiting: [] });
    for (const { client } of world.tabs) client.close();
  });
});
