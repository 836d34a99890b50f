// What an application has beside its threads, on the same endpoint, and the completion of handles.

import { mcpEndpoint, type OwnFeatures } from "@opstate/mcp";
import { createServer } from "@opstate/server";
import { memoryLog } from "@opstate/core";
import { expect, it } from "vitest";
import { board } from "./support/board.ts";
import { authorize, call, CLAUDE, connect, start } from "./support/mcp.ts";

const own: OwnFeatures = {
  tools: [
    {
      listed: { name: "who", description: "Who calls", inputSchema: { type: "object" } },
      call: (_, { actor }) => ({ content: [{ type: "text", text: actor.id }] }),
    },
  ],
  prompts: [
    {
      listed: { name: "greet", description: "Greets", arguments: [{ name: "name", required: true }] },
      get: ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Greet ${name}` } }] }),
    },
  ],
  resources: [
    {
      listed: { uri: "app://rules", name: "rules" },
      read: (uri) => (uri === "app://rules" ? { contents: [{ uri, text: "Be kind" }] } : undefined),
    },
  ],
};

it.each(["modern", "legacy"] as const)(
  "an application's own tools, prompts and resources are served (%s)",
  async (era) => {
    const { url, server } = await start({ endpoint: { own } });
    await (await server.thread("launch", board)).close();
    const client = await connect(url, CLAUDE, era);
    expect((await call(client, "who")).text).toBe("claude");
    expect((await call(client, "board_read")).data.status).toBe("read");
    const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    expect(messages).toMatchObject([{ content: { text: "Greet Ada" } }]);
    expect((await client.readResource({ uri: "app://rules" })).contents).toMatchObject([{ text: "Be kind" }]);
    await expect(client.readResource({ uri: "app://others" })).rejects.toThrow(/not found/i);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("who");
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain("greet");
  },
);

it("a tool of the application cannot have the name of another", () => {
  const [who] = own.tools ?? [];
  if (who === undefined) throw new Error("There is no tool.");
  const tool = { ...who, listed: { ...who.listed, name: "board_add" } };
  expect(() =>
    createServer({ definitions: [board], log: memoryLog(), authorize, mcp: mcpEndpoint({ own: { tools: [tool] } }) }),
  ).toThrow('There is a tool "board_add" already.');
});

it("the thread of a prompt or an address is completed from those that may be read", async () => {
  const { url, server } = await start();
  for (const id of ["launch", "lunch", "other", "secret"]) await (await server.thread(id, board)).close();
  const client = await connect(url);
  const complete = async (value: string) => {
    const ref = { type: "ref/resource", uri: "opstate://threads/{threadId}/state" } as const;
    return (await client.complete({ ref, argument: { name: "threadId", value } })).completion.values;
  };
  expect((await complete("l")).sort()).toEqual(["launch", "lunch"]);
  expect(await complete("s")).toEqual([]);
});
