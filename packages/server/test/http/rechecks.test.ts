// What begins to last is asked at once when others were asked since its access was found out.

import { expect, it, onTestFinished, vi } from "vitest";
import { Rechecks } from "../../src/http/rechecks.ts";

function begin(rechecks: Rechecks, since: number) {
  const check = vi.fn(async () => ({}));
  const lasting = { actor: { kind: "user", id: "ada" }, shows: () => true, since, expiresAt: undefined };
  const recheck = rechecks.begin({ ...lasting, check, onRefused: () => undefined, onError: () => undefined });
  onTestFinished(() => recheck.close());
  return check;
}

it("checks what began with rights from before a revocation, and nothing else", async () => {
  const rechecks = new Rechecks(86_400_000);
  const before = rechecks.revision;
  rechecks.ask({ actor: { kind: "user", id: "bob" } });
  const late = begin(rechecks, before);
  const fresh = begin(rechecks, rechecks.revision);
  await vi.waitUntil(() => late.mock.calls.length === 1);
  expect(fresh).not.toHaveBeenCalled();
});
