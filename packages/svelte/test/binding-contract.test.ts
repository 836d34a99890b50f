// The behaviours that every binding has, on Svelte. The case that needs a server build is in
// server/.

import { type Client, type ClientThread, createClient, createLocal } from "@opstate/client";
import { intentsOf } from "@opstate/client/intents";
import type { Readable } from "@opstate/core";
import { type BindingUnderTest, type BindingView, bindingContract, type ProvideOptions } from "@opstate/core/testing";
import { type AgentState, createAgentStateContext } from "@opstate/svelte";
import { describe, test, vi } from "vitest";
import { render } from "vitest-browser-svelte";
import Ahead from "./components/ahead.svelte";
import Moment from "./components/moment.svelte";
import Provider from "./components/provider.svelte";
import Slice from "./components/slice.svelte";
import { countFrames, task } from "./support/frames.ts";

const settingOf = ({ client, threadId, initial }: Omit<ProvideOptions<Client>, "definition">) => ({
  client,
  threadId,
  initial,
});

const svelte: BindingUnderTest<Client> = {
  async view<State>(
    source: Readable<State>,
    select: (state: State) => unknown,
    isEqual?: (a: unknown, b: unknown) => boolean,
  ) {
    const given: string[] = [];
    const screen = await render(Slice, { source, select, isEqual, given: (json: string) => void given.push(json) });
    return { text: () => screen.container.textContent, given: () => given, unmount: () => screen.unmount() };
  },

  async viewBoth(thread, select) {
    const given: string[] = [];
    const screen = await render(Moment, { thread, select, given: (json: string) => void given.push(json) });
    return { text: () => screen.container.textContent, given: () => given, unmount: () => screen.unmount() };
  },

  async viewIntents(thread, select) {
    const given: string[] = [];
    const screen = await render(Ahead, { thread, select, given: (json: string) => void given.push(json) });
    return { text: () => screen.container.textContent, given: () => given, unmount: () => screen.unmount() };
  },

  async provide({ definition, ...options }, selects) {
    const agentContext = createAgentStateContext(definition);
    let agent: AgentState<ClientThread> | undefined;
    const below = selects.map((select) => {
      const shown: string[] = [];
      return {
        shown,
        select,
        given: (json: string) => void shown.push(json),
        hand: (got: AgentState<ClientThread>) => (agent = got),
      };
    });
    const screen = await render(Provider, { agentContext, setting: settingOf(options), below });
    const views = below.map(({ shown }, index): BindingView => ({
      text: () => screen.container.querySelectorAll("output")[index]?.textContent ?? "",
      given: () => shown,
      unmount: () => screen.unmount(),
    }));
    return {
      views,
      async dispatch(update) {
        if (agent === undefined) throw new Error("nothing was set");
        return agent.dispatch(update);
      },
      give: (next) => screen.rerender({ setting: settingOf(next) }),
      unmount: () => screen.unmount(),
    };
  },

  countFrames,
  task,
  until: (check) => vi.waitUntil(check, { timeout: 60_000, interval: 5 }).then(() => undefined),
};

describe("the Svelte binding", () => {
  for (const { name, run } of bindingContract(svelte, { createClient, createLocal, intentsOf })) test(name, run);
});
