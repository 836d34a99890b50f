// The Worker speaks the protocol, as every scenario of the public suite says it.

import { readScenarios, runConformance } from "@opstate/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Edge, startEdge } from "./support/edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.kill());

describe("the Worker in front of the objects", () => {
  it.each(readScenarios().map(({ group, name }) => `${group}: ${name}`))("%s", async (only) => {
    expect(await runConformance({ url: edge.url, only, timeout: 150_000 })).toEqual([
      expect.objectContaining({ fault: undefined }),
    ]);
  });
});
