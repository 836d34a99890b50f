// The server of the Python tests, in a process of its own: `node server.ts <SQLite file>`. It
// prints its port when it listens.

import { conformanceIdentity, conformanceList } from "@opstate/conformance";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";

const [, , path = ""] = process.argv;
const server = createServer({
  definitions: [conformanceList],
  log: sqliteLog({ path, worker: false }),
  authorize(request) {
    const identity = conformanceIdentity(request.headers.get("authorization"));
    if (identity === undefined) return null;
    return { actor: identity.actor, allows: (_, right) => identity.rights.includes(right) };
  },
});
const { port } = await server.listen();
console.log(`port ${port}`);
