// The refusal of an undo that names what depends on what would be undone.

import { defined } from "../../defined.ts";
import { cut, rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Commit } from "../commit.ts";
import { UNDO } from "../entries.ts";
import type { OnDependent } from "../options.ts";
import { quoteText } from "../words.ts";
import type { Found } from "./again.ts";

/** A commit that would do something else, or nothing, without what is undone. */
export interface Dependent {
  readonly commit: Commit;
  readonly found: Found;
  /** What it would do now, in words. */
  readonly would: string;
}

/** `leaving`: the versions whose whole effect would be lost with "keep". */
export function dependentsRejection(
  dependents: readonly Dependent[],
  leaving: ReadonlySet<number>,
  onDependent: OnDependent | undefined,
): Rejection {
  const [first] = dependents;
  const start = `the first, at version ${first?.commit.version}${quoted(first?.commit)}, ${sentence(cut(first?.would ?? "", 160))}`;
  const message =
    onDependent === "keep"
      ? `${counted(dependents)} cannot be kept as ${dependents.length === 1 ? "it was" : "they were"}; ${start} Take them back too: onDependent: "drop".`
      : `${counted(dependents)} would do something else without what is taken back; ${start} Undo them too, or send onDependent: "drop" to leave them out, "keep" to keep what they did.`;
  const ids = dependents.slice(0, IDS_LIMIT).map(({ commit }) => commit.id);
  const total = dependents.length > IDS_LIMIT ? { dependentsTotal: dependents.length } : {};
  const room = DETAILS_LENGTH - JSON.stringify({ ids, ...total }).length - 20;
  const why = thatFit(dependents, leaving, room);
  return rejection("conflict", UNDO, message, {
    reason: "dependents",
    details: { dependents: ids, ...total, why },
    detailsBytes: DETAILS_LENGTH,
  });
}

const IDS_LIMIT = 20;
/** UTF-16 code units of the details as JSON: a rejection has at most 2 KB. */
const DETAILS_LENGTH = 1_350;
/** How long a sentence may be: shorter ones where there are many. */
const WOULD_LENGTHS = [200, 140, 90];
const EXPLAINED_LIMIT = 5;

/** What the first of them would do now, for as many as there is room for. */
function thatFit(dependents: readonly Dependent[], leaving: ReadonlySet<number>, room: number): readonly object[] {
  const first = dependents.slice(0, EXPLAINED_LIMIT);
  const explained = (length: number) =>
    first.map(({ commit, found, would }) => ({
      id: commit.id,
      version: commit.version,
      type: cut(commit.operation.type, 40),
      ...defined({ sentence: commit.sentence && cut(commit.sentence, length) }),
      ...codeOf(found),
      would: cut(would, length),
      stays: !leaving.has(commit.version),
    }));
  const fits = (why: readonly object[]) => JSON.stringify(why).length <= room;
  let why = explained(200);
  for (const length of WOULD_LENGTHS) if (!fits(why)) why = explained(length);
  while (why.length > 0 && !fits(why)) why = why.slice(0, -1);
  return why;
}

function codeOf(found: Found): { readonly code: string; readonly reason?: string } {
  const refusal =
    found.how === "refused" ? found.rejection : found.fault?.why === "schema" ? found.fault.rejection : undefined;
  return refusal === undefined
    ? { code: "conflict", reason: "other_thing" }
    : { code: refusal.code, ...defined({ reason: refusal.reason && cut(refusal.reason, 40) }) };
}

/** What a commit did, as its author's `describe` says it: data in quotes. */
export function quoted(commit: Commit | undefined): string {
  return commit?.sentence === undefined ? "" : ` (${quoteText(cut(commit.sentence, 100))})`;
}

function counted({ length }: readonly Dependent[]): string {
  return `${length} later ${length === 1 ? "operation" : "operations"}`;
}

function sentence(text = ""): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
