// Requests, runs and submissions as spans:
//
//   (the sender's span, by traceparent)
//     POST /ag-ui/:agent                 request
//       run kanban                       the agent's own spans are below it: model calls, fetches
//         move                           submission of a tool call: opstate.tool_call_id
//
// Spans name ids, codes and times; no input, no state, no header.

import {
  type Attributes,
  type AttributeValue,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { RequestEvent, ServerEvent, ServerSubmissionEvent } from "../observe/events.ts";
import type { Scope } from "../observe/observer.ts";

const HEADERS = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
};

export async function inSpan<T>(tracer: Tracer, scope: Scope, work: () => Promise<T>): Promise<T> {
  const isRequest = scope.kind === "request";
  // The parent of a request's span is its sender's, not what this process is doing.
  const parent = isRequest ? propagation.extract(ROOT_CONTEXT, scope.headers, HEADERS) : context.active();
  const span = tracer.startSpan(
    isRequest ? scope.method : `run ${scope.agent}`,
    { kind: isRequest ? SpanKind.SERVER : SpanKind.INTERNAL, attributes: attributesOf(scope) },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    if (error instanceof Error) span.recordException(error);
    throw error;
  } finally {
    span.end();
  }
}

/** To be called with each event, in the context of the request or run that it is about. */
export function traceEvent(tracer: Tracer, event: ServerEvent): void {
  if (event.type === "submission") return traceSubmission(tracer, event);
  const span = trace.getActiveSpan();
  if (span === undefined) return;
  if (event.type === "request") return finishRequest(span, event);
  if (event.type === "error" && event.error instanceof Error) span.recordException(event.error);
  if (event.type === "run_ended" && event.outcome === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The trace context of the present span, as headers. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

function attributesOf(scope: Scope): Attributes {
  if (scope.kind === "request")
    return {
      "http.request.method": scope.method,
      "url.path": scope.path,
      "opstate.request_id": scope.requestId,
    };
  const { agent, threadId, runId, requestId, actor } = scope;
  return known({
    "opstate.agent": agent,
    "opstate.thread_id": threadId,
    "opstate.run_id": runId,
    "opstate.request_id": requestId,
    "opstate.actor.kind": actor.kind,
    "opstate.actor.id": actor.id,
  });
}

function finishRequest(span: Span, { method, route, status, code, threadId, actor }: RequestEvent): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes(
    known({
      "http.route": route,
      "http.response.status_code": status,
      "opstate.code": code,
      "opstate.thread_id": threadId,
      "opstate.actor.kind": actor?.kind,
      "opstate.actor.id": actor?.id,
    }),
  );
  // By OpenTelemetry's conventions, what the sender did wrong is no error of the server.
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Its span is made when it is over: where its time went is known then. */
function traceSubmission(tracer: Tracer, event: ServerSubmissionEvent): void {
  const end = Date.now();
  const span = tracer.startSpan(event.operation, {
    startTime: end - event.duration,
    attributes: known({
      "opstate.thread_id": event.threadId,
      "opstate.definition": event.definition,
      "opstate.operation": event.operation,
      "opstate.submission_id": event.id,
      "opstate.run_id": event.runId,
      "opstate.tool_call_id": event.toolCallId,
      "opstate.code": event.code,
      "opstate.reason": event.reason,
      "opstate.version": event.version,
      "opstate.queued_ms": event.queued,
      "opstate.judged_ms": event.judged,
      "opstate.appended_ms": event.appended,
      "opstate.batch": event.batch,
      "opstate.conflicts": event.conflicts,
      "opstate.actor.kind": event.actor.kind,
      "opstate.actor.id": event.actor.id,
    }),
  });
  if (event.code === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}

function known(attributes: Readonly<Record<string, AttributeValue | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
