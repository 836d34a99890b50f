export { graphAgent } from "./graph-agent.ts";
export type { GraphAgentOptions, RunnableGraph } from "./graph-agent.ts";
export type { AgentRun, GraphEvent } from "./agent-run.ts";
