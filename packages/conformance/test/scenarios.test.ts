// A server of `@opstate/server` speaks the protocol, as every scenario says it.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readScenarios, runConformance } from "../src/index.ts";
import { conformanceServer } from "./support/conformance-server.ts";

const server = conformanceServer();
let url = "";
beforeAll(async () => void ({ url } = await server.listen()));
afterAll(() => server.close());

describe("a server of @opstate/server", () => {
  it.each(readScenarios().map(({ group, name }) => `${group}: ${name}`))("%s", async (only) => {
    expect(await runConformance({ url, only, timeout: 150_000 })).toEqual([
      expect.objectContaining({ fault: undefined }),
    ]);
  });
});
