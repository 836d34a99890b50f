// A process of its own, with an agent on a thread that it opens from the log: no server is called.
// The model's last answer waits for a message, so that the agent is at work until then.

import { once } from "node:events";
import { openThread } from "@opstate/core";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { createAgent, fakeModel, ToolMessage } from "langchain";
import pg from "pg";
import { operationTools, opstateMiddleware } from "../../src/index.ts";
import { board } from "./board.ts";
import { call, say } from "./talk.ts";

/** Where the log is: a file, or a database. */
export type LogPlace = { readonly path: string } | { readonly config: pg.PoolConfig };

const place: LogPlace = JSON.parse(process.argv[2] ?? "{}");
const pool = "config" in place ? new pg.Pool(place.config) : undefined;
const log = "path" in place ? sqliteLog({ path: place.path }) : postgresLog({ pool: pool! });
const thread = await openThread({ definition: board, log, threadId: "b" });
const model = fakeModel()
  .respond(call(["move", { cardId: "T-1", to: "done" }]))
  .respond(call(["move", { cardId: "T-2", to: "done" }]))
  .respond(say("done"));
const agent = createAgent({
  model,
  tools: operationTools(board, { thread }),
  middleware: [
    opstateMiddleware(board, { thread }),
    {
      name: "waits",
      // Before the second call the page has to have seen the first one.
      async wrapModelCall(request, handler) {
        if (request.messages.some((message) => ToolMessage.isInstance(message))) {
          process.send?.(thread.version);
          await once(process, "message");
        }
        return handler(request);
      },
    },
  ],
});
const { messages } = await agent.invoke({ messages: "Work" });
process.send?.({
  told: messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text.split("\n")[0]),
  shown: model.calls.map((made) => made.messages.map(({ text }) => text).join("\n")),
});
await thread.close();
await log.close();
await pool?.end();
process.disconnect?.();
