// What a person can ask for, read from the words alone. Names are not yet resolved on the board.

/**
 * Which cards: one by id or title, or by words of its title (`isAbout`), all that fit, or the first
 * or last ones of a column.
 */
export type CardQuery =
  | { readonly by: "name"; readonly name: string; readonly isAbout?: true; readonly column?: string }
  | CardSet
  | CardPlace;

/**
 * So many cards from the top or the bottom of a column, after `skip` others; or the one between.
 */
export interface CardPlace {
  readonly by: "place";
  readonly place: "first" | "last" | "middle";
  readonly count: number;
  readonly skip?: number;
  readonly column?: string;
}

export interface CardSet {
  readonly by: "all";
  readonly column?: string;
  readonly priority?: number;
  /** A state such as "done" or "not done": the board must have a column for it. Or "urgent". */
  readonly state?: string;
  /** Words in their titles. */
  readonly about?: string;
  /** How many there must be, as the person says: "both cards". */
  readonly count?: number;
  /** Some of them, and nobody says which: "one of the done cards". */
  readonly isPart?: true;
  /** The cards that are left out: by id or title, or all that fit. */
  readonly except?: readonly (string | CardSet | CardPlace)[];
}

/** A place in a column of cards or in the row of columns: 0 is the top or the left. */
export type Position = number | "last" | { readonly before: string } | { readonly after: string };

export type Intent =
  | {
      readonly kind: "move";
      readonly cards: readonly CardQuery[];
      readonly column?: string;
      readonly position?: Position;
      /** So many columns to the right. */
      readonly shift?: number;
    }
  | { readonly kind: "swap"; readonly one: string; readonly other: string }
  | { readonly kind: "sort"; readonly column: string }
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
      /** The name is of words in the card's title. */
      readonly isAbout?: true;
      readonly title: string;
    }
  | { readonly kind: "prioritise"; readonly cards: readonly CardQuery[]; readonly priority: number }
  /** By so many steps; less is more urgent. */
  | { readonly kind: "reprioritise"; readonly cards: readonly CardQuery[]; readonly by: number }
  | { readonly kind: "addColumns"; readonly titles: readonly string[]; readonly position?: Position }
  | { readonly kind: "removeColumn"; readonly column: string }
  | { readonly kind: "build"; readonly topic: string; readonly columns?: readonly string[] }
  | { readonly kind: "undo" }
  | { readonly kind: "talk"; readonly name: string; readonly answer: string }
  /** It asks back. `phrase` is of the cards that `{card}` stands for in the texts. */
  | {
      readonly kind: "choose";
      readonly question: string;
      readonly replies: readonly string[];
      readonly phrase?: string;
      /** What was said is only supposed: no other wording of it is a wish. */
      readonly isSupposed?: true;
    }
  | Question
  /** `besides` was understood of the same clause. */
  | { readonly kind: "unknown"; readonly text: string; readonly besides?: Intent };

export type Question =
  | { readonly kind: "ask"; readonly about: "board" | "help" | "columns" | "fullest" | "next" | "progress" | "own" }
  /** What the log says: about a card, by a person, or since the last request. */
  | {
      readonly kind: "ask";
      readonly about: "changes";
      readonly name?: string;
      readonly by?: string;
      readonly since?: true;
      /** Beside what was done: why, or how long ago. */
      readonly asks?: "why" | "when";
      /** Of the last minutes. */
      readonly minutes?: number;
    }
  | { readonly kind: "ask"; readonly about: "card" | "column"; readonly name: string }
  | { readonly kind: "ask"; readonly about: "cards"; readonly cards: CardSet | CardPlace }
  /** Whether a card is in a state: "is T-3 done?" */
  | { readonly kind: "ask"; readonly about: "state"; readonly name: string; readonly state: string };

/** Steps run one after the other; the intents of one step run at once. */
export type Step = readonly Intent[];
