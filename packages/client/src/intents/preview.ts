// What one call would do, as far as its arguments are written: the operation, run by the same
// reducer on the view below it.
//
//   text grows   ── run ── run ── put ── put ── put      on one view, other arguments unchanged
//                    └──┬──┘
//            differ in the growing text alone: from here on it is put where it went
//
// Invariants:
// - The reducer and the schema have accepted what is shown. Of a text that is put where it went,
//   the schema of the input and that of its place have.
// - What removes or replaces something is not shown.

import type { AnyDefinition, Actor } from "@opstate/core";
import { equal, isContainer } from "@opstate/core/json";
import { safeParse, type $ZodType } from "zod/v4/core";
import { type Change, changesBetween } from "./changes.ts";
import type { Partial } from "./json-reader.ts";
import { schemaAt } from "./open-members.ts";

/** The arguments of a call as they count now. */
export interface Written extends Partial {
  /** The same number: nothing but the open text is other than before. */
  readonly closed: number;
}

/** `changes`: none when nothing is shown. */
export interface Shown {
  readonly view: unknown;
  readonly changes: readonly Change[];
}

export interface PreviewedCall {
  readonly id: string;
  readonly type: string;
  readonly actor: Actor;
  readonly at: string;
}

interface Run extends Shown {
  readonly base: unknown;
  readonly written: Written;
  /** The open text as the operation got it. */
  readonly text: string | undefined;
  /** Where that text is in the view, if it is in one place. */
  readonly place: readonly string[] | undefined;
  /** Two runs differed in the text alone. */
  readonly isText: boolean;
}

export class Preview {
  readonly #definition: AnyDefinition;
  readonly #call: PreviewedCall;
  readonly #input: $ZodType;
  #last: Run | undefined;

  constructor(definition: AnyDefinition, input: $ZodType, call: PreviewedCall) {
    this.#definition = definition;
    this.#input = input;
    this.#call = call;
  }

  /** `isTop`: nothing is run on top of it, so the view may be one that the engine did not make. */
  on(base: unknown, written: Written, isTop: boolean): Shown {
    const before = this.#last;
    const isOnly = before !== undefined && before.base === base && before.written.closed === written.closed;
    // Nothing but the open text is other than at the last time.
    const last = isOnly ? before : undefined;
    if (last !== undefined && textIn(last.written) === textIn(written) && (isTop || !last.isText)) return last;
    const put = isTop && last?.isText ? this.#put(last, written) : undefined;
    return (this.#last = put ?? this.#run(base, written, last));
  }

  #run(base: unknown, written: Written, last: Run | undefined): Run {
    const { id, type, actor, at } = this.#call;
    const nothing = { base, written, view: base, changes: [], text: undefined, place: undefined, isText: false };
    const step = this.#definition.transition(base, { ...written.input, type }, { actor, id, at });
    const changes = step.accepted ? changesBetween(base, step.state) : undefined;
    if (changes === undefined || changes.length === 0) return nothing;
    const text = this.#textFor(written);
    const place = text === undefined ? undefined : placeOf(text, changes);
    const run = { ...nothing, view: step.state, changes, text, place };
    return { ...run, isText: last !== undefined && differInText(last, run) };
  }

  /** Puts the text that has grown where the shorter one went. */
  #put(last: Run, written: Written): Run | undefined {
    const { place, text: before } = last;
    const text = this.#textFor(written);
    if (place === undefined || text === undefined) return undefined;
    if (text === before) return { ...last, written };
    const schema = schemaAt(this.#definition.schema, place);
    if (schema === undefined || safeParse(schema, text).data !== text) return undefined;
    const view = withText(last.view, place, text);
    const changes = last.changes.map((change) => ({ ...change, value: valueAt(view, change.tokens) }));
    return { ...last, written, text, view, changes };
  }

  /** The open text as the schema gives it to the operation, trimmed for instance. */
  #textFor({ input, openText }: Written): string | undefined {
    if (openText === undefined) return undefined;
    const { data } = safeParse(this.#input, input);
    const text = valueAt(data, openText);
    return typeof text === "string" ? text : undefined;
  }
}

function textIn({ input, openText }: Written): unknown {
  return openText && valueAt(input, openText);
}

/** Whether the second of two runs is the first with another text in the same place. */
function differInText(first: Run, second: Omit<Run, "isText">): boolean {
  const { place, text } = second;
  if (place === undefined || text === undefined || text === first.text || !equal(first.place, place)) return false;
  return equal(withText(first.view, place, text), second.view);
}

/** The one place of a text among changes. */
function placeOf(text: string, changes: readonly Change[]): readonly string[] | undefined {
  const places: (readonly string[])[] = [];
  const look = (value: unknown, tokens: readonly string[]): void => {
    if (value === text) places.push(tokens);
    else if (isContainer(value)) for (const [key, part] of Object.entries(value)) look(part, [...tokens, key]);
  };
  for (const { what, tokens, value } of changes) if (what !== "move") look(value, tokens);
  return places.length === 1 ? places[0] : undefined;
}

function valueAt(root: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((value, token) => (isContainer(value) ? value[token] : undefined), root);
}

/** A copy that shares all but the way to the text. */
function withText(root: unknown, [token, ...rest]: readonly string[], text: string): unknown {
  if (token === undefined || !isContainer(root)) return text;
  const copy = Array.isArray(root) ? [...root] : { ...root };
  (copy as Record<string, unknown>)[token] = withText(root[token], rest, text);
  return copy;
}
