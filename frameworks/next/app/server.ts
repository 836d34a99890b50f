import { openThread } from "@opstate/core";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { board } from "./board.ts";

// The garden is Ada's alone.
const owners = new Map([["garden", "ada"]]);
const log = sqliteLog({ path: "boards.sqlite" });
// Creates the boards that there are not yet.
for (const threadId of ["launch", "garden"]) await (await openThread({ definition: board, log, threadId })).close();

const server = createServer({
  definitions: [board],
  log,
  authorize(request) {
    // This trusts the cookie. Yours looks the user up in your session.
    const [, user] = /(?:^|; )user=([^;]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
    if (user === undefined) return null;
    return { actor: { kind: "user", id: user }, allows: (threadId) => (owners.get(threadId) ?? user) === user };
  },
  origins: ["http://localhost:3000"], // the pages, as Next serves them
});
const { url } = await server.listen({ port: 4310 });
console.log(`Serving ${url}`);
