// LangGraph's channel for a field of an agent state.
//
// Invariants: total (a channel that throws makes its thread unreadable); an overwrite, which would
// bypass the field, is no update; a list that grows, given out to a node and returned by it, is no
// update either (a node may return the state that it read).

import { BaseChannel } from "@langchain/langgraph";
import { isOverwrite } from "./overwrite.ts";

/** What a channel needs to know of its field. */
export interface FieldReducer {
  readonly initial: unknown;
  /** Whether an update that is a list adds to the present one. */
  readonly grows: boolean;
  /** Pure and total. */
  readonly reduce: (current: unknown, update: unknown) => unknown;
}

export class FieldChannel extends BaseChannel {
  lc_graph_name = "OpstateField";
  readonly #field: FieldReducer;
  readonly #givenOut = new WeakSet<object>();
  #value: unknown;

  constructor(field: FieldReducer, value: unknown = field.initial) {
    super();
    this.#field = field;
    this.#value = value;
  }

  fromCheckpoint(checkpoint?: unknown): this {
    // LangGraph's own channels do the same: the class is final.
    return new FieldChannel(this.#field, checkpoint) as this;
  }

  update(updates: readonly unknown[]): boolean {
    const before = this.#value;
    for (const update of updates) {
      if (isOverwrite(update) || this.#isGivenOut(update)) continue;
      this.#value = this.#field.reduce(this.#value, update);
    }
    return this.#value !== before;
  }

  get(): unknown {
    if (this.#field.grows && typeof this.#value === "object" && this.#value !== null) this.#givenOut.add(this.#value);
    return this.#value;
  }

  checkpoint(): unknown {
    return this.#value;
  }

  override isAvailable(): boolean {
    return true;
  }

  override equals(other: BaseChannel): boolean {
    return other instanceof FieldChannel && other.#field === this.#field;
  }

  #isGivenOut(update: unknown): boolean {
    return typeof update === "object" && update !== null && this.#givenOut.has(update);
  }
}
