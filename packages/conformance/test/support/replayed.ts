// What a thread of this repository makes of a history in `vectors/histories.json`, with pinned ids
// and times.

import { type Commit, memoryLog, openThread, type UpdateOf, type Verdict } from "@opstate/core";
import { conformanceList, identities, type IdentityName } from "../../src/index.ts";

type ProposedUpdate = UpdateOf<typeof conformanceList>;

export interface Call {
  readonly as: Exclude<IdentityName, "anonymous">;
  readonly id: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly submit?: unknown;
  readonly undo?: { readonly ids: readonly string[] } | { readonly runId: string };
  readonly onDependent?: "drop" | "keep";
  readonly propose?: ProposedUpdate;
  readonly approve?: string;
  readonly anyway?: boolean;
  readonly decline?: string;
  readonly reason?: string;
}

/** A history as its vector has it: what was called, and what must come of it. */
export interface History {
  readonly name: string;
  readonly calls: readonly Call[];
  readonly verdicts: readonly Verdict[];
  readonly commits: readonly Commit[];
  /** By version, from 0 on. */
  readonly states: readonly unknown[];
  readonly digests: readonly Digest[];
}

export interface Digest {
  readonly since: number;
  readonly for: Exclude<IdentityName, "anonymous">;
  readonly budget?: number;
  readonly text: string;
}

/** The digests that are made of every history. */
const DIGESTS = [
  { since: 0, for: "bot" },
  { since: 1, for: "ada" },
  { since: 2, for: "bob", budget: 60 },
] as const;

export async function replayed(name: string, calls: readonly Call[]): Promise<History> {
  let minute = 0;
  const clock = () => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const thread = await openThread({ definition: conformanceList, log: memoryLog(), threadId: "vectors", clock });
  const verdicts: Verdict[] = [];
  for (const { as, id, runId, toolCallId, ...call } of calls) {
    minute += 1;
    const { actor, rights } = identities[as];
    const options = {
      actor,
      id,
      allows: (right: string) => rights.includes(right),
      ...(runId !== undefined && { runId }),
      ...(toolCallId !== undefined && { toolCallId }),
    };
    const { onDependent, anyway, reason } = call;
    const verdict =
      call.undo !== undefined
        ? thread.undo(call.undo, { ...options, ...(onDependent && { onDependent }) })
        : call.propose !== undefined
          ? thread.propose(call.propose, options)
          : call.approve !== undefined
            ? thread.approve(call.approve, { ...options, ...(anyway && { anyway }) })
            : call.decline !== undefined
              ? thread.decline(call.decline, { ...options, ...(reason !== undefined && { reason }) })
              : thread.submit(call.submit, options);
    verdicts.push(await verdict);
  }
  const entries = await thread.history();
  const commits = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
  const states = await Promise.all([0, ...commits.map(({ version }) => version)].map((at) => thread.stateAt(at)));
  const digests = await Promise.all(
    DIGESTS.map(async (wanted) => ({
      ...wanted,
      text: await thread.digest({ ...wanted, for: identities[wanted.for].actor }),
    })),
  );
  await thread.close();
  return JSON.parse(JSON.stringify({ name, calls, verdicts, commits, states, digests })) as History;
}
