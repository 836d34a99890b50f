// LangGraph's channel for a field of an agent state.
//
// Invariants:
// - It never throws: a channel that throws makes its thread unreadable.
// - An overwrite, which would bypass the field, is ignored.
// - A list that appends ignores the very list that it gave to a node: a node may return the state
//   that it read.

import { BaseChannel } from "@langchain/langgraph";
import { droppedUpdate, type Report } from "./on-reject.ts";
import { isOverwrite, OVERWRITE_IGNORED } from "./overwrite.ts";

/** What a channel needs to know about its field. */
export interface FieldReducer {
  readonly name: string;
  readonly initial: unknown;
  /** Whether an update that is a list is added to the current list. */
  readonly grows: boolean;
  /** Pure and total. */
  readonly reduce: (current: unknown, update: unknown) => unknown;
  readonly report: Report;
}

export class FieldChannel extends BaseChannel {
  lc_graph_name = "OpstateField";
  readonly #field: FieldReducer;
  readonly #readByNodes = new WeakSet<object>();
  #value: unknown;

  constructor(field: FieldReducer, value: unknown = field.initial) {
    super();
    this.#field = field;
    this.#value = value;
  }

  fromCheckpoint(checkpoint?: unknown): this {
    // As LangGraph's own channels do. The class is not extended.
    return new FieldChannel(this.#field, checkpoint) as this;
  }

  update(updates: readonly unknown[]): boolean {
    const before = this.#value;
    for (const update of updates) {
      if (isOverwrite(update)) this.#drop(update);
      else if (!this.#wasRead(update)) this.#value = this.#field.reduce(this.#value, update);
    }
    return this.#value !== before;
  }

  get(): unknown {
    if (this.#field.grows && typeof this.#value === "object" && this.#value !== null)
      this.#readByNodes.add(this.#value);
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

  #drop(update: unknown): void {
    const { name, report } = this.#field;
    report(droppedUpdate(OVERWRITE_IGNORED), { field: name, update });
  }

  #wasRead(update: unknown): boolean {
    return typeof update === "object" && update !== null && this.#readByNodes.has(update);
  }
}
