// Threads: create, list, read, delete, compact and redact; and their past: history, earlier states,
// explanations.

import { type Actor, defined } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import type { CompactRange } from "@opstate/core/log";
import type { Context } from "hono";
import { isGranted } from "../http/access.ts";
import { jsonList } from "../http/json-list.ts";
import { Problem } from "../http/problem.ts";
import { wholeNumber } from "../http/whole-number.ts";
import { type App, type Environment, jsonResponse, type Services, threadIdWith, threadToRead } from "./environment.ts";
import { limitQuery, linkNext, PAGE_SIZE, refuseCursor } from "./pages.ts";
import { checkMembers, integerQuery, isVersion, readObject } from "./read-request.ts";

const LIST_DEFAULT = 500;
const LIST_LIMIT = 1_000;
const HISTORY_DEFAULT = 500;
const HISTORY_LIMIT = 1_000;

export function threadRoutes(app: App, { threads, quotas, operationLimits, beforeErasure }: Services): void {
  app.get("/threads", async (context) => {
    const limit = limitQuery(context, LIST_DEFAULT, LIST_LIMIT);
    const after = context.req.query("after");
    context.var.report?.({ right: "read", outcome: "allowed" });
    const page = await threads.list({ limit, ...defined({ after }) }).catch(refuseCursor);
    const readable = await Promise.all(
      page.threads.map(({ threadId }) => isGranted(context.var.direct, threadId, "read")),
    );
    if (page.next !== undefined) linkNext(context, limit, page.next);
    return context.json(page.threads.filter((_, index) => readable[index]));
  });

  app.put("/threads/:id", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { definition } = await readObject(context.req.raw, operationLimits);
    if (typeof definition !== "string")
      throw new Problem("invalid_body", 'The body must be { "definition": "<name>" }.');
    const { served, created } = await threads.getOrCreate(threadId, definition);
    const { version, incarnation } = served.thread;
    return context.json({ threadId, definition, version, incarnation }, created ? 201 : 200);
  });

  app.get("/threads/:id", async (context) => {
    const thread = await threadToRead(context, threads);
    const { version, definition, incarnation, floor, parent } = thread;
    return context.json({
      version,
      state: thread.getState(),
      definition: definition.name,
      incarnation,
      floor,
      // What a page needs to make the ids of its edits before it is connected.
      actor: context.var.access.actor,
      ...defined({ parent }),
    });
  });

  app.delete("/threads/:id", async (context) => {
    const threadId = await threadIdWith("admin", context);
    await beforeErasure(threadId);
    await threads.delete(threadId);
    return context.body(null, 204);
  });

  app.post("/threads/:id/compact", async (context) => {
    const { thread } = await threads.get(await threadIdWith("admin", context));
    const body = await readObject(context.req.raw, operationLimits);
    return context.json({ floor: await thread.compact(readCompactRange(body, thread.version)) });
  });

  app.post("/threads/:id/redact", async (context) => {
    const threadId = await threadIdWith("admin", context);
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    const author = readAuthor(body);
    await beforeErasure(threadId);
    return context.json(await thread.redact({ actor: author, by: context.var.access.actor }));
  });

  app.get("/threads/:id/history", async (context) => {
    const thread = await threadToRead(context, threads);
    const limit = Math.min(integerQuery(context, "limit", HISTORY_DEFAULT), HISTORY_LIMIT);
    const before = context.req.query("before") === undefined ? undefined : integerQuery(context, "before", 0);
    const rejections = context.req.query("rejections") === "true";
    const range = { after: integerQuery(context, "after", 0), order: orderQuery(context), limit, rejections };
    const { signal } = context.req.raw;
    const { json } = await jsonList(thread.entries({ ...range, ...defined({ before }), signal }), {
      signal,
      most: PAGE_SIZE,
      // The next page begins after a commit.
      mayEnd: (entry) => entry.kind === "commit",
    });
    quotas.spendOnList(context.var.access.actor, json.length);
    return jsonResponse(context, json);
  });

  app.get("/threads/:id/states/:version", async (context) => {
    const thread = await threadToRead(context, threads);
    const text = context.req.param("version");
    const version = wholeNumber(text);
    if (version === undefined || version > thread.version)
      throw new Problem(
        "unknown_version",
        `The thread has the versions 0 to ${thread.version}, not "${text.slice(0, 40)}".`,
      );
    return context.json({ version, state: await thread.stateAt(version) });
  });

  app.get("/threads/:id/explain", async (context) => {
    const thread = await threadToRead(context, threads);
    const pointer = context.req.query("pointer");
    if (pointer === undefined)
      throw new Problem("invalid_query", "`pointer` must be a JSON Pointer into the state, such as /columns/0/title.");
    return context.json((await thread.explain(pointer)) ?? null);
  });
}

function readCompactRange(body: Record<string, unknown>, version: number): CompactRange {
  checkMembers(body, ["keep", "before"]);
  const { keep, before } = body;
  if (before === undefined && isVersion(keep)) return { keep };
  if (keep === undefined && isVersion(before) && before > 0 && before <= version + 1) return { before };
  throw new Problem(
    "invalid_body",
    `The body must be { "keep": <how many commits> } or { "before": <a version from 1 to ${version + 1}> }.`,
  );
}

function readAuthor(body: Record<string, unknown>): Actor {
  checkMembers(body, ["author"]);
  const { author } = body;
  if (isObject(author) && typeof author["kind"] === "string" && typeof author["id"] === "string")
    return { kind: author["kind"], id: author["id"] };
  throw new Problem("invalid_body", 'The body must be { "author": { "kind", "id" } }: whose content is erased.');
}

function orderQuery(context: Context<Environment>): "ascending" | "descending" {
  const order = context.req.query("order") ?? "ascending";
  if (order === "ascending" || order === "descending") return order;
  throw new Problem("invalid_query", `\`order\` must be "ascending" or "descending", not "${order.slice(0, 40)}".`);
}
