// Events as lines of a structured log.

import type { ServerEvent } from "./events.ts";
import type { Observer } from "./observer.ts";

type Line = (fields: object, message: string) => void;

/** The part of pino, and of loggers of its shape, that is needed. */
export interface StructuredLogger {
  readonly debug: Line;
  readonly info: Line;
  readonly warn: Line;
  readonly error: Line;
}

type Level = keyof StructuredLogger;

/**
 * Writes each event to a logger: ids, codes and times, no content. An accepted submission and the
 * coming and going of readers are `debug`; a request and a run are `info`; a refused submission is
 * `info`; a stall and a reader that was cut are `warn`; an error, and an answer with a status from
 * 500 on, are `error`. Probes of `/healthz` and `/readyz` that succeed are `debug`.
 *
 * @example
 * ```ts
 * import { createServer, logEvents, type StructuredLogger } from "@opstate/server";
 *
 * const line = (level: string) => (fields: object, message: string) =>
 *   console.log(JSON.stringify({ level, message, ...fields }));
 * const logger: StructuredLogger = {
 *   debug: () => {},
 *   info: line("info"),
 *   warn: line("warn"),
 *   error: line("error"),
 * }; // or: pino()
 * const server = createServer({ definitions: [board], log, authorize, observe: logEvents(logger) });
 * ```
 */
export function logEvents(logger: StructuredLogger): Observer {
  return {
    onEvent(event) {
      const { type, ...fields } = event;
      const [level, message] = lineOf(event);
      // pino writes an error's stack under the name `err`.
      if (event.type === "error") logger.error({ event: type, requestId: event.requestId, err: event.error }, message);
      else logger[level]({ event: type, ...fields }, message);
    },
  };
}

function lineOf(event: ServerEvent): readonly [Level, string] {
  switch (event.type) {
    case "request": {
      const { method, route, status, duration } = event;
      const isProbe = status === 200 && /\/(healthz|readyz)$/.test(route);
      const level = isProbe ? "debug" : status >= 500 ? "error" : "info";
      return [level, `${method} ${route} ${status} in ${Math.round(duration)} ms`];
    }
    case "submission":
      return [event.code === "accepted" ? "debug" : "info", `${event.operation} ${event.code}`];
    case "stream_opened":
      return ["debug", `${event.route} opened`];
    case "stream_closed":
      return [event.reason === "cut" ? "warn" : "debug", `${event.route} ${event.reason}`];
    case "run_started":
      return ["info", `run of ${event.agent} started`];
    case "run_ended":
      return [event.outcome === "failed" ? "error" : "info", `run of ${event.agent} ${event.outcome}`];
    case "stall":
      return ["warn", `no request was answered for ${Math.round(event.duration)} ms`];
    case "error":
      return ["error", event.error instanceof Error ? event.error.message : String(event.error)];
    case "drain_started":
      return ["info", "draining"];
    case "drain_ended":
      return [event.cut === 0 ? "info" : "warn", `drained, ${event.cut} cut`];
  }
}
