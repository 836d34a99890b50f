// What a component may rely on that shows what an agent is about to do.

import { robot } from "../log-contract/samples.ts";
import { expectEqual } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { type BindingCases, distinct, note, text } from "./binding-bench.ts";
import type { ContractClient } from "./binding-under-test.ts";

export function intentCases<Client extends ContractClient>(): BindingCases<Client> {
  return {
    "shows what an agent is about to do, until it is done, and never both": {
      async check({ binding, clients, client, thread }) {
        const page = client.thread(counter, "t");
        await page.ready();
        const view = await binding.viewIntents(page, text);
        const call = clients.intentsOf(page).open({ id: "call_1", type: "note" });
        call.write('{"text":"Mi');
        await binding.until(() => view.text() === '[1,"Mi"]');
        expectEqual("the thread's own state", page.getState().note, "");
        call.write("lk");
        await binding.until(() => view.text() === '[1,"Milk"]');
        await thread.submit(note("Milk!"), { actor: robot, toolCallId: "call_1" });
        await binding.until(() => view.text() === '[0,"Milk!"]');
        const torn = distinct(view.given()).filter((shown) =>
          ['[1,"Milk!"]', '[0,"Milk"]', '[0,"Mi"]'].includes(shown),
        );
        expectEqual("renders of an intent beside what it became", torn, []);
        await view.unmount();
      },
    },
  };
}
