// One run: three replicas, an agent and a reviewer on one thread and its branches, with two
// authorities.
//
//   replica --- line that loses, repeats and reorders --- authority --- log that fails or is slow
//
// Processes die, the log is compacted, and the thread is replaced by another one with its name.
//
// Deterministic: nothing waits for a clock. After every step everything that can continue has
// continued, and then everything is checked.

import type { Actor, Branch, Commit, OpstateError, Thread, Verdict } from "@opstate/core";
import type { Merged, UndoTarget } from "@opstate/core/thread";
import { ada, bob, robot } from "../thread/tally.ts";
import { Authorities, isOpstateError, type OpenBranch } from "./world/authorities.ts";
import { Client } from "./world/client.ts";
import { idle } from "./world/idle.ts";
import { type Parts, realParts } from "./parts.ts";
import {
  AUTHORITIES,
  type CardEdit,
  type Edit,
  type Place,
  type Step,
  type SubmissionId,
  type UndoChoice,
} from "./plan.ts";
import type { Tally } from "./tally.ts";
import { insist, Violation } from "./laws/violation.ts";

/** Far more than any exchange needs. */
const ROUNDS = 200;
const cyd = { kind: "user", id: "cyd" };
/**
 * The reviewer, who decides on the proposals of the agent and undoes its work. The work of the
 * pages is not undone, so their marks stay.
 */
const eve = { kind: "user", id: "eve" };

type Call = (thread: Thread, id: string) => Promise<Verdict>;

interface Sent {
  readonly id: string;
  readonly call: Call;
  /** Undefined: to the thread itself. */
  readonly branch: OpenBranch | undefined;
}

