// A process of its own that writes to one thread as fast as it can and reports each acknowledged
// write. Tests run it twice, or kill it.

import { Pool, type PoolConfig } from "pg";
import { postgresLog } from "../../../src/postgres/index.ts";
import { entry, writeTo } from "../entries.ts";

interface Task {
  readonly config: PoolConfig;
  readonly schema: string;
  readonly threadId: string;
  readonly name: string;
  readonly count: number;
}

process.once("message", (task: Task) => void run(task));
process.send?.({ ready: true });

async function run({ config, schema, threadId, name, count }: Task): Promise<void> {
  const pool = new Pool(config);
  const log = postgresLog({ pool, schema });
  for (let n = 1; n <= count; n += 1) {
    const id = `${name}-${n}`;
    const version = await writeTo(log, threadId, (next) => [entry(next, id)]);
    process.send?.({ id, version });
  }
  await log.close();
  await pool.end();
  process.send?.({ done: true });
}
