// What the text says an undo must decide on each kept commit, where the oracle knows for sure.
//
// S is the line that counts now, T the same with other commits left out. Both begin at one state.
// The oracle runs the code on both, on its own copies, and compares effects by thing:
//
//   the same effect on T                       (a)  recorded
//   other values on the same things            (b)  computed anew
//   more or other things, or other content     (a') carried, if all that it touched is as it was
//   refused on T, or less                      (c)  a dependent
//
// It is long because it is the algorithm of the text, with all that it leaves open.
//
// Where it does not know it says so, and from there on says nothing. The text leaves open where a
// carried thing is in its list, so after one was born or moved by carrying the oracle stops.

import type { State } from "./board.ts";
import type { Entry, Line } from "./line.ts";
import { compareEffects, type Effect, effectOf, equal, isEmpty, slot, type Things, thingsOf } from "./things.ts";
import { copyState, type Learned, partsOf, rowKey, runTwin } from "./twin.ts";

/**
 * `open`: it does nothing on T. The text does not say whether it is named.
 *
 * `carried or named`: on T it does less in one place and something else in another. The text does
 * not say which of the two counts.
 */
export type Decision = "recorded" | "anew" | "carried" | "dependent" | "satisfied" | "open" | "carried or named";

export interface Walk {
  readonly decisions: ReadonlyMap<number, Decision>;
  /** The state that must come out, with tagged rows; undefined when the oracle does not know. */
  readonly result: State | undefined;
  /** Why it does not know. */
  readonly unknown?: string;
}

/** `head`: the version before the undo that is judged. */
export function walk(
  line: Line,
  head: number,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  edition: number,
  learned: Learned,
): Walk {
  const nothing = (unknown: string): Walk => ({ decisions: new Map(), result: undefined, unknown });
  if (line.hasKeep(before, head) || line.hasKeep(after, head)) return nothing("an undo with keep is in force");
  const base = Math.min(head, line.lowest - 1, ...[...after].map((version) => version - 1));
  let s = line.tagged[base]!;
  let t = s;
  const decisions = new Map<number, Decision>();
  let unknown: string | undefined;

  for (const entry of line.entries.slice(base, head)) {
    const { version, undo, operation } = entry;
    if (undo || (isEmpty(entry.tagged) && operation.type.startsWith("$"))) continue;
    const inS = !before.has(version);
    const inT = !after.has(version);
    if (!inS && !inT) continue;
    if (s === t && unknown === undefined && inS && inT) {
      const next = stepTogether(line, entry, s, edition, learned);
      if (next === undefined) return nothing(`v${version} cannot be run by the oracle`);
      s = t = next;
      if (!isEmpty(entry.tagged)) decisions.set(version, "recorded");
      continue;
    }
    if (partsOf(operation) === undefined) {
      // A replacement or a patch is always carried: to run it says nothing of what it changed.
      if (inS && !equal(s, line.tagged[version - 1])) return nothing(`v${version} replaced another state`);
      if (inS) s = line.tagged[version]!;
      if (unknown !== undefined || !inT) continue;
      const decided = inS ? decideWhole(entry.tagged, thingsOf(t, rowKey)) : undefined;
      if (decided === undefined) unknown = `v${version} (${operation.type}) is not clear by the text`;
      else decisions.set(version, decided);
      if (decided === "carried" && isInPlace(entry.tagged)) t = carry(t, entry.tagged);
      else unknown ??= `v${version} (${operation.type}) is carried, the text does not say to which place`;
      continue;
    }
    const done = runTwin(edition, s, operation, learned);
    const doneT = runTwin(edition, t, operation, learned);
    const effectS = done && effectOf(thingsOf(s, rowKey), thingsOf(done, rowKey));
    const effectT = doneT && effectOf(thingsOf(t, rowKey), thingsOf(doneT, rowKey));
    const [beforeS, beforeT] = [s, t];
    if (inS) {
      // The code must do what it did, or the oracle does not judge by it: other code, or a commit
      // that an earlier undo carried.
      const did = effectS && compareEffects(entry.tagged, effectS);
      if (!done || did === undefined || did === "other" || entry.edition !== edition) {
        return nothing(`v${version} is not what the code would do`);
      }
      s = stateAfter(s, done);
    }
    if (unknown !== undefined || !inT) continue;
    if (!inS) {
      // What is put back must do on T what was recorded: else it is a dependent of its own kind.
      if (entry.edition !== edition || !doneT || !effectT || compareEffects(entry.tagged, effectT) !== "same") {
        unknown = `v${version} comes back to another state`;
        continue;
      }
      t = stateAfter(t, doneT);
      continue;
    }
    const recorded = effectS!;
    const strays = isStrayed(edition, beforeS, t, operation, learned);
    const decided = decide(entry.tagged, recorded, effectT, thingsOf(beforeS, rowKey), thingsOf(t, rowKey), strays);
    if (decided === undefined) {
      unknown = `v${version} (${operation.type}) is not clear by the text`;
      continue;
    }
    decisions.set(version, decided);
    if (decided === "carried or named") {
      unknown = `v${version} (${operation.type}) may be carried or named by the text`;
      continue;
    }
    if (decided !== "carried" && decided !== "dependent" && doneT) t = stateAfter(t, doneT);
    if (
      decided === "recorded" &&
      isPlacedByIndex(operation) &&
      !sameLists(thingsOf(beforeS, rowKey), thingsOf(beforeT, rowKey))
    ) {
      unknown = `v${version} (${operation.type}) has its place by a number, the text does not say which`;
    }
    if (decided === "carried") {
      if (isInPlace(recorded)) t = carry(t, recorded);
      else unknown = `v${version} (${operation.type}) is carried, the text does not say to which place`;
    }
  }
  if (!equal(s, line.states[head])) return nothing("the line that counts is not what the oracle would make");
  return unknown === undefined ? { decisions, result: t } : { decisions, result: undefined, unknown };
}

