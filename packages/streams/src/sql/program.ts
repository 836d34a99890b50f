// A piece of work on a database, as steps: SQLite runs them within one turn of the event loop,
// Postgres waits for each. So both judge by the same code.
//
//   const rows = yield { text: "SELECT ... WHERE id = $1", values: [id] };

export type Row = Readonly<Record<string, unknown>>;

export interface Step {
  /** With placeholders `$1`, `$2`, each used in this order. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Rows that are inserted: the values of each, in the order of the table's columns. */
export interface Insert {
  readonly table: "records";
  readonly rows: readonly (readonly unknown[])[];
}

export type Program<T> = Generator<Step | Insert, T, readonly Row[]>;

/** Thrown by a program that met another one: it is to be run again from its start. */
export class Collision extends Error {}
