// What one call would do, as far as its arguments are written: the operation, run by the same
// reducer on the view below it.
//
//   text grows   ── run, and once with a longer text ── put ── put ── put
//                   └─ differ in that text alone: from here on it is put where it went,
//                      while the view below and the other arguments stay
//
// Invariants:
// - The reducer and the schema have accepted what is shown. Of a text that is put where it went,
//   the schema of the input and that of its place have, and no other item of a list has it there.
// - What removes or replaces something is not shown.

import type { AnyDefinition, Actor } from "@opstate/core";
import { equal, isContainer } from "@opstate/core/json";
import { safeParse, type $ZodType } from "zod/v4/core";
import { type Change, changesBetween } from "./changes.ts";
import type { Partial } from "./json-reader.ts";
import { schemaAt } from "./open-members.ts";

/** Characters of every kind, so that an operation that makes something else of a text shows it. */
const LONGER = " Aa-1_.'é\n ß👩z";

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
  /** Whether a longer text makes no other difference; undefined: not tried. */
  readonly isText: boolean | undefined;
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
    const put = isTop && last?.isText === true ? this.#put(last, written) : undefined;
    const run = put ?? this.#run(base, written);
    const isText = put?.isText ?? last?.isText ?? (isTop ? this.#isText(run) : undefined);
    this.#last = { ...run, isText };
    return this.#last;
  }

  #run(base: unknown, written: Written): Run {
    const nothing: Run = {
      base,
      written,
      view: base,
      changes: [],
      text: undefined,
      place: undefined,
      isText: undefined,
    };
    const view = this.#transition(base, written);
    const changes = view === undefined ? undefined : changesBetween(base, view);
    if (changes === undefined || changes.length === 0) return nothing;
    const text = this.#textFor(written);
    return { ...nothing, view, changes, text, place: text === undefined ? undefined : placeOf(text, changes) };
  }

  #transition(base: unknown, { input }: Pick<Written, "input">): unknown {
    const { id, type, actor, at } = this.#call;
    const step = this.#definition.transition(base, { ...input, type }, { actor, id, at });
    return step.accepted ? step.state : undefined;
  }

  /** Whether the operation does nothing with the text but to put it there. Undefined: no text. */
  #isText({ base, written, view, place, text }: Run): boolean | undefined {
    const { openText } = written;
    if (place === undefined || text === undefined || openText === undefined) return undefined;
    const longer = { ...written, input: withText(written.input, openText, text + LONGER) as Written["input"] };
    const given = this.#textFor(longer);
    return given !== undefined && equal(withText(view, place, given), this.#transition(base, longer));
  }

  /** Puts the text that has grown where the shorter one went. */
  #put(last: Run, written: Written): Run | undefined {
    const { place, text: before } = last;
    const text = this.#textFor(written);
    if (place === undefined || text === undefined) return undefined;
    if (text === before) return { ...last, written };
    const schema = schemaAt(this.#definition.schema, place);
    if (schema === undefined || hasTwin(last.view, place, text) || safeParse(schema, text).data !== text)
      return undefined;
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

/** Whether another item of a list has such a text in the same place: that may be refused. */
function hasTwin(root: unknown, place: readonly string[], text: string): boolean {
  const lower = text.toLowerCase();
  return place.some((own, depth) => {
    const list = valueAt(root, place.slice(0, depth));
    const rest = place.slice(depth + 1);
    return Array.isArray(list) && list.some((item, index) => index !== Number(own) && isTwin(valueAt(item, rest)));
  });

  function isTwin(value: unknown): boolean {
    return typeof value === "string" && value.length === text.length && value.toLowerCase() === lower;
  }
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
