// A carrier that tabs of one origin share: one of them has the connection, and relays.
//
//   replica ─ Follower ─┬─ Relay ─ inner carrier        in the tab that leads
//                       └─ channel ─> Relay             in the others
//
// The election decides (election.ts), this file does what it says.
//
// Invariants:
// - Tabs meet on a channel and a lock that are named by their group, so nothing of one group can
//   reach a tab of another.
// - When the authority says that the connection is another actor's now, the other tabs are
//   forgotten before anything else is relayed.

import type { Actor } from "@opstate/core";
import type { Carrier, CarrierListener } from "../carrier.ts";
import { elect, type Election, type ElectionEffect, type ElectionEvent, startElection } from "./election.ts";
import { Follower } from "./follower.ts";
import { Group } from "./group.ts";
import type { FromLeader, Leader, TabMessage, Relayed, ToLeader } from "./messages.ts";
import { browserPorts, type TabPorts } from "./ports.ts";
import { Relay } from "./relay.ts";
import { readError, writeError } from "./wire-error.ts";

export interface TabCarrierOptions {
  /** The server's address. Tabs with another address share nothing. */
  readonly url: string;
  /**
   * What the actor may do here, as any text that is the same for the same rights: read each time
   * that the actor is confirmed. Tabs with other rights share nothing.
   */
  readonly rights?: () => string;
  /**
   * Versions by definition, read once, when the actor is confirmed. Tabs with others share nothing.
   * What is relayed is the same JSON for all versions: this is for an application that wants tabs
   * with older code to stay apart.
   */
  readonly definitions?: () => Readonly<Record<string, number>>;
  /** Default: those of the browser. Where it has none, each tab has its own connection. */
  readonly ports?: TabPorts | undefined;
}

export function tabCarrier(inner: Carrier, options: TabCarrierOptions): Carrier {
  const ports = options.ports ?? browserPorts();
  if (ports === undefined) return inner;
  return { open: (listener) => new Tab(inner, options, ports, listener).follower };
}

class Tab {
  readonly follower: Follower;
  readonly #inner: Carrier;
  readonly #options: TabCarrierOptions;
  readonly #ports: TabPorts;
  readonly #listener: CarrierListener;
  #versions: readonly (readonly [string, number])[] | undefined;
  #election: Election;
  #group: Group | undefined;
  /** While this tab is its own leader. */
  #relay: Relay | undefined;
  #actor: Actor | undefined;
  readonly #events: ElectionEvent[] = [];
  #isRunning = false;
  #posted = 0;

  constructor(inner: Carrier, options: TabCarrierOptions, ports: TabPorts, listener: CarrierListener) {
    this.#inner = inner;
    this.#options = options;
    this.#ports = ports;
    this.#listener = listener;
    const tab = ports.randomId();
    this.#election = startElection(tab);
    this.follower = new Follower({
      tab,
      listener,
      toLeader: (leader, message) => this.#toLeader(leader, message),
      onStart: () => this.#take({ type: "start" }),
      onClose: () => this.#take({ type: "closed" }),
    });
  }

