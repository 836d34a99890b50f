// The log contract of a call's time and size: a call that is over does nothing, none is waited for
// after its end, and an append beyond the limits is refused.

import { OpstateError } from "../../error.ts";
import type { ThreadLog } from "../../thread/log/adapter.ts";
import type { CallOptions, CallSignal } from "../../thread/log/call.ts";
import { expectEqual, expectRejects, expectTrue } from "../shared/contract.ts";
import { made } from "./handles.ts";
import type { PortCase } from "./log-contract.ts";
import { ada, commitOf, commits, committed, snapshotOf } from "./samples.ts";

const calls: Readonly<Record<string, (thread: ThreadLog, call: CallOptions) => Promise<unknown>>> = {
  create: (thread, call) => thread.create(made(), call),
  info: (thread, call) => thread.info(call),
  load: (thread, call) => thread.load({}, call),
  append: (thread, call) => thread.append({ version: 3 }, [committed(4)], call),
  receipt: (thread, call) => thread.receipt(ada, "c1", call),
  receipts: (thread, call) => thread.receipts({}, call),
  commits: (thread, call) => thread.commits({}, call),
  refusals: (thread, call) => thread.refusals({}, call),
  saveSnapshot: (thread, call) => thread.saveSnapshot(snapshotOf(2), call),
  snapshotAt: (thread, call) => thread.snapshotAt(1, call),
  compact: (thread, call) => thread.compact(snapshotOf(2), call),
  dropReceipts: (thread, call) => thread.dropReceipts(2, call),
  rewrite: (thread, call) => thread.rewrite({}, call),
  delete: (thread, call) => thread.delete({}, call),
};

/** A signal that can be aborted. */
class Switch implements CallSignal {
  aborted = false;
  readonly reason = "enough";
  readonly #listeners = new Set<() => void>();

  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "resolved",
    (error: unknown) => (error instanceof OpstateError ? error.code : String(error)),
  );
}

export const callCases: Readonly<Record<string, PortCase>> = {
  async "does nothing in a call that is over before it begins, and says so"(log) {
    const own = log.thread("t", "of t");
    const aborted = new Switch();
    aborted.abort();
    for (const [name, call] of Object.entries(calls)) {
      if (name === "info") {
        await own.create(made());
        await own.append({ version: 0 }, commits(1, 3));
      }
      expectEqual(`${name} after its deadline`, await codeOf(call(own, { deadline: Date.now() - 1 })), "timed_out");
      expectEqual(`${name} after its abort`, await codeOf(call(own, { signal: aborted })), "aborted");
      if (name === "create") expectEqual("nothing was made", await own.info(), undefined);
    }
    expectEqual("threads", await codeOf(log.threads({}, { deadline: 0 })), "timed_out");
    const { finder } = log;
    if (finder !== undefined)
      expectEqual(
        "find",
        await codeOf(finder.find({ threadId: "t" }, { actor: ada }, {}, { deadline: 0 })),
        "timed_out",
      );
    const info = await own.info();
    expectEqual("info", [info?.version, info?.floor, info?.receiptFloor], [3, 0, undefined]);
    expectEqual("snapshots", (await own.load())?.snapshot.version, 0);
    expectEqual(
      "the same calls in time",
      await codeOf(own.append({ version: 3 }, [committed(4)], { deadline: Date.now() + 60_000 })),
      "resolved",
    );
  },

  async "answers a call that is aborted while it runs, and goes on working"(log) {
    const own = log.thread("t", "of t");
    await own.create(made());
    await own.append({ version: 0 }, commits(1, 3));
    for (const [name, call] of Object.entries(calls)) {
      if (name === "delete") continue;
      const signal = new Switch();
      const code = codeOf(call(own, { signal }));
      signal.abort();
      expectTrue(`${name}: ${await code}`, ["resolved", "aborted"].includes(await code));
      expectEqual(`${name} still listens`, signal.listeners, 0);
    }
    const head = (await own.info())?.version ?? 0;
    const again = await own.append({ version: head }, [committed(head + 1, "c4")]);
    expectTrue(`the same append: ${again.status}`, again.status === "appended" || again.status === "duplicate");
    const next = (await own.info())?.version ?? 0;
    expectEqual("the effect of one", next, 4);
    expectEqual("another", await own.append({ version: next }, [committed(next + 1)]), { status: "appended" });
  },

  async "declares how much one append takes"(log) {
    const { entries, bytes } = log.limits;
    expectTrue(`limits ${entries} entries, ${bytes} bytes`, entries >= 1 && bytes >= 1_000);
  },

  async "takes as many entries as it declares, and stores nothing of more"(log) {
    const { entries } = log.limits;
    const own = log.thread("t", "of t");
    await own.create(made());
    const most = Math.min(entries, 3_000);
    expectEqual("as many entries", await own.append({ version: 0 }, commits(1, most)), { status: "appended" });
    if (entries <= 1_000_000)
      await expectRejects("an entry more", own.append({ version: most }, commits(most + 1, most + entries + 1)));
    expectEqual("head", (await own.info())?.version, most);
  },

  async "takes as many bytes as it declares, and stores nothing of more"(log) {
    const { bytes } = log.limits;
    const own = log.thread("t", "of t");
    await own.create(made());
    const large = (length: number) => [
      committed(1, "large", ada, { operation: Object.assign({ type: "add" }, { text: "x".repeat(length) }) }),
    ];
    if (bytes <= 128 * 2 ** 20) await expectRejects("a byte more", own.append({ version: 0 }, large(bytes)));
    expectEqual("head", (await own.info())?.version, 0);
    expectEqual("receipt", await own.receipt(ada, "large"), undefined);
    const fitting = Math.min(bytes, 2_000_000) - JSON.stringify(commitOf(1, "large")).length - 400;
    expectEqual("a large one", await own.append({ version: 0 }, large(fitting)), { status: "appended" });
  },
};
