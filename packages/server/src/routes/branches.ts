// Branches of a thread. One is a thread of its own at /threads/:branch, under the rights of its
// parent; here are what leads there and back.

import { type Branch, sameActor, type Thread } from "@opstate/core";
import { type Access, grants, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { checkMembers, isVersion } from "./submission.ts";
import { type App, checkThreadId, readObject, type Services, threadIdWith } from "./environment.ts";

const IDS_LIMIT = 10_000;

export function branchRoutes(app: App, { threads, operationLimits }: Services): void {
  app.get("/threads/:id/branches", async (context) => {
    const { thread } = await threads.get(await threadIdWith("read", context));
    return context.json(await thread.branches());
  });

  app.post("/threads/:id/branches", async (context) => {
    const threadId = await threadIdWith("write", context);
    // A branch begins with the state, and its maker reads it there.
    await requireRight(context.var.access, threadId, "read");
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    checkMembers(body, ["version", "name"]);
    const { version = thread.version, name } = body;
    if (!isVersion(version)) throw new Problem("invalid_body", "`version` must be a version of the thread: 0, 1, 2...");
    if (version > thread.version)
      throw new Problem("unknown_version", `The thread has the versions 0 to ${thread.version}, not ${version}.`);
    if (name !== undefined && typeof name !== "string") throw new Problem("invalid_body", "`name` must be a text.");
    // Under the parent's name: nobody may take the id of a thread that is not his to make.
    const branch = await thread.branch(version, name === undefined ? {} : { id: checkThreadId(`${threadId}~${name}`) });
    const { incarnation, parent } = branch;
    return context.json({ threadId: branch.threadId, version: branch.version, incarnation, parent }, 201);
  });

  app.get("/threads/:id/branches/:branch/diff", async (context) => {
    const { thread } = await threads.get(await threadIdWith("read", context));
    const branch = await branchOf(thread, context.req.param("branch"));
    return context.json(await branch.diff());
  });

  app.post("/threads/:id/branches/:branch/merge", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    await requireRight(access, threadId, "read");
    const approves = await grants(access, threadId, "approve");
    const { thread } = await threads.get(threadId);
    const branch = await branchOf(thread, context.req.param("branch"));
    const body = await readObject(context.req.raw, operationLimits);
    checkMembers(body, ["ids"]);
    const { ids } = body;
    if (ids !== undefined && !isIdList(ids))
      throw new Problem("invalid_body", `\`ids\` must be a list of 1 to ${IDS_LIMIT} ids of the diff.`);
    return context.json(await branch.merge({ actor: access.actor, allows: () => approves, ...(ids && { ids }) }));
  });

  app.delete("/threads/:id/branches/:branch", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const { thread } = await threads.get(threadId);
    const branch = await branchOf(thread, context.req.param("branch"));
    await requireOwn(branch, access, threadId);
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

/** Discarding takes back what was done there: of others, with the right to undo only. */
async function requireOwn(branch: Branch, { actor, allows }: Access, threadId: string): Promise<void> {
  const done = await branch.diff();
  if (done.every((change) => sameActor(change.actor, actor))) return;
  await requireRight({ actor, allows }, threadId, "undo");
}

function isIdList(ids: unknown): ids is readonly string[] {
  return Array.isArray(ids) && ids.length > 0 && ids.length <= IDS_LIMIT && ids.every((id) => typeof id === "string");
}
