// The port between a server and what watches it: logs, metrics, traces.

import type { Actor } from "@opstate/core";
import type { ServerEvent } from "./events.ts";

/** A stretch of work that a trace shows as a span. */
export type Scope =
  | {
      readonly kind: "request";
      readonly requestId: string;
      readonly method: string;
      readonly path: string;
      /** For the trace context of the sender. They hold credentials. */
      readonly headers: Headers;
    }
  | {
      readonly kind: "run";
      readonly requestId?: string;
      readonly agent: string;
      readonly threadId: string;
      readonly runId: string;
      readonly actor: Actor;
    };

/**
 * Watches a server. `logEvents` and `openTelemetry` (`@opstate/server/opentelemetry`) make some.
 * What it throws is ignored.
 *
 * @example
 * ```ts
 * import { createServer, type Observer } from "@opstate/server";
 *
 * const stalls: Observer = {
 *   onEvent(event) {
 *     if (event.type === "stall") console.warn(`The server answered no request for ${event.duration} ms.`);
 *   },
 * };
 * const server = createServer({ definitions: [board], log, authorize, observe: stalls });
 * ```
 */
export interface Observer {
  /**
   * Gets each event at once, in the asynchronous context of the request or run that it is about.
   */
  onEvent?(event: ServerEvent): void;
  /** Calls `work` once and at once, in a context of its own choice, and returns what it returns. */
  around?<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /** Headers that pass the present context on to another service, such as `traceparent`. */
  outgoingHeaders?(): Readonly<Record<string, string>>;
}
