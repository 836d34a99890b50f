// Tabs for the contract of carriers: those under test follow, and others lead.

import type { Actor } from "@opstate/core";
import type { Carrier, ThreadPosition } from "../../src/carrier.ts";
import { tabCarrier } from "../../src/tabs/tab-carrier.ts";
import { Browser } from "./simulation/browser.ts";
import { Tasks } from "./simulation/tasks.ts";

/** Whatever is to happen in any tab happens soon. */
export class Soon extends Tasks {
  override add(_tab: string, _source: string, run: () => void): void {
    setImmediate(run);
  }
}

export class Crowd {
  readonly #browser = new Browser(new Soon());
  readonly #inner: (actor: Actor) => Carrier;
  readonly #thread: string;
  /** Of each actor: a tab that leads, and one that leads when that one is gone. */
  readonly #leaders = new Map<Actor, { readonly name: string; close(): void }[]>();
  #count = 0;

  /** `thread`: one that everybody may follow. */
  constructor(inner: (actor: Actor) => Carrier, thread: string) {
    this.#inner = inner;
    this.#thread = thread;
  }

  /** The carrier of a tab that another one leads. */
  carrier(actor: Actor): Carrier {
    if (!this.#leaders.has(actor)) this.#leaders.set(actor, [this.#lead(actor), this.#lead(actor)]);
    return this.#tab(actor).carrier;
  }

  /** Every tab that leads ends. */
  endLeaders(): void {
    for (const [actor, tabs] of this.#leaders) {
      tabs.shift()?.close();
      tabs.push(this.#lead(actor));
    }
  }

  close(): void {
    for (const tab of [...this.#leaders.values()].flat()) tab.close();
  }

  #tab(actor: Actor): { readonly name: string; readonly carrier: Carrier } {
    const name = `tab ${(this.#count += 1)}`;
    const ports = this.#browser.portsOf(name);
    return { name, carrier: tabCarrier(this.#inner(actor), { url: "https://example.com", ports }) };
  }

  #lead(actor: Actor): { readonly name: string; close(): void } {
    const { name, carrier } = this.#tab(actor);
    // It knows what it has: else each beginning would be a snapshot for everybody.
    let position: ThreadPosition = {};
    const connection = carrier.open({
      onMessage(_, message) {
        if (message.type === "welcome") position = { ...position, incarnation: message.incarnation };
        if (message.type === "snapshot") position = { ...position, after: message.snapshot.version };
        if (message.type === "commits") position = { ...position, after: message.commits.at(-1)?.version };
      },
      onStatus: () => undefined,
      onActor: () => undefined,
      position: () => position,
    });
    connection.follow(this.#thread);
    return {
      name,
      close: () => {
        connection.close();
        this.#browser.kill(name);
      },
    };
  }
}
