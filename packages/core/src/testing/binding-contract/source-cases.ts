// What a component may rely on that reads a source which it is given: a client's thread, one
// without a server, an opened thread, a replica.
// (Long because it is a list: each case stands alone.)

import { createReplica } from "../../replica/create-replica.ts";
import { threadTransport } from "../../replica/thread-transport.ts";
import type { Readable } from "../../readable.ts";
import { ada } from "../log-contract/samples.ts";
import { expectEqual, expectTrue } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { add, type BindingCases, claim, count, type CounterState, distinct, note, text } from "./binding-bench.ts";
import type { ContractClient } from "./binding-under-test.ts";

const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function sourceCases<Client extends ContractClient>(): BindingCases<Client> {
  return {
    "shows the present state in its first render": {
      async check({ binding, thread, client, other }) {
        await other(add(3));
        const page = client.thread(counter, "t");
        await page.ready();
        for (const source of [thread, page]) {
          const view = await binding.view(source, count);
          expectEqual("given", view.given()[0], "3");
          expectEqual("text", view.text(), "3");
          await view.unmount();
        }
      },
    },

    "follows a client's thread": {
      async check({ binding, client, other }) {
        const view = await binding.view(client.thread(counter, "t"), count);
        await other(add(1));
        await other(add(1));
        await binding.until(() => view.text() === "2");
        await view.unmount();
      },
    },

    "follows a thread without a server": {
      async check({ binding, clients }) {
        const local = clients.createLocal(counter, { actor: ada });
        const view = await binding.view(local, count);
        const verdict = local.dispatch(add(2));
        await binding.until(() => view.text() === "2");
        expectTrue("the edit should be accepted", (await verdict).accepted);
        expectEqual("what was shown", distinct(view.given()), ["0", "2"]);
        await view.unmount();
      },
    },

    "follows an opened thread": {
      async check({ binding, thread, other }) {
        const view = await binding.view(thread, count);
        await other(add(1));
        await other(add(1));
        await binding.until(() => view.text() === "2");
        await view.unmount();
      },
    },

    "follows a replica": {
      async check({ binding, thread, other }) {
        const replica = createReplica({ definition: counter, transport: threadTransport(thread, { actor: ada }) });
        const view = await binding.view(replica, count);
        await other(add(1));
        await binding.until(() => view.text() === "1");
        void replica.dispatch(add(1));
        await binding.until(() => view.text() === "2");
        await view.unmount();
        replica.close();
      },
    },

    "renders for its own slice only": {
      async check({ binding, client, other }) {
        const page = client.thread(counter, "t");
        const [counts, notes] = [await binding.view(page, count), await binding.view(page, text)];
        const before = counts.given().length;
        await other(note("a"));
        await binding.until(() => notes.text() === '"a"');
        expectEqual("renders of the other slice", counts.given().length, before);
        await counts.unmount();
        await notes.unmount();
      },
    },

    "does not render again for an equal slice": {
      async check({ binding, client, other }) {
        const page = client.thread(counter, "t");
        const list = await binding.view(page, (state) => [state.note], sameJson);
        const counts = await binding.view(page, count);
        const before = list.given().length;
        await other(add(1));
        await binding.until(() => counts.text() === "1");
        expectEqual("renders", list.given().length, before);
        await other(note("b"));
        await binding.until(() => list.text() === '["b"]');
        await list.unmount();
        await counts.unmount();
      },
    },

    "shows an edit at once, and its confirmation without a flicker": {
      async check({ binding, wire, client, thread }) {
        const page = client.thread(counter, "t");
        const view = await binding.view(page, count);
        wire.hold();
        const verdict = page.dispatch(add(5));
        await binding.until(() => view.text() === "5");
        expectEqual("confirmed", thread.getState().count, 0);
        wire.release();
        expectTrue("the edit should be accepted", (await verdict).accepted);
        await binding.until(() => page.sync.getState().pending.length === 0);
        expectEqual("what was shown", distinct(view.given()), ["0", "5"]);
        await view.unmount();
      },
    },

    "removes a refused edit, and the verdict has the reason": {
      async check({ binding, wire, client, other }) {
        const page = client.thread(counter, "t");
        const view = await binding.view(page, text);
        wire.hold();
        const verdict = page.dispatch(claim("mine"));
        await binding.until(() => view.text() === '"mine"');
        await other(claim("theirs"));
        wire.release();
        const final = await verdict;
        expectEqual("reason", final.accepted ? "accepted" : final.rejection.reason, "claimed");
        await binding.until(() => view.text() === '"theirs"');
        expectEqual("what was shown", distinct(view.given()).at(-1), '"theirs"');
        await view.unmount();
      },
    },

    "keeps edits over a lost connection, and catches up": {
      async check({ binding, client, other, thread }) {
        const page = client.thread(counter, "t");
        const [counts, notes] = [await binding.view(page, count), await binding.view(page, text)];
        const status = await binding.view(page.sync, (sync) => sync.status);
        client.disconnect();
        await binding.until(() => status.text() === '"offline"');
        const verdict = page.dispatch(add(7));
        await other(note("meanwhile"));
        await binding.until(() => counts.text() === "7");
        client.connect();
        expectTrue("the edit should be accepted", (await verdict).accepted);
        await binding.until(() => notes.text() === '"meanwhile"' && status.text() === '"online"');
        expectEqual("authority", thread.getState(), { count: 7, note: "meanwhile" });
        for (const view of [counts, notes, status]) await view.unmount();
      },
    },

    "renders changes that come faster than frames together, and shows the last one": {
      async check({ binding, client, other }) {
        const view = await binding.view(client.thread(counter, "t"), count);
        const before = view.given().length;
        const frames = binding.countFrames();
        const start = Date.now();
        const changes = 200;
        for (let each = 1; each <= changes; each++) {
          await other(add(1));
          await binding.task();
        }
        await binding.until(() => view.text() === String(changes));
        const renders = view.given().length - before;
        // One at once in the first frame, then one for each frame that began meanwhile, or for each
        // tenth of a second in which none came. StrictMode renders twice.
        const tenths = Math.floor((Date.now() - start) / 100);
        const most = 2 * (frames() + tenths + 2);
        expectTrue(`${renders} renders for ${changes} changes in ${frames()} frames`, renders <= most);
        expectTrue(`${renders} renders for ${changes} changes`, renders < changes);
        await view.unmount();
      },
    },

    "shows an own edit at once, also between many edits of others": {
      async check({ binding, client, other }) {
        const page = client.thread(counter, "t");
        const view = await binding.view(page, (state) => `${state.count} ${state.note}`);
        // On the page's build a thread of this process is connected a moment later.
        await page.ready();
        const stop = binding.countFrames();
        for (let each = 1; each <= 20; each++) {
          await other(add(1));
          const frames = stop();
          void page.dispatch(note(`mine ${each}`));
          await binding.task();
          // A frame that ended meanwhile proves nothing.
          if (stop() === frames) expectEqual("text", view.text(), `"${each} mine ${each}"`);
        }
        await view.unmount();
      },
    },

    "shows a state and a sync of one moment": {
      async check({ binding, client, other }) {
        const view = await binding.viewBoth(client.thread(counter, "t"), count);
        for (let each = 1; each <= 60; each++) {
          await other(add(1));
          await binding.task();
        }
        await binding.until(() => view.text() === "[60,60]");
        const torn = view.given().filter((pair) => {
          const [version, shown] = JSON.parse(pair) as readonly number[];
          return version !== shown;
        });
        expectEqual("renders of two versions", torn, []);
        await view.unmount();
      },
    },

    "unsubscribes when it is unmounted": {
      async check({ binding, thread, other }) {
        let subscribers = 0;
        const counted: Readable<CounterState> = {
          getState: thread.getState,
          getInitialState: thread.getInitialState,
          subscribe(listener) {
            const end = thread.subscribe(listener);
            subscribers += 1;
            return () => {
              subscribers -= 1;
              end();
            };
          },
        };
        const view = await binding.view(counted, count);
        expectTrue("it should be subscribed while it is mounted", subscribers > 0);
        const { length } = view.given();
        await view.unmount();
        await binding.until(() => subscribers === 0);
        await other(add(1));
        expectEqual("renders after it was unmounted", view.given().length, length);
      },
    },
  };
}
