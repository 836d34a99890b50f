import { openThread } from "@opstate/core";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { board } from "./board.ts";

const log = sqliteLog({ path: "boards.sqlite" });
// Creates the boards that there are not yet.
for (const threadId of ["launch", "garden"]) await (await openThread({ definition: board, log, threadId })).close();
// The garden is Ada's alone.
const owners = new Map([["garden", "ada"]]);

export const boards = createServer({
  definitions: [board],
  log,
  basePath: "/opstate",
  authorize(request) {
    // This trusts the cookie. Yours looks the user up in your session.
    const [, user] = /(?:^|; )user=([^;]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
    if (user === undefined) return null;
    return { actor: { kind: "user", id: user }, allows: (threadId) => (owners.get(threadId) ?? user) === user };
  },
});
// Ends the streams, which would keep the process from ending.
process.once("SIGTERM", () => void boards.close().then(() => log.close()));
