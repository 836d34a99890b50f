// The contract of UI bindings as runnable cases: what a component may rely on in every framework.
// (Long because it is a list: each case stands alone.)

import type { AnyOperation } from "../../engine/operation.ts";
import type { AnyDefinition, StateOf } from "../../definition/definition.ts";
import { createReplica } from "../../replica/create-replica.ts";
import type { Replica } from "../../replica/replica.ts";
import { threadTransport } from "../../replica/thread-transport.ts";
import type { Transport } from "../../replica/transport.ts";
import type { Readable } from "../../readable.ts";
import type { Snapshot, Verdict } from "../../thread/commit.ts";
import { memoryLog } from "../../thread/log/memory-log.ts";
import { openThread } from "../../thread/open-thread.ts";
import type { Thread } from "../../thread/thread.ts";
import { type ContractCase, expectEqual, expectTrue } from "../shared/contract.ts";
import { counter } from "../shared/contract-counter.ts";
import { ContractWire } from "../shared/wire.ts";
import { ada, robot } from "../log-contract/samples.ts";

/** A component on a page that shows one slice of a state as JSON. */
export interface BindingView {
  /** The text that the page shows now. */
  text(): string;
  /** The slice of each render, as JSON. */
  given(): readonly string[];
  unmount(): Promise<void>;
}

export interface ProvideOptions {
  readonly definition: AnyDefinition;
  readonly transport: Transport;
  readonly initial: Snapshot;
}

/** A selector on the state of the definition in the options. */
export type Select = (state: StateOf<AnyDefinition>) => unknown;

/** A binding, as a page uses it. */
export interface BindingUnderTest {
  /** Mounts a component that shows `select` of a source. Resolves when it is mounted. */
  view<State>(
    source: Readable<State>,
    select: (state: State) => unknown,
    isEqual?: (a: unknown, b: unknown) => boolean,
  ): Promise<BindingView>;
  /**
   * Mounts one component per selector under the provider of the binding, which creates the replica.
   */
  provide(
    options: ProvideOptions,
    selects: readonly Select[],
  ): Promise<{
    readonly views: readonly BindingView[];
    /** Dispatches from a component under the provider. */
    dispatch(update: AnyOperation): Promise<Verdict>;
    /**
     * Gives the same provider, above the same components, the options of another thread, as a
     * router does.
     */
    give(options: ProvideOptions): Promise<void>;
    unmount(): Promise<void>;
  }>;
  /**
   * Returns the HTML of such a component from a server render. Absent where the suite has no server
   * build.
   */
  renderOnServer?(options: ProvideOptions, select: Select): Promise<string>;
  /** Resolves when `check` returns true. Rejects after a time limit. */
  until(check: () => boolean): Promise<void>;
}

/**
 * Returns the cases that a UI binding must pass in a real page. Each throws when the contract is
 * broken, so any test runner fits.
 *
 * @example
 * ```tsx
 * import { bindingContract } from "@opstate/core/testing";
 *
 * for (const { name, run } of bindingContract(reactBinding)) test(name, run);
 * ```
 */
export function bindingContract(binding: BindingUnderTest): readonly ContractCase[] {
  return Object.entries(cases)
    .filter(([, { needs }]) => needs === undefined || binding[needs] !== undefined)
    .map(([name, { check }]) => ({
      name,
      async run() {
        const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "t" });
        const wire = new ContractWire(threadTransport(thread, { actor: ada }));
        const made: Replica[] = [];
        const other = async (update: AnyOperation) => {
          const verdict = await thread.submit(update, { actor: robot });
          expectTrue(`the other participant's ${update.type} should be accepted`, verdict.accepted);
        };
        const connect = async () => {
          const replica = createReplica({ definition: counter, transport: wire.transport });
          made.push(replica);
          await replica.ready();
          return replica;
        };
        const another = await openThread({ definition: counter, log: memoryLog(), threadId: "u" });
        const there = { thread: another, wire: new ContractWire(threadTransport(another, { actor: ada })) };
        try {
          await check({ binding, thread, wire, there, other, connect });
        } finally {
          for (const replica of made) replica.close();
          await thread.close();
          await another.close();
        }
      },
    }));
}

