// What may follow a request: the words of the sets beside it. Every change is one of the sample
// board, and what is not named stays as it was.

/** What is different from the sample board. Columns are named by title. */
export interface Change {
  /** Card to column, or to `column:index` where the place matters. */
  readonly moved?: Readonly<Record<string, string>>;
  readonly removed?: readonly string[];
  readonly added?: readonly { readonly title: string; readonly in: string; readonly priority?: number }[];
  readonly titled?: Readonly<Record<string, string>>;
  readonly ranked?: Readonly<Record<string, number>>;
  /** All columns' titles afterwards, from the left. */
  readonly columns?: readonly string[];
  /** Another board, whatever it holds. */
  readonly another?: true;
}

/** Each text is a pattern that the answer holds, in upper or lower case. */
export type Outcome =
  /** The board changes at once. */
  | { readonly does: Change; readonly saying?: readonly string[] }
  /** Nothing changes before somebody accepts; then this does. */
  | { readonly proposes: Change }
  /** Nothing changes; a question with two or three buttons. */
  | { readonly asks: readonly string[] }
  /** Nothing changes; an answer. */
  | { readonly says: readonly string[] };

/** A person's own edit, or something said to the agent. */
export type Step = string | { readonly by: string; readonly edit: Readonly<Record<string, unknown>> };

export interface Request {
  readonly first?: readonly Step[];
  readonly mode?: "propose";
  readonly say: string;
  /** Any of these is right. */
  readonly right: readonly Outcome[];
}

export const does = (change: Change, ...saying: readonly string[]): Outcome => ({ does: change, saying });
export const proposes = (change: Change): Outcome => ({ proposes: change });
export const asks = (...texts: readonly string[]): Outcome => ({ asks: texts });
export const says = (...texts: readonly string[]): Outcome => ({ says: texts });
export const ask = (say: string, ...right: readonly Outcome[]): Request => ({ say, right });
/** After what was done or said before. */
export const after = (first: readonly Step[], say: string, ...right: readonly Outcome[]): Request => ({
  first,
  say,
  right,
});

// Changes that are as right when they wait for a yes.

export const doesOrProposes = (change: Change): readonly [Outcome, Outcome] => [does(change), proposes(change)];
export const moves = (moved: Readonly<Record<string, string>>): readonly Outcome[] => doesOrProposes({ moved });
export const removes = (...removed: readonly string[]): readonly Outcome[] => doesOrProposes({ removed });
export const ranks = (ranked: Readonly<Record<string, number>>): readonly Outcome[] => doesOrProposes({ ranked });
export const columns = (...titles: readonly string[]): readonly Outcome[] => doesOrProposes({ columns: titles });
/** As the board was, after something was taken back. */
export const asItWas: readonly Outcome[] = doesOrProposes({});

export const BACKLOG = ["T-42", "T-1", "T-2", "T-3", "T-38"] as const;
export const IN_PROGRESS = ["T-15", "T-27", "T-31"] as const;
export const REVIEW = ["T-23", "T-36"] as const;
export const DONE = ["T-8", "T-11", "T-19"] as const;
export const ALL = [...BACKLOG, ...IN_PROGRESS, ...REVIEW, ...DONE] as const;
export const to = (column: string, ids: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(ids.map((id) => [id, column]));
export const without = (ids: readonly string[], ...kept: readonly string[]): readonly string[] =>
  ids.filter((id) => !kept.includes(id));
