// A real server for the scenarios, on a port of its own: the definition and the identities of this
// package.

import { memoryLog } from "@opstate/core";
import { createServer, type Server } from "@opstate/server";
import { conformanceIdentity, conformanceList } from "../../src/index.ts";

/** The caller closes it. */
export function conformanceServer(): Server {
  return createServer({
    definitions: [conformanceList],
    log: memoryLog(),
    authorize(request) {
      const identity = conformanceIdentity(request.headers.get("authorization"));
      if (identity === undefined) return null;
      return { actor: identity.actor, allows: (_, right) => identity.rights.includes(right) };
    },
  });
}
