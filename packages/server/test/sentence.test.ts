// The words of a commit on their way: a page, the log file, a restart with other words, a reader.

import { createReplica, defineState } from "@opstate/core";
import { sentenceOf } from "@opstate/core/thread";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { httpTransport, threadClient } from "../src/client/index.ts";
import { sqliteLog } from "../src/sqlite/index.ts";
import { ada, send, start } from "./support/server.ts";

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
