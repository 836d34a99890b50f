// One run: tabs of three people in one browser, opened, frozen, killed and signed in anew, over a
// network that breaks and a channel that repeats, delays and loses.
//
// Deterministic: nothing waits for a clock. Checked at the end, when everything works for a while:
// - Each group has one connection, and each thread of a living tab is followed by it, once.
// - With frozen tabs left frozen, the others are served all the same.
// - Every tab shows what the server has. Every edit has its verdict, and happened at most once.

import type { Actor } from "@opstate/core";
import { insist } from "../../../../core/test/simulation/laws/violation.ts";
import type { Carrier } from "../../../src/carrier.ts";
import { tabCarrier, type TabCarrierOptions } from "../../../src/tabs/tab-carrier.ts";
import { Browser } from "./browser.ts";
import { Page } from "./page.ts";
import type { Step } from "./plan.ts";
import { Server, simulatedCarrier } from "./server.ts";
import { Tasks } from "./tasks.ts";

/** Far more than any exchange needs. */
const ROUNDS = 12;
const TASKS = 20_000;
const PEOPLE: readonly Actor[] = ["ada", "ada", "ada", "bob"].map((id) => ({ kind: "user", id }));
const THREADS = ["t0", "t1", "t2"];

export interface Parts {
  tabCarrier(inner: Carrier, options: TabCarrierOptions): Carrier;
}

export async function simulate(steps: readonly Step[], parts: Parts = { tabCarrier }): Promise<void> {
  const world = new World(parts);
  for (const step of steps) world.take(step);
  await world.end();
}

interface Tab {
  readonly page: Page;
  credentials: Actor;
  /** What it may share with whom. */
  readonly code: number;
}

