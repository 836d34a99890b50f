// Reads commits by an index: by the run if one is given, else by each type, else by the actor, else
// by version alone.
//
// Invariants:
// - `read` runs inside a transaction, since the commits without terms are a search of their own.
// - The statement names the index, so SQLite uses it or refuses the statement.
// - The floor is read with the commits. So nothing at or below it is seen while another process
//   compacts.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Commit } from "@opstate/core";
import type { ReadRange } from "@opstate/core/log";
import { parse } from "../log/document.ts";
import { actorTerm, LAST_FILED, runTerm, typeTerm } from "./terms.ts";

type Value = string | number;

/** Conditions beside the thread and the range of versions. */
interface Conditions {
  readonly where: readonly string[];
  readonly values: readonly Value[];
}

interface Search extends Conditions {
  readonly from: string;
  /** The table that has the versions. */
  readonly by: "commits" | "commit_terms";
  /**
   * A further lower bound for the version: an expression with the thread's key as its parameter.
   * SQLite uses only one lower bound for the index, so all bounds are combined into one.
   */
  readonly above?: string;
}

const BY_VERSION = "commits INDEXED BY commits_by_version";
const BY_TERM = `commit_terms CROSS JOIN ${BY_VERSION} ON commits.thread = commit_terms.thread AND commits.version = commit_terms.version`;

export class CommitReader {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  read(key: number, range: ReadRange): readonly Commit[] {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = -1, order = "ascending" } = range;
    const [direction, sign] = order === "ascending" ? ["ASC", 1] : ["DESC", -1];
    const searches = searchesFor(key, range);
    const rows = searches.flatMap(({ from, by, above, where, values }) => {
      const floor = "(SELECT floor FROM threads WHERE key = ?)";
      const begin = ["?", floor, ...(above === undefined ? [] : [above])].join(", ");
      const conditions = [`${by}.thread = ?`, `${by}.version > max(${begin})`, `${by}.version < ?`, ...where];
      const text = `SELECT commits.version, document FROM ${from} WHERE ${conditions.join(" AND ")} ORDER BY ${by}.version ${direction} LIMIT ?`;
      return this.#prepare(text).all(key, after, key, ...(above === undefined ? [] : [key]), before, ...values, limit);
    });
    // Each search is sorted and limited. The results of several are merged and limited again.
    const merged =
      searches.length === 1 ? rows : rows.toSorted((a, b) => sign * (Number(a["version"]) - Number(b["version"])));
    return merged.slice(0, limit < 0 ? undefined : limit).map((row) => parse<Commit>(row["document"]));
  }

  #prepare(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

function searchesFor(key: number, range: ReadRange): readonly Search[] {
  const terms = termsOf(range);
  const { where, values } = filters(range);
  if (terms === undefined) return [{ from: BY_VERSION, by: "commits", where, values }];
  return [
    ...terms.map((term): Search => {
      return { from: BY_TERM, by: "commit_terms", where: ["term = ?", ...where], values: [term, ...values] };
    }),
    { from: BY_VERSION, by: "commits", above: LAST_FILED, where, values },
  ];
}

/** The terms to search by. No commit is found by two of them. */
function termsOf({ runId, actor, types }: ReadRange): readonly string[] | undefined {
  if (runId !== undefined) return [runTerm(runId)];
  if (types !== undefined) return [...new Set(types)].map(typeTerm);
  return actor === undefined ? undefined : [actorTerm(actor)];
}

/** The conditions on the commits that were found. */
function filters({ runId, actor, types }: ReadRange): Conditions {
  const byRun = runId === undefined ? [] : ["run_id = ?"];
  const byActor = actor === undefined ? [] : ["author_kind = ?", "author_id = ?"];
  const byType = types === undefined ? [] : ["type IN (SELECT value FROM json_each(?))"];
  const runValues = runId === undefined ? [] : [runId];
  const actorValues = actor === undefined ? [] : [actor.kind, actor.id];
  const typeValues = types === undefined ? [] : [JSON.stringify(types)];
  return { where: [...byRun, ...byActor, ...byType], values: [...runValues, ...actorValues, ...typeValues] };
}
