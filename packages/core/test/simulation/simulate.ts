// One run: three replicas and an agent on one thread that two authorities serve, over lines that lose, repeat and reorder, with a log that
// fails and holds writes back, processes that die, compaction, and a thread that is replaced by another of its name while they are at work.
//
// Deterministic: nothing waits for a clock; after every step all that can go on has gone on, and then everything is checked.

import { OpstateError } from "@opstate/core";
import { ada, bob, robot } from "../thread/tally.ts";
import { Authorities } from "./authorities.ts";
import { Client } from "./client.ts";
import { idle } from "./idle.ts";
import { type Parts, realParts } from "./parts.ts";
import { AUTHORITIES, type Edit, type Step } from "./plan.ts";
import { insist } from "./violation.ts";

/** Far more than any exchange takes. */
const ROUNDS = 200;
const cyd = { kind: "user", id: "cyd" };

/** Runs a plan. Throws a Violation when something does not hold that must. */
export async function simulate(steps: readonly Step[], parts: Parts = realParts): Promise<void> {
  const world = new World(parts);
  await world.begin();
  for (const step of steps) {
    await world.take(step);
    await world.check();
  }
  await world.end();
}

class World {
  readonly #parts: Parts;
  readonly #authorities: Authorities;
  #clients: readonly Client[] = [];
  readonly #sentByAgent: { readonly id: string; readonly update: unknown }[] = [];
  #count = 0;
  /** Why an authority could not follow its log. */
  #stuck: OpstateError | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#authorities = new Authorities(parts, (at) => {
      for (const { wire } of this.#clientsOf(at)) wire.attach(this.#authorities.thread(at));
    });
  }

  async begin(): Promise<void> {
    await this.#authorities.begin();
    this.#clients = [ada, bob, cyd].map(
      (actor, who) =>
        new Client({
          actor,
          copies: who === 1,
          parts: this.#parts,
          thread: () => this.#authorities.thread(who % AUTHORITIES),
          records: this.#authorities.records,
        }),
    );
  }

  #clientsOf(at: number): readonly Client[] {
    return this.#clients.filter((_, who) => who % AUTHORITIES === at);
  }

  async take(step: Step): Promise<void> {
    const authorities = this.#authorities;
    const client = "who" in step ? this.#clients[step.who] : undefined;
    switch (step.do) {
      case "edit":
        if (client !== undefined) this.#edit(client, step.edit, step.expects);
        break;
      case "agent":
        this.#agent(step.at, step.edit, step.id);
        break;
      case "up":
        client?.wire.deliverUp(step.at, step.keep);
        break;
      case "down":
        client?.wire.deliverDown(step.at, step.keep);
        break;
      case "lose":
        client?.wire.lose(step.way, step.at);
        break;
      case "cut":
        client?.wire.cut();
        break;
      case "restore":
        client?.wire.restore();
        break;
      case "reload":
        client?.reload(step.keeps, step.primed);
        break;
      case "restart":
        await authorities.restart(step.at);
        break;
      case "crash":
        for (const { wire } of this.#clientsOf(step.at)) wire.cut();
        await authorities.crash(step.at, step.fate);
        break;
      case "replaced":
        await authorities.replaceThread(step.again);
        break;
      case "compact":
        await authorities.compact(step.at, step.keep);
        break;
      case "doorbell":
        await authorities.ring();
        break;
      case "hold":
        authorities.disk.holding = true;
        break;
      case "release":
        authorities.disk.release();
        break;
      case "fail":
        authorities.disk.failing = step.after ? "after" : "before";
        break;
    }
    await idle();
  }

  #edit(client: Client, edit: Edit, expects: boolean): void {
    const name = client.actor.id;
    // A mark that is made on a condition may be taken back: it does not count as one that stays.
    client.edit(this.#mint(name), this.#updateOf(edit, expects ? `if ${name}` : name), expects);
  }

  #agent(at: number, edit: Edit, which: "new" | "again" | "of another"): void {
    const last = which === "new" ? undefined : this.#sentByAgent.at(-1);
    const sent =
      which === "again" && last !== undefined ? last : { id: last?.id ?? this.#mint(robot.id), update: this.#updateOf(edit, robot.id) };
    this.#sentByAgent.push(sent);
    this.#submit(at, sent.update, sent.id);
  }

  #mint(name: string): string {
    return `${name} ${(this.#count += 1)}`;
  }

  #updateOf(edit: Edit, name: string): unknown {
    return "mark" in edit ? { type: "name", name: this.#mint(name) } : edit.update;
  }

  #submit(at: number, update: unknown, id: string): void {
    const thread = this.#authorities.thread(at);
    void thread.dispatch(update as { type: string }, { id, actor: robot }).then(
      (verdict) => this.#authorities.records.get(thread.incarnation)?.heard(robot, id, verdict),
      (error: unknown) => {
        // A disk that failed is part of the plan; what an authority says by itself is not.
        if (error instanceof OpstateError && !this.#authorities.isReplaced(error, thread.incarnation)) this.#stuck = error;
      },
    );
  }

  async check(): Promise<void> {
    insist(this.#stuck === undefined, () => `an authority is stuck: ${String(this.#stuck)}`);
    await this.#authorities.check();
    for (const client of this.#clients) client.check();
  }

  /** Everything goes well from here on, until nothing is under way. */
  async end(): Promise<void> {
    this.#authorities.disk.failing = "no";
    this.#authorities.disk.release();
    await idle();
    for (let round = 0; round < 2; round++) {
      // An authority learns with its next write how far the log is.
      for (let at = 0; at < AUTHORITIES; at++) this.#submit(at, { type: "add", by: 0 }, this.#mint(robot.id));
      await this.take({ do: "doorbell" });
      for (const { wire } of this.#clients) {
        wire.cut();
        wire.restore();
      }
      await this.#drain();
    }
    await this.check();
    await this.#authorities.checkEnd();
    for (const client of this.#clients) client.checkEnd(this.#authorities.record());
    await this.#authorities.close();
  }

  /** Delivers everything, in order, until nothing is on its way. */
  async #drain(): Promise<void> {
    for (let round = 0; ; round++) {
      insist(round < ROUNDS, () => "the lines do not fall silent");
      for (const { wire } of this.#clients) wire.deliverAll();
      await idle();
      if (this.#clients.some(({ wire }) => !wire.idle)) continue;
      // What one authority wrote, the other one may have to hear of.
      await this.take({ do: "doorbell" });
      if (this.#clients.every(({ wire }) => wire.idle)) return;
    }
  }
}