/**
 * "An accepted update that changes nothing returns the same reference": so S and T are the same
 * object still where what is taken back did nothing on S.
 */
function stateAfter(before: State, after: State): State {
  return equal(before, after) && isEmpty(effectBetween(before, after)) ? before : after;
}

/** A commit on one state that both lines still share. */
function stepTogether(line: Line, entry: Entry, state: State, edition: number, learned: Learned): State | undefined {
  const { version } = entry;
  // Nothing was different so far: what was recorded is valid, whatever the code does today.
  if (equal(state, line.tagged[version - 1])) return line.tagged[version]!;
  if (entry.edition !== edition) return undefined;
  const done = runTwin(edition, state, entry.operation, learned);
  if (!done) return undefined;
  // What an earlier undo carried is not what the code does there.
  const effect = effectOf(thingsOf(state, rowKey), thingsOf(done, rowKey));
  return compareEffects(entry.tagged, effect) === "other" ? undefined : done;
}

function decide(
  first: Effect,
  recorded: Effect,
  now: Effect | undefined,
  were: Things,
  things: Things,
  strays: boolean,
): Decision | undefined {
  if (isEmpty(recorded)) {
    if (now === undefined || isEmpty(now)) return isEmpty(first) ? "satisfied" : "open";
    return isEmpty(first) ? "carried" : undefined;
  }
  const comparison = now === undefined ? "less" : compareEffects(recorded, now);
  const orders = [...recorded.ordered, ...(now?.ordered ?? [])];
  // Open in the text: whether the same order of other things is the same effect. The oracle says so
  // only where the lists were the same.
  if (orders.some((list) => namesIn(were, list) !== namesIn(things, list))) return undefined;
  if (comparison === "same") return "recorded";
  // On S it may do less than it did at first, because an earlier undo removed some of its things.
  // To do on T what it did at first is as recorded. Anything else is open in the text.
  const withFirst = now === undefined ? "less" : compareEffects(first, now);
  if (withFirst === "same") return "recorded";
  if (!["same", "values"].includes(compareEffects(first, recorded))) return undefined;
  if (orders.length > 0) return undefined;
  if (comparison === "values" && !strays) return "anew";
  if (comparison === "less") return decideLess(recorded, now, things);
  if ([...recorded.born.values()].some(({ list }) => list === "rows")) return undefined;
  if (!canCarry(recorded, now!, things)) return undefined;
  return isAlsoLess(recorded, now!, were, things) ? "carried or named" : "carried";
}

