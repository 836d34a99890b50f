// Threads as things: create, list, read, delete; and their history.

import { grants } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { type App, integerQuery, readObject, type Services, threadIdWith } from "./environment.ts";

const historyDefault = 500;
const historyLimit = 1_000;

export function threadRoutes(app: App, { threads, operationLimits }: Services): void {
  app.get("/threads", async (context) => {
    const { access } = context.var;
    const all = await threads.list();
    const readable = await Promise.all(all.map(({ threadId }) => grants(access, threadId, "read")));
    return context.json(all.filter((_, index) => readable[index]));
  });

  app.put("/threads/:id", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { definition } = await readObject(context.req.raw, operationLimits);
    if (typeof definition !== "string") throw new Problem("invalid_body", 'The body must be { "definition": "<name>" }.');
    const { thread, created } = await threads.getOrCreate(threadId, definition);
    return context.json({ threadId, definition, version: thread.version }, created ? 201 : 200);
  });

  app.get("/threads/:id", async (context) => {
    const { thread } = await threads.get(await threadIdWith("read", context));
    return context.json({ version: thread.version, state: thread.getState(), definition: thread.definition.name });
  });

  app.delete("/threads/:id", async (context) => {
    await threads.delete(await threadIdWith("admin", context));
    return context.body(null, 204);
  });

  app.get("/threads/:id/history", async (context) => {
    const { thread } = await threads.get(await threadIdWith("read", context));
    const after = integerQuery(context, "after", 0);
    const limit = Math.min(integerQuery(context, "limit", historyDefault), historyLimit);
    return context.json(await thread.history({ after, limit, rejections: context.req.query("rejections") === "true" }));
  });
}