type Counter = ReturnType<Thread<typeof counter>["getState"]>;

interface Bench {
  readonly binding: BindingUnderTest;
  readonly thread: Thread<typeof counter>;
  readonly wire: ContractWire;
  /** Another thread and its connection. */
  readonly there: { readonly thread: Thread<typeof counter>; readonly wire: ContractWire };
  /** Dispatches an update of another participant. */
  other(update: AnyOperation): Promise<void>;
  connect(): Promise<Replica<typeof counter>>;
}

interface Case {
  readonly needs?: "renderOnServer";
  check(bench: Bench): Promise<void>;
}

const add = (by: number) => ({ type: "add", by }) as const;
const note = (text: string) => ({ type: "note", text }) as const;
const claim = (text: string) => ({ type: "claim", text }) as const;
const count = (state: Counter) => state.count;
const text = (state: Counter) => state.note;
const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const cases: Record<string, Case> = {
  "shows the present state in its first render": {
    async check({ binding, thread, other }) {
      await other(add(3));
      const view = await binding.view(thread, count);
      expectEqual("given", view.given()[0], "3");
      expectEqual("text", view.text(), "3");
      await view.unmount();
    },
  },

  "follows its source": {
    async check({ binding, thread, other }) {
      const view = await binding.view(thread, count);
      await other(add(1));
      await other(add(1));
      await binding.until(() => view.text() === "2");
      await view.unmount();
    },
  },

  "renders for its own slice only": {
    async check({ binding, thread, other }) {
      const [counts, notes] = [await binding.view(thread, count), await binding.view(thread, text)];
      const before = counts.given().length;
      await other(note("a"));
      await binding.until(() => notes.text() === '"a"');
      expectEqual("renders of the other slice", counts.given().length, before);
      await counts.unmount();
      await notes.unmount();
    },
  },

  "does not render again for an equal slice": {
    async check({ binding, thread, other }) {
      const list = await binding.view(thread, (state) => [state.note], sameJson);
      const counts = await binding.view(thread, count);
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
    async check({ binding, wire, connect, thread }) {
      const replica = await connect();
      const view = await binding.view(replica, count);
      wire.hold();
      const verdict = replica.dispatch(add(5));
      await binding.until(() => view.text() === "5");
      expectEqual("confirmed", thread.getState().count, 0);
      wire.release();
      expectTrue("the edit should be accepted", (await verdict).accepted);
      await binding.until(() => replica.sync.getState().pending.length === 0);
      expectEqual("what was shown", distinct(view.given()), ["0", "5"]);
      await view.unmount();
    },
  },

  "removes a refused edit, and the verdict has the reason": {
    async check({ binding, wire, connect, other }) {
      const replica = await connect();
      const view = await binding.view(replica, text);
      wire.hold();
      const verdict = replica.dispatch(claim("mine"));
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
    async check({ binding, wire, connect, other, thread }) {
      const replica = await connect();
      const [counts, notes] = [await binding.view(replica, count), await binding.view(replica, text)];
      const status = await binding.view(replica.sync, (sync) => sync.status);
      wire.cut();
      await binding.until(() => status.text() === '"offline"');
      const verdict = replica.dispatch(add(7));
      await other(note("meanwhile"));
      await binding.until(() => counts.text() === "7");
      wire.restore();
      expectTrue("the edit should be accepted", (await verdict).accepted);
      await binding.until(() => notes.text() === '"meanwhile"' && status.text() === '"online"');
      expectEqual("authority", thread.getState(), { count: 7, note: "meanwhile" });
      await counts.unmount();
      await notes.unmount();
      await status.unmount();
    },
  },

  "unsubscribes when it is unmounted": {
    async check({ binding, thread, other }) {
      let subscribers = 0;
      const counted: Readable<Counter> = {
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

  "opens one connection for all components under a provider, and closes it with the last one": {
    async check({ binding, wire, thread, other }) {
      const initial = { version: thread.version, state: thread.getState() };
      const page = await binding.provide({ definition: counter, transport: wire.transport, initial }, [count, text]);
      await binding.until(() => wire.open === 1);
      await other(add(2));
      await other(note("both"));
      await binding.until(() => page.views[0]?.text() === "2" && page.views[1]?.text() === '"both"');
      expectEqual("connections open", wire.open, 1);
      await page.unmount();
      await binding.until(() => wire.open === 0);
    },
  },

  "starts from the snapshot of the page, and continues from its version": {
    async check({ binding, wire, thread, other }) {
      await other(add(4));
      const initial = { version: thread.version, state: thread.getState() };
      await other(note("later"));
      const page = await binding.provide({ definition: counter, transport: wire.transport, initial }, [count, text]);
      expectEqual("first render", [page.views[0]?.given()[0], page.views[1]?.given()[0]], ["4", '""']);
      await binding.until(() => page.views[1]?.text() === '"later"');
      expectEqual("connected after version", wire.connects[0], 1);
      await page.unmount();
    },
  },

  "dispatches to the provider's replica": {
    async check({ binding, wire, thread }) {
      const initial = { version: thread.version, state: thread.getState() };
      const page = await binding.provide({ definition: counter, transport: wire.transport, initial }, [count]);
      const [accepted, refused] = [await page.dispatch(add(6)), await page.dispatch(add(101))];
      expectTrue("the first should be accepted", accepted.accepted);
      expectEqual("reason", refused.accepted ? "accepted" : refused.rejection.reason, "too_much");
      await binding.until(() => page.views[0]?.text() === "6");
      await page.unmount();
    },
  },

  "switches to the thread that its provider is given: shows it, edits it, and disconnects from the other": {
    async check({ binding, thread, wire, there }) {
      await there.thread.dispatch(note("there"), { actor: robot });
      const page = await binding.provide(given({ thread, wire }), [count, text]);
      await page.dispatch(add(1));
      await page.give(given(there));
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
    async check({ binding, thread, wire, there }) {
      const page = await binding.provide(given({ thread, wire }), [count]);
      await binding.until(() => wire.open === 1);
      wire.hold();
      const verdict = page.dispatch(add(5));
      await binding.until(() => page.views[0]?.text() === "5");
      await page.give(given(there));
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
    async check({ binding, thread, wire, there }) {
      const page = await binding.provide(given({ thread, wire }), [count]);
      await binding.until(() => wire.open === 1);
      wire.cut();
      const verdict = page.dispatch(add(5));
      await page.give(given(there));
      await binding.until(() => page.views[0]?.text() === "0");
      await page.give(given({ thread, wire }));
      await binding.until(() => page.views[0]?.text() === "5");
      wire.restore();
      expectTrue("the edit should be accepted", (await verdict).accepted);
      expectEqual("counts of the two", [thread.getState().count, there.thread.getState().count], [5, 0]);
      expectEqual("connections", wire.connects.length, 1);
      await page.unmount();
    },
  },

  "treats a transport of equal key as the same one": {
    async check({ binding, thread, wire, other }) {
      const same = () => ({ ...given({ thread, wire }), transport: { ...wire.transport, key: ["contract", thread] } });
      const page = await binding.provide(same(), [count]);
      await page.dispatch(add(1));
      await page.give(same());
      await page.dispatch(add(1));
      await other(add(1));
      await binding.until(() => page.views[0]?.text() === "3");
      expectEqual("connections", wire.connects.length, 1);
      await page.unmount();
    },
  },

  "renders its snapshot on a server, without a connection": {
    needs: "renderOnServer",
    async check({ binding, wire }) {
      const initial = { version: 9, state: { count: 41, note: "from the server" } };
      const html = await binding.renderOnServer?.({ definition: counter, transport: wire.transport, initial }, text);
      expectTrue(`the HTML should have the state: ${html}`, html?.includes("from the server") === true);
      expectEqual("connections", wire.connects.length, 0);
    },
  },
};

/** The options of a provider for the current state of a thread. */
function given({ thread, wire }: Pick<Bench, "thread" | "wire">): ProvideOptions {
  return {
    definition: counter,
    transport: wire.transport,
    initial: { version: thread.version, state: thread.getState() },
  };
}

/** The renders without repetitions: what a person saw. */
function distinct(given: readonly string[]): readonly string[] {
  return given.filter((each, index) => each !== given[index - 1]);
}
