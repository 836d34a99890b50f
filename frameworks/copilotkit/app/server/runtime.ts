// CopilotKit's runtime: pages speak to it, and it speaks to the boards as any AG-UI client.

import { HttpAgent, type RunAgentInput } from "@ag-ui/client";
import { CopilotRuntime, InMemoryAgentRunner } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";
import { createServer } from "node:http";

/**
 * CopilotKit's thread is a conversation, which one person has: "launch~ada". The boards' thread is
 * the board, "launch", which all of them have.
 */
class BoardAgent extends HttpAgent {
  protected override requestInit(input: RunAgentInput): RequestInit {
    return super.requestInit({ ...input, threadId: input.threadId.replace(/~.*/, "") });
  }
}

const runtime = new CopilotRuntime({
  agents: { planner: new BoardAgent({ url: "http://localhost:4310/opstate/ag-ui/planner" }) },
  runner: new InMemoryAgentRunner(),
});
createServer(createCopilotNodeListener({ runtime, basePath: "/copilotkit" })).listen(4311, "localhost", () =>
  console.log("Serving the runtime"),
);
