// The behaviours that every binding has, on React: plain, in StrictMode.

import { type Client, type ClientThread, createClient, createLocal } from "@opstate/client";
import { intentsOf } from "@opstate/client/intents";
import type { Readable } from "@opstate/core";
import { type BindingUnderTest, type BindingView, bindingContract, type ProvideOptions } from "@opstate/core/testing";
import { createAgentStateContext, useAgentState, useIntents, useSync } from "@opstate/react";
import { type ReactNode, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { describe, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { countFrames, task } from "./support/frames.ts";

type Wrap = (children: ReactNode) => ReactNode;

/**
 * A component that shows a slice, and remembers what it was given. (The compiler knows a hook by
 * its name.)
 */
function slice(useValue: () => unknown) {
  const given: string[] = [];
  function Slice() {
    const json = JSON.stringify(useValue());
    given.push(json);
    return <output>{json}</output>;
  }
  return { Slice, given };
}

function react(wrap: Wrap): BindingUnderTest<Client> {
  async function viewOf(useValue: () => unknown): Promise<BindingView> {
    const { Slice, given } = slice(useValue);
    const screen = await render(wrap(<Slice />));
    return { text: () => screen.container.textContent, given: () => given, unmount: () => screen.unmount() };
  }

  return {
    view: <State,>(
      source: Readable<State>,
      select: (state: State) => unknown,
      isEqual?: (a: unknown, b: unknown) => boolean,
    ) => viewOf(() => useAgentState(source, select, isEqual)),

    viewBoth: (thread, select) =>
      viewOf(() => {
        const version = useSync(thread, (sync) => sync.version);
        return [version, useAgentState(thread, select)];
      }),

    viewIntents: (thread, select) =>
      viewOf(() => {
        const { view, intents } = useIntents(thread);
        return [intents.length, select(view)];
      }),

    async provide({ definition, ...options }, selects) {
      const Context = createAgentStateContext(definition);
      let thread: ClientThread | undefined;
      function Hand() {
        thread = Context.useThread();
        return null;
      }
      const slices = selects.map((select, index) => ({
        id: String(index),
        ...slice(() => Context.useAgentState(select)),
      }));
      const page = ({ client, threadId, initial }: Omit<ProvideOptions<Client>, "definition">) =>
        wrap(
          <Context.Provider client={client} threadId={threadId} initial={initial}>
            <Hand />
            {slices.map(({ id, Slice }) => (
              <Slice key={id} />
            ))}
          </Context.Provider>,
        );
      const screen = await render(page(options));
      const views = slices.map(({ given }, index): BindingView => ({
        text: () => screen.container.querySelectorAll("output")[index]?.textContent ?? "",
        given: () => given,
        unmount: () => screen.unmount(),
      }));
      return {
        views,
        async dispatch(update) {
          if (thread === undefined) throw new Error("no provider");
          return thread.dispatch(update);
        },
        give: (next) => screen.rerender(page(next)),
        unmount: () => screen.unmount(),
      };
    },

    async renderOnServer({ definition, client, threadId, initial }, select) {
      const Context = createAgentStateContext(definition);
      const { Slice } = slice(() => Context.useAgentState(select));
      return renderToString(
        wrap(
          <Context.Provider client={client} threadId={threadId} initial={initial}>
            <Slice />
          </Context.Provider>,
        ),
      );
    },

    countFrames,
    task,
    until: (check) => vi.waitUntil(check, { timeout: 60_000, interval: 5 }).then(() => undefined),
  };
}

const ways: Record<string, Wrap> = {
  plain: (children) => children,
  "in StrictMode": (children) => <StrictMode>{children}</StrictMode>,
};

for (const [name, wrap] of Object.entries(ways)) {
  describe(`the React binding, ${name}`, () => {
    for (const { name, run } of bindingContract(react(wrap), { createClient, createLocal, intentsOf })) test(name, run);
  });
}
