// What components may rely on under a provider of the binding.
// (Long because it is a list: each case stands alone.)

import { robot } from "../log-contract/samples.ts";
import { expectEqual, expectTrue } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { add, type BindingCases, count, distinct, given, note, text } from "./binding-bench.ts";
import type { ContractClient } from "./binding-under-test.ts";

export function providerCases<Client extends ContractClient>(): BindingCases<Client> {
  return {
    "opens one connection for all components under a provider, and closes it with the last one": {
      async check({ binding, client, wire, thread, other }) {
        const page = await binding.provide(given(client, { thread }), [count, text]);
        await binding.until(() => wire.open === 1);
        await other(add(2));
        await other(note("both"));
        await binding.until(() => page.views[0]?.text() === "2" && page.views[1]?.text() === '"both"');
        expectEqual("connections", wire.connects, 1);
        await page.unmount();
        await binding.until(() => wire.open === 0);
      },
    },

    "connects nothing for a provider without a component that reads": {
      async check({ binding, client, thread, found }) {
        const page = await binding.provide(given(client, { thread }), []);
        expectEqual("threads looked for", found, []);
        await page.unmount();
      },
    },

    "starts from the snapshot of the page, and continues from its version": {
      async check({ binding, client, wire, thread, other }) {
        await other(add(4));
        const options = given(client, { thread });
        await other(note("later"));
        const page = await binding.provide(options, [count, text]);
        expectEqual("first render", [page.views[0]?.given()[0], page.views[1]?.given()[0]], ["4", '""']);
        await binding.until(() => page.views[1]?.text() === '"later"');
        expectEqual("caught up after version", wire.catchUps, [1]);
        await page.unmount();
      },
    },

    "dispatches to the provider's thread": {
      async check({ binding, client, thread }) {
        const page = await binding.provide(given(client, { thread }), [count]);
        const [accepted, refused] = [await page.dispatch(add(6)), await page.dispatch(add(101))];
        expectTrue("the first should be accepted", accepted.accepted);
        expectEqual("reason", refused.accepted ? "accepted" : refused.rejection.reason, "too_much");
        await binding.until(() => page.views[0]?.text() === "6");
        await page.unmount();
      },
    },

    "switches to the thread that its provider is given: shows it, edits it, and disconnects from the other": {
      async check({ binding, client, thread, wire, there }) {
        await there.thread.dispatch(note("there"), { actor: robot });
        const page = await binding.provide(given(client, { thread }), [count, text]);
        await page.dispatch(add(1));
        await page.give(given(client, there));
        await binding.until(() => page.views[0]?.text() === "0" && page.views[1]?.text() === '"there"');
        expectTrue("the edit should be accepted", (await page.dispatch(add(2))).accepted);
        await there.thread.dispatch(note("live"), { actor: robot });
        await binding.until(() => page.views[0]?.text() === "2" && page.views[1]?.text() === '"live"');
        await binding.until(() => wire.open === 0 && there.wire.open === 1);
        expectEqual("counts of the two", [thread.getState().count, there.thread.getState().count], [1, 2]);
        expectEqual("what was rendered of the first", distinct(page.views[0]?.given() ?? []), ["0", "1", "0", "2"]);
        await page.unmount();
        await binding.until(() => there.wire.open === 0);
      },
    },

    "sends edits to the thread in which they were made, also after its provider was given another one": {
      async check({ binding, client, thread, wire, there }) {
        const page = await binding.provide(given(client, { thread }), [count]);
        await binding.until(() => wire.open === 1);
        wire.hold();
        const verdict = page.dispatch(add(5));
        await binding.until(() => page.views[0]?.text() === "5");
        await page.give(given(client, there));
        await binding.until(() => page.views[0]?.text() === "0" && there.wire.open === 1);
        expectEqual("before it is sent", thread.getState().count, 0);
        wire.release();
        expectTrue("the edit should be accepted", (await verdict).accepted);
        await binding.until(() => wire.open === 0);
        expectEqual("counts of the two", [thread.getState().count, there.thread.getState().count], [5, 0]);
        expectEqual("text", page.views[0]?.text(), "0");
        await page.unmount();
      },
    },

    "shows pending edits again when its provider is given their thread again": {
      async check({ binding, client, thread, wire, there }) {
        const page = await binding.provide(given(client, { thread }), [count]);
        await binding.until(() => wire.open === 1);
        client.disconnect();
        const verdict = page.dispatch(add(5));
        await page.give(given(client, there));
        await binding.until(() => page.views[0]?.text() === "0");
        await page.give(given(client, { thread }));
        await binding.until(() => page.views[0]?.text() === "5");
        client.connect();
        expectTrue("the edit should be accepted", (await verdict).accepted);
        expectEqual("counts of the two", [thread.getState().count, there.thread.getState().count], [5, 0]);
        await page.unmount();
      },
    },

    "keeps its connection when its provider is given the same thread once more": {
      async check({ binding, client, thread, wire, other }) {
        const page = await binding.provide(given(client, { thread }), [count]);
        await page.dispatch(add(1));
        await page.give(given(client, { thread }));
        await page.dispatch(add(1));
        await other(add(1));
        await binding.until(() => page.views[0]?.text() === "3");
        expectEqual("connections", wire.connects, 1);
        await page.unmount();
      },
    },

    "renders its snapshot on a server, without a connection, and shares it with no other rendering": {
      needs: "renderOnServer",
      async check({ binding, client, thread, found }) {
        const render = (said: string) =>
          binding.renderOnServer?.(
            { ...given(client, { thread }), initial: { version: 9, state: { count: 41, note: said } } },
            text,
          );
        const [one, two] = await Promise.all([render("of ada"), render("of bob")]);
        expectTrue(`the HTML should have the state: ${one}`, one?.includes("of ada") === true);
        expectTrue(`the HTML should have its own state: ${two}`, two?.includes("of bob") === true);
        expectEqual("threads looked for", found, []);
        expectEqual("the client's own thread", client.thread(counter, "t").getState().note, "");
      },
    },
  };
}
