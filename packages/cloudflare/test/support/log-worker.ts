// A Worker that runs the cases of the log's contract, each in an object of its own.

import { createLog, type FullLog, type LogAdapter, type ThreadLog } from "@opstate/core/log";
import { logContract } from "@opstate/core/testing";
import { objectLog } from "../../src/log/object-log.ts";
import type { ObjectNamespace, ObjectState, ObjectStorage } from "../../src/platform.ts";

type Options = { readonly refusalsPerActor?: number };

/** A log of which each call finds nothing in memory, as in an object that was restarted. */
function restartedLog(storage: ObjectStorage, options: Options) {
  const open = () => objectLog(storage, options);
  const { limits } = open();
  const adapter: LogAdapter = {
    limits,
    thread: (threadId, incarnation) =>
      new Proxy({} as ThreadLog, {
        get: (_, call: keyof ThreadLog) => {
          // The handle is made anew with each call.
          return (...given: readonly unknown[]) => {
            const handle = open().thread(threadId, incarnation);
            return (handle[call] as (...given: readonly unknown[]) => unknown)(...given);
          };
        },
      }),
    finder: { find: (...given) => open().finder!.find(...given) },
    threads: (...given) => open().threads(...given),
    close: () => open().close(),
  };
  return createLog(adapter);
}

const openers = { lasting: objectLog, restarted: restartedLog };

function casesOn(storage: ObjectStorage, kind: keyof typeof openers) {
  const contract = logContract({
    async open(options) {
      const open = () => openers[kind](storage, options);
      return { log: open(), reopen: async () => open() };
    },
  });
  const name = "keeps texts that are longer than a row may be, and erases them with their row";
  return [...contract, { name, run: () => keepsLongTexts(storage, () => openers[kind](storage, {})) }];
}

async function keepsLongTexts(storage: ObjectStorage, open: () => FullLog): Promise<void> {
  const pieces = () => Number([...storage.sql.exec("SELECT count(*) AS n FROM pieces")][0]?.["n"]);
  // More than 2 MB of UTF-8, with pairs that a cut would break.
  const note = "x" + "\u{1f600}".repeat(700_000);
  const at = "2026-01-01T00:00:00.000Z";
  const actor = { kind: "user", id: "ada" };
  const created = { definition: "d", definitionVersion: 1, state: { note }, at };
  await open().thread("long", "a").create(created);
  const commit = {
    version: 1,
    id: "one",
    operation: { type: "$replace", value: note },
    actor,
    at,
    patches: [{ op: "replace", path: "/note", value: note }],
    inverse: [],
    definitionVersion: 1,
  } as const;
  const receipt = { actor, id: "one", hash: "h", outcome: { accepted: true, version: 1 } } as const;
  await open().thread("long", "a").append({ version: 0 }, [{ receipt, commit }]);
  // Twice, as it may be saved again.
  const snapshot = { version: 1, definitionVersion: 1, state: { note } };
  for (let times = 0; times < 2; times += 1) await open().thread("long", "a").saveSnapshot(snapshot);
  const loaded = await open().thread("long", "a").load();
  const { items } = await open().thread("long", "a").commits();
  if (JSON.stringify(loaded?.snapshot) !== JSON.stringify(snapshot)) throw new Error("The snapshot is another one.");
  if (JSON.stringify(items) !== JSON.stringify([commit])) throw new Error("The commit is another one.");
  const log = open();
  await log.thread("long", "a").compact(snapshot);
  const [some] = [pieces()];
  await log.thread("long", "a").delete();
  await log.close();
  if (some === 0 || pieces() > 0) throw new Error(`${some} pieces became ${pieces()}.`);
}

export class Logs {
  readonly #storage: ObjectStorage;

  constructor({ storage }: ObjectState) {
    this.#storage = storage;
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, kind = "", index = ""] = pathname.split("/");
    const cases = casesOn(this.#storage, kind as keyof typeof openers);
    if (index === "") return Response.json(cases.map(({ name }) => name));
    try {
      await cases[Number(index)]?.run();
      return new Response("");
    } catch (error) {
      return new Response(error instanceof Error ? `${error.message}\n${error.stack}` : String(error));
    }
  }
}

export default {
  fetch(request: Request, { Logs: logs }: { readonly Logs: ObjectNamespace }): Promise<Response> {
    return logs.get(logs.idFromName(new URL(request.url).pathname)).fetch(request);
  },
};
