// What commits are found by, run, actor and operation type, as terms in one table: it is filled
// block by block of versions, so that an append touches it once in a while only.
//
// Invariants: the commits of complete blocks, those up to the last version that `block` divides,
// have their terms, the newer ones have none; a commit has no terms once it is deleted. Triggers
// keep that, so that it also holds for what a process of an older release writes.

import type { DatabaseSync } from "node:sqlite";
import type { Actor } from "@opstate/core";

/**
 * Versions in a block: what a search looks through one by one. It stands in files: another number
 * needs a step that files all anew.
 */
const BLOCK = 32;

/**
 * Blocks end at versions that `block` divides. The last version whose terms are stored, of the
 * thread of a key.
 */
export const lastFiled = `(SELECT version - version % ${BLOCK} FROM threads WHERE key = ?)`;

export const runTerm = (runId: string) => `run ${runId}`;
export const typeTerm = (type: string) => `type ${type}`;
/** Two actors may share a term: their commits are told apart by their columns. */
export const actorTerm = ({ kind, id }: Actor) => `actor ${kind} ${id}`;

/** As the functions above have it, of a row of commits as it was when terms were made. */
const terms = (row: string) => [
  `'run ' || ${row}.run_id`,
  `'type ' || ${row}.type`,
  `'actor ' || ${row}.actor_kind || ' ' || ${row}.actor_id`,
];

/** Not the run's of a commit without one: null joined to a text is null. */
function file(from: string): string {
  const selects = terms("c").map((term) => `SELECT c.thread, ${term}, c.version FROM ${from} AND ${term} IS NOT NULL`);
  return `INSERT INTO commit_terms (thread, term, version) ${selects.join(" UNION ALL ")};`;
}

/** A step of the schema. */
export function createTerms(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE commit_terms (
      thread INTEGER NOT NULL,
      term TEXT NOT NULL,
      version INTEGER NOT NULL,
      PRIMARY KEY (thread, term, version)
    ) STRICT, WITHOUT ROWID;
    ${file(`commits AS c JOIN threads ON threads.key = c.thread WHERE c.version <= threads.version - threads.version % ${BLOCK}`)}
    CREATE TRIGGER commits_are_filed AFTER INSERT ON commits WHEN NEW.version % ${BLOCK} = 0 BEGIN
      ${file(`commits AS c WHERE c.thread = NEW.thread AND c.version > NEW.version - ${BLOCK} AND c.version <= NEW.version`)}
    END;
    CREATE TRIGGER commits_are_taken_out AFTER DELETE ON commits BEGIN
      DELETE FROM commit_terms WHERE thread = OLD.thread AND version = OLD.version AND term IN (${terms("OLD").join(", ")});
    END;
  `);
}