/**
 * Whether what does something else on T also leaves out a change there, with no other in its place.
 * Of (a'), "t would touch other or more things, or bear other content", and of (c), "t is refused
 * or does less", both are true, and the text does not say which comes first. Where "the user's w2
 * stays w2", another worker would be set in place of w2: that is not less.
 */
function isAlsoLess(recorded: Effect, now: Effect, were: Things, things: Things): boolean {
  const does = changesIn(now, things);
  return [...changesIn(recorded, were)].some((change) => !does.has(change));
}

/** Which changes there are, on whichever thing of a sort: a card is born, the total is set. */
function changesIn({ born, removed, moved, set }: Effect, things: Things): Set<string> {
  const sortOf = (list = ""): string => (list === "done" ? "todo" : list.replace(/^parts of .*/, "parts"));
  return new Set([
    ...[...born.values()].map(({ list }) => `born: ${sortOf(list)}`),
    ...[...removed.values()].map(({ list }) => `removed: ${sortOf(list)}`),
    ...[...moved.values()].map(({ to }) => `moved: ${sortOf(to)}`),
    ...[...set.values()].map(({ key, field }) => `set: ${sortOf(things.get(key)?.list)} . ${field}`),
  ]);
}

/**
 * Whether a part of a batch touches other things on T than on S. "t would touch other or more
 * things": so does a batch whose parts change their things with one another.
 */
function isStrayed(edition: number, s: State, t: State, operation: unknown, learned: Learned): boolean {
  const parts = partsOf(operation) ?? [];
  if (parts.length < 2) return false;
  let [here, there] = [s, t];
  for (const part of parts) {
    const [nextS, nextT] = [here, there].map((state) => runTwin(edition, state, part, learned));
    if (!nextS || !nextT) return false;
    const [then, now] = [effectBetween(here, nextS), effectBetween(there, nextT)];
    if (compareEffects(then, now) === "other") return true;
    [here, there] = [nextS, nextT];
  }
  return false;
}

function effectBetween(before: State, after: State): Effect {
  return effectOf(thingsOf(before, rowKey), thingsOf(after, rowKey));
}

/**
 * It does a part of what it did, or nothing. By the text that is a dependent, but for removals of
 * what is undone anyway. What is already as it was set, or is not removed though it is
 * there, is open in the text.
 */
function decideLess(recorded: Effect, now: Effect | undefined, things: Things): Decision | undefined {
  const missing: (Decision | undefined)[] = [];
  for (const key of recorded.born.keys()) if (!now?.born.has(key)) missing.push("dependent");
  for (const [id, { key, field, to }] of recorded.set) {
    if (!now?.set.has(id)) missing.push(things.get(key)?.fields[field] === to ? undefined : "dependent");
  }
  for (const [key, { to }] of recorded.moved) {
    if (!now?.moved.has(key)) missing.push(things.get(key)?.list === to ? undefined : "dependent");
  }
  for (const key of recorded.removed.keys()) {
    if (!now?.removed.has(key)) missing.push(things.has(key) ? undefined : "satisfied");
  }
  if (missing.includes(undefined)) return undefined;
  return missing.includes("dependent") ? "dependent" : "satisfied";
}

function namesIn(things: Things, list: string): string {
  return [...things].flatMap(([key, thing]) => (thing.list === list ? [key] : [])).join();
}

/** What becomes of a replacement or patch: its own changes, where what it touched is as it was. */
function decideWhole(recorded: Effect, things: Things): Decision | undefined {
  const { born, moved, ordered } = recorded;
  if (moved.size + ordered.size > 0 || !isAsItWas(recorded, things)) return undefined;
  const ids = new Set([...things.values()].map(({ fields }) => fields["id"]));
  return [...born.values()].some(({ fields }) => ids.has(fields["id"])) || isFull(born, things) ? undefined : "carried";
}

