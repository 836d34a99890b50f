// A log with all that a log can contain, and all that can be read of it.

import { defineState, type Log, openThread } from "@opstate/core";
import { fullLog, type FullLog, itemsOfPages, type Receipt } from "@opstate/core/log";
import { z } from "zod";

export const ada = { kind: "user", id: "ada" };
export const robot = { kind: "agent", id: "robot \u{1f916}" };

export const list = defineState({
  name: "list",
  schema: z.object({ items: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { items: [] },
  operations: {
    add: {
      description: "Add an item",
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id, reject }) {
        if (draft.items.some((item) => item.text === text)) return reject("twice", `There is "${text}" already`);
        draft.items.push({ id: id("i-"), text });
      },
    },
    rename: {
      input: z.object({ from: z.string(), to: z.string() }),
      apply(draft, { from, to }) {
        for (const item of draft.items) if (item.text === from) item.text = to;
      },
    },
  },
});

const add = (text: string) => ({ type: "add" as const, text });

/** Returns how many commits a reader finds. */
export async function fill(log: Log): Promise<void> {
  const open = (threadId: string) => openThread({ definition: list, log, threadId, snapshotEvery: 50 });
  const long = await open("long");
  for (let index = 0; index < 260; index += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, offset) =>
        long.dispatch(add(`item ${index + offset}`), { actor: offset % 2 ? ada : robot, runId: `run ${index}` }),
      ),
    );
  await long.dispatch(add("item 3"), { actor: robot, id: "refused" });
  await long.dispatch({ type: "rename", from: "nobody", to: "x" }, { actor: ada, id: "changed nothing" });
  await long.undo({ runId: "run 240" }, { actor: ada, id: "undo" });
  await long.propose(add("proposed"), { actor: robot, id: "proposal" });
  const merged = await long.branch();
  await merged.dispatch(add("branched"), { actor: robot });
  await merged.merge({ actor: ada });
  await merged.discard();
  const branch = await long.branch(100);
  await branch.dispatch(add("on a branch"), { actor: ada });

  const compacted = await open("compacted");
  for (let index = 0; index < 30; index += 1) {
    await compacted.dispatch(add(`item ${index}`), { actor: ada, id: `c ${index}` });
    await compacted.dispatch({ type: "rename", from: "nobody", to: "x" }, { actor: robot, id: `nothing ${index}` });
    await compacted.dispatch(add(`item ${index}`), { actor: robot, id: `refused ${index}` });
  }
  await compacted.compact({ keep: 10 });
  const wholly = await open("compacted to its head");
  for (const text of ["a", "b", "c"]) await wholly.dispatch(add(text), { actor: ada, id: text });
  await wholly.compact({ keep: 0 });
  await (await open("empty \u{1f4cb} \u0000 '\"%")).close();
  for (const thread of [long, branch, compacted, wholly]) await thread.close();
}

/** All that the port reads of a log. */
export async function everything(given: Log): Promise<readonly object[]> {
  const log: FullLog = fullLog(given);
  const found: object[] = [];
  for await (const info of itemsOfPages((range) => log.threads(range))) {
    const thread = log.thread(info.threadId, info.incarnation);
    const snapshots = [];
    for (let version = 0; version <= info.version; version += 1) snapshots.push(await thread.snapshotAt(version));
    const receipts: Receipt[] = [];
    for await (const receipt of itemsOfPages((range) => thread.receipts(range))) receipts.push(receipt);
    const commits = [];
    for await (const commit of itemsOfPages((range) => thread.commits(range))) commits.push(commit);
    found.push({
      info,
      snapshots,
      commits,
      receipts: receipts.map((receipt) => JSON.stringify(receipt)).toSorted(),
      refusals: await log.refusals(info.threadId),
      byRun: await log.read(info.threadId, { runId: "run 20" }),
      byActor: await log.read(info.threadId, { actor: robot }),
      load: await log.load(info.threadId),
    });
  }
  return found;
}
