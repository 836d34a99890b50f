// A session that ends while a part of it is loading.

import type * as client from "@opstate/client";
import { expect, it, vi } from "vitest";
import { ada, openBoard } from "./board-thread.ts";

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
vi.stubGlobal("location", { origin: "http://localhost", pathname: "/", search: "" });
vi.stubGlobal("sessionStorage", store);
vi.stubGlobal("localStorage", store);
vi.stubGlobal("matchMedia", () => ({ matches: false }));

it("does not follow the agent when it has ended while that code was loading", async () => {
  const thread = await openBoard();
  vi.doMock("@opstate/client", async (original) => {
    const real = await original<typeof client>();
    return { ...real, createClient: () => real.createClient({ threads: [thread], actor: ada }) };
  });
  const followAgent = vi.fn(() => () => undefined);
  const loading = Promise.withResolvers<void>();
  const asked = vi.fn();
  vi.doMock("../src/chat/follow-agent.ts", async () => {
    asked();
    await loading.promise;
    return { followAgent };
  });
  const { createSession } = await import("../src/session.ts");
  const session = createSession("ada");
  await expect.poll(() => asked.mock.calls.length).toBe(1);
  session.close();
  loading.resolve();
  await import("../src/chat/follow-agent.ts");
  await new Promise((resolve) => setTimeout(resolve));
  expect(followAgent).not.toHaveBeenCalled();
});
