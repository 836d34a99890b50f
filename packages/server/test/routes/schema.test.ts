// What may be done on a thread, as JSON Schema.

import { defineState, memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asUser, createBoard, send, start } from "../support/server.ts";

const list = defineState({
  name: "list",
  version: 3,
  schema: z.object({ items: z.array(z.string()), count: z.int() }),
  initial: { items: [], count: 0 },
  derive: { "/count": ({ items }) => items.length },
  operations: {
    add: {
      description: "Add an item",
      input: z.object({ item: z.string().max(100) }),
      apply(draft, { item }) {
        draft.items.push(item);
      },
    },
    clear: {
      description: "Remove all items",
      input: z.object({}),
      approve: ["agent"],
      apply(draft) {
        draft.items = [];
      },
    },
  },
});

const agent = { authorization: "agent a1 read,write" };

async function schemaOfList(headers: Record<string, string>) {
  const { url } = await start({ definitions: [list], log: memoryLog() });
  await send(`${url}/threads/l`, "PUT", { definition: "list" });
  const { body } = await send(`${url}/threads/l/schema`, "GET", undefined, headers);
  return body;
}

describe("the schema of a thread", () => {
  it("has each operation with its description and the JSON Schema of its input", async () => {
    const { definition, definitionVersion, operations } = await schemaOfList(asUser("ada", "read"));
    expect({ definition, definitionVersion }).toEqual({ definition: "list", definitionVersion: 3 });
    expect(operations).toEqual([
      {
        name: "add",
        description: "Add an item",
        inputSchema: { type: "object", properties: { item: { type: "string", maxLength: 100 } }, required: ["item"] },
      },
      { name: "clear", description: "Remove all items", inputSchema: { type: "object", properties: {} } },
    ]);
  });

  it("has the state without its derived fields", async () => {
    const { state } = await schemaOfList(asUser("ada", "read"));
    expect(state.properties).toEqual({ items: { type: "array", items: { type: "string" } } });
  });

  it("says which operations wait for a person", async () => {
    const { operations } = await schemaOfList(agent);
    expect(operations.map(({ name, approval }: Record<string, unknown>) => ({ name, approval }))).toEqual([
      { name: "add", approval: undefined },
      { name: "clear", approval: true },
    ]);
  });

  it("says of a branch that nothing waits there", async () => {
    const { url } = await start({ definitions: [list], log: memoryLog() });
    await send(`${url}/threads/l`, "PUT", { definition: "list" });
    const { status } = await send(`${url}/threads/l/branches`, "POST", { name: "work" }, agent);
    const { body } = await send(`${url}/threads/l~work/schema`, "GET", undefined, agent);
    expect(status).toBeLessThan(300);
    expect(body.operations.map(({ approval }: Record<string, unknown>) => approval)).toEqual([undefined, undefined]);
  });

  it("says whether the sender may replace the whole state", async () => {
    expect((await schemaOfList(agent)).replace).toBe(true);
    expect((await schemaOfList(asUser("ada", "read"))).replace).toBe(false);
  });

  it("leaves out the operations that the sender's kind of actor may not use", async () => {
    const { url } = await start();
    const at = await createBoard(url);
    const namesFor = async (headers: Record<string, string>) =>
      (await send(`${at}/schema`, "GET", undefined, headers)).body.operations.map(({ name }: { name: string }) => name);
    expect(await namesFor(asUser("ada", "read"))).not.toContain("clear");
    expect(await namesFor(agent)).toContain("clear");
  });
});