function isFull(born: Effect["born"], things: Things): boolean {
  // The lists of cards have at most twelve: whether they are full is left to the schema.
  return [...born.values()].some(({ list }) => namesIn(things, list).split(",").length > 10);
}

function isPlacedByIndex(operation: { readonly type: string }): boolean {
  return partsOf(operation)?.some(({ type }) => type === "insertAt" || type === "rowInsert") ?? false;
}

function sameLists(one: Things, other: Things): boolean {
  return ["todo", "done", "rows"].every((list) => namesIn(one, list) === namesIn(other, list));
}

/** Whether all that the effect touched is there, as it was. */
function isAsItWas(recorded: Effect, things: Things): boolean {
  return (
    [...recorded.removed].every(([key, { list, fields }]) => {
      const thing = things.get(key);
      return thing?.list === list && Object.entries(fields).every(([field, value]) => thing.fields[field] === value);
    }) &&
    [...recorded.moved].every(([key, { from }]) => things.get(key)?.list === from) &&
    [...recorded.set.values()].every(({ key, field, from }) => things.get(key)?.fields[field] === from) &&
    [...recorded.born].every(([key, { owner }]) => !things.has(key) && (owner === "root" || things.has(owner))) &&
    // What goes contains nothing else now: that would go along, though it is another thing.
    [...things].every(([key, { owner }]) => !recorded.removed.has(owner) || recorded.removed.has(key))
  );
}

/** Whether, besides, no sibling has what would differ. */
function canCarry(recorded: Effect, now: Effect, things: Things): boolean {
  if (!isAsItWas(recorded, things) || isFull(recorded.born, things)) return false;
  return [...recorded.born].every(([key, thing]) => {
    const other = now.born.get(key);
    if (!other) return false;
    const differing = Object.keys(thing.fields).filter((field) => thing.fields[field] !== other.fields[field]);
    return [...things.values()].every((sibling) =>
      differing.every((field) => sibling.fields[field] !== thing.fields[field]),
    );
  });
}

/** Whether carrying the effect moves nothing. */
function isInPlace({ born, moved, ordered }: Effect): boolean {
  return born.size + moved.size + ordered.size === 0;
}

/** The state with fields set and things removed; for effects in which nothing is born or moved. */
function carry(state: State, { removed, set }: Effect): State {
  const next = copyState(state);
  const root = thingsOf(state, rowKey);
  const field = (key: string, name: string): string | number | undefined =>
    set.get(slot(key, name))?.to ?? root.get(key)?.fields[name];
  for (const list of ["todo", "done"] as const) {
    next[list] = next[list].filter(({ born }) => !removed.has(born));
    for (const card of next[list]) {
      Object.assign(card, { title: field(card.born, "title"), status: field(card.born, "status") });
      Object.assign(card, { points: field(card.born, "points") });
      card.subs = card.subs.filter(({ born }) => !removed.has(born));
      for (const sub of card.subs) Object.assign(sub, { text: field(sub.born, "text") });
    }
  }
  next.rows = next.rows.filter((row) => !removed.has(rowKey(row) ?? ""));
  for (const row of next.rows) Object.assign(row, { n: field(rowKey(row) ?? "", "n") });
  next.bills = next.bills.filter(({ born }) => !removed.has(born));
  next.tags = next.tags.filter((tag) => !removed.has(`tag ${tag}`));
  for (const worker of next.workers) Object.assign(worker, { task: field(`worker ${worker.name}`, "task") });
  for (const key of Object.keys(next.notes)) {
    if (removed.has(`note ${key}`)) delete next.notes[key];
    else Object.assign(next.notes[key]!, { text: field(`note ${key}`, "text") });
  }
  for (const name of ["title", "total", "rate"]) Object.assign(next, { [name]: field("root", name) });
  next.count = next.todo.length + next.done.length;
  return next;
}
