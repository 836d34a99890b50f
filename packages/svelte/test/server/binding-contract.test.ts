// The behaviours that every binding has, on Svelte: those that need a server build. The others are
// in the page's suite.

import { type Client, createClient, createLocal } from "@opstate/client";
import { intentsOf } from "@opstate/client/intents";
import { type BindingUnderTest, bindingContract } from "@opstate/core/testing";
import { createAgentStateContext } from "@opstate/svelte";
import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import Provider from "../components/provider.svelte";

function elsewhere(): never {
  throw new Error("There is no page here.");
}

const page: BindingUnderTest<Client> = {
  view: elsewhere,
  viewBoth: elsewhere,
  viewIntents: elsewhere,
  provide: elsewhere,
  countFrames: elsewhere,
  task: elsewhere,
  until: elsewhere,
};
const server: BindingUnderTest<Client> = {
  ...page,
  renderOnServer: async ({ definition, client, threadId, initial }, select) =>
    (
      await render(Provider, {
        props: {
          agentContext: createAgentStateContext(definition),
          setting: { client, threadId, initial },
          below: [{ select }],
        },
      })
    ).body,
};

const clients = { createClient, createLocal, intentsOf };
const inPage = new Set(bindingContract(page, clients).map(({ name }) => name));
const cases = bindingContract(server, clients).filter(({ name }) => !inPage.has(name));

describe("the Svelte binding on a server", () => {
  test("has cases of its own", () => expect(cases.length).toBeGreaterThan(0));
  for (const { name, run } of cases) test(name, run);
});
