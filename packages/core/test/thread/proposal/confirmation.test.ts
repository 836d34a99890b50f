// The question about a proposal, as clients get it.

import { memoryLog, openThread } from "@opstate/core";
import { confirmationOf } from "@opstate/core/thread";
import { expect, it } from "vitest";
import { bob, robot, tally } from "../tally.ts";

async function proposals() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const operation = { type: "name", name: "a" } as const;
  await thread.propose(operation, { actor: robot, id: "p1", toolCallId: "call-1" });
  await thread.propose(operation, { actor: bob, id: "p2", expiresAt: "2100-01-01T00:00:00.000Z" });
  return thread.proposals();
}

it("names the proposal, its tool call and what it would change", async () => {
  const [proposal] = await proposals();
  expect(confirmationOf(proposal!)).toMatchObject({
    id: "p1",
    reason: "confirmation",
    message: 'The agent asks to do "name".',
    toolCallId: "call-1",
    metadata: { opstate: { proposal: "p1", proposedAt: 1, proposer: robot, patches: proposal!.patches } },
  });
});

it("leaves out what the proposal does not have", async () => {
  const [, proposal] = await proposals();
  const confirmation = confirmationOf(proposal!);
  expect(confirmation).not.toHaveProperty("toolCallId");
  expect(confirmation).toMatchObject({
    message: `${bob.id} asks to do "name".`,
    expiresAt: "2100-01-01T00:00:00.000Z",
  });
});
