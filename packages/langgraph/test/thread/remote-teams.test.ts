// Graphs in two processes whose nodes work at once on one thread, over HTTP, on a SQLite log: what
// each read is what the log has.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { board, type Board } from "../support/board.ts";
import type { Work } from "../support/remote-team.ts";

const AGENTS = 5;
const COLUMNS = ["a", "b", "c"];

/** Every card once, in the first column. */
function boardOf(cards: readonly string[]): Board {
  return {
    columns: COLUMNS.map((columnId, at) => ({
      columnId,
      cardCount: at === 0 ? cards.length : 0,
      cards: at === 0 ? cards.map((cardId) => ({ cardId, title: cardId })) : [],
    })),
  };
}

it("read what was recorded, whatever the processes do at once", { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "opstate-remote-teams-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = createServer({
    definitions: [board],
    log: sqliteLog({ path: join(folder, "board.db") }),
    authorize(request) {
      const [kind = "", id = "", rights = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return { actor: { kind, id }, allows: (_, right) => rights.split(",").includes(right) };
    },
  });
  const { url } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const thread = await server.thread("b", board);
  const cards = Array.from({ length: AGENTS }, (_, at) => `C-${at}`);
  await thread.dispatch(boardOf(cards), { actor: { kind: "system", id: "setup" } });

  const told = await Promise.all(
    ["left", "right"].map(async (name) => {
      const child = fork(join(import.meta.dirname, "../support/remote-team.ts"), [url, "b", name], {
        execArgv: ["--conditions=@opstate/source"],
      });
      onTestFinished(() => void child.kill());
      await once(child, "message");
      // Both processes remove the same cards: of each, one is refused.
      const work: Work = cards.map((cardId) => [
        ["remove", { cardId }],
        ["rename", { cardId: "none", title: name }],
      ]);
      const answer = once(child, "message");
      child.send(work);
      const [{ told: said, version }] = (await answer) as [{ told: Record<string, string>; version: number }];
      expect(version).toBeGreaterThan(1);
      child.send("end");
      await once(child, "exit");
      return said;
    }),
  );

  const words = new Map(told.flatMap((said) => Object.entries(said)));
  const recorded = new Map<string, string>();
  for (const entry of await thread.history({ after: 1, rejections: true })) {
    if (entry.kind === "commit") recorded.set(String(entry.commit.toolCallId), "Accepted");
    else recorded.set(String(entry.refusal.toolCallId), `Refused (${entry.refusal.rejection.reason})`);
  }
  expect(words.size).toBe(2 * 2 * AGENTS);
  // A refusal that is not final is in no log.
  expect(new Map([...words].filter(([, word]) => word !== "Refused (other_thing)"))).toEqual(recorded);
  expect([...words.values()].filter((word) => word === "Accepted")).toHaveLength(AGENTS);
  expect(thread.version).toBe(1 + AGENTS);
  expect(thread.getState()?.columns[0]?.cards).toEqual([]);
});
