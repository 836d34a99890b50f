// A Worker that runs the cases of the log's contract, each in an object of its own.

import { createLog, type LogAdapter, type ThreadLog } from "@opstate/core/log";
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
    close: async () => undefined,
  };
  return createLog(adapter);
}

const openers = { lasting: objectLog, restarted: restartedLog };

function casesOn(storage: ObjectStorage, kind: keyof typeof openers) {
  return logContract({
    async open(options) {
      const open = () => openers[kind](storage, options);
      return { log: open(), reopen: async () => open() };
    },
  });
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
