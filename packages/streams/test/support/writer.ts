// A process that appends without end, by a producer, and prints each acknowledged append. Tests
// kill it.

import { Pool, type PoolConfig } from "pg";
import { postgresStreams } from "../../src/postgres/index.ts";
import { sqliteStreams } from "../../src/sqlite/index.ts";

interface Given {
  readonly path?: string;
  readonly postgres?: { readonly config: PoolConfig; readonly schema: string };
  readonly producer: string;
  readonly epoch: number;
}

const { path = "", postgres, producer, epoch } = JSON.parse(process.argv[2] ?? "{}") as Given;
const store = postgres
  ? postgresStreams({ pool: new Pool(postgres.config), schema: postgres.schema })
  : sqliteStreams({ path });

await store.create("a", { contentType: "application/json" });
for (let seq = 0; ; seq += 1) {
  const message = new TextEncoder().encode(JSON.stringify(`${producer}.${epoch}.${seq}`));
  const appended = await store.append("a", { messages: [message], producer: { id: producer, epoch, seq } });
  if (appended.status !== "appended") throw new Error(JSON.stringify(appended));
  process.send?.([`${producer}.${epoch}.${seq}`, appended.tail]);
}
