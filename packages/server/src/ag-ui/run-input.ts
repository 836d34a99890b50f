// The input of a run, as an AG-UI client posts it.
//
// Invariants:
// - The client's copy of the state is kept apart: no agent gets it. Agents read the state from the
//   thread.
// - When the query names the thread, permission is checked before the body is read. Otherwise it is
//   checked when the first 64 KB are there.
// - The body is never parsed before that check, except when it is shorter than 64 KB.

import type { RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { eventLoop, ID_RULE, isId, Pace } from "@opstate/core/thread";
import type { BodyLimits } from "../http/json-body.ts";
import { readStringMember } from "../http/json-start.ts";
import { Problem } from "../http/problem.ts";
import { readObject, refuseActor } from "../routes/read-request.ts";
import { checkThreadId } from "../threads/thread-id.ts";

/** On which thread a run is requested. */
export interface RunTarget {
  /** The thread in the query, if it names one. */
  readonly threadId: string | undefined;
  /** Rejects with a Problem when the sender may not run agents on the thread. */
  readonly permit: (threadId: string) => Promise<void>;
}

export interface RunRequest {
  readonly input: RunAgentInput;
  /** The client's copy of the state: any JSON value, or undefined. */
  readonly pageState: unknown;
}

export async function readRunInput(request: Request, limits: BodyLimits, target: RunTarget): Promise<RunRequest> {
  let threadId = target.threadId;

  async function permit(id: string): Promise<void> {
    threadId = checkThreadId(id);
    await target.permit(threadId);
  }

  async function permitByStart(start: Uint8Array, isAll: boolean): Promise<void> {
    const found = readStringMember(start, "threadId");
    if (found !== undefined) return permit(found);
    if (!isAll)
      throw new Problem("invalid_body", "`threadId` must be within the first 64 KB of the body, or in the query.");
  }

  if (threadId !== undefined) await permit(threadId);
  const { state: pageState, ...body } = await readObject(
    request,
    limits,
    threadId === undefined ? permitByStart : undefined,
  );
  // A short body may spell the member's name with escapes, which the hint does not see.
  if (threadId === undefined && typeof body["threadId"] === "string") await permit(body["threadId"]);
  refuseActor(body, "The body");
  if (threadId !== undefined && body["threadId"] !== threadId) {
    throw new Problem(
      "invalid_body",
      `The request names thread "${threadId}", but the body has another \`threadId\`. Both must be the same.`,
    );
  }
  const data = await checkInput(body, request.signal);
  if (!isId(data.runId)) throw new Problem("invalid_id", `\`runId\` must be ${ID_RULE}.`);
  // The schema's type allows `undefined` where the protocol's type has an absent member. A value
  // that was parsed from JSON has no undefined.
  return { input: data as RunAgentInput, pageState };
}

type Input = ReturnType<typeof RunAgentInputSchema.parse>;

/** Messages that are checked at once. */
const MESSAGES = 100;

/** Checks the messages some at a time: a conversation may have very many. */
async function checkInput(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Input> {
  const pace = new Pace(eventLoop, signal);
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length <= MESSAGES) return check(RunAgentInputSchema.safeParse(body));
  const checked: Input["messages"] = [];
  for (let from = 0; from < messages.length; from += MESSAGES) {
    if (pace.isOver) await pace.next();
    const part: unknown[] = messages.slice(from, from + MESSAGES);
    for (const message of check(MESSAGES_SCHEMA.safeParse(part), ["messages", from])) checked.push(message);
  }
  return { ...check(RunAgentInputSchema.safeParse({ ...body, messages: [] })), messages: checked };
}

const MESSAGES_SCHEMA = RunAgentInputSchema.shape.messages;

/** `place`: of the value in the body; of a part of a list, the list and the first index. */
function check<T>(parsed: Parsed<T>, [list, first = 0]: readonly [list?: string, first?: number] = []): T {
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [index, ...path] = issue?.path ?? [];
  const place = list === undefined ? (issue?.path ?? []) : [list, first + Number(index ?? 0), ...path];
  throw new Problem(
    "invalid_body",
    `The body is not a RunAgentInput: ${issue?.message ?? ""} at /${place.join("/")}.`.slice(0, 500),
  );
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false;
      readonly error: {
        readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[];
      };
    };
