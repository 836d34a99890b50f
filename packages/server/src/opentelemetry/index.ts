// The entry `@opstate/server/opentelemetry`: a server's events as OpenTelemetry metrics and traces.

import { metrics, type Meter, trace, type Tracer } from "@opentelemetry/api";
import type { Observer } from "../observe/observer.ts";
import { recorder } from "./metrics.ts";
import { inSpan, traceEvent, traceHeaders } from "./traces.ts";

export interface OpenTelemetryOptions {
  /** Default: that of the global meter provider. */
  readonly meter?: Meter;
  /** Default: that of the global tracer provider. */
  readonly tracer?: Tracer;
}

const NAME = "@opstate/server";

/**
 * An observer that records metrics and traces with `@opentelemetry/api` (a peer dependency). The
 * application sets up the SDK and its exporters before. A request continues the trace of its
 * `traceparent`; a run is a span below it, and the active one while the agent works, so that its
 * model calls and tool calls are below the run.
 *
 * @example
 * ```ts
 * import { createServer } from "@opstate/server";
 * import { openTelemetry } from "@opstate/server/opentelemetry";
 *
 * const server = createServer({ definitions: [board], log, authorize, observe: openTelemetry() });
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Observer {
  const { meter = metrics.getMeter(NAME), tracer = trace.getTracer(NAME) } = options;
  const record = recorder(meter);
  return {
    onEvent(event) {
      record(event);
      traceEvent(tracer, event);
    },
    around: (scope, work) => inSpan(tracer, scope, work),
    outgoingHeaders: traceHeaders,
  };
}
