// The values by which commits are found (run, actor, operation type), as terms in one table. It is
// filled once per block of versions, so most appends do not touch it.
//
// Invariants:
// - Every commit of a complete block has its terms; newer commits have none.
// - A deleted commit has no terms.
// - Triggers keep both, so they hold for what a process of an older release writes too.

import type { Actor } from "@opstate/core";
import type { SqlDatabase } from "./sql-database.ts";

/**
 * Versions per block, which is how many commits a search may have to scan. Files depend on it:
 * another number needs a step of the schema that files all commits again.
 */
const BLOCK = 32;

/**
 * The last version with terms, of the thread with a key: a block ends at each multiple of BLOCK.
 */
export const LAST_FILED = `(SELECT version - version % ${BLOCK} FROM threads WHERE key = ?)`;

export const runTerm = (runId: string) => `run ${runId}`;
export const typeTerm = (type: string) => `type ${type}`;
/** Two actors may share a term. The columns of their commits distinguish them. */
export const actorTerm = ({ kind, id }: Actor) => `actor ${kind} ${id}`;

/** The same terms in SQL, with the column names of the schema at that step. */
const termsOf = (row: string) => [
  `'run ' || ${row}.run_id`,
  `'type ' || ${row}.type`,
  `'actor ' || ${row}.actor_kind || ' ' || ${row}.actor_id`,
];

/** A commit without a run gets no term for it: null joined to a text is null. */
function insertTerms(from: string): string {
  const selects = termsOf("c").map(
    (term) => `SELECT c.thread, ${term}, c.version FROM ${from} AND ${term} IS NOT NULL`,
  );
  return `INSERT INTO commit_terms (thread, term, version) ${selects.join(" UNION ALL ")};`;
}

/** A step of the schema. */
export function createTerms(database: SqlDatabase): void {
  database.exec(`
    CREATE TABLE commit_terms (
      thread INTEGER NOT NULL,
      term TEXT NOT NULL,
      version INTEGER NOT NULL,
      PRIMARY KEY (thread, term, version)
    ) STRICT, WITHOUT ROWID;
    ${insertTerms(`commits AS c JOIN threads ON threads.key = c.thread WHERE c.version <= threads.version - threads.version % ${BLOCK}`)}
    CREATE TRIGGER commits_are_filed AFTER INSERT ON commits WHEN NEW.version % ${BLOCK} = 0 BEGIN
      ${insertTerms(`commits AS c WHERE c.thread = NEW.thread AND c.version > NEW.version - ${BLOCK} AND c.version <= NEW.version`)}
    END;
    CREATE TRIGGER commits_are_taken_out AFTER DELETE ON commits BEGIN
      DELETE FROM commit_terms WHERE thread = OLD.thread AND version = OLD.version AND term IN (${termsOf("OLD").join(", ")});
    END;
  `);
}