/** Runs a plan. Throws a Violation when a law is broken. */
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
  /** The last submission of each actor. */
  readonly #sent = new Map<Actor, Sent>();
  #count = 0;
  /** Why an authority could not follow its log. */
  #stuck: OpstateError | Violation | undefined;

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
        this.#submit(step, robot, this.#dispatch(robot, this.#workOf(step)));
        break;
      case "propose": {
        const update = this.#workOf(step) as { type: string };
        this.#submit(step, robot, (thread, id) => thread.propose(update, { id, actor: robot }));
        break;
      }
      case "decide": {
        const proposals = this.#commitsOn(step.on).filter(({ operation }) => operation.type === "$propose");
        const proposal = proposals.at(-1 - (step.pick % Math.max(1, proposals.length)))?.id ?? "none";
        this.#submit(step, eve, (thread, id) =>
          thread[step.approve ? "approve" : "decline"](proposal, { id, actor: eve }),
        );
        break;
      }
      case "undo": {
        const actor = step.by === "agent" ? robot : eve;
        const target = this.#undoTarget(step.what, step.on);
        const { onDependent } = step;
        this.#submit(step, actor, (thread, id) => thread.undo(target, { id, actor, onDependent }));
        break;
      }
      case "branch":
        this.#note(authorities.branch(step.at, this.#mint("branch"), step.back));
        break;
      case "merge":
        this.#merge(step.at, step.part);
        break;
      case "discard":
        await this.#discard(step.at);
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
        await authorities.crash(step.at, step.outcome);
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
      case "slow":
        authorities.disk.slow = true;
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
    // A mark with an expected version may be rejected, so it does not count as one that stays.
    const update =
      "card" in edit
        ? this.#cardUpdateOf(edit, client.actor, client.state)
        : this.#updateOf(edit, expects ? `if ${name}` : name);
    client.edit(this.#mint(name), update, expects);
  }

  #branchOn(place: Place): OpenBranch | undefined {
    return place === "branch" ? this.#authorities.newestBranch() : undefined;
  }

  #commitsOn(place: Place): readonly Commit[] {
    return this.#authorities.recordOf(this.#branchOn(place))?.commits ?? [];
  }

  #undoTarget(what: UndoChoice, on: Place): UndoTarget {
    if (what === "all") return { actor: robot };
    const done = this.#commitsOn(on).filter(({ actor }) => actor.id === robot.id || actor.id === eve.id);
    return { ids: [done.at(-1 - (what % Math.max(1, done.length)))?.id ?? "none"] };
  }

  /** What the agent does: cards only on a branch. */
  #workOf({ edit, on }: { readonly edit: Edit; readonly on: Place }): unknown {
    if (!("card" in edit)) return this.#updateOf(edit, robot.id);
    const branch = this.#branchOn(on);
    const state = branch && this.#authorities.recordOf(branch)?.states.at(-1);
    return state === undefined ? { type: "add", by: 1 } : this.#cardUpdateOf(edit, robot, state);
  }

  /** The reviewer merges the newest branch, or some of what its diff says. */
  #merge(at: number, part: number | "all"): void {
    const branch = this.#authorities.newestBranch();
    if (branch === undefined) return;
    const record = this.#authorities.recordOf(branch);
    const changes = record?.changes() ?? [];
    const chosen = changes.filter((_, index) => part === "all" || (part & (1 << (index % 4))) !== 0);
    const ids = chosen.flatMap((version) => record?.commits[version - 1]?.id ?? []);
    const merging = this.#branchAt(at, branch).then((open) =>
      open?.merge({ actor: eve, ...(part === "all" ? {} : { ids }) }),
    );
    this.#note(this.#receiveMerged(at, merging));
  }

  async #receiveMerged(at: number, merging: Promise<readonly Merged[] | undefined>): Promise<void> {
    const { incarnation } = this.#authorities.thread(at);
    for (const { verdict } of (await merging) ?? []) this.#authorities.records.get(incarnation)?.receiveMerge(verdict);
  }

  async #discard(at: number): Promise<void> {
    const branch = this.#authorities.newestBranch();
    if (branch === undefined) return;
    await this.#authorities.forget(branch);
    this.#note(this.#branchAt(at, branch).then((open) => open?.discard()));
  }

  /** A branch as an authority has it; undefined: it is not the branch of that id any more. */
  async #branchAt(at: number, { id, incarnation }: OpenBranch): Promise<Branch | undefined> {
    const open = await this.#authorities.thread(at).openBranch(id);
    return open?.incarnation === incarnation ? open : undefined;
  }

  /**
   * An authority may be closed meanwhile, or its branch discarded. Any other error is not
   * planned.
   */
  #note(call: Promise<unknown>): void {
    void call.catch((error: unknown) => {
      if (isOpstateError(error) && (error.code === "closed" || error.code === "replaced")) return;
      // A disk that fails is part of the plan.
      if (isOpstateError(error) || error instanceof Violation) this.#stuck ??= error;
    });
  }

  #dispatch(actor: Actor, update: unknown): Call {
    return (thread, id) => thread.dispatch(update, { id, actor });
  }

  #mint(name: string): string {
    return `${name} ${(this.#count += 1)}`;
  }

  #cardUpdateOf({ card, at }: CardEdit, actor: Actor, { cards }: Tally): unknown {
    // A loaded page may show twice what the earlier one sent, until it gets the verdict.
    if (new Set(cards.map(({ id }) => id)).size < cards.length) return { type: "add", by: 0 };
    const text = this.#mint(actor.id);
    if (card === "drop" || card === "lift") return { type: card, at };
    if (card !== "writeOn") return { type: card, at, text };
    return { type: card, id: cards[at % Math.max(1, cards.length)]?.id ?? "none", text };
  }

  #updateOf(edit: Exclude<Edit, CardEdit>, name: string): unknown {
    return "mark" in edit ? { type: "name", name: this.#mint(name) } : edit.update;
  }

  #submit(
    { at, on, id: which }: { readonly at: number; readonly on: Place; readonly id: SubmissionId },
    actor: Actor,
    fresh: Call,
  ): void {
    const last = which === "new" ? undefined : this.#sent.get(actor);
    const sent: Sent =
      which === "again" && last !== undefined
        ? last
        : { id: last?.id ?? this.#mint(actor.id), call: fresh, branch: this.#branchOn(on) };
    this.#sent.set(actor, sent);
    const { id, call, branch } = sent;
    if (branch !== undefined) return this.#submitOn(branch, at, actor, sent);
    const thread = this.#authorities.thread(at);
    void call(thread as unknown as Thread, id).then(
      (verdict) => this.#authorities.records.get(thread.incarnation)?.receive(actor, id, verdict),
      (error: unknown) => {
        // A disk that fails is part of the plan. Any other error of an authority is not.
        if (isOpstateError(error) && !this.#authorities.isReplaced(error, thread.incarnation)) this.#stuck = error;
      },
    );
  }

  #submitOn(branch: OpenBranch, at: number, actor: Actor, { id, call }: Sent): void {
    const verdict = this.#branchAt(at, branch).then((open) => open && call(open, id));
    const receive = (given: Verdict | undefined) =>
      given && this.#authorities.records.get(branch.incarnation)?.receive(actor, id, given);
    this.#note(verdict.then(receive));
  }

  async check(): Promise<void> {
    insist(this.#stuck === undefined, () => `an authority is stuck: ${String(this.#stuck)}`);
    await this.#authorities.check();
    for (const client of this.#clients) client.check();
  }

  /** Nothing fails from here on, until nothing is under way. */
  async end(): Promise<void> {
    this.#authorities.disk.failing = "no";
    this.#authorities.disk.release();
    await idle();
    for (let round = 0; round < 2; round++) {
      // An authority catches up with the log when it writes.
      for (let at = 0; at < AUTHORITIES; at++)
        this.#submit({ at, on: "thread", id: "new" }, robot, this.#dispatch(robot, { type: "add", by: 0 }));
      await this.take({ do: "doorbell" });
      if (round === 0) await this.#authorities.checkBranches(eve);
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
      insist(round < ROUNDS, () => "messages never end");
      for (const { wire } of this.#clients) wire.deliverAll();
      await idle();
      if (this.#clients.some(({ wire }) => !wire.idle)) continue;
      // What one authority wrote may still have to be announced to the other one.
      await this.take({ do: "doorbell" });
      if (this.#clients.every(({ wire }) => wire.idle)) return;
    }
  }
}
