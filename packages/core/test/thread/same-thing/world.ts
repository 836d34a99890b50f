// Carries a history out on a real thread, records it for the oracle, and judges every step.
//
// It is long because it has one method for each kind of step, which share the thread and its pages.

import { type Actor, type Branch, type Commit, createReplica, type Log, memoryLog } from "@opstate/core";
import { openThread, type Replica, type Thread, type Verdict } from "@opstate/core";
import { definitionOf, EDITIONS, INITIAL, type State } from "./board.ts";
import { claim, type Count, judgeRefusedUndo, judgeReplay, judgeUndo, Violation, wordsOf } from "./claims.ts";
import { type Gate, gate } from "./gate.ts";
import type { Step, Update } from "./history.ts";
import { type Entry, Line } from "./line.ts";
import { type AnyOperation, type Mode, Recorder } from "./recorder.ts";
import { difference, outcome, sayOperation, sayState } from "./story.ts";
import { effectOf, equal, isEmpty, thingsOf } from "./things.ts";
import { copyState } from "./twin.ts";
import { operationFor } from "./update.ts";

const ACTORS: readonly Actor[] = [
  { kind: "user", id: "ada" },
  { kind: "user", id: "bob" },
  { kind: "agent", id: "robot" },
];

/** "keep" is newer than the type that this may be compiled against. */
type UndoOptions = Parameters<Thread["undo"]>[1];

interface Place {
  readonly line: Line;
  thread: Thread;
  /** Commits that the thread announced and the oracle has not looked at. */
  readonly queue: Commit[];
  unsubscribe: () => void;
}

interface Page {
  readonly replica: Replica;
  readonly gate: Gate;
  readonly waiting: { readonly id: string; readonly verdict: Promise<Verdict> }[];
}

interface Sent {
  readonly what: string;
  readonly verdict: Verdict;
  again(thread: Thread): Promise<Verdict>;
}

export interface WorldOptions {
  /** Opens the log anew, at the start and at each restart. By default one in memory is kept. */
  readonly openLog?: () => Log;
  /** The program ends and starts again after each step. */
  readonly restartsAlways?: boolean;
}

export class World {
  readonly story: string[] = [];
  readonly #count: Count;
  readonly #options: WorldOptions;
  #log: Log;
  readonly #recorder: Recorder;
  readonly #places: Place[] = [];
  readonly #pages = new Map<number, Page>();
  readonly #merged = new Map<string, number>();
  readonly #sent: Sent[] = [];
  #next = 0;
  #seconds = 0;

  constructor(count: Count, options: WorldOptions = {}) {
    this.#count = count;
    this.#options = options;
    this.#log = options.openLog?.() ?? memoryLog();
    this.#recorder = new Recorder(count);
  }

