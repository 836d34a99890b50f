// A server with one thread "t" that holds a list, and what a test sends to it.

import { threadClient } from "../../src/client/index.ts";
import { ada, list } from "./rights/kinds.ts";
import { send, start } from "./server.ts";

export async function startWithList(options: Parameters<typeof start>[0] = {}) {
  const { url, ...rest } = await start({ definitions: [list], ...options });
  const thread = `${url}/threads/t`;
  await send(thread, "PUT", { definition: "list" }, ada);
  const post = (path: string, body: unknown, who = ada) => send(thread + path, "POST", body, who);
  const client = (who = ada) => threadClient<typeof list>({ url, threadId: "t", headers: who });
  const items = async () => (await send(thread, "GET", undefined, ada)).body.state.items;
  return { url, thread, post, client, items, ...rest };
}
