// What must be true by the text, each claim in one function. A claim that fails throws a Violation.
//
// The file is long because all that is claimed is in one place.
//
// What the text leaves open, and how it is read here:
//
// - An undo that removes a card which a kept operation moved, among others: the operation "does
//   less", so it is a dependent. Only a removal of what is gone is satisfied by it.
// - A kept removal removes what was inside of the removed thing too, no matter who put it there.
//   What comes back into it without the work that is undone is another thing: then the removal is
//   a dependent.
// - A commit without effect stays without one: done anew, it would touch things that it did not
//   touch at first. Where it would do something now, it is listed as carried.
// - A commit that came to nothing on S, as what it did is there already: on T, where it cannot
//   do what it did at first, it may be kept as nothing or be named.
// - A commit that would do less in one place and something else in another, such as a batch of
//   which one part does nothing now: it "does less" (c), and it would "bear other content" (a').
//   It may be named or carried. If it is kept, it is as recorded.
// - Where a carried thing is in its list, and whether the same order of other things is the
//   same effect: not judged, except that things which nothing placed keep their order, and those
//   that code placed which would do something else by now.
// - An item that a replacement or a patch edits is another thing: here it has another mark, too.
//   Whether it gets the place of what it replaced, wherever that is now, is not judged.
// - The siblings among which a computed id must stay alone are the items of its list.
// - Two cards with one computed id that an undo with "keep" made: the person was told of it and
//   chose it. A later undo that moves one to the other's list changes nothing in what the kept
//   operation would do (rule 4), so it need not be named again. Nor need it when a later undo takes
//   back what removed one of the two: what comes before that is not run (rule 1).
// - An undo of undos goes back to a line on which a commit was as recorded at first, though today's
//   code would do something else there: "it lists what is not as it was recorded at first", so that
//   commit need not be listed. It was as recorded there when no undo of that line listed it.
// - A replacement made on a page is not checked; a patch made there is, since it names places.
// - A page whose code is older than the authority's: things are those that the page showed.
// - A merge, an approval: what is born bears what it bore (its id, too), or it is refused. An edit
//   of a page has not happened before the authority accepts it: its new things may bear other
//   values.
// - An approval "anyway" may find other values, never other things. What has an item more or less
//   in a list of its own is a thing that was touched.

import type { State } from "./board.ts";
import { type Entry, type Fold, type Line, UNKNOWN, versionsIn } from "./line.ts";
import { type Effect, effectOf, equal, isEmpty, sameThing, slot, type Things, thingsOf, touched } from "./things.ts";
import { type Learned, partsOf, rowKey, runTwin } from "./twin.ts";
import { walk, type Walk } from "./walk.ts";

export class Violation extends Error {
  /** The claim in two or three words: what a survey counts by. */
  readonly claim: string;

  constructor(claim: string, text: string) {
    super(`${claim}: ${text}`);
    this.claim = claim;
  }
}

export function claim(holds: boolean, name: string, text: () => string): asserts holds {
  if (!holds) throw new Violation(name, text());
}

export type Count = (what: string) => void;

/** The words that each submission wrote, and where it wrote them at first. */
export class Words {
  readonly #places = new Map<string, Set<string>>();

