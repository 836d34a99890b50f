// The behaviours that every binding has, on React: plain, in StrictMode.

import type { Readable, Replica } from "@opstate/core";
import { type BindingUnderTest, type BindingView, bindingContract, type ProvideOptions } from "@opstate/core/testing";
import { createAgentStateContext, useAgentState } from "@opstate/react";
import { type ReactNode, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { describe, test, vi } from "vitest";
import { render } from "vitest-browser-react";

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

function react(wrap: Wrap): BindingUnderTest {
  return {
    async view<State>(
      source: Readable<State>,
      select: (state: State) => unknown,
      isEqual?: (a: unknown, b: unknown) => boolean,
    ) {
      const { Slice, given } = slice(() => useAgentState(source, select, isEqual));
      const screen = await render(wrap(<Slice />));
      return { text: () => screen.container.textContent, given: () => given, unmount: () => screen.unmount() };
    },

    async provide({ definition, transport, initial }, selects) {
      const Context = createAgentStateContext(definition);
      let replica: Replica | undefined;
      function Hand() {
        replica = Context.useReplica();
        return null;
      }
      const slices = selects.map((select, index) => ({
        id: String(index),
        ...slice(() => Context.useAgentState(select)),
      }));
      const page = (options: Omit<ProvideOptions, "definition">) =>
        wrap(
          <Context.Provider transport={options.transport} initial={options.initial}>
            <Hand />
            {slices.map(({ id, Slice }) => (
              <Slice key={id} />
            ))}
          </Context.Provider>,
        );
      const screen = await render(page({ transport, initial }));
      const views = slices.map(({ given }, index): BindingView => ({
        text: () => screen.container.querySelectorAll("output")[index]?.textContent ?? "",
        given: () => given,
        unmount: () => screen.unmount(),
      }));
      return {
        views,
        async dispatch(update) {
          if (replica === undefined) throw new Error("no provider");
          return replica.dispatch(update);
        },
        give: (options) => screen.rerender(page(options)),
        unmount: () => screen.unmount(),
      };
    },

    async renderOnServer({ definition, transport, initial }: ProvideOptions, select) {
      const Context = createAgentStateContext(definition);
      const { Slice } = slice(() => Context.useAgentState(select));
      return renderToString(
        wrap(
          <Context.Provider transport={transport} initial={initial}>
            <Slice />
          </Context.Provider>,
        ),
      );
    },

    until: (check) => vi.waitUntil(check, { timeout: 10_000, interval: 5 }).then(() => undefined),
  };
}

const ways: Record<string, Wrap> = {
  plain: (children) => children,
  "in StrictMode": (children) => <StrictMode>{children}</StrictMode>,
};

for (const [name, wrap] of Object.entries(ways)) {
  describe(`the React binding, ${name}`, () => {
    for (const { name, run } of bindingContract(react(wrap))) test(name, run);
  });
}
