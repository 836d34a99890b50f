// A call whose verdict has not come: what of its arguments counts, and what they would do.

import { type AnyDefinition, defined } from "@opstate/core";
import type { $ZodType } from "zod/v4/core";
import { shownChange } from "./changes.ts";
import type { Intent, IntentCallOptions } from "./intent.ts";
import { JsonReader, type OpenMembers, type Partial } from "./json-reader.ts";
import { openMembersOf } from "./open-members.ts";
import { Preview, type Shown, type Written } from "./preview.ts";

const AN_AGENT = { kind: "agent", id: "agent" } as const;

export class OpenCall {
  readonly id: string;
  readonly runId: string | undefined;
  /** The version that its outcome is in. */
  acceptedAt: number | undefined;
  readonly #options: IntentCallOptions;
  readonly #reader = new JsonReader();
  readonly #members: OpenMembers;
  readonly #preview: Preview;
  #written: Written | undefined;
  #intent: Intent | undefined;
  #shown: Shown | undefined;

  /** Called at its end. */
  readonly release: () => void;

  constructor(definition: AnyDefinition, input: $ZodType, options: IntentCallOptions, release: () => void) {
    const { id, type, runId, actor = AN_AGENT } = options;
    this.id = id;
    this.runId = runId;
    this.release = release;
    this.#options = options;
    this.#members = asArguments(openMembersOf(input), options.names);
    this.#preview = new Preview(definition, input, { id, type, actor, at: new Date().toISOString() });
  }

  write(text: string): void {
    this.#reader.write(text);
    [this.#written, this.#intent] = [undefined, undefined];
  }

  /** The intent on the view below it. The same object while nothing has changed. */
  on(base: unknown, isTop: boolean): Intent {
    this.#written ??= this.#read();
    const { whole, isBroken } = this.#reader;
    // Without a free text nothing is shown while it grows, and the arguments that are still to come
    // may change what the call does.
    const counts = whole !== undefined || (this.#members.size > 0 && !isBroken);
    const shown: Shown = counts ? this.#preview.on(base, this.#written, isTop) : { view: base, changes: [] };
    if (this.#intent !== undefined && this.#intent.view === shown.view && this.#shown?.changes === shown.changes)
      return this.#intent;
    const { id, type, runId, actor = AN_AGENT } = this.#options;
    this.#shown = shown;
    this.#intent = {
      id,
      actor,
      type,
      ...defined({ runId }),
      input: this.#written.input,
      status: whole === undefined ? "writing" : "waiting",
      changes: shown.changes.map(shownChange),
      view: shown.view,
    };
    return this.#intent;
  }

  #read(): Written {
    const { whole, closed } = this.#reader;
    const partial = whole === undefined ? this.#reader.partial(this.#members) : { input: whole, openText: undefined };
    return { input: {}, openText: undefined, ...(partial && asMembers(partial, this.#options.names)), closed };
  }
}

type Names = IntentCallOptions["names"];

/** The members by the names that they have among the arguments. */
function asArguments(members: OpenMembers, names: Names): OpenMembers {
  if (names === undefined) return members;
  return new Map(
    Object.entries(names).flatMap(([argument, member]) => {
      const open = members.get(member);
      return open === undefined ? [] : [[argument, open]];
    }),
  );
}

/** The arguments by the names of the operation's members. */
function asMembers(partial: Partial, names: Names): Partial {
  if (names === undefined) return partial;
  const { input, openText } = partial;
  const named = Object.entries(names).filter(([argument]) => Object.hasOwn(input, argument));
  const [first = "", ...rest] = openText ?? [];
  return {
    input: Object.fromEntries(named.map(([argument, member]) => [member, input[argument]])),
    openText: openText && [names[first] ?? first, ...rest],
  };
}