  async run(steps: readonly Step[]): Promise<void> {
    try {
      await this.#begin();
      for (const step of steps) {
        await this.#step(step);
        if (this.#options.restartsAlways) await this.#restart(this.#recorder.edition);
      }
      for (const who of this.#pages.keys()) await this.#join(who);
      await this.#restart(this.#recorder.edition);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      error.message = `${error.message}\n\n${this.story.join("\n")}\n`;
      throw error;
    } finally {
      for (const { replica } of this.#pages.values()) replica.close();
      for (const { thread } of this.#places) await thread.close();
      await this.#log.close();
    }
  }

  get #main(): Place {
    return this.#places[0]!;
  }

  #tell(text: string): void {
    this.story.push(text);
  }

  async #open(): Promise<Thread> {
    const clock = (): string => new Date(Date.UTC(2030, 0, 1) + (this.#seconds += 1) * 1_000).toISOString();
    return openThread({ definition: definitionOf(this.#recorder.edition), log: this.#log, threadId: "t", clock });
  }

  async #begin(): Promise<void> {
    const thread = await this.#open();
    this.#add("thread", thread, new Line("thread", thread.getState() as State));
    claim(equal(this.#main.line.state, INITIAL), "restart", () => "the first state is not the initial one");
  }

  #add(name: string, thread: Thread, line: Line): void {
    const queue: Commit[] = [];
    this.#recorder.lines.set(name, line);
    const unsubscribe = thread.onCommit((commit) => void queue.push(commit));
    this.#places.push({ line, thread, queue, unsubscribe });
  }

  async #step(step: Step): Promise<void> {
    this.#count(step.do);
    switch (step.do) {
      case "dispatch":
        return this.#dispatch(step.who, this.#at(step.on), step.update);
      case "undo":
        return this.#undoStep(step);
      case "undo an undo":
        return this.#undoAnUndo(step);
      case "branch":
        return this.#branch();
      case "merge":
        return this.#merge(step.who, step.a, step.part);
      case "propose":
        return this.#propose(step.who, step.update);
      case "approve":
      case "decline":
        return this.#decide(step);
      case "cut":
        return this.#cut(step.who);
      case "join":
        return this.#join(step.who);
      case "edit":
        return this.#edit(step.who, step.update);
      case "restart":
        return this.#restart(this.#recorder.edition);
      case "code":
        return this.#restart(step.edition);
      case "resend":
        return this.#resend(step.a);
    }
  }

  #at(on: number): Place {
    return this.#places[on % this.#places.length]!;
  }

  #update(update: Update, state: State): AnyOperation {
    return operationFor(update, state, () => `w${(this.#next += 1)}`);
  }

  // What people and agents do.

  async #dispatch(who: number, place: Place, update: Update): Promise<void> {
    const actor = ACTORS[who]!;
    const operation = this.#update(update, place.line.state);
    const id = `s${(this.#next += 1)}`;
    const run = actor.kind === "agent" || this.#next % 3 === 0 ? { runId: `run${this.#next % 2}` } : {};
    const verdict = await place.thread.dispatch(operation, { actor, id, ...run });
    this.#tell(
      `${actor.id}${"runId" in run ? ` in ${run.runId}` : ""} on ${place.line.name}: ${sayOperation(operation)} as ${id}${outcome(verdict)}`,
    );
    this.#count(verdict.accepted ? `op ${operation.type}` : "op refused");
    this.#drain(place);
    if (place === this.#main) {
      this.#sent.push({ what: id, verdict, again: (thread) => thread.dispatch(operation, { actor, id, ...run }) });
    }
  }

  async #undoStep({ who, on, by, a, mode, redo }: Step & { do: "undo" }): Promise<void> {
    const place = this.#at(on);
    const { line } = place;
    const done = line.entries.filter(({ undo, effect, tagged }) => !undo && !(isEmpty(effect) && isEmpty(tagged)));
    const chosen = done.at(-1 - (a % Math.max(1, done.length)));
    if (!chosen) return;
    // "Selection by run or actor follows the source": so does an approval without effect.
    const all = line.entries.filter(({ undo }) => !undo);
    const undoers = line.entries.flatMap(({ undo, commit }) => (undo ? [commit.actor.id] : []));
    const actor = ACTORS[who]!;
    let spec: Parameters<Thread["undo"]>[0];
    let target: Entry[];
    if (by === "run" && chosen.runId !== undefined) {
      spec = { runId: chosen.runId };
      target = all.filter(({ runId }) => runId === chosen.runId);
    } else if (by === "actor" && !undoers.includes(chosen.author.id)) {
      spec = { actor: chosen.author };
      target = all.filter(({ author }) => author.id === chosen.author.id);
    } else {
      const other = by === "two ids" ? done.at(-2 - (a % Math.max(1, done.length))) : undefined;
      target = other ? [chosen, other] : [chosen];
      spec = { ids: target.map(({ commit }) => commit.id) };
    }
    const out = line.excluded();
    target = target.filter(({ version }) => !out.has(version));
    if (target.length === 0) return;
    await this.#undo(place, actor, spec, target, mode, redo);
  }

