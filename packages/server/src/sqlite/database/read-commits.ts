// Reads commits by an index: by the run if one is given, else by each type, else by the actor, else
// by version alone.
//
// Invariants:
// - `read` runs inside a transaction, since the commits without terms are a search of their own.
// - The statement names the index, so SQLite uses it or refuses the statement.
// - The floor is read with the commits. So nothing at or below it is seen while another process
//   compacts.

import type { CommitFilter, CommitRange, Page } from "@opstate/core/log";
import { commitSpan, cutPage, pageLimits } from "@opstate/core/log/storage";
import type { Row } from "../../log/rows.ts";
import type { SqlDatabase, SqlStatement } from "./sql-database.ts";
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
  readonly #database: SqlDatabase;
  readonly #statements = new Map<string, SqlStatement>();

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** One page of their documents. Those beyond it are not read. */
  read(key: number, filter: CommitFilter, range: CommitRange): Page<string> {
    const limits = pageLimits(range);
    const { after, before, order } = commitSpan(range);
    const direction = order === "ascending" ? "ASC" : "DESC";
    const most = limits.limit === Infinity ? -1 : limits.limit + 1;
    const found = searchesFor(key, filter).map(({ from, by, above, where, values }, index) => {
      const floor = "(SELECT floor FROM threads WHERE key = ?)";
      const begin = ["?", floor, ...(above === undefined ? [] : [above])].join(", ");
      const conditions = [`${by}.thread = ?`, `${by}.version > max(${begin})`, `${by}.version < ?`, ...where];
      const text = `SELECT commits.version, document FROM ${from} WHERE ${conditions.join(" AND ")} ORDER BY ${by}.version ${direction} LIMIT ?`;
      const bound = above === undefined ? [] : [key];
      return this.#prepare(text, index).iterate(key, after, key, ...bound, before, ...values, most);
    });
    try {
      return cutPage(merged(found, order), limits, {
        bytes: ({ document }) => Buffer.byteLength(String(document)),
        item: ({ document }) => String(document),
        cursor: ({ version }) => String(version),
      });
    } finally {
      // A statement that was not read to its end keeps its transaction open.
      for (const rows of found) rows.return?.();
    }
  }

  /** `index`: searches with one text are read side by side. */
  #prepare(text: string, index: number): SqlStatement {
    const key = `${index} ${text}`;
    const statement = this.#statements.get(key) ?? this.#database.prepare(text);
    this.#statements.set(key, statement);
    return statement;
  }
}

/** Each of several searches is sorted; so is what they find together. */
function* merged(searches: readonly Iterator<Row>[], order: "ascending" | "descending"): Generator<Row, void> {
  const sign = order === "ascending" ? 1 : -1;
  const heads = searches.map((rows) => rows.next());
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      if (head.done === true) continue;
      const best = heads[first];
      if (best === undefined || sign * (Number(head.value["version"]) - Number(best.value?.["version"])) < 0)
        first = index;
    }
    const head = heads[first];
    if (head === undefined || head.done === true) return;
    yield head.value;
    const next = searches[first]?.next();
    if (next !== undefined) heads[first] = next;
  }
}

function searchesFor(key: number, range: CommitFilter): readonly Search[] {
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
function termsOf({ runId, actor, types }: CommitFilter): readonly string[] | undefined {
  if (runId !== undefined) return [runTerm(runId)];
  if (types !== undefined) return [...new Set(types)].map(typeTerm);
  return actor === undefined ? undefined : [actorTerm(actor)];
}

/** The conditions on the commits that were found. */
function filters({ runId, actor, types }: CommitFilter): Conditions {
  const byRun = runId === undefined ? [] : ["run_id = ?"];
  const byActor = actor === undefined ? [] : ["author_kind = ?", "author_id = ?"];
  const byType = types === undefined ? [] : ["type IN (SELECT value FROM json_each(?))"];
  const runValues = runId === undefined ? [] : [runId];
  const actorValues = actor === undefined ? [] : [actor.kind, actor.id];
  const typeValues = types === undefined ? [] : [JSON.stringify(types)];
  return { where: [...byRun, ...byActor, ...byType], values: [...runValues, ...actorValues, ...typeValues] };
}
