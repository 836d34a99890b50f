// Events as metrics. Labels have few values: no id of a thread, an actor or a run.

import type { Attributes, Meter } from "@opentelemetry/api";
import type { ServerEvent } from "../observe/events.ts";

/** OpenTelemetry's own boundaries for durations of requests. */
const SECONDS = {
  unit: "s",
  advice: { explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
};

export function recorder(meter: Meter): (event: ServerEvent) => void {
  const seconds = (name: string, description: string) => meter.createHistogram(name, { ...SECONDS, description });
  const requests = seconds("http.server.request.duration", "From a request to its answer");
  const submissions = meter.createCounter("opstate.submissions", { description: "Verdicts, by code" });
  const queued = seconds("opstate.submission.queue.duration", "Until the authority took a submission up");
  const judged = seconds("opstate.submission.judge.duration", "In the reducer and the checks around it");
  const appended = seconds("opstate.submission.append.duration", "Until the log had stored it");
  const conflicts = meter.createCounter("opstate.submission.conflicts", {
    description: "Submissions judged again, because another process was first",
  });
  const cost = meter.createCounter("opstate.actor.cost", {
    unit: "s",
    description: "Time spent on judging, by the kind of actor",
  });
  const streams = meter.createUpDownCounter("opstate.streams", { description: "Open streams" });
  const cut = meter.createCounter("opstate.streams.cut", { description: "Readers that did not read" });
  const runs = seconds("opstate.run.duration", "Runs of agents");
  const runQueue = seconds("opstate.run.queue.duration", "Until a run began, after those before it on its thread");
  const stalls = seconds("opstate.event_loop.stall.duration", "How long the event loop was held up");
  const errors = meter.createCounter("opstate.errors", { description: "What `onError` gets" });

  return (event) => {
    switch (event.type) {
      case "request":
        return requests.record(event.duration / 1_000, {
          "http.request.method": event.method,
          "http.route": event.route,
          "http.response.status_code": event.status,
        });
      case "submission": {
        const { definition, operation, code, actor } = event;
        const kind: Attributes = { "opstate.actor.kind": kindOf(actor.kind) };
        const what: Attributes = { "opstate.definition": definition, "opstate.operation": operation };
        submissions.add(1, { ...what, ...kind, "opstate.code": code });
        queued.record(event.queued / 1_000, what);
        judged.record(event.judged / 1_000, what);
        appended.record(event.appended / 1_000, what);
        cost.add(event.judged / 1_000, kind);
        if (event.conflicts > 0) conflicts.add(event.conflicts, what);
        return;
      }
      case "stream_opened":
        return streams.add(1, { "http.route": event.route });
      case "stream_closed":
        streams.add(-1, { "http.route": event.route });
        if (event.reason === "cut") cut.add(1, { "http.route": event.route });
        return;
      case "run_started":
        return runQueue.record(event.queued / 1_000, { "opstate.agent": event.agent });
      case "run_ended":
        return runs.record(event.duration / 1_000, {
          "opstate.agent": event.agent,
          "opstate.outcome": event.outcome,
        });
      case "stall":
        return stalls.record(event.duration / 1_000);
      case "error":
        return errors.add(1);
      case "drain_started":
      case "drain_ended":
        return;
    }
  };
}

/** An application may have kinds of its own; a great many would be a great many series. */
const KINDS = new Set(["user", "agent", "webhook", "system"]);

function kindOf(kind: string): string {
  return KINDS.has(kind) ? kind : "other";
}