  async #undoAnUndo({ who, a, mode }: Step & { do: "undo an undo" }): Promise<void> {
    const place = this.#main;
    const out = place.line.excluded();
    const undos = place.line.entries.filter(({ undo, version }) => undo && !out.has(version));
    const chosen = undos.at(-1 - (a % Math.max(1, undos.length)));
    if (!chosen) return;
    await this.#undo(place, ACTORS[who]!, { ids: [chosen.commit.id] }, [chosen], mode, false);
  }

  async #undo(
    place: Place,
    actor: Actor,
    spec: Parameters<Thread["undo"]>[0],
    target: readonly Entry[],
    mode: Mode,
    redo: boolean,
  ): Promise<void> {
    const { line } = place;
    const id = `u${(this.#next += 1)}`;
    const options = { actor, id, onDependent: mode } as UndoOptions;
    const before = line.state;
    const verdict = await place.thread.undo(spec, options);
    this.#tell(`${actor.id} on ${line.name}: undo ${JSON.stringify(spec)}, ${mode}, as ${id}${outcome(verdict)}`);
    const versions = new Set(target.map(({ version }) => version));
    const request = { mode, target: versions, edition: this.#recorder.edition, learned: this.#recorder.learned };
    if (place === this.#main) {
      this.#sent.push({ what: id, verdict, again: (thread) => thread.undo(spec, options) });
    }
    if (!verdict.accepted) {
      this.#count(`undo refused: ${verdict.rejection.reason ?? verdict.rejection.code}`);
      const { dependents } = (verdict.rejection.details ?? {}) as { dependents?: readonly string[] };
      const isDependents = verdict.rejection.code === "conflict" && verdict.rejection.reason === "dependents";
      if (isDependents) judgeRefusedUndo(line, request, dependents ?? [], this.#count);
      return;
    }
    this.#count(`undo accepted: ${mode}${target.some((entry) => entry.undo) ? ", of an undo" : ""}`);
    if (!verdict.commit) return;
    const after = this.#drain(place, mode);
    claim(after?.undo !== undefined, "no undo", () => `the verdict says accepted, the commit is not there`);
    const tagged = judgeUndo(line, after, request, this.#count);
    if (tagged) line.tagged[line.version] = tagged;
    if (!redo) return;
    const again = await place.thread.undo({ ids: [id], actor }, { actor, id: `${id}r` });
    this.#tell(`${actor.id} on ${line.name}: redo at once${outcome(again)}`);
    claim(again.accepted, "redo at once", () => "it is refused");
    const rows = line.tagged[line.version - 1]!;
    this.#drain(place, "refuse");
    claim(equal(line.state, before), "redo at once", () => `the state is ${difference(line.state, before)}`);
    line.tagged[line.version] = rows;
    this.#count("redone at once");
  }

  async #branch(): Promise<void> {
    if (this.#places.length > 2) return;
    const { thread, line } = this.#main;
    const name = `b${(this.#next += 1)}`;
    const branch = await thread.branch(undefined, { id: name });
    this.#tell(`branch ${name} at v${thread.version}`);
    const state = branch.getState() as State;
    claim(equal(state, line.state), "branch", () => "it does not begin with the state of its parent");
    this.#add(name, branch, new Line(name, state, copyState(line.rows)));
  }

  async #merge(who: number, a: number, part: number): Promise<void> {
    const branches = this.#places.slice(1);
    const place = branches[a % Math.max(1, branches.length)];
    if (!place) return;
    const actor = ACTORS[who]!;
    const all = place.line.entries.filter(({ undo }) => !undo);
    const some = all.filter((_, index) => (part & (1 << (index % 4))) !== 0).map(({ commit }) => commit.id);
    const ids = part === 0 || part > 11 ? undefined : some;
    const out = place.line.excluded();
    const undone = this.#main.line.excluded();
    const merged = await (place.thread as Branch).merge({ actor, ...(ids === undefined ? {} : { ids }) });
    this.#tell(`${actor.id} merges ${ids ? `${ids.join(", ")} of ${place.line.name}` : place.line.name}:`);
    for (const { id, verdict } of merged) this.#tell(`    ${id}${outcome(verdict)}`);
    this.#drain(this.#main);
    for (const { version, verdict } of merged) {
      this.#count(verdict.accepted ? "merged" : `merge refused: ${verdict.rejection.code}`);
      if (!verdict.accepted || version === undefined) continue;
      const key = `${place.line.name} v${version}`;
      const known = this.#merged.get(key);
      // What was undone after its merge can be merged again.
      const again = known !== undefined && undone.has(known);
      claim(known === undefined || again || known === verdict.version, "merged twice", () => `${key} has two verdicts`);
      claim(known !== undefined || !out.has(version), "merged though undone", () => `${key} was taken back there`);
      this.#merged.set(key, verdict.version);
      if (known !== undefined || verdict.commit) continue;
      const entry = place.line.entry(version)!;
      const state = this.#main.line.states[verdict.version]!;
      judgeReplay(`merge of ${key}`, entry.effect, state, state, entry.operation, "all");
    }
  }

  async #propose(who: number, update: Update): Promise<void> {
    const actor = ACTORS[who]!;
    const { thread, line } = this.#main;
    const operation = this.#update(update, line.state);
    const id = `p${(this.#next += 1)}`;
    const verdict = await thread.propose(operation, { actor, id });
    this.#tell(`${actor.id} proposes ${sayOperation(operation)} as ${id}${outcome(verdict)}`);
    this.#drain(this.#main);
  }

  async #decide(step: Step & { do: "approve" | "decline" }): Promise<void> {
    const all = [...this.#recorder.proposals.keys()];
    const proposal = all.at(-1 - (step.a % Math.max(1, all.length)));
    if (proposal === undefined) return;
    const proposer = this.#recorder.proposals.get(proposal)!.who;
    const actor = ACTORS[proposer.id === "ada" ? 1 : 0]!;
    const id = `d${(this.#next += 1)}`;
    const { thread } = this.#main;
    const verdict =
      step.do === "decline"
        ? await thread.decline(proposal, { actor, id })
        : await thread.approve(proposal, { actor, id, anyway: step.anyway });
    this.#tell(
      `${actor.id} ${step.do}s ${proposal}${"anyway" in step && step.anyway ? " anyway" : ""}${outcome(verdict)}`,
    );
    this.#count(`${step.do}: ${verdict.accepted ? "accepted" : (verdict.rejection.reason ?? verdict.rejection.code)}`);
    this.#drain(this.#main);
  }

  // Pages: replicas that may be without a connection for a while.

  #page(who: number): Page {
    let page = this.#pages.get(who);
    if (!page) {
      const actor = ACTORS[who]!;
      const door = gate(() => this.#main.thread, actor);
      const mintId = (): string => `r${(this.#next += 1)}`;
      const replica = createReplica({
        definition: definitionOf(this.#recorder.edition),
        transport: door.transport,
        mintId,
      });
      page = { replica, gate: door, waiting: [] };
      this.#pages.set(who, page);
    }
    return page;
  }

  async #cut(who: number): Promise<void> {
    const page = this.#page(who);
    await page.replica.ready();
    page.gate.cut();
    this.#tell(`${ACTORS[who]!.id}'s page is offline`);
  }

  async #join(who: number): Promise<void> {
    const page = this.#page(who);
    const waited = page.waiting.length;
    const silent: string[] = [];
    page.gate.join();
    await this.#settle(page);
    this.#tell(`${ACTORS[who]!.id}'s page is online`);
    for (const edit of page.waiting.splice(0)) {
      const verdict = await edit.verdict;
      this.#tell(`    its edit ${edit.id}${outcome(verdict)}`);
      if (verdict.accepted && !verdict.commit && this.#recorder.pending.has(edit.id)) silent.push(edit.id);
      this.#count(verdict.accepted ? "offline edit accepted" : `offline edit refused: ${verdict.rejection.code}`);
    }
    if (waited > 0) this.#count("came back with edits");
    this.#drain(this.#main);
    this.#checkPage(page);
    for (const id of silent) {
      const isThere = this.#main.line.entries.some(({ commit }) => commit.id === id);
      const lost = wordsOf(this.#recorder.pending.get(id)!.effect).map(({ word }) => word);
      claim(isThere || lost.length === 0, "an edit is lost", () => `${id} is accepted without ${lost.join(", ")}`);
    }
  }

  /** Until the page has every verdict and every commit. */
  async #settle({ replica }: Page): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const { pending, version } = replica.sync.getState();
      if (pending.length === 0 && version === this.#main.thread.version) return;
      claim(turn < 1_000, "a page that never hears", () => JSON.stringify(replica.sync.getState()));
      await this.#turn(turn);
    }
  }

  /** In memory nothing takes longer than a turn of the event loop. A disk takes its time. */
  #turn(turn: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#options.openLog) setTimeout(resolve, Math.min(turn, 100));
      else setImmediate(resolve);
    });
  }

  async #edit(who: number, update: Update): Promise<void> {
    const page = this.#page(who);
    await page.replica.ready();
    const actor = ACTORS[who]!;
    const before = page.replica.getState() as State;
    const operation = this.#update(update, before);
    const id = `r${(this.#next += 1)}`;
    const verdict = page.replica.dispatch(operation, { id });
    const after = page.replica.getState() as State;
    this.#tell(`${actor.id} on the page${page.gate.isOpen() ? "" : ", offline"}: ${sayOperation(operation)} as ${id}`);
    if (after !== before) {
      const effect = effectOf(thingsOf(before), thingsOf(after));
      this.#recorder.words.learn(effect);
      this.#recorder.pending.set(id, { effect, operation, who: actor });
    }
    page.waiting.push({ id, verdict });
    if (page.gate.isOpen()) return this.#join(who);
    this.#recorder.words.check(page.replica.getState() as State, `${actor.id}'s page`);
  }

  #checkPage({ replica, gate }: Page): void {
    if (!gate.isOpen()) return;
    const { line } = this.#main;
    claim(equal(replica.getState(), line.state), "a page that differs", () => {
      return difference(replica.getState() as State, line.state);
    });
  }

  // The program ends and starts again, with the same code or another edition.

  async #restart(edition: number): Promise<void> {
    const open = [...this.#pages.values()].filter(({ gate }) => gate.isOpen());
    for (const { gate } of open) gate.cut();
    for (const place of this.#places) {
      place.unsubscribe();
      await place.thread.close();
    }
    if (this.#options.openLog) {
      await this.#log.close();
      this.#log = this.#options.openLog();
    }
    this.#recorder.edition = edition;
    this.#tell(`restart, code: ${EDITIONS[edition]!.about}`);
    const thread = await this.#open();
    for (const place of this.#places) {
      const opened = place === this.#main ? thread : await thread.openBranch(place.line.name);
      claim(opened !== undefined, "restart", () => `branch ${place.line.name} is gone`);
      place.thread = opened;
      place.unsubscribe = opened.onCommit((commit) => void place.queue.push(commit));
      const same = opened.version === place.line.version && equal(opened.getState(), place.line.state);
      claim(same, "restart", () => `${place.line.name} is ${difference(opened.getState() as State, place.line.state)}`);
    }
    for (const page of open) {
      page.gate.join();
      await this.#settle(page);
      this.#checkPage(page);
    }
  }

  async #resend(a: number): Promise<void> {
    const final = this.#sent.filter(({ verdict }) => verdict.accepted || !NOT_FINAL.has(verdict.rejection.code));
    const chosen = final.at(-1 - (a % Math.max(1, final.length)));
    if (!chosen) return;
    const { verdict: first } = chosen;
    const verdict = await chosen.again(this.#main.thread);
    this.#tell(`${chosen.what} is sent again${outcome(verdict)}`);
    const same = first.accepted
      ? verdict.accepted && verdict.version === first.version
      : !verdict.accepted && verdict.rejection.code === first.rejection.code;
    claim(same, "another verdict", () => `${chosen.what} had${outcome(first)}`);
    this.#drain(this.#main);
  }

  /** Records and judges the new commits of a thread. Gives the last one. */
  #drain(place: Place, mode: Mode = "refuse"): Entry | undefined {
    let last: Entry | undefined;
    const { line, thread } = place;
    for (const commit of place.queue.splice(0)) {
      const before = line.state;
      try {
        last = this.#recorder.record(line, commit, mode);
      } finally {
        if (line.state !== before) this.story.push(`     v${commit.version}: ${sayState(before, line.state)}`);
      }
    }
    claim(equal(thread.getState(), line.state), "patches", () => {
      return `the commits do not lead to the thread's state: ${difference(thread.getState() as State, line.state)}`;
    });
    return last;
  }
}

const NOT_FINAL = new Set(["conflict", "needs_approval", "forbidden"]);
