// What a person can ask for, read from the words alone. Names are not yet resolved on the board.

/**
 * Which cards: one by id or title, or by words of its title (`isAbout`), all that fit, or the first
 * or last ones of a column.
 */
export type CardQuery =
  | { readonly by: "name"; readonly name: string; readonly isAbout?: true; readonly column?: string }
  | CardSet
  | { readonly by: "place"; readonly place: "first" | "last"; readonly count: number; readonly column?: string };

export interface CardSet {
  readonly by: "all";
  readonly column?: string;
  readonly priority?: number;
  /** A state such as "done": the board must have a column for it. */
  readonly state?: string;
  /** Words in their titles. */
  readonly about?: string;
  /** The cards that are left out, by id or title. */
  readonly except?: readonly string[];
}

/** A place in a column of cards or in the row of columns: 0 is the top or the left. */
export type Position = number | "last" | { readonly before: string } | { readonly after: string };

export type Intent =
  | {
      readonly kind: "move";
      readonly cards: readonly CardQuery[];
      readonly column?: string;
      readonly position?: Position;
    }
  | { readonly kind: "moveColumn"; readonly column: string; readonly position: Position }
  | { readonly kind: "remove"; readonly cards: readonly CardQuery[] }
  | { readonly kind: "clear"; readonly column?: string }
  | {
      readonly kind: "addCards";
      readonly titles: readonly string[];
      readonly column?: string;
      readonly priority?: number;
      readonly position?: Position;
    }
  | {
      readonly kind: "rename";
      readonly what: "card" | "column" | "either";
      readonly name: string;
      readonly title: string;
    }
  | { readonly kind: "prioritise"; readonly cards: readonly CardQuery[]; readonly priority: number }
  | { readonly kind: "addColumns"; readonly titles: readonly string[]; readonly position?: Position }
  | { readonly kind: "removeColumn"; readonly column: string }
  | { readonly kind: "build"; readonly topic: string; readonly columns?: readonly string[] }
  | { readonly kind: "undo" }
  | { readonly kind: "ask"; readonly about: "board" | "changes" | "help" }
  | { readonly kind: "ask"; readonly about: "card" | "column"; readonly name: string }
  | { readonly kind: "unknown"; readonly text: string };

/** Steps run one after the other; the intents of one step run at once. */
export type Step = readonly Intent[];
