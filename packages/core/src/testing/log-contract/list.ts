// The log contract of the list of threads: its pages, and that a deletion removes only the named
// incarnation.

import { defined } from "../../defined.ts";
import type { Log } from "../../thread/log/log.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { commits, later, newThread } from "./samples.ts";

export const listCases: Record<string, LogCase> = {
  async "deletes only the thread of the given incarnation"(log, { reopen }) {
    await log.create(newThread("t"));
    const first = (await log.info("t"))?.incarnation ?? "";
    expectEqual("another incarnation", await log.delete("t", `${first}0`), false);
    expectEqual("its own", await log.delete("t", first), true);
    expectEqual("again", await log.delete("t", first), false);
    await log.create(newThread("t", { count: 7 }));
    await log.append("t", 0, commits(1, 2));
    const second = await log.info("t");
    expectEqual("the one before", await log.delete("t", first), false);
    expectEqual("what has the name now", await (await reopen()).info("t"), second);
  },

  async "lists threads in pages, whatever is deleted and created in the meantime"(log, { reopen }) {
    if (log.page === undefined) return;
    const names = ["t", "T", "\u00e9", "a\u0000b", "'; --", "0", "last"];
    let seconds = 0;
    for (const name of names) {
      await log.create({ ...newThread(name), at: later(++seconds) });
      for (const round of [1, 2])
        await log.create({
          ...newThread(`${name} branch ${round}`),
          at: later(++seconds),
          parent: { threadId: name, version: 0, incarnation: "any" },
        });
    }
    await log.delete("T");
    for (const open of [async () => log, reopen]) {
      const source = await open();
      for (const range of [{}, { parent: null }, { parent: "t" }, { parent: "nobody" }])
        for (const limit of [1, 2, 3, 100])
          expectEqual("the pages", await allPages(source, range, limit), await source.list(range));
    }
    const again = await reopen();
    const { threads, next } = (await again.page?.({ parent: null, limit: 2 })) ?? { threads: [] };
    expectEqual(
      "the first page",
      threads.map(({ threadId }) => threadId),
      ["t", "\u00e9"],
    );
    expectTrue("there is a second page", next !== undefined && next !== "");
    await again.delete("\u00e9");
    await again.delete("a\u0000b");
    await again.create({ ...newThread("\u00e9"), at: later(++seconds) });
    const rest = await allPages(again, { parent: null }, 2, next);
    expectEqual(
      "the rest",
      rest.map(({ threadId }) => threadId),
      ["'; --", "0", "last", "\u00e9"],
    );
    for (const after of ["", "x", "-1", "1.5", "9".repeat(30)])
      await expectRejects(`after "${after}"`, Promise.resolve(again.page?.({ after, limit: 1 })));
  },
};

async function allPages(log: Log, range: { readonly parent?: string | null }, limit: number, from?: string) {
  const found = [];
  for (let after = from, more = true; more;) {
    const page = await log.page?.({ ...range, limit, ...defined({ after }) });
    expectTrue("a page is no longer than its limit", (page?.threads.length ?? 0) <= limit);
    found.push(...(page?.threads ?? []));
    after = page?.next;
    more = after !== undefined;
  }
  return found;
}
