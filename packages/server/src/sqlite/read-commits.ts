// Reads commits by an index, whatever is asked for: by the run if one is named, else by each type, else by the actor, else by version alone.
//
// Invariants: the index is named in the statement, so that SQLite uses it or refuses the statement; the floor is read in the same statement
// as the commits, so that nothing at or below it is seen while another process compacts.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Commit, ReadRange } from "@opstate/core";
import { parse } from "../document.ts";

type Value = string | number;

interface Search {
  readonly index: string;
  /** Beside thread and versions. */
  readonly where: readonly string[];
  readonly values: readonly Value[];
}

export interface CommitReader {
  read(key: number, range: ReadRange): readonly Commit[];
}

export function createCommitReader(database: DatabaseSync): CommitReader {
  const statements = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  return {
    read(key, range) {
      const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = -1, order = "ascending" } = range;
      const [direction, sign] = order === "ascending" ? ["ASC", 1] : ["DESC", -1];
      const searches = searchesFor(range);
      const rows = searches.flatMap(({ index, where, values }) => {
        const conditions = ["thread = ?", "version > max(?, (SELECT floor FROM threads WHERE key = ?))", "version < ?", ...where];
        const text = `SELECT version, document FROM commits ${index} WHERE ${conditions.join(" AND ")} ORDER BY version ${direction} LIMIT ?`;
        return prepare(text).all(key, after, key, before, ...values, limit);
      });
      // Each search is sorted and cut already; several are merged and cut again.
      const merged = searches.length === 1 ? rows : rows.toSorted((a, b) => sign * (Number(a["version"]) - Number(b["version"])));
      return merged.slice(0, limit < 0 ? undefined : limit).map((row) => parse<Commit>(row["document"]));
    },
  };
}

function searchesFor({ runId, actor, types }: ReadRange): readonly Search[] {
  const byActor = actor === undefined ? [] : ["actor_kind = ?", "actor_id = ?"];
  const actorValues = actor === undefined ? [] : [actor.kind, actor.id];
  const wanted = types === undefined ? undefined : [...new Set(types)];
  if (runId !== undefined) {
    const where = ["run_id = ?", ...byActor, ...(wanted === undefined ? [] : ["type IN (SELECT value FROM json_each(?))"])];
    const values = [runId, ...actorValues, ...(wanted === undefined ? [] : [JSON.stringify(wanted)])];
    return [{ index: "INDEXED BY commits_by_run", where, values }];
  }
  if (wanted !== undefined) {
    return wanted.map((type) => ({ index: "INDEXED BY commits_by_type", where: ["type = ?", ...byActor], values: [type, ...actorValues] }));
  }
  if (actor !== undefined) return [{ index: "INDEXED BY commits_by_actor", where: byActor, values: actorValues }];
  return [{ index: "", where: [], values: [] }];
}
