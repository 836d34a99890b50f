// The observers of one server, called as one. A server without any has no `Observers`, and measures
// nothing.
//
// Invariant: whatever an observer does, the server's work runs once and its outcome is its own.

import { AsyncLocalStorage } from "node:async_hooks";
import { defined } from "@opstate/core";
import type { ServerEvent } from "./events.ts";
import type { Observer, Scope } from "./observer.ts";
import { StallMonitor } from "./stall-monitor.ts";

export class Observers {
  readonly #observers: readonly Observer[];
  /** The request that the present call belongs to. */
  readonly #requestIds = new AsyncLocalStorage<string>();
  readonly #stalls: StallMonitor;

  /** Undefined without observers. */
  static of(observe: Observer | readonly Observer[] | undefined): Observers | undefined {
    const observers = observe === undefined ? [] : [observe].flat();
    return observers.length === 0 ? undefined : new Observers(observers);
  }

  private constructor(observers: readonly Observer[]) {
    this.#observers = observers;
    this.#stalls = new StallMonitor({ onStall: (duration) => this.emit({ type: "stall", duration }) });
    this.#stalls.start();
  }

  get requestId(): string | undefined {
    return this.#requestIds.getStore();
  }

  emit(event: ServerEvent): void {
    for (const observer of this.#observers) ignoringErrors(() => observer.onEvent?.(event));
  }

  /** An event of something that a request began. */
  emitWithRequest(event: ServerEvent): void {
    this.emit({ ...event, ...defined({ requestId: this.requestId }) });
  }

  around<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const { requestId } = scope;
    const inRequest = requestId === undefined ? work : () => this.#requestIds.run(requestId, work);
    return this.#observers.reduce<() => Promise<T>>(
      (inner, observer) => () => aroundOnce(observer, scope, inner),
      inRequest,
    )();
  }

  /** Of all observers, for a call to another service. */
  outgoingHeaders(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = { ...defined({ "x-request-id": this.requestId }) };
    for (const observer of this.#observers) ignoringErrors(() => Object.assign(headers, observer.outgoingHeaders?.()));
    return headers;
  }

  close(): void {
    this.#stalls.stop();
  }
}

/** The outcome of `work`, whether the observer calls it, loses it or throws. */
function aroundOnce<T>(observer: Observer, scope: Scope, work: () => Promise<T>): Promise<T> {
  let outcome: Promise<T> | undefined;
  const once = () => (outcome ??= work());
  // What it rejects with is the work's own error, which `outcome` has, or of no interest.
  ignoringErrors(() => void observer.around?.(scope, once).catch(() => {}));
  return once();
}

function ignoringErrors(call: () => void): void {
  try {
    call();
  } catch {
    // An observer has no part in what it observes.
  }
}
