export { threadAgent } from "./thread-agent.ts";
export type { StopWhen, ThreadAgent, ThreadAgentOptions } from "./thread-agent.ts";
export { withCommits } from "./with-commits.ts";
export type { CommitChunk, CommitData, CommitParts, WithCommitsOptions } from "./with-commits.ts";
export { threadTransport } from "./thread-transport.ts";
export type { PageThread, ThreadTransportOptions } from "./thread-transport.ts";
export type { PrepareStep } from "./prepared-step.ts";
export type { ThreadTools } from "./thread-tools.ts";
