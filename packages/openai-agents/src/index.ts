export { threadAgent } from "./thread-agent.ts";
export type { ThreadAgent, ThreadAgentOptions } from "./thread-agent.ts";