class World {
  readonly #parts: Parts;
  readonly #tasks = new Tasks();
  readonly #browser = new Browser(this.#tasks);
  readonly #server = new Server();
  readonly #tabs = new Map<string, Tab>();
  #isReachable = true;
  #count = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  take({ do: kind, pick, other }: Step): void {
    const tabs = [...this.#tabs.values()];
    const tab = tabs[pick % Math.max(1, tabs.length)];
    const leader = this.#leaders()[pick % Math.max(1, this.#leaders().length)];
    const thread = THREADS[other % THREADS.length] ?? "t0";
    switch (kind) {
      case "open":
        if (tabs.length < 6) this.#open(PEOPLE[pick % PEOPLE.length], other % 5 === 0 ? 2 : 1);
        break;
      case "follow":
        if (tab?.page.isFrozen === false) tab.page.follow(thread);
        break;
      case "unfollow":
        if (tab?.page.isFrozen === false) tab.page.unfollow(thread);
        break;
      case "edit":
        if (tab?.page.isFrozen === false) this.#edit(tab, thread, other % 7 === 0);
        break;
      case "kill":
        if (tab !== undefined) this.#kill(tab);
        break;
      case "killLeader":
        if (leader !== undefined) this.#kill(leader);
        break;
      case "close":
        if (tab?.page.isFrozen === false) {
          tab.page.close();
          this.#kill(tab);
        }
        break;
      case "freeze":
        if (tab !== undefined) tab.page.isFrozen = true;
        break;
      case "freezeLeader":
        if (leader !== undefined) leader.page.isFrozen = true;
        break;
      case "thaw":
        if (tab !== undefined) tab.page.isFrozen = false;
        break;
      case "timer":
        if (tab?.page.isFrozen === false) this.#timer(tab);
        break;
      case "cut":
        for (const connection of [...this.#server.connections])
          if (other % 2 === 0 || connection.tab === tab?.page.tab) connection.cut();
        break;
      case "unreachable":
        this.#isReachable = false;
        for (const connection of [...this.#server.connections]) connection.cut();
        break;
      case "reachable":
        this.#reach();
        break;
      case "signIn":
        if (tab !== undefined) tab.credentials = PEOPLE[other % PEOPLE.length] ?? tab.credentials;
        break;
      default:
        this.#task(kind, pick, other);
    }
  }

  #open(credentials: Actor | undefined, code: number): void {
    if (credentials === undefined) return;
    const name = `tab ${(this.#count += 1)}`;
    const inner = simulatedCarrier({
      tasks: this.#tasks,
      server: this.#server,
      tab: name,
      credentials: () => tab.credentials,
      isReachable: () => this.#isReachable,
    });
    const carrier = this.#parts.tabCarrier(inner, {
      url: "https://example.com",
      definitions: () => ({ tally: code }),
      ports: this.#browser.portsOf(name),
    });
    const tab: Tab = { page: new Page(name, carrier), credentials, code };
    this.#tabs.set(name, tab);
    tab.page.follow(THREADS[this.#count % THREADS.length] ?? "t0");
  }

  #edit({ page }: Tab, thread: string, isLoud: boolean): void {
    const number = (this.#count += 1);
    page.edit(thread, number, `${number}${isLoud ? "!" : ""}`);
  }

  #kill({ page }: Tab): void {
    this.#tabs.delete(page.tab);
    this.#tasks.drop(page.tab);
    this.#browser.kill(page.tab);
    for (const connection of [...this.#server.connections]) if (connection.tab === page.tab) connection.close();
    this.#tasks.drop(page.tab);
  }

  #timer({ page }: Tab): void {
    const call = this.#browser.timers.get(page.tab);
    this.#browser.timers.delete(page.tab);
    call?.();
  }

  #reach(): void {
    this.#isReachable = true;
    for (const connection of this.#server.connections) connection.retry();
  }

  /** Tabs that have a connection. */
  #leaders(): readonly Tab[] {
    return [...this.#server.connections].flatMap(({ tab }) => this.#tabs.get(tab) ?? []);
  }

  #awake(): readonly string[] {
    return this.#tasks.tabs().filter((tab) => this.#tabs.get(tab)?.page.isFrozen !== true);
  }

  #task(kind: "run" | "repeat" | "lose", pick: number, other: number): void {
    const tabs = this.#awake();
    const tab = tabs[pick % Math.max(1, tabs.length)];
    if (tab === undefined) return;
    const sources = this.#tasks.sources(tab).filter((source) => kind === "run" || source.startsWith("channel"));
    const source = sources[other % Math.max(1, sources.length)];
    if (source === undefined) return;
    if (kind === "run") this.#tasks.take(tab, source);
    else this.#tasks[kind](tab, source);
  }

  /** Nothing fails from here on. */
  async end(): Promise<void> {
    this.#reach();
    await this.#rest();
    this.#check((page) => !page.isFrozen);
    for (const { page } of this.#tabs.values()) page.isFrozen = false;
    await this.#rest();
    this.#check(() => true);
    for (const { page } of this.#tabs.values()) page.checkEnd((thread) => this.#server.thread(thread).state.marks);
    for (const thread of THREADS) {
      const { marks } = this.#server.thread(thread).state;
      insist(new Set(marks).size === marks.length, () => `an edit happened twice: ${JSON.stringify(marks)}`);
    }
    for (const { page } of [...this.#tabs.values()]) page.close();
  }

  async #rest(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      let done = 0;
      for (let tabs = this.#awake(); tabs.length > 0; tabs = this.#awake())
        for (const tab of tabs)
          for (const source of this.#tasks.sources(tab)) {
            insist((done += 1) < TASKS, () => "messages never end");
            this.#tasks.take(tab, source);
          }
      for (const tab of this.#tabs.values()) if (!tab.page.isFrozen) this.#timer(tab);
    }
    // The verdicts reach those who wait for them.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #check(counts: (page: Page) => boolean): void {
    const groups = new Map<string, { threads: Set<string>; connections: number; followed: string[] }>();
    const groupOf = ({ page, code, credentials }: Tab) => {
      const name = `${page.actor?.id ?? credentials.id} ${code}`;
      const group = groups.get(name) ?? { threads: new Set<string>(), connections: 0, followed: [] };
      groups.set(name, group);
      return group;
    };
    for (const tab of this.#tabs.values())
      if (counts(tab.page)) for (const thread of tab.page.replicas.keys()) groupOf(tab).threads.add(thread);
    for (const connection of this.#server.connections) {
      const tab = this.#tabs.get(connection.tab);
      if (tab === undefined || !counts(tab.page)) continue;
      const group = groupOf(tab);
      if (connection.follows.size > 0) group.connections += 1;
      group.followed.push(...connection.follows.keys());
    }
    for (const [name, { threads, connections, followed }] of groups) {
      insist(connections <= 1, () => `${name} has ${connections} connections`);
      const isAll = [...threads].every((thread) => followed.includes(thread));
      insist(isAll, () => `${name} follows ${followed.join()} of ${[...threads].join()}`);
    }
  }
}
