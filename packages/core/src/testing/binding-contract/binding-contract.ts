// The contract of UI bindings as runnable cases: what a component may rely on in every framework.

import type { AnyOperation } from "../../engine/operation.ts";
import { memoryLog } from "../../thread/log/memory/memory-log.ts";
import { openThread } from "../../thread/open-thread.ts";
import { type ContractCase, expectTrue } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { WiredThread } from "./wired-thread.ts";
import { ada, robot } from "../log-contract/samples.ts";
import type { BindingCases, WiredCounter } from "./binding-bench.ts";
import type { BindingUnderTest, ContractClient, ContractClients } from "./binding-under-test.ts";
import { intentCases } from "./intent-cases.ts";
import { providerCases } from "./provider-cases.ts";
import { sourceCases } from "./source-cases.ts";

/**
 * Returns the cases that a UI binding must pass in a real page. Each throws when the contract is
 * broken, so any test runner fits.
 *
 * @example
 * ```tsx
 * import { createClient, createLocal } from "@opstate/client";
 * import { intentsOf } from "@opstate/client/intents";
 * import { bindingContract } from "@opstate/core/testing";
 *
 * for (const { name, run } of bindingContract(reactBinding, { createClient, createLocal, intentsOf })) test(name, run);
 * ```
 */
export function bindingContract<Client extends ContractClient>(
  binding: BindingUnderTest<Client>,
  clients: ContractClients<Client>,
): readonly ContractCase[] {
  const cases: BindingCases<Client> = {
    ...sourceCases<Client>(),
    ...intentCases<Client>(),
    ...providerCases<Client>(),
  };
  return Object.entries(cases)
    .filter(([, { needs }]) => needs === undefined || binding[needs] !== undefined)
    .map(([name, { check }]) => ({
      name,
      async run() {
        const [here, there] = [await openWired("t"), await openWired("u")];
        const found: string[] = [];
        const client = clients.createClient({
          threads(threadId) {
            found.push(threadId);
            return [here, there].find(({ thread }) => thread.threadId === threadId)?.wire.thread;
          },
          actor: ada,
        });
        const other = async (update: AnyOperation) => {
          const verdict = await here.thread.submit(update, { actor: robot });
          expectTrue(`the other participant's ${update.type} should be accepted`, verdict.accepted);
        };
        try {
          await check({ binding, clients, client, found, ...here, there, other });
        } finally {
          client.close();
          for (const { thread } of [here, there]) await thread.close();
        }
      },
    }));
}

async function openWired(threadId: string): Promise<WiredCounter> {
  const thread = await openThread({ definition: counter, log: memoryLog(), threadId });
  return { thread, wire: new WiredThread(thread) };
}
