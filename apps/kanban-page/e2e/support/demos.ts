// A process that runs a demo for each test that neither kills nor restarts it, each on a port and
// files of its own. What takes longest at a start, loading the modules, is done once.
//
//   { start: id, environment }  -> { started: id, url } or { failed: id, error }
//   { stop: id }                -> { stopped: id }, when its connections and files are closed

import { type Demo, type Environment, startDemo } from "../../../demo/src/demo.ts";

export type Order = { readonly start: number; readonly environment: Environment } | { readonly stop: number };

export type Answer =
  | { readonly started: number; readonly url: string }
  | { readonly failed: number; readonly error: string }
  | { readonly stopped: number };

const demos = new Map<number, Demo>();

process.on("message", (order: Order) => {
  void ("start" in order ? start(order.start, order.environment) : stop(order.stop)).then((answer) =>
    process.send?.(answer),
  );
});
process.on("disconnect", () => process.exit());

async function start(id: number, environment: Environment): Promise<Answer> {
  try {
    const demo = await startDemo(environment);
    demos.set(id, demo);
    return { started: id, url: demo.url };
  } catch (error) {
    return { failed: id, error: error instanceof Error ? error.message : String(error) };
  }
}

async function stop(id: number): Promise<Answer> {
  const demo = demos.get(id);
  demos.delete(id);
  await demo?.drain({ notice: 0, deadline: 0 });
  await demo?.closeData();
  return { stopped: id };
}