  /** Events are handled one after the other, also those that an effect leads to. */
  #take(event: ElectionEvent): void {
    this.#events.push(event);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
        const { state, effects } = elect(this.#election, next);
        this.#election = state;
        for (const effect of effects) this.#do(effect);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #do(effect: ElectionEffect): void {
    switch (effect.do) {
      case "open":
        this.#open();
        break;
      case "close":
        this.#relay?.close();
        this.#relay = undefined;
        break;
      case "enter":
        try {
          this.#enter(effect.group);
        } catch {
          // Such as in a frame of no origin.
          this.#take({ type: "unable" });
        }
        break;
      case "leave":
        this.#relay?.forgetOthers();
        this.#group?.leave();
        this.#group = undefined;
        break;
      case "lock":
        this.#group?.lock(effect.steal);
        break;
      case "post":
        this.#group?.post(effect.message);
        break;
      case "watch":
        this.#group?.watch(effect.tab);
        break;
      case "join":
        // The leader's connection is that of the same actor.
        if (effect.leader.tab !== this.#election.tab && this.#actor !== undefined) this.#listener.onActor(this.#actor);
        this.follower.join(effect.leader);
        break;
      case "part":
        this.follower.part();
        break;
      case "decided":
        this.follower.onDecided();
        break;
      case "timer":
        this.#group?.timer(effect.milliseconds);
        break;
    }
  }

  #open(): void {
    const { tab, leader } = this.#election;
    const term = leader?.term ?? "";
    this.#relay = new Relay({
      carrier: this.#inner,
      tab,
      onActor: (actor) => this.#onActor(actor),
      relay: (to, relayed) => this.#relayTo(term, to, relayed),
    });
  }

  #onActor(actor: Actor): void {
    this.#actor = actor;
    this.#versions ??= Object.entries(this.#options.definitions?.() ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const { url, rights } = this.#options;
    const group = JSON.stringify(["opstate tabs 1", url, actor.kind, actor.id, rights?.() ?? "", this.#versions]);
    if (group !== this.#election.group) this.#relay?.forgetOthers();
    this.#listener.onActor(actor);
    this.#take({ type: "confirmed", group });
  }

  #enter(name: string): void {
    const { tab } = this.#election;
    const group: Group = new Group(this.#ports, name, tab, {
      onEvent: (event) => {
        if (this.#group !== group) return;
        if (event.type === "gone") this.#relay?.forget(event.tab);
        this.#take(event);
      },
      onMessage: (from, message) => {
        if (this.#group === group) this.#onMessage(group, from, message);
      },
      nextNumber: () => (this.#posted += 1),
      onGap: (from) => {
        if (this.#group === group) this.#onGap(group, from);
      },
    });
    this.#group = group;
    group.enter();
  }

  #onMessage(group: Group, from: string, message: TabMessage): void {
    const { tab, phase, leader } = this.#election;
    switch (message.type) {
      case "who":
      case "lead":
      case "ping":
      case "alive":
      case "ended":
        // It counts on this tab, which does not know that it joined.
        if (message.type === "ping" && message.to === tab && this.#relay?.hasJoined(from) === false)
          this.#onGap(group, from);
        if (!("to" in message) || message.to === undefined || message.to === tab)
          this.#take({ type: "heard", from, message });
        break;
      case "message":
      case "status": {
        const turn = message.to[tab];
        if (turn !== undefined) this.follower.receive(message.term, turn, relayedIn(message));
        break;
      }
      default:
        // For another tab, or for this one, which leads no more.
        if (!message.term.startsWith(`${tab} `)) break;
        if (phase !== "leading" || message.term !== leader?.term) group.post({ type: "ended", term: message.term });
        else {
          group.watch(from);
          this.#relay?.receive(from, message);
        }
    }
  }

  /** Something between two tabs was lost: the one that follows joins again. */
  #onGap(group: Group, from: string): void {
    const { phase, leader } = this.#election;
    if (leader === undefined) return;
    if (from === leader.tab) this.follower.join(leader);
    else if (phase === "leading") group.post({ type: "lead", term: leader.term, to: from });
  }

  #toLeader(leader: Leader, message: ToLeader): void {
    const { tab } = this.#election;
    if (leader.tab === tab) this.#relay?.receive(tab, message);
    else this.#group?.post(message);
  }

  #relayTo(term: string, to: Readonly<Record<string, number>>, relayed: Relayed): void {
    const { [this.#election.tab]: turn, ...others } = to;
    if (Object.keys(others).length > 0) this.#group?.post(wordsOf(term, others, relayed));
    if (turn !== undefined) this.follower.receive(term, turn, relayed);
  }
}

function wordsOf(term: string, to: Readonly<Record<string, number>>, relayed: Relayed): FromLeader {
  if (relayed.type === "message") return { ...relayed, term, to };
  return { ...relayed, term, to, error: relayed.error && writeError(relayed.error) };
}

function relayedIn(words: FromLeader): Relayed {
  if (words.type === "message") return words;
  const { error, ...relayed } = words;
  return error === undefined ? relayed : { ...relayed, error: readError(error) };
}
