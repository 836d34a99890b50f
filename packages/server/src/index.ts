export type { Agent, AgentEvent, AgentRun, ServedAgent } from "./ag-ui/agent.ts";
export type { Decision } from "./ag-ui/decisions.ts";
export { createServer } from "./create-server.ts";
export type { Server, ServerLimits, ServerOptions } from "./create-server.ts";
export type { Access, Authorize, Right } from "./http/access.ts";
export { nonLoopbackHost } from "./http/host-guard.ts";
export { listen } from "./listen.ts";
export type { Connection, HttpServer, Listening, ListenOptions } from "./listen.ts";
