// The words of a commit on their way: a page, the log file, a restart with other words, a reader.

import { createClient } from "@opstate/client";
import { remoteThread } from "@opstate/client/remote";
import { createReplica, defineState } from "@opstate/core";
import { dependentsOf, sentenceOf } from "@opstate/core/thread";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { httpTransport, threadClient } from "../../src/client/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { ada, asUser, send, start } from "../support/server.ts";

function listOf(verb: string) {
  return defineState({
    name: "list",
    schema: z.object({ title: z.string() }),
    initial: { title: "First" },
    operations: {
      rename: {
        input: z.object({ title: z.string() }),
        describe: ({ title }, before) => `${verb} '${before.title}' to '${title}'`,
        apply(draft, { title }) {
          draft.title = title;
        },
      },
    },
  });
}

it("a commit keeps the words that it was made with, over HTTP, on disk and when the code words it otherwise", async () => {
  const folder = mkdtempSync(join(tmpdir(), "opstate-sentence-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log.db");
  const list = listOf("Rename");

  const log = sqliteLog({ path });
  const first = await start({ definitions: [list], log });
  await send(`${first.url}/threads/t`, "PUT", { definition: "list" });
  const replica = createReplica({
    definition: list,
    transport: httpTransport({ url: first.url, threadId: "t", headers: ada }),
  });
  await replica.ready();
  const arrived = new Promise<string | undefined>((resolve) => replica.onCommit(({ sentence }) => resolve(sentence)));
  const verdict = replica.dispatch(list.op.rename({ title: "Second" }));
  expect(replica.sync.getState().pending[0]?.sentence).toBe("Rename 'First' to 'Second'");
  expect(await arrived).toBe("Rename 'First' to 'Second'");
  expect(await verdict).toMatchObject({ commit: { sentence: "Rename 'First' to 'Second'" } });
  replica.close();
  await first.server.close();
  await log.close();

  const reopened = sqliteLog({ path });
  const later = listOf("Change");
  const second = await start({ definitions: [later], log: reopened });
  onTestFinished(() => reopened.close());
  const access = threadClient<typeof later>({ url: second.url, threadId: "t", headers: ada });
  const history = await access.history({});
  const words = history.map((entry) => entry.kind === "commit" && sentenceOf(later, entry.commit));
  expect(words).toEqual(["Rename 'First' to 'Second'"]);
  await second.server.close();
});

it("a commit has the same words in a page's timeline, a digest, the dependents of an undo and its verdict", async () => {
  const list = defineState({
    name: "list",
    schema: z.object({ items: z.array(z.object({ id: z.string(), text: z.string() })) }),
    initial: { items: [] },
    operations: {
      add: {
        input: z.object({ id: z.string(), text: z.string() }),
        apply: (draft, item) => void draft.items.push(item),
      },
      rename: {
        input: z.object({ id: z.string(), text: z.string() }),
        describe: ({ id, text }, before) =>
          `Rename '${before.items.find((item) => item.id === id)?.text}' to '${text}'`,
        apply(draft, { id, text }, { reject }) {
          const item = draft.items.find((each) => each.id === id);
          if (item === undefined) return reject("not_found", `No item "${id}"`);
          item.text = text;
        },
      },
    },
  });
  const words = "Rename 'Milk' to 'Oat milk'";
  const { url } = await start({ definitions: [list] });
  await send(`${url}/threads/t`, "PUT", { definition: "list" });
  const hers = await remoteThread({ definition: list, url, threadId: "t", headers: ada });
  onTestFinished(() => hers.close());
  await hers.dispatch(list.op.add({ id: "m", text: "Milk" }), { actor: hers.actor, id: "a" });

  const client = createClient({ url, headers: asUser("bob", "read", "write") });
  onTestFinished(() => client.close());
  const page = client.thread(list, "t");
  onTestFinished(page.history.subscribe(() => undefined));
  onTestFinished(page.subscribe(() => undefined));
  await page.ready();
  const verdict = await page.dispatch(list.op.rename({ id: "m", text: "Oat milk" }));
  expect(verdict).toMatchObject({ accepted: true, commit: { sentence: words } });
  await vi.waitFor(() => {
    const commits = page.history.getState().entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    expect(commits.map((commit) => sentenceOf(list, commit))).toContain(words);
  });

  await vi.waitFor(() => expect(hers.version).toBe(2));
  expect(await hers.digest({ since: 1, for: hers.actor })).toContain(`- user bob: "${words}"`);
  const undone = await hers.undo({ ids: ["a"] }, { actor: hers.actor });
  if (undone.accepted) throw new Error("It should be refused.");
  expect(undone.rejection.message).toContain(`("${words}")`);
  expect(dependentsOf(undone.rejection)?.named.map(({ sentence }) => sentence)).toEqual([words]);
});
