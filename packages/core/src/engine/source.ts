// The submission that first said an operation. An operation's ids and its time come from it, so
// they are the same in every replay: of a rebase, an undo, a redo, an approval, a merge.

import { canonicalJson } from "../json/canonical.ts";
import { isContainer } from "../json/container.ts";
import type { Patch } from "../patch/index.ts";
import type { Actor } from "./actor.ts";
import { shortHash } from "./hash.ts";

export interface Source {
  /** Undefined where it is not known yet: the ids are provisional. */
  readonly actor: Actor | undefined;
  /** Undefined where there is none: ids follow from the content. */
  readonly id: string | undefined;
  /** ISO 8601 in UTC. Undefined where there is no clock, as in a graph's field. */
  readonly at: string | undefined;
  /**
   * The incarnation of the branch that it was said on: the same submission id makes other ids there
   * than on the parent.
   */
  readonly branch?: string;
}

/** Who submits an update, and what its ids and its time are made from. */
export interface RunContext {
  readonly actor?: Actor | undefined;
  readonly source?: Source | undefined;
  /** Called with each id that an operation makes. */
  readonly onId?: ((id: string) => void) | undefined;
  /** Called with the patches of each part of a batch, one part after the other. */
  readonly onPart?: ((patches: Patch) => void) | undefined;
}

/** What one operation takes its ids from. */
export class Minting {
  readonly #source: Source | undefined;
  readonly #part: number | undefined;
  /** The state and the update: what ids are made from where there is no submission. */
  readonly #content: () => string;
  readonly #onId: ((id: string) => void) | undefined;
  #drawn = 0;
  #seed: string | undefined;

  constructor({ source, onId }: RunContext, part: number | undefined, content: () => string) {
    this.#source = source;
    this.#onId = onId;
    this.#part = part;
    this.#content = content;
  }

  id(prefix = "", key?: string): string {
    const which = key === undefined ? this.#drawn++ : `key:${key}`;
    this.#seed ??= this.#source?.id === undefined ? this.#content() : seedOf(this.#source);
    const made = prefix + shortHash(canonicalJson([this.#seed, this.#part ?? null, which]));
    this.#onId?.(made);
    return made;
  }
}

function seedOf({ actor, id, branch }: Source): string {
  return canonicalJson([actor === undefined ? null : [actor.kind, actor.id], id, branch ?? null]);
}

/** By container of a state, which is never written to: what a hash of its content is made from. */
const digests = new WeakMap<object, string>();

/**
 * The content of a state and an update as a short text. Parts that were seen before cost nothing.
 */
export function contentOf(state: unknown, update: unknown): string {
  return `${digestOf(state)} ${digestOf(update)}`;
}

function digestOf(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value) ?? "null";
  let digest = digests.get(value);
  if (digest === undefined) {
    digest = shortHash(Array.isArray(value) ? `[${value.map(digestOf).join()}` : `{${membersOf(value)}`);
    digests.set(value, digest);
  }
  return digest;
}

function membersOf(value: Readonly<Record<string, unknown>>): string {
  let members = "";
  for (const key of Object.keys(value).sort()) members += `${JSON.stringify(key)}:${digestOf(value[key])},`;
  return members;
}