  /** Notes where the words of a new submission are. */
  learn(effect: Effect): void {
    const known = new Set(this.#places.keys());
    for (const { slot, word } of wordsOf(effect)) {
      if (!known.has(word)) this.#places.set(word, (this.#places.get(word) ?? new Set()).add(slot));
    }
  }

  /** No word is on a thing that its submission did not write it on. */
  check(state: State, where: string): void {
    for (const [key, { fields }] of thingsOf(state)) {
      const texts: [string, unknown][] = Object.entries(fields).map(([field, value]) => [slot(key, field), value]);
      if (key.startsWith("tag ")) texts.push([key, key.slice(4)]);
      for (const [place, text] of texts) {
        for (const word of wordsIn(text)) {
          const places = this.#places.get(word);
          claim(places === undefined || places.has(place), "a text on another thing", () => {
            return `${where}: "${word}" was written on ${[...places!].join(", ")} and now stands on ${place}`;
          });
        }
      }
    }
  }
}

/** The words that a change wrote, and where. What a text had before was not written by it. */
export function wordsOf({ born, set }: Effect): { readonly slot: string; readonly word: string }[] {
  const texts: [string, unknown, unknown?][] = [];
  for (const [key, { fields }] of born) {
    for (const [field, value] of Object.entries(fields)) texts.push([slot(key, field), value]);
    if (key.startsWith("tag ")) texts.push([key, key.slice(4)]);
  }
  for (const [id, { from, to }] of set) texts.push([id, to, from]);
  return texts.flatMap(([slot, text, before]) => {
    const old = new Set(wordsIn(before));
    return wordsIn(text).flatMap((word) => (old.has(word) ? [] : [{ slot, word }]));
  });
}

function wordsIn(text: unknown): string[] {
  return typeof text === "string" ? text.split(" ").filter((word) => /^w\d/.test(word)) : [];
}

/**
 * Two cards of a list share an id only if an author said so, never by a computed id. `known` has
 * the pairs that there were in a list before: an author's own, or of an undo with "keep". It also
 * has those that an undo with "keep" made across the lists (`doublesMade`), and those of which a
 * later commit removed a card (`doublesOnTheWay`).
 */
export function judgeIds(after: State, computed: ReadonlySet<string>, known: ReadonlySet<string>): void {
  const has = doubles(after, computed).filter((pair) => !known.has(pair));
  claim(has.length === 0, "two things with one computed id", () => has.join("; "));
}

/** The pairs of cards of one list that share a computed id. */
export function doubles({ todo, done }: State, computed: ReadonlySet<string>): string[] {
  return [todo, done].flatMap((cards) => pairs(cards, computed));
}

/** The pairs that were not there before, whichever lists the two cards are in. */
export function doublesMade(before: State, after: State, computed: ReadonlySet<string>): string[] {
  const were = new Set(pairs([...before.todo, ...before.done], computed));
  return pairs([...after.todo, ...after.done], computed).filter((pair) => !were.has(pair));
}

/**
 * The pairs that an undo made by what it lists as carried. A commit that it keeps may have removed
 * a card of the two, so the state need not have them.
 */
export function doublesOnTheWay(line: Line, { commit }: Entry, computed: ReadonlySet<string>): string[] {
  const after = line.excluded();
  const at = (version: number): string[] => pairs(cardsIn(line.fold(after, version)), computed);
  const { carried } = commit.operation as { carried?: unknown };
  return versionsIn(carried).flatMap((version) => {
    const were = new Set(at(version - 1));
    return at(version).filter((pair) => !were.has(pair));
  });
}

function cardsIn({ things, values }: Fold): { id: string; born: string }[] {
  return [...things].flatMap(([born, { list }]) =>
    list === "todo" || list === "done" ? [{ id: String(values.get(slot(born, "id"))?.values[0]), born }] : [],
  );
}

/** A pair has one name, whichever of the two cards comes first. */
function pairs(cards: readonly { id: string; born: string }[], computed: ReadonlySet<string>): string[] {
  return cards.flatMap(({ id, born }, index) =>
    cards
      .slice(0, index)
      .filter((other) => other.id === id && (computed.has(born) || computed.has(other.born)))
      .map((other) => [id, ...[other.born, born].sort()].join(" ")),
  );
}

export interface UndoRequest {
  readonly mode: "refuse" | "drop" | "keep";
  /** The versions that are to be undone, as the oracle reads the request. */
  readonly target: ReadonlySet<number>;
  readonly edition: number;
  readonly learned: Learned;
}

/** The versions left out if an undo of these versions came next. */
export function excludedWith(line: Line, head: number, target: ReadonlySet<number>): Set<number> {
  const out = new Set(target);
  for (let version = head; version > 0; version -= 1) {
    const entry = line.entry(version);
    if (entry?.undo && !out.has(version)) for (const other of entry.undo.versions) out.add(other);
  }
  return out;
}

const list = (versions: Iterable<number>): string => [...versions].map((version) => `v${version}`).join(", ");

/** An undo that was refused: it named nothing that the oracle calls independent. */
export function judgeRefusedUndo(line: Line, request: UndoRequest, dependents: readonly string[], count: Count): void {
  const head = line.version;
  const before = line.excluded();
  const plan = walk(line, head, before, excludedWith(line, head, request.target), request.edition, request.learned);
  const named = new Set(line.entries.filter(({ commit }) => dependents.includes(commit.id)).map((e) => e.version));
  judgeNamed(line, plan, named, dependents, count);
  if (plan.result === undefined) count("don't know (refused)");
  else {
    const reasons = new Set(plan.decisions.values());
    claim(reasons.has("dependent") || reasons.has("open"), "refused without reason", () => {
      return `every kept commit does the same without ${list(request.target)}; named: ${dependents.join(", ")}`;
    });
    count("known (refused)");
  }
  for (const [version, decision] of plan.decisions) {
    if (decision !== "dependent") continue;
    claim(named.has(version), "a dependent that is not named", () => `v${version}; named: ${list(named)}`);
  }
}

/** A proposal, or what changed nothing. */
function isIdle(entry: Entry | undefined): boolean {
  return !entry || (!entry.undo && isEmpty(entry.effect) && isEmpty(entry.tagged));
}

function judgeNamed(line: Line, plan: Walk, named: ReadonlySet<number>, ids: readonly string[], count: Count): void {
  for (const version of named) {
    const decision = plan.decisions.get(version);
    const id = line.entry(version)?.commit.id;
    const alone = line.entries.filter(({ commit }) => commit.id === id).length === 1;
    if (!alone || decision === undefined) continue;
    count(`named: ${decision}`);
    const mayBeNamed = decision === "dependent" || decision === "open" || decision === "carried or named";
    claim(mayBeNamed, "an independent commit is named", () => {
      return `v${version} is ${decision} by the text, and is named: ${ids.join(", ")}`;
    });
  }
}

/** An undo that was accepted. `line` has it as its last commit. */
export function judgeUndo(line: Line, entry: Entry, request: UndoRequest, count: Count): State | undefined {
  const head = entry.version - 1;
  const operation = entry.commit.operation as unknown as Record<string, unknown>;
  const before = line.excluded(head);
  const after = line.excluded();
  const recomputed = new Set(versionsIn(operation["recomputed"]));
  const carried = new Set(versionsIn(operation["carried"]));
  for (const version of request.target) {
    const isIn = entry.undo!.versions.has(version) || after.has(version);
    claim(isIn, "not taken back", () => `v${version} was to be taken back; left out: ${list(after)}`);
  }

  for (const version of [...recomputed, ...carried]) {
    claim(version <= head && !after.has(version), "a list of what is not kept", () => `v${version} is left out`);
  }

  judgeFold(line, before, after, recomputed, request.mode);
  judgeRecomputed(line, entry, recomputed, request);
  judgeOrder(line, head, before, after, new Set([...recomputed, ...carried]), request, count);

  const asked = excludedWith(line, head, request.target);
  const plan = walk(line, head, before, asked, request.edition, request.learned);
  const extra = new Set([...after].filter((version) => !asked.has(version)));
  const dropped = [...extra].filter((version) => !isIdle(line.entry(version)));
  claim(request.mode !== "refuse" || dropped.length === 0, "taken back unasked", () => list(dropped));
  judgeNamed(line, plan, extra, [], count);
  const returns = [...request.target].every((version) => line.entry(version)?.undo !== undefined);
  // With "keep" a dependent stays, and what comes after it meets another state than the walk's.
  const firstKept = [...plan.decisions].findIndex(([, decision]) => decision === "dependent");
  const sure = [...plan.decisions].slice(0, request.mode === "keep" && firstKept >= 0 ? firstKept + 1 : undefined);
  for (const [version, decision] of sure) {
    count(`decided: ${decision}`);
    const named = extra.has(version) || request.mode === "keep";
    claim(decision !== "dependent" || named, "a dependent that is not named", () => {
      return `v${version} does not hold without ${list(request.target)}, and the undo was accepted`;
    });
    // "An undo of undos goes back to what there was [...] and runs nothing": it is as at first.
    if (returns && isAsAtFirst(line, version, after)) continue;
    claim(decision !== "anew" || recomputed.has(version), "computed anew and not listed", () => {
      return `v${version} sets another value now; recomputed: ${list(recomputed)}`;
    });
    const isListed = carried.has(version) || (returns && wasAsRecorded(line, version, after, request.target));
    claim(decision !== "carried" || isListed || request.mode === "keep", "carried and not listed", () => {
      return `v${version} would touch other things now; carried: ${list(carried)}`;
    });
    const isAsRecorded = isListed && !recomputed.has(version);
    claim(decision !== "carried or named" || named || isAsRecorded, "carried and not listed", () => {
      return `v${version} would do less and something else now; carried: ${list(carried)}`;
    });
  }
  const keepsDependents = request.mode === "keep" && sure.some(([, decision]) => decision === "dependent");
  if (plan.result === undefined || keepsDependents) {
    count("don't know (accepted)");
    return undefined;
  }
  count("known (accepted)");
  judgeResult(line.state, plan.result);
  return plan.result;
}

/** Whether a commit counts on the line on which it was made: the same commits count before it. */
function isAsAtFirst(line: Line, version: number, after: ReadonlySet<number>): boolean {
  return isSameBefore(line, version, line.excluded(version - 1), after);
}

/**
 * Whether an undo of these undos goes back to what a commit did at first: on the line before the
 * earliest of them the same commits counted before it, and no undo of that line lists it.
 */
function wasAsRecorded(line: Line, version: number, after: ReadonlySet<number>, undos: ReadonlySet<number>): boolean {
  const head = Math.min(...undos) - 1;
  const then = line.excluded(head);
  if (version > head || then.has(version) || !isSameBefore(line, version, then, after)) return false;
  return line.entries.slice(0, head).every((entry) => {
    if (entry.undo === undefined || then.has(entry.version)) return true;
    const { recomputed, carried } = entry.commit.operation as { recomputed?: unknown; carried?: unknown };
    return ![...versionsIn(recomputed), ...versionsIn(carried)].includes(version);
  });
}

/** Whether two lines, each by what it leaves out, have the same commits before a version. */
function isSameBefore(line: Line, version: number, then: ReadonlySet<number>, after: ReadonlySet<number>): boolean {
  return line.entries
    .slice(0, version - 1)
    .every(
      (entry) => entry.undo !== undefined || isIdle(entry) || then.has(entry.version) === after.has(entry.version),
    );
}

function judgeResult(state: State, expected: State): void {
  const differences = Object.keys(expected).flatMap((name) => {
    const [is, wanted] = [state, expected].map((whole) => JSON.stringify(whole[name as keyof State]));
    return is === wanted ? [] : [`${name} is ${is}, by the text ${wanted}`];
  });
  // A record has no order of keys.
  const real = differences.filter((text) => !text.startsWith("notes is") || !sameNotes(state, expected));
  claim(real.length === 0, "another state", () => real.join("; "));
}

function sameNotes(a: State, b: State): boolean {
  const sorted = ({ notes }: State): string =>
    JSON.stringify(
      Object.entries(notes)
        .map(([k, v]) => k + v.text)
        .sort(),
    );
  return sorted(a) === sorted(b);
}

/** The state is the fold of what the kept commits did, thing by thing. */
function judgeFold(
  line: Line,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  recomputed: ReadonlySet<number>,
  mode: string,
): void {
  const had = line.fold(before);
  for (const version of recomputed) {
    const entry = line.entry(version);
    for (const id of entry?.effect.set.keys() ?? []) {
      entry!.anew.set(id, (entry!.anew.get(id) ?? new Set()).add(UNKNOWN));
    }
  }
  const fold = line.fold(after);
  const things = thingsOf(line.state);
  const lenient = mode === "keep" || line.hasKeep(after) || line.hasKeep(before);
  for (const [version, key] of fold.orphans) {
    const known = had.orphans.has(version);
    claim(known || lenient, "kept without its thing", () => `v${version} acted on ${key}, which is not there now`);
  }
  for (const [key, { list, isLoose, mayGo = false }] of fold.things) {
    const is = things.get(key)?.list;
    const isKept = is === list || (is === undefined ? lenient && mayGo : isLoose);
    claim(isKept, "a thing is lost", () => {
      return `${key} belongs in ${list || "the state"} by what is kept, and is ${is === undefined ? "gone" : `in ${is}`}`;
    });
  }
  for (const key of things.keys()) {
    claim(fold.things.has(key), "a thing that nobody kept", () => `${key} stands, and no kept commit put it there`);
  }
  for (const [id, { values, by }] of fold.values) {
    const [key = "", field = ""] = id.split(" . ");
    const is = things.get(key)?.fields[field];
    if (is === undefined) continue;
    if (values.includes(UNKNOWN)) {
      const anew = line.entry(by)?.anew.get(id);
      anew?.delete(UNKNOWN);
      anew?.add(is);
    } else {
      claim(values.includes(is), "another value", () => {
        return `${id} is ${JSON.stringify(is)}; v${by} wrote ${JSON.stringify(values[0])}, and is not recomputed`;
      });
    }
  }
}

/** Computed anew is only what today's code does as it did. */
function judgeRecomputed(line: Line, entry: Entry, recomputed: ReadonlySet<number>, request: UndoRequest): void {
  const lowest = Math.min(
    ...line.entries.slice(0, entry.version - 1).flatMap(({ undo }) => [...(undo?.versions ?? [])]),
  );
  for (const version of recomputed) {
    const kept = line.entry(version);
    if (!kept || version > lowest || kept.edition === request.edition || !partsOf(kept.operation)) continue;
    const were = line.tagged[version - 1]!;
    const done = runTwin(request.edition, were, kept.operation, request.learned);
    const effect = done && effectOf(thingsOf(were, rowKey), thingsOf(done, rowKey));
    const same = [...kept.effect.set].every(([id, { to }]) => effect?.set.get(id)?.to === to);
    claim(same, "computed anew by other code", () => `v${version} (${kept.operation.type}) did something else then`);
  }
}

/**
 * Things that nothing placed since the first difference keep their order. So do those that were
 * placed by code which is another one by now: what it did is carried, to the same neighbours.
 */
function judgeOrder(
  line: Line,
  head: number,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
  alsoChanged: ReadonlySet<number>,
  request: UndoRequest,
  count: Count,
): void {
  const flipped = line.entries
    .map(({ version }) => version)
    .filter((version) => before.has(version) !== after.has(version));
  const first = Math.min(...flipped, ...alsoChanged);
  const placed = new Set<string>();
  const ordered = new Set<string>();
  for (const entry of line.entries.slice(0, head)) {
    const { version, effect, undo } = entry;
    if (version < first && !undo) continue;
    const isKept = !before.has(version) && !after.has(version) && !alsoChanged.has(version);
    if (isKept && isAsAtFirst(line, version, before) && isOtherCode(line, entry, request)) {
      if (effect.born.size + effect.moved.size > 0) count("placed by code of then");
      continue;
    }
    for (const key of [...effect.born.keys(), ...effect.moved.keys(), ...effect.removed.keys()]) placed.add(key);
    for (const list of effect.ordered) ordered.add(list);
  }
  const [was, is] = [line.states[head]!, line.state].map((state) => thingsOf(state));
  const still = effectOf(without(was!, placed), without(is!, placed)).ordered;
  const wrong = [...still].filter((list) => !ordered.has(list) && list !== "workers");
  claim(wrong.length === 0, "another order", () => `in ${wrong.join(", ")}, of things that nothing moved`);
}

/** Whether today's code would lead to another state. */
function isOtherCode(line: Line, { version, operation, edition }: Entry, request: UndoRequest): boolean {
  if (edition === request.edition || partsOf(operation) === undefined) return false;
  const done = runTwin(request.edition, line.tagged[version - 1]!, operation, request.learned);
  return !equal(done, line.tagged[version]!);
}

function without(things: Things, keys: ReadonlySet<string>): Things {
  return new Map([...things].filter(([key]) => !keys.has(key)));
}

const COMPUTES = new Set(["inc", "bump", "sum", "appendTitle"]);

/**
 * An operation that was done again elsewhere (merge, approval, rebase) touched the things that it
 * touched at first and no others.
 */
export function judgeReplay(
  what: string,
  first: Effect,
  before: State,
  after: State,
  operation: unknown,
  demand: "all" | "nothing else",
): void {
  const [were, are] = [thingsOf(before), thingsOf(after)];
  const effect = effectOf(were, are);
  const its = touched(first);
  for (const { owner } of [...first.born.values(), ...first.removed.values(), ...first.moved.values()]) its.add(owner);
  // Open in the text: whether a part that others added to a removed card is another thing. It goes
  // with its card.
  const others = [...touched(effect)].filter((key) => {
    const { owner } = were.get(key) ?? { owner: "" };
    return !its.has(key) && !(effect.removed.has(key) && first.removed.has(owner));
  });
  claim(others.length === 0, `${what}: another thing`, () => {
    return `it touched ${[...its].join(", ")} at first, and now also ${others.join(", ")}`;
  });
  for (const place of wordsOf(first)) {
    const [key = "", field = ""] = place.slot.split(" . ");
    const text = key.startsWith("tag ") ? key : are.get(key)?.fields[field];
    claim(typeof text === "string" && text.includes(place.word), `${what}: a text is lost`, () => {
      return `"${place.word}" belongs on ${place.slot}, where ${JSON.stringify(text)} stands`;
    });
  }
  if (demand === "nothing else") return;
  const computes = (partsOf(operation) ?? []).some(({ type }) => COMPUTES.has(type));
  const replaces = partsOf(operation) === undefined;
  for (const [key, thing] of first.born) {
    const now = are.get(key);
    // "An item that a `$replace` or `$patch` writes into is another thing [...]: never the diff's
    // index": where it is when that item has moved is open.
    const mayHaveMoved = replaces && [...first.removed.values()].some(({ list }) => list === thing.list);
    const asBorn = now !== undefined && mayHaveMoved ? { ...now, list: thing.list } : now;
    claim(asBorn !== undefined && sameThing(asBorn, thing), `${what}: born otherwise`, () => {
      return `${key} was ${JSON.stringify(thing)}, and is ${JSON.stringify(now)}`;
    });
  }
  for (const { key, field, to } of first.set.values()) {
    const now = are.get(key)?.fields[field];
    claim(computes ? now !== undefined : now === to, `${what}: not as recorded`, () => {
      return `${slot(key, field)} was set to ${JSON.stringify(to)}, and is ${JSON.stringify(now)}`;
    });
  }
  for (const [key, { to }] of first.moved) {
    claim(are.get(key)?.list === to, `${what}: not as recorded`, () => `${key} was moved to ${to}`);
  }
  for (const key of first.removed.keys()) {
    claim(!are.has(key), `${what}: not as recorded`, () => `${key} was removed, and stands`);
  }
}
