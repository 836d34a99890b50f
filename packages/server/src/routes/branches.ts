// Branches of a thread: create, list, diff, merge, discard. A branch itself is a thread of its own
// at /threads/:branch, under the rights of its parent.

import { type Branch, defined, type Thread } from "@opstate/core";
import { changesOver, sameActor, ID_LIST_LIMIT, isIdList } from "@opstate/core/thread";
import { type Access, isGranted, requireRight } from "../http/access.ts";
import { jsonList } from "../http/json-list.ts";
import { Problem } from "../http/problem.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import { type App, jsonResponse, type Services, threadIdWith, threadToRead } from "./environment.ts";
import { limitQuery, linkNext, PAGE_SIZE, refuseCursor } from "./pages.ts";
import { checkMembers, integerQuery, isVersion, readOwnObject } from "./read-request.ts";

/** Changes of a page. Each page is worked out from the beginning of the branch: few are better. */
const DIFF_LIMIT = 10_000;
/** Characters of a page, about. */
const DIFF_SIZE = 4 * PAGE_SIZE;

export function branchRoutes(app: App, { threads, quotas, operationLimits }: Services): void {
  app.get("/threads/:id/branches", async (context) => {
    const thread = await threadToRead(context, threads);
    const limit = limitQuery(context, 500, 1_000);
    const after = context.req.query("after");
    const page = await threads.branches(thread, { limit, ...defined({ after }) }).catch(refuseCursor);
    if (page.next !== undefined) linkNext(context, limit, page.next);
    return context.json(page.threads);
  });

  app.post("/threads/:id/branches", async (context) => {
    const threadId = await threadIdWith("write", context);
    // A branch begins with the parent's state, and its creator can read it there.
    await requireRight(context.var.access, threadId, "read");
    const { thread } = await threads.get(threadId);
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    checkMembers(body, ["version", "name"]);
    const { version = thread.version, name } = body;
    if (!isVersion(version))
      throw new Problem("invalid_body", "`version` must be a version of the thread: 0, 1, 2 and so on.");
    if (version > thread.version)
      throw new Problem("unknown_version", `The thread has the versions 0 to ${thread.version}, not ${version}.`);
    if (name !== undefined && typeof name !== "string") throw new Problem("invalid_body", "`name` must be a text.");
    // The id begins with the parent's id. So no one can occupy the id of an unrelated thread.
    const id = name === undefined ? undefined : checkThreadId(`${threadId}~${name}`);
    const branch = await thread.branch(version, defined({ id }));
    const { incarnation, parent } = branch;
    return context.json({ threadId: branch.threadId, version: branch.version, incarnation, parent }, 201);
  });

  app.get("/threads/:id/branches/:branch/diff", async (context) => {
    const thread = await threadToRead(context, threads);
    const branch = await branchOf(thread, context.req.param("branch"));
    const { signal } = context.req.raw;
    const limit = limitQuery(context, DIFF_LIMIT, DIFF_LIMIT);
    const changes = changesOver(branch, { signal, after: integerQuery(context, "after", 0), limit });
    const { json, last } = await jsonList(changes, { signal, limit, most: DIFF_SIZE });
    if (last !== undefined) linkNext(context, limit, last.version);
    quotas.spendOnList(context.var.access.actor, json.length);
    return jsonResponse(context, json);
  });

  app.post("/threads/:id/branches/:branch/merge", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    await requireRight(access, threadId, "read");
    const mayApprove = await isGranted(access, threadId, "approve");
    const { thread } = await threads.get(threadId);
    const branch = await branchOf(thread, context.req.param("branch"));
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    checkMembers(body, ["ids"]);
    const { ids } = body;
    if (ids !== undefined && !isIdList(ids))
      throw new Problem("invalid_body", `\`ids\` must be a list of 1 to ${ID_LIST_LIMIT} ids from the diff.`);
    return context.json(await branch.merge({ actor: access.actor, allows: () => mayApprove, ...defined({ ids }) }));
  });

  app.delete("/threads/:id/branches/:branch", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const { thread } = await threads.get(threadId);
    const branch = await branchOf(thread, context.req.param("branch"));
    await requireDiscardRight(branch, access, threadId);
    await threads.delete(branch.threadId, branch.incarnation);
    await branch.close();
    return context.body(null, 204);
  });
}

async function branchOf(thread: Thread, id: string): Promise<Branch> {
  const branch = await thread.openBranch(checkThreadId(id));
  if (!branch) throw new Problem("unknown_branch", `Thread "${thread.threadId}" has no branch "${id}".`);
  return branch;
}

/**
 * Discarding a branch undoes all work on it. For the work of others that needs the right to undo.
 */
async function requireDiscardRight(branch: Branch, access: Access, threadId: string): Promise<void> {
  for await (const { actor } of changesOver(branch))
    if (!sameActor(actor, access.actor)) return requireRight(access, threadId, "undo");
}
