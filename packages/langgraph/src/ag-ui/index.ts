export { graphAgent } from "./graph-agent.ts";
export type { GraphAgentOptions } from "./graph-agent.ts";
export type { RunnableGraph } from "./stored-state.ts";
export type { AgentRun, GraphEvent } from "./agent-run.ts";
