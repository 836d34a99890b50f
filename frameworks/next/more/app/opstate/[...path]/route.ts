import { memoryLog } from "@opstate/core";
import { createServer } from "@opstate/server";
import { loose } from "../../../loose.ts";

const kept = globalThis as { server?: ReturnType<typeof createServer> };
const server = (kept.server ??= createServer({
  definitions: [loose],
  log: memoryLog(),
  basePath: "/opstate",
  authorize: () => ({ actor: { kind: "user", id: "ada" }, allows: () => true }),
}));
const handle = (request: Request) => server.fetch(request);

export { handle as GET, handle as POST, handle as PUT, handle as DELETE };
