import { memoryLog } from "@opstate/core";
import { logContract } from "@opstate/core/testing";
import { describe, it } from "vitest";

describe("memoryLog", () => {
  const cases = logContract({
    async open(options) {
      const log = memoryLog(options);
      return { log, reopen: async () => log, beside: async () => ({ ...log, close: async () => undefined }) };
    },
  });
  for (const { name, run } of cases) it(name, run);
});
