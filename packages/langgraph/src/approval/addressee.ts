// Which of several waiting interrupts an answer is for.
//
// `new Command({ resume: answer })` names no interrupt. LangGraph gives it to every task that
// waits, also in other threads and in other agents of the graph, so one approval would count for
// operations that no person looked at.
//
//   A waits, B waits     resume: yes                       A and B ask again
//   A waits, B waits     resume: { proposal: A's, yes }    A gets it, B asks again
//   A waits, B waits     resume: edit of A's tool          A gets it, B asks again
//   B waits              resume: yes                       B gets it
//
// Invariants:
// - At most one of the interrupts takes an answer, in whatever order their tasks look at it.
// - Who waits is read from the checkpoint, which has the interrupts of all threads and agents.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { Thread } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { saverOf } from "../fields/saver.ts";

/** What an interrupt is about, as its value says. Another's interrupt may say nothing of it. */
interface Asked {
  readonly proposal: string | undefined;
  readonly threadId: string | undefined;
  readonly tool: string | undefined;
}

/** An interrupt of another task of the same superstep, or of one around it. */
interface Other extends Asked {
  readonly isWaiting: boolean;
}

const SEVERAL =
  "Several interrupts wait, and the answer did not say which one it is for. Answer each under its own id, { [id]: answer }, or with its `proposal` in the answer.";

/**
 * Why the answer is not for the interrupt `own`; undefined when it is. An answer with a `proposal`
 * or a `threadId` is for an interrupt of that value, and an edit of a tool for the one that calls
 * it.
 */
export async function addressFault(
  answer: unknown,
  own: Asked & { readonly tool: string },
  context: {
    readonly thread: Pick<Thread, "proposal">;
    readonly config: RunnableConfig;
    readonly isAddressed: boolean;
  },
): Promise<string | undefined> {
  const named = namedIn(answer);
  for (const key of ["proposal", "threadId"] as const)
    if (named[key] !== undefined && named[key] !== own[key])
      return `The answer is for the ${key} ${JSON.stringify(named[key])}; this is ${JSON.stringify(own[key])}.`;
  if (context.isAddressed || named.proposal !== undefined) return undefined;
  const others = (await otherInterrupts(context.config)).filter(
    ({ threadId }) => named.threadId === undefined || threadId === named.threadId,
  );
  if (named.tool !== undefined && named.tool !== own.tool && others.some(({ tool }) => tool === named.tool))
    return `The answer edits a call of ${JSON.stringify(named.tool)}; this is a call of ${JSON.stringify(own.tool)}.`;
  for (const { isWaiting, tool, proposal } of others) {
    const isRival = isWaiting && (named.tool !== own.tool || tool === own.tool);
    if (isRival && !(await isDecided(context.thread, proposal))) return SEVERAL;
  }
  return undefined;
}

/** Whether it was decided in the thread meanwhile. Of another thread's nothing is known. */
async function isDecided(thread: Pick<Thread, "proposal">, proposal: string | undefined): Promise<boolean> {
  const found = proposal === undefined ? undefined : await thread.proposal(proposal);
  return found?.status === "decided" || found?.status === "expired";
}

function namedIn(answer: unknown): Asked {
  const given = isObject(answer) ? answer : {};
  const [decision]: readonly unknown[] = Array.isArray(given["decisions"]) ? given["decisions"] : [given];
  const edited = isObject(decision) ? decision["editedAction"] : undefined;
  return {
    proposal: textIn(given["proposal"]),
    threadId: textIn(given["threadId"]),
    tool: isObject(edited) ? textIn(edited["name"]) : undefined,
  };
}

/** LangGraph's channels that a task writes without having ended. */
const NO_END: ReadonlySet<string> = new Set(["__error__", "__scheduled__", "__interrupt__", "__resume__"]);

/** The interrupts of other tasks, and whether they still wait. */
async function otherInterrupts({ configurable = {} }: RunnableConfig): Promise<readonly Other[]> {
  const { checkpoint_ns, checkpoint_map }: Record<string, unknown> = configurable;
  const found = saverOf({ configurable });
  if (found === undefined || typeof checkpoint_ns !== "string" || !isObject(checkpoint_map)) return [];
  const { saver, thread_id } = found;
  // `agent:<task>|tools:<task>`
  const own = new Set(checkpoint_ns.split("|").map((part) => part.split(":").at(-1)));
  const others = await Promise.all(
    Object.entries(checkpoint_map).map(async ([namespace, checkpoint]) => {
      const at = { thread_id, checkpoint_ns: namespace, checkpoint_id: checkpoint };
      const { pendingWrites = [] } = (await saver.getTuple({ configurable: at })) ?? {};
      const ended = new Set(pendingWrites.flatMap(([task, channel]) => (NO_END.has(channel) ? [] : [task])));
      return pendingWrites
        .filter(([task, channel]) => channel === "__interrupt__" && !own.has(task))
        .flatMap(([task, , value]) => interruptsIn(value).map((one) => ({ ...one, isWaiting: !ended.has(task) })));
    }),
  );
  return others.flat();
}

function interruptsIn(written: unknown): readonly Asked[] {
  const interrupts: readonly unknown[] = Array.isArray(written) ? written : [written];
  return interrupts.map((interrupt) => {
    const value = isObject(interrupt) && isObject(interrupt["value"]) ? interrupt["value"] : {};
    const [action]: readonly unknown[] = Array.isArray(value["actionRequests"]) ? value["actionRequests"] : [];
    return {
      proposal: textIn(value["proposal"]),
      threadId: textIn(value["threadId"]),
      tool: isObject(action) ? textIn(action["name"]) : undefined,
    };
  });
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
