// The server of all starters. Its own agent, for AG-UI clients, is in ag-ui-agent.ts.

import { memoryLog } from "@opstate/core";
import { mcpEndpoint } from "@opstate/mcp";
import { createServer } from "@opstate/server";
import { planner } from "./ag-ui-agent.ts";
import { actor, board, headers } from "./board.ts";

const server = createServer({
  definitions: [board],
  log: memoryLog(),
  agents: { planner: { definition: board.name, run: planner } },
  mcp: mcpEndpoint(),
  authorize: (request) =>
    request.headers.get("authorization") === headers.authorization
      ? { actor, allows: (_, right) => right === "read" || right === "write" }
      : null,
});
await server.thread("demo", board);
const { url } = await server.listen({ port: 4310 });
console.log(`Serving ${url}`);
