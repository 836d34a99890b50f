// What the oracle notes of each commit, and what it judges in the moment of the commit.

import type { Actor, Commit } from "@opstate/core";
import { authorOf } from "@opstate/core/log";
import { applyPatch } from "@opstate/core/json-patch";
import { Board, countOf, type State } from "./board.ts";
import { claim, type Count, doubles, doublesMade, doublesOnTheWay, judgeIds, judgeReplay, Words } from "./claims.ts";
import { type Entry, type Line, versionsIn } from "./line.ts";
import { difference } from "./story.ts";
import { type Effect, effectOf, equal, isEmpty, thingsOf } from "./things.ts";
import { copyState, copyTags, partsOf, runTwin } from "./twin.ts";

export type Mode = "refuse" | "drop" | "keep";
export type AnyOperation = { readonly type: string };

/** What an operation did where it was said first: on a page, or as a proposal showed it. */
export interface First {
  readonly effect: Effect;
  readonly operation: AnyOperation;
  readonly who: Actor;
}

export class Recorder {
  /** The edition of the code that runs now. */
  edition = 0;
  readonly words = new Words();
  readonly learned = { ids: new Map<string, string>(), times: new Map<string, string>() };
  /** By the name of the branch; the thread's own is "thread". */
  readonly lines = new Map<string, Line>();
  readonly proposals = new Map<string, First>();
  /** The edits of pages, by their id. */
  readonly pending = new Map<string, First>();
  readonly #count: Count;
  /** The marks of the cards whose id was computed from the state. */
  readonly #computed = new Set<string>();
  /** The pairs of cards that shared a computed id so far: in a list, or anywhere by a "keep". */
  readonly #doubles = new Set<string>();

  constructor(count: Count) {
    this.#count = count;
  }

  /** Records one commit, with what the oracle needs of it, and judges it. */
  record(line: Line, commit: Commit, mode: Mode): Entry {
    const operation = commit.operation as AnyOperation & Record<string, unknown>;
    const before = line.state;
    const after = this.#apply(before, commit);
    for (const { born, id, at } of [...after.todo, ...after.done]) {
      if (this.learned.ids.has(born)) continue;
      this.learned.ids.set(born, id);
      this.learned.times.set(born, at);
    }
    const author = authorOf(commit);
    const isReplay = operation.type === "$merge" || operation.type === "$approve";
    const inner = isReplay ? (operation["operation"] as AnyOperation) : operation;
    const undo =
      operation.type === "$undo"
        ? {
            versions: new Set([...versionsIn(operation["versions"]), ...versionsIn(operation["dropped"])]),
            keep: mode === "keep",
          }
        : undefined;
    const entry = line.add(
      {
        commit,
        operation: inner,
        author: author.actor,
        runId: author.runId,
        edition: this.edition,
        ...(undo ? { undo } : {}),
      },
      after,
      this.#tagged(line, inner, after),
    );
    this.#judge(line, entry, operation);
    for (const pair of doubles(after, this.#computed)) this.#doubles.add(pair);
    if (entry.undo?.keep) {
      for (const pair of doublesMade(before, after, this.#computed)) this.#doubles.add(pair);
      for (const pair of doublesOnTheWay(line, entry, this.#computed)) this.#doubles.add(pair);
    }
    this.words.check(after, `${line.name} at v${entry.version}`);
    return entry;
  }

  /** The fourth edition computes ids that may be another's: that is its author's doing. */
  #mayDouble(parts: readonly { readonly type: string }[] | undefined): boolean {
    return this.edition === 4 && parts?.some(({ type }) => type === "addNext") === true;
  }

  #apply(before: State, { patches, inverse, version }: Commit): State {
    const forth = applyPatch(before, patches);
    claim(forth.ok, "patches", () => `those of v${version} do not apply`);
    const after = forth.document as State;
    const back = applyPatch(after, inverse);
    claim(back.ok && equal(back.document, before), "patches", () => `the inverse of v${version} does not lead back`);
    const parsed = Board.safeParse(after);
    claim(parsed.success && equal(parsed.data, after), "schema", () => `v${version} breaks it`);
    claim(after.count === countOf(after), "derived", () => `count is stale at v${version}`);
    return after;
  }

  /** The state with its rows tagged: by the oracle's own run where that gives the very state. */
  #tagged(line: Line, operation: AnyOperation, after: State): State {
    const twin = runTwin(this.edition, line.rows, operation, this.learned);
    if (twin && equal(twin, after)) return twin;
    const tagged = copyState(after);
    if (equal(after.rows, line.state.rows)) copyTags(line.rows, tagged);
    return tagged;
  }

  #judge(line: Line, entry: Entry, operation: AnyOperation & Record<string, unknown>): void {
    const { version, commit, effect } = entry;
    const before = line.states[version - 1]!;
    const after = line.state;
    const first = this.pending.get(commit.id);
    switch (operation.type) {
      case "$undo":
        if (!entry.undo!.keep) judgeIds(after, this.#computed, this.#doubles);
        return;
      case "$propose": {
        const shown = applyPatch(before, operation["patches"]);
        claim(shown.ok, "patches", () => `those of proposal ${commit.id} do not apply`);
        const effect = effectOf(thingsOf(before), thingsOf(shown.document as State));
        this.words.learn(effect);
        this.proposals.set(commit.id, {
          effect,
          operation: operation["operation"] as AnyOperation,
          who: commit.actor,
        });
        return;
      }
      case "$decline":
        claim(isEmpty(effect), "decline", () => "it changes something");
        return;
      case "$approve": {
        const proposal = this.proposals.get(operation["proposal"] as string)!;
        const demand = operation["anyway"] === true ? "nothing else" : "all";
        judgeReplay(`approval of ${commit.id}`, proposal.effect, before, after, proposal.operation, demand);
        // "Approving runs the operation again [...] and is a `conflict` when [...] the patches are
        // not those that were shown": what today's code computes as shown is its author's doing.
        if (!this.#mayDouble(partsOf(proposal.operation))) judgeIds(after, this.#computed, this.#doubles);
        return;
      }
      case "$merge": {
        const from = this.lines.get(operation["branch"] as string)!;
        const change = from.entry(operation["change"] as number)!;
        const what = `merge of ${from.name} v${change.version}`;
        judgeReplay(what, change.effect, before, after, change.operation, "all");
        // "t does the same to the same things: recorded": so it is with the id that today's code
        // computes on the parent.
        if (operation["carried"] === true || !this.#mayDouble(partsOf(change.operation)))
          judgeIds(after, this.#computed, this.#doubles);
        return;
      }
    }
    // By the text a replacement is not checked: it says what the whole is to be.
    if (first && operation.type !== "$replace") {
      judgeReplay(`edit ${commit.id} of a page`, first.effect, before, after, first.operation, "nothing else");
      this.#count("edit of a page judged");
    } else if (!first) this.words.learn(effect);
    const parts = partsOf(operation);
    if (!parts) return;
    if (!this.#mayDouble(parts)) for (const { type, word } of parts) if (type === "addNext") this.#computed.add(word);
    const twin = runTwin(this.edition, line.tagged[version - 1]!, operation, this.learned);
    claim(twin !== undefined && equal(twin, after), "plain code", () => {
      return `on plain objects v${version} gives ${twin ? difference(twin, after) : "a refusal"}`;
    });
  }
}
