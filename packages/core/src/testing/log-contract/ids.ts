// The log contract of ids that are not well-formed text: two different ids stay different, or the
// log refuses them in every method.

import { defined } from "../../defined.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Log } from "../../thread/log/log.ts";
import { expectEqual, expectTrue } from "../shared/contract.ts";
import { OpstateError } from "../../error.ts";
import { findCommits } from "../../thread/log/find-commits.ts";
import type { LogCase, PortCase } from "./log-contract.ts";
import { ada, AT, committed, later, newThread } from "./samples.ts";

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

/** Texts that a storage may fold into one: by case, form, width, sign, number or end. */
const ALIKE = [
  ["a", "A", "a ", " a", "a\u0000", "a\u0000b", "a\u200b", "\ufeffa", "\uff41", "\u0430"],
  ["\u00e9", "e\u0301", "\u00c9", "e"],
  ["1", "01", "1.0", "1e0", "+1", "0x1", "\u0661", "'1'"],
  ["\u00df", "ss", "\u1e9e"],
  ["K", "\u212a", "\u00c5", "\u212b", "\ufb01", "fi"],
  ["\ufffd", "\uffff", "\ufffe", "\u{10ffff}", "\u{1f600}", "\\ud83d\\ude00", "\\u0000"],
  ["null", "NULL", "true", "{}", '"', '\\"', "%", "_", "x".repeat(199), "x".repeat(200)],
].flat();

const HALVES = ["\ud800", "\udc00", "a\ud83d", "\ude00\ud83d"];

/** Ids of handles: every one its own, and no half of a pair. */
export const handleIdCases: Readonly<Record<string, PortCase>> = {
  async "keeps ids apart that a storage could fold into one"(log, { reopen }) {
    const made = (index: number) => ({
      definition: "counter",
      definitionVersion: 1,
      state: { index },
      at: later(index),
    });
    for (const [index, id] of ALIKE.entries()) {
      const own = log.thread(id, `incarnation ${index}`);
      const { status } = await own.create(made(index));
      expectEqual(`create ${name(id)}`, status, "created");
    }
    const shared = log.thread(ALIKE[0] ?? "", "incarnation 0");
    const entries = ALIKE.flatMap((id) => {
      const actor = { kind: "user", id };
      return [
        { receipt: { id, actor: ada }, runId: id },
        { receipt: { id: "same", actor }, runId: "run" },
        { receipt: { id: "same", actor: { kind: id, id: "user" } }, runId: "run" },
      ];
    }).map(({ receipt, runId }, index) => committed(index + 1, receipt.id, receipt.actor, { runId }));
    expectEqual("append", await shared.append({ version: 0 }, entries), { status: "appended" });
    for (const open of [async () => log, reopen]) {
      const source = await open();
      const listed = (await source.threads()).items.map(({ threadId }) => threadId);
      expectEqual("list", listed, ALIKE);
      const thread = source.thread(ALIKE[0] ?? "", "incarnation 0");
      for (const [index, id] of ALIKE.entries()) {
        expectEqual(`thread ${name(id)}`, (await source.thread(id).snapshotAt(0))?.state, { index });
        for (const [place, actor, submission] of [
          [0, ada, id],
          [1, { kind: "user", id }, "same"],
          [2, { kind: id, id: "user" }, "same"],
        ] as const) {
          const receipt = await thread.receipt(actor, submission);
          expectEqual(`receipt ${place} of ${name(id)}`, receipt?.outcome, {
            accepted: true,
            version: index * 3 + place + 1,
          });
        }
        const found = await findCommits(source, { threadId: ALIKE[0] ?? "" }, { runId: id });
        expectEqual(
          `run ${name(id)}`,
          found.items.map(({ version }) => version),
          [index * 3 + 1],
        );
      }
      const again = await thread.append({ version: entries.length }, [
        committed(entries.length + 1, ALIKE[3] ?? "", ada),
      ]);
      expectEqual("a repeated id", again.status, "duplicate");
    }
  },

  async "refuses ids with half of a surrogate pair in every call, and does nothing"(log) {
    const made = { definition: "counter", definitionVersion: 1, state: {}, at: AT };
    const own = log.thread("t", "of t");
    await own.create(made);
    for (const half of HALVES) {
      const refused = async (what: string, call: Promise<unknown>) => {
        const code = await call.then(
          () => "resolved",
          (error: unknown) => (error instanceof OpstateError ? error.code : String(error)),
        );
        expectEqual(`${what} with ${name(half)}`, code, "invalid_id");
      };
      const actor = { kind: "user", id: half };
      await refused("create", log.thread(half, "of another").create(made));
      await refused(
        "parent",
        log.thread("b", "of b").create({ ...made, parent: { threadId: half, version: 0, incarnation: "of t" } }),
      );
      for (const call of ["info", "load", "commits", "receipts", "refusals", "delete"] as const)
        await refused(call, log.thread(half)[call]());
      await refused("threads", log.threads({ parent: half }));
      await refused("receipt", own.receipt(ada, half));
      await refused("receipt of an actor", own.receipt(actor, "c1"));
      await refused("append of an id", own.append({ version: 0 }, [committed(1, half)]));
      await refused("append of an actor", own.append({ version: 0 }, [committed(1, "c1", actor)]));
      await refused("append of a run", own.append({ version: 0 }, [committed(1, "c1", ada, { runId: half })]));
      await refused("append of a call", own.append({ version: 0 }, [committed(1, "c1", ada, { toolCallId: half })]));
      await refused(
        "append of a type",
        own.append({ version: 0 }, [committed(1, "c1", ada, { operation: { type: half } })]),
      );
    }
    expectEqual(
      "threads",
      (await log.threads()).items.map(({ threadId }) => threadId),
      ["t"],
    );
    expectEqual("head", (await own.info())?.version, 0);
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
