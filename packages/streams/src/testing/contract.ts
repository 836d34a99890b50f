// The contract of stream stores as runnable cases. Memory, SQLite and Postgres run the same ones.

import type { StreamStore } from "../store/store.ts";
import { appendCases } from "./append-cases.ts";
import { callCases } from "./call-cases.ts";
import type { StreamContractCase } from "./expect.ts";
import { followCases } from "./follow-cases.ts";
import { forkCases } from "./fork-cases.ts";
import { lifetimeCases } from "./lifetime-cases.ts";
import { readCases } from "./read-cases.ts";

/** An empty store of the kind under test. `dispose` closes it and deletes the storage. */
export interface StreamStoreUnderTest {
  readonly store: StreamStore;
  /** Closes it and opens the same storage again. Left out, what it holds ends with it. */
  reopen?(): Promise<StreamStore>;
  /**
   * Opens the same storage once more, as another process does, while `store` stays open. Left out,
   * one process alone is tested.
   */
  beside?(): Promise<StreamStore>;
  dispose?(): Promise<void>;
}

/** What a case gets: an empty store, the time that it sees, and how to open the storage again. */
export interface StreamCaseContext {
  readonly store: StreamStore;
  /** Lets milliseconds go by, on the store's clock. */
  pass(milliseconds: number): void;
  readonly now: () => number;
  readonly reopen: (() => Promise<StreamStore>) | undefined;
  readonly beside: (() => Promise<StreamStore>) | undefined;
}

export type StreamCases = Readonly<Record<string, (context: StreamCaseContext) => Promise<void>>>;

export interface StreamStoreContractOptions {
  /** Opens an empty store that has this clock. Called once for each case. */
  open(options: { readonly now: () => number }): Promise<StreamStoreUnderTest>;
}

/**
 * Returns the cases that a `StreamStore` must pass. Each throws when the contract is broken, so any
 * test runner fits.
 *
 * @example
 * ```ts
 * import { memoryStreams } from "@opstate/streams";
 * import { streamStoreContract } from "@opstate/streams/testing";
 *
 * const cases = streamStoreContract({ open: async ({ now }) => ({ store: memoryStreams({ now }) }) });
 * for (const { run } of cases) await run(); // or, in a test file: for (const { name, run } of cases) it(name, run)
 * ```
 */
export function streamStoreContract({ open }: StreamStoreContractOptions): readonly StreamContractCase[] {
  const all: StreamCases = {
    ...appendCases,
    ...readCases,
    ...forkCases,
    ...lifetimeCases,
    ...followCases,
    ...callCases,
  };
  return Object.entries(all).map(([name, run]) => ({
    name,
    async run() {
      let passed = 0;
      const now = () => Date.now() + passed;
      const under = await open({ now });
      const others: StreamStore[] = [];
      const { reopen, beside } = under;
      try {
        await run({
          store: under.store,
          now,
          pass: (milliseconds) => void (passed += milliseconds),
          reopen: reopen && (() => reopen.call(under)),
          beside:
            beside &&
            (async () => {
              const other = await beside.call(under);
              others.push(other);
              return other;
            }),
        });
      } finally {
        for (const other of others) await other.close();
        await (under.dispose?.() ?? under.store.close());
      }
    },
  }));
}
