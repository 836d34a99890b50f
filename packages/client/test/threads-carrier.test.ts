import { threadsCarrier } from "@opstate/client/carriers";
import { memoryLog, openThread } from "@opstate/core";
import { carrierContract, type CarrierUnderTest } from "./carrier-contract.ts";
import { tally } from "./tally.ts";

async function open(find: "at once" | "later"): Promise<CarrierUnderTest> {
  const log = memoryLog();
  const make = (threadId: string) => openThread({ definition: tally, log, threadId });
  const threads = new Map([
    ["a", await make("a")],
    ["b", await make("b")],
  ]);
  return {
    carrier: (actor) =>
      threadsCarrier((id) => (find === "later" ? Promise.resolve(threads.get(id)) : threads.get(id)), actor),
    submit: async (threadId, operation, actor) => threads.get(threadId)?.submit(operation, { actor }),
    create: async (threadId) => void threads.set(threadId, await make(threadId)),
  };
}

carrierContract("threads of this process", () => open("at once"));
carrierContract("threads of this process that are opened when they are asked for", () => open("later"));
