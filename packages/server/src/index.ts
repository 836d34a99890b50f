export type { Agent, AgentEvent, AgentRun, ServedAgent } from "./ag-ui/agent.ts";
export type { Decision } from "./ag-ui/decisions.ts";
export { createServer } from "./create-server.ts";
export type { Server } from "./create-server.ts";
export type { Access, Authorize, Right } from "./http/access.ts";
export { nonLoopbackHost } from "./http/host-guard.ts";
export { listen } from "./listen.ts";
export type { Connection, HttpServer, Listening, ListenOptions } from "./listen.ts";
export type { Drained, DrainOptions } from "./lifecycle/drain-options.ts";
export { drainOnSignals } from "./lifecycle/drain-on-signals.ts";
export type { SignalOptions } from "./lifecycle/drain-on-signals.ts";
export type {
  DrainEvent,
  ErrorEvent,
  RequestEvent,
  RunEndedEvent,
  RunStartedEvent,
  ServerEvent,
  ServerSubmissionEvent,
  StallEvent,
  StreamClosedEvent,
  StreamOpenedEvent,
} from "./observe/events.ts";
export { logEvents } from "./observe/log-events.ts";
export type { StructuredLogger } from "./observe/log-events.ts";
export type { McpCaller, McpEndpoint } from "./mcp/endpoint.ts";
export type { NodeOptions } from "./owners/node-options.ts";
export type { Observer, Scope } from "./observe/observer.ts";
export type { Quota } from "./quotas/allowances.ts";
export type { Decide, Demand, QuotaOptions } from "./quotas/quotas.ts";
export type { ServerLimits, ServerOptions } from "./server-options.ts";
export { memoryRuns } from "./runs/memory-runs.ts";
export type { KeepOptions } from "./runs/run-options.ts";
export type { RunInfo, RunStatus } from "./runs/run-record.ts";
export { streamRuns } from "./runs/stream-runs.ts";
export type { RunStreams, StreamRunsOptions } from "./runs/stream-runs.ts";
export type { RunEnd, RunHead, RunStore, StoredRun } from "./runs/run-store.ts";
export { spreadLog } from "./spread/spread-log.ts";
export type { SpreadLog, SpreadLogOptions } from "./spread/spread-log.ts";
export type { Audit, AuditEvent } from "./rights/audit.ts";
