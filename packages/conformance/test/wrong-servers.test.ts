// The scenarios see a server that does one thing otherwise.

import { listen } from "@opstate/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { runConformance } from "../src/index.ts";
import { conformanceServer } from "./support/conformance-server.ts";
import { wrongServers } from "./support/wrong-servers.ts";

describe("a server that", () => {
  it.each(wrongServers)("$does is seen", async ({ answer, seenBy }) => {
    const server = conformanceServer();
    const { url, close } = await listen((request) => answer(request, server));
    onTestFinished(async () => {
      await server.close();
      await close();
    });
    const results = await runConformance({ url });
    const seen = results.filter(({ fault }) => fault !== undefined).map(({ group, name }) => `${group}: ${name}`);
    expect(seen).toEqual(expect.arrayContaining([...seenBy]));
    // It is a real one in all else.
    expect(seen.length).toBeLessThan(results.length);
  });

  it("is not there is wrong in every scenario", async () => {
    const results = await runConformance({ url: "http://127.0.0.1:1", only: "history" });
    expect(results.map(({ fault }) => fault)).toEqual(results.map(() => expect.stringContaining("fetch failed")));
  });
});
