// A process of its own, run with the condition "opstate-page", as in a bundle that was made for
// pages and for servers. Prints what a server answers, and what its definition alone says.

import { defineState, memoryLog } from "@opstate/core";
import { createServer } from "@opstate/server";
import { z } from "zod";

const loose = defineState({
  name: "loose",
  schema: z.object({ count: z.int() }),
  initial: { count: 0 },
  operations: {
    add: { input: z.object({}), apply: (draft) => void (draft.count += 1) },
    // The page's build drops the key. An authority refuses it.
    stray: { input: z.object({}), apply: (draft) => void Object.assign(draft, { stray: true }) },
  },
});

const server = createServer({ definitions: { loose }, log: memoryLog(), insecure: true });

async function answer(method: string, path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", host: "localhost" };
  const init = { method, headers, body: JSON.stringify(body) };
  return (await server.fetch(new Request(`http://localhost/threads/here${path}`, init))).json();
}

const answers = {
  created: await answer("PUT", "", { definition: "loose" }),
  added: await answer("POST", "/operations", { type: "add" }),
  strayed: await answer("POST", "/operations", { type: "stray" }),
  undone: await answer("POST", "/undo", { target: { actor: { kind: "user", id: "local" } } }),
  alone: loose.transition(loose.initial, { type: "stray" }).accepted,
};
process.stdout.write(JSON.stringify(answers));
await server.close();
