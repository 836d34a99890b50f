// The scenarios see a server that does one thing otherwise.

import { listen } from "@opstate/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { runConformance } from "../src/index.ts";
import { conformanceServer } from "./support/conformance-server.ts";
import { wrongServers } from "./support/wrong-servers.ts";

/** Milliseconds: less than a test has, and enough for any answer on a busy machine. */
const PATIENCE = 150_000;

describe("a server that", () => {
  it.each(wrongServers)("$does is seen", async ({ answer, seenBy }) => {
    const server = conformanceServer();
    const { url, close } = await listen((request) => answer(request, server));
    onTestFinished(async () => {
      await server.close();
      await close();
    });
    const [group = ""] = seenBy[0]!.split(" ");
    const results = await runConformance({ url, only: group, timeout: PATIENCE });
    const seen = results.filter(({ fault }) => fault !== undefined).map(({ group, name }) => `${group}: ${name}`);
    expect(seen).toEqual(expect.arrayContaining([...seenBy]));
    // It is a real one in all else.
    const [control] = await runConformance({ url, only: "A new thread has the initial state", timeout: PATIENCE });
    expect(control?.fault).toBeUndefined();
  });

  it("is not there is wrong in every scenario", async () => {
    const results = await runConformance({ url: "http://127.0.0.1:1", only: "history" });
    expect(results.map(({ fault }) => fault)).toEqual(results.map(() => expect.stringContaining("fetch failed")));
  });
});
