// The boards, and the agent that works on them.

import { memoryLog } from "@opstate/core";
import { createServer } from "@opstate/server";
import { board } from "../board.ts";
import { planner } from "./planner.ts";

const server = createServer({
  definitions: [board],
  log: memoryLog(),
  basePath: "/opstate",
  agents: { planner: { run: planner, definition: "board" } },
  authorize(request) {
    // This trusts the header. Yours looks the token up. CopilotKit's runtime passes it on.
    const [, id] = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
    return id === undefined ? null : { actor: { kind: "user", id }, allows: () => true };
  },
});
const { url } = await server.listen({ port: 4310 });
console.log(`Serving ${url}`);
