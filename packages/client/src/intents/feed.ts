// The calls of one feed, by their ids: what begins, grows and ends there.

import { type Actor, type AnyDefinition, defined } from "@opstate/core";
import { outcomeIn } from "./call-outcome.ts";
import type { CallOutcome, IntentCall, IntentCallOptions, IntentThread, ThreadIntents } from "./intent.ts";
import { intentsOf } from "./intents.ts";
import { type PredictedCall, predictedCalls } from "./predictions.ts";

export interface FeedOptions {
  /** Whose intents they are. Default `{ kind: "agent", id: "agent" }`. */
  readonly actor?: Actor;
  /** The operation that a tool carries out. Default: the one of the tool's name. */
  readonly operationOf?: (tool: string) => string | undefined;
  /** What a tool's result says. Default: what the tools of opstate write. */
  readonly outcomeIn?: (result: string) => CallOutcome | undefined;
}

interface FedCall {
  readonly intent: IntentCall;
  /** How much of the arguments was written. */
  length: number;
}

export class Feed {
  readonly #intents: ThreadIntents;
  readonly #options: FeedOptions;
  readonly #calls = new Map<string, FedCall>();
  readonly #definition: AnyDefinition;
  #predicted: ReadonlyMap<string, PredictedCall> = new Map();
  #prediction: unknown;

  constructor(thread: IntentThread, options: FeedOptions) {
    this.#intents = intentsOf(thread);
    this.#definition = thread.definition;
    this.#options = options;
  }

  get ids(): readonly string[] {
    return [...this.#calls.keys()];
  }

  /** The value of a `PredictState`, for the calls that begin from now on. */
  predict(prediction: unknown): void {
    if (prediction === this.#prediction) return;
    this.#prediction = prediction;
    this.#predicted = predictedCalls(this.#definition, prediction);
  }

  open(id: string, tool: string, runId: string | undefined): void {
    const { actor } = this.#options;
    const call = this.#calls.has(id) ? undefined : this.#callOf(tool);
    if (call === undefined) return;
    this.#calls.set(id, { intent: this.#intents.open({ id, ...call, ...defined({ actor, runId }) }), length: 0 });
  }

  /** A tool that is an operation needs no prediction. */
  #callOf(tool: string): Pick<IntentCallOptions, "type" | "names"> | undefined {
    const { operationOf = (name) => name } = this.#options;
    const type = operationOf(tool);
    const isOperation = type !== undefined && this.#definition.model.operations.has(type);
    return isOperation ? { type } : this.#predicted.get(tool);
  }

  write(id: string, text: string): void {
    const call = this.#calls.get(id);
    if (call === undefined || text === "") return;
    call.length += text.length;
    call.intent.write(text);
  }

  /** The whole text so far. */
  writeAll(id: string, text: string): void {
    const { length = 0 } = this.#calls.get(id) ?? {};
    if (text.length > length) this.write(id, text.slice(length));
  }

  end(id: string, result?: string): void {
    const { outcomeIn: read = outcomeIn } = this.#options;
    this.#calls.get(id)?.intent.end(result === undefined ? undefined : read(result));
    this.#calls.delete(id);
  }

  endAll(): void {
    for (const id of this.ids) this.end(id);
  }
}
