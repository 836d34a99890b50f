// What the scenarios of the conformance suite name: operations of two definitions, and own features
// of an application beside them. The suite sends no token, so everyone is one agent.

import { defineState, memoryLog } from "@opstate/core";
import { mcpEndpoint } from "@opstate/mcp";
import { createServer } from "@opstate/server";
import { z } from "zod";
import { own } from "./own.ts";

const test = defineState({
  name: "test",
  schema: z.object({ text: z.string() }),
  initial: { text: "" },
  operations: {
    error_handling: {
      description: "Sets the text of a thread, which a call must name",
      input: z.object({ text: z.string().optional() }),
      apply(draft, { text = "" }) {
        draft.text = text;
      },
    },
  },
});

const Address = z.object({ street: z.string(), city: z.string() }).meta({ id: "address" });

const json = defineState({
  name: "json",
  schema: z.object({ people: z.array(z.object({ name: z.string(), address: Address })) }),
  initial: { people: [] },
  operations: {
    schema_2020_12_tool: {
      description: "Tool with JSON Schema 2020-12 features",
      input: z.strictObject({ name: z.string(), address: Address }),
      apply(draft, person) {
        draft.people.push(person);
      },
    },
  },
});

const server = createServer({
  definitions: [test, json],
  log: memoryLog(),
  authorize: () => ({
    actor: { kind: "agent", id: "suite" },
    allows: (_, right) => right === "read" || right === "write",
  }),
  mcp: mcpEndpoint({ name: "fixture", own }),
});
await (await server.thread("fixture", test)).close();
await server.listen({ port: 4310 });
console.log("Serving");
