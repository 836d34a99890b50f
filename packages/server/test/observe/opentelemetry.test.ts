// The adapter with OpenTelemetry's own SDK: metrics, and a trace from a sender's span down to an
// agent's tool call and to the next service.

import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemoryMetricExporter,
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { HttpAgent } from "@ag-ui/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServedAgent } from "../../src/index.ts";
import { openTelemetry } from "../../src/opentelemetry/index.ts";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SENDER = "b7ad6b7169203331";

/** W3C's header, as `@opentelemetry/core` reads and writes it. */
const w3c = {
  fields: () => ["traceparent"],
  inject(present: Parameters<typeof trace.getSpanContext>[0], carrier: unknown) {
    const span = trace.getSpanContext(present);
    if (span) Object.assign(carrier as object, { traceparent: `00-${span.traceId}-${span.spanId}-01` });
  },
  extract(
    present: Parameters<typeof trace.getSpanContext>[0],
    carrier: unknown,
    getter: { get(carrier: unknown, key: string): unknown },
  ) {
    const [, traceId, spanId] = /^00-(\w{32})-(\w{16})-01$/.exec(String(getter.get(carrier, "traceparent"))) ?? [];
    if (traceId === undefined || spanId === undefined) return present;
    return trace.setSpanContext(present, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
};

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(w3c);
});
afterAll(() => {
  context.disable();
  propagation.disable();
});

async function startTraced(agents: Record<string, ServedAgent> = {}) {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const tracer = tracers.getTracer("test");
  const running = await start({ agents, observe: openTelemetry({ tracer, meter: meters.getMeter("test") }) });
  return {
    ...running,
    tracer,
    spans: () => spans.getFinishedSpans(),
    async metrics() {
      await reader.forceFlush();
      const points = exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) =>
          metrics.flatMap(({ descriptor, dataPoints }) =>
            dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
          ),
        );
      return (name: string) => (points ?? []).filter((point) => point.name === name);
    },
  };
}

describe("traces", () => {
  it("lead from the sender through the run to the agent's tool call and the next service", async () => {
    const seen: Record<string, string>[] = [];
    const agents: Record<string, ServedAgent> = {
      mover: {
        definition: "board",
        async *run({ thread, headers }) {
          seen.push(headers);
          await thread.submit(addCard("c"), { actor: { kind: "agent", id: "mover" }, toolCallId: "call-1" });
          // A library's own span, such as that of a model call.
          tracer.startSpan("chat model").end();
          yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m", role: "assistant", delta: "Done." };
        },
      },
    };
    const { url, spans, tracer } = await startTraced(agents);
    const agent = new HttpAgent({
      url: `${url}/ag-ui/mover`,
      threadId: "launch",
      headers: { ...ada, traceparent: `00-${TRACE_ID}-${SENDER}-01`, "x-request-id": "r-1" },
    });
    await agent.runAgent({ runId: "r1" });
    await expect.poll(() => spans().length).toBe(4);
    const named = (name: string) => spans().find((span) => span.name === name);
    const [request, run, call, model] = ["POST /ag-ui/:agent", "run mover", "addCard", "chat model"].map(named);
    expect(spans().map((span) => span.spanContext().traceId)).toEqual(Array(4).fill(TRACE_ID));
    expect(request?.parentSpanContext?.spanId).toBe(SENDER);
    expect(run?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    for (const span of [call, model]) expect(span?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(call?.attributes).toMatchObject({ "opstate.tool_call_id": "call-1", "opstate.code": "accepted" });
    expect(request?.attributes).toMatchObject({ "http.response.status_code": 200, "opstate.request_id": "r-1" });
    expect(seen).toEqual([{ "x-request-id": "r-1", traceparent: `00-${TRACE_ID}-${run?.spanContext().spanId}-01` }]);
  });

  it("keep requests side by side apart", async () => {
    const { url, spans } = await startTraced();
    const thread = await createBoard(url);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        send(`${thread}/operations`, "POST", addCard(`c${index}`), { ...ada, "x-request-id": `r-${index}` }),
      ),
    );
    const requests = new Map(spans().map((span) => [span.spanContext().spanId, span]));
    const submissions = spans().filter(({ name }) => name === "addCard");
    expect(submissions.length).toBe(10);
    const parents = submissions.map((span) => requests.get(span.parentSpanContext?.spanId ?? ""));
    expect(new Set(parents.map((span) => span?.attributes["opstate.request_id"])).size).toBe(10);
  });

  it("say what failed", async () => {
    const { url, spans } = await startTraced();
    await send(`${url}/threads/none`, "GET");
    expect(spans()).toMatchObject([
      {
        name: "GET /threads/:id",
        status: { code: 0 },
        attributes: { "http.response.status_code": 404, "opstate.code": "unknown_thread" },
      },
    ]);
  });
});

describe("metrics", () => {
  it("count verdicts by code, time by stage, and open streams", async () => {
    const { url, metrics } = await startTraced();
    const thread = await createBoard(url);
    const events = await readEvents(`${thread}/events`);
    await events.next();
    for (const column of ["todo", "todo", "nowhere"])
      await send(`${thread}/operations`, "POST", addCard(`c${Math.random()}`, "c", column));
    const named = await metrics();
    const what = { "opstate.definition": "board", "opstate.operation": "addCard" };
    expect(named("opstate.submissions")).toMatchObject([
      { value: 2, attributes: { ...what, "opstate.actor.kind": "user", "opstate.code": "accepted" } },
      { value: 1, attributes: { ...what, "opstate.actor.kind": "user", "opstate.code": "refused" } },
    ]);
    for (const stage of ["queue", "judge", "append"])
      expect(named(`opstate.submission.${stage}.duration`)).toMatchObject([{ value: { count: 3 }, attributes: what }]);
    expect(named("opstate.actor.cost")).toMatchObject([{ attributes: { "opstate.actor.kind": "user" } }]);
    expect(named("opstate.streams")).toMatchObject([{ value: 1, attributes: { "http.route": "/threads/:id/events" } }]);
    expect(named("http.server.request.duration").map(({ attributes }) => attributes["http.route"])).toContain(
      "/threads/:id/operations",
    );
    events.close();
    await expect.poll(async () => (await metrics())("opstate.streams")[0]?.value).toBe(0);
  });

  it("have no label that a sender can multiply", async () => {
    const { url, metrics } = await startTraced();
    const thread = await createBoard(url);
    for (let index = 0; index < 20; index += 1) {
      await send(`${thread}/operations`, "POST", { type: `nobody-${index}` });
      await send(`${url}/nowhere/${index}`, "GET", undefined, {
        authorization: `kind-${index} id-${index} write,read`,
      });
      await send(`${thread}/operations`, "POST", addCard(`c${index}`), { authorization: `kind-${index} x write` });
    }
    const named = await metrics();
    expect(named("opstate.submissions").length).toBeLessThan(6);
    expect(named("opstate.actor.cost").length).toBe(2);
    expect(named("http.server.request.duration").length).toBeLessThan(8);
  });
});
