// A server in a process of its own whose code counts by the given step. Tests kill it, and start
// one that counts otherwise on the same file.

import { defineState } from "@opstate/core";
import { z } from "zod";
import { createServer } from "../../src/index.ts";
import { openStore, type Store } from "./store.ts";

const [store = "", by = "1", port = "0"] = process.argv.slice(2);
const counter = defineState({
  name: "counter",
  version: 1,
  schema: z.object({ title: z.string(), n: z.int() }),
  initial: { title: "untitled", n: 0 },
  operations: {
    title: { input: z.object({ text: z.string() }), apply: (draft, { text }) => void (draft.title = text) },
    inc: { input: z.object({}), apply: (draft) => void (draft.n += Number(by)) },
  },
});
const log = openStore(JSON.parse(store) as Store);
const server = createServer({ definitions: [counter], log, insecure: true });
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
