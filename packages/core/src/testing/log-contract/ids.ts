// The log contract of ids that are not well-formed text: two different ids stay different, or the
// log refuses them in every method.

import { defined } from "../../defined.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Log } from "../../thread/log/log.ts";
import { expectEqual, expectTrue } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { ada, committed, newThread } from "./samples.ts";

/**
 * The first one is well-formed: it is what many storages make of the halves of surrogate pairs in
 * the others.
 */
const IDS = ["\ufffd", "\ud800", "\udbff", "\udc00", "\ud800\ud800", "a\ud83d", "a\ud83e"];
const REFUSED = "refused";

const attempt = <T>(call: Promise<T>) => call.catch(() => REFUSED);
const name = (id: string) => JSON.stringify(id);

export const idCases: Readonly<Record<string, LogCase>> = {
  async "never confuses two threads, whatever their ids: halves of surrogate pairs are distinguished or refused"(
    log,
    { reopen },
  ) {
    const made: string[] = [];
    for (const [index, id] of IDS.entries()) {
      const created = await attempt(log.create(newThread(id, { count: index })));
      expectTrue(
        `create ${name(id)}: it is confused with another thread`,
        created === true || (created === REFUSED && index > 0),
      );
      if (created === true) made.push(id);
    }
    for (const open of [async () => log, reopen]) {
      const source = await open();
      for (const [index, id] of IDS.entries()) {
        const stored = await attempt(source.load(id));
        const state = typeof stored === "object" ? stored.snapshot.state : undefined;
        expectEqual(`state of ${name(id)}`, state, made.includes(id) ? { count: index } : undefined);
        if (!made.includes(id))
          expectTrue(`delete ${name(id)}: another thread is gone`, (await attempt(source.delete(id))) !== true);
      }
      expectEqual("list", (await source.list()).map(({ threadId }) => threadId).toSorted(), made.toSorted());
    }
  },

  async "never confuses two submissions, actors or runs, whatever their ids"(log) {
    await log.create(newThread("t"));
    const places: readonly ((id: string) => { readonly id: string; readonly actor: Actor; readonly runId?: string })[] =
      [
        (id) => ({ id, actor: ada }),
        (id) => ({ id: "same", actor: { kind: id, id: "bo" } }),
        (id) => ({ id: "same", actor: { kind: "user", id } }),
        (id) => ({ id: `of a run ${IDS.indexOf(id)}`, actor: ada, runId: id }),
      ];
    for (const [place, submission] of places.entries()) {
      for (const id of IDS) await checkSubmission(log, `${name(id)} at place ${place}`, submission(id), id === IDS[0]);
    }
  },
};

async function checkSubmission(
  log: Log,
  what: string,
  { id, actor, runId }: { readonly id: string; readonly actor: Actor; readonly runId?: string },
  mustTake: boolean,
): Promise<void> {
  const head = (await log.info("t"))?.version ?? 0;
  const appended = await attempt(log.append("t", head, [committed(head + 1, id, actor, defined({ runId }))]));
  const isStored = typeof appended === "object" && appended.status === "appended";
  expectTrue(`append ${what}: ${JSON.stringify(appended)}`, isStored || (appended === REFUSED && !mustTake));
  expectEqual(`head after ${what}`, (await log.info("t"))?.version, isStored ? head + 1 : head);
  const receipt = await attempt(log.receipt("t", actor, id));
  if (runId === undefined)
    expectEqual(`receipt of ${what}`, typeof receipt === "object" ? receipt.id : undefined, isStored ? id : undefined);
  const filters = [{ actor, after: head }, ...(runId === undefined ? [] : [{ runId }])];
  for (const range of filters) {
    const found = await attempt(log.read("t", range));
    const versions = typeof found === "string" ? [] : found.map(({ version }) => version);
    expectEqual(`commits of ${what}`, versions, isStored ? [head + 1] : []);
  }
}
