// The middleware that keeps a LangChain agent in sync with a thread.
//
// Invariants:
// - The thread decides. Its snapshot replaces the field when the run begins, before each model
//   call, and when the run ends.
// - A model call is shown exactly one version.
// - Each change by others is shown once.
// - Nothing that the middleware shows enters the history.

import { StateSchema } from "@langchain/langgraph";
import { type ContextBudget, ContextPolicy, DEFAULT_BUDGET, type Place, type Template } from "@opstate/agent";
import { defined, type AnyDefinition, type Thread } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import { createMiddleware } from "langchain";
import * as z from "zod";
import type { OnReject } from "../fields/on-reject.ts";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { snapshotOf, threadResult } from "../fields/thread-snapshot.ts";
import { answeredObservation, LastSeen } from "../thread/last-seen.ts";
import { memoryKey, memoryOf, type Memory, type Observation } from "../thread/run-memory.ts";
import {
  configOf,
  resolveActor,
  resolveThread,
  runOf,
  type ActorSource,
  type RunConfig,
  type ThreadSource,
} from "../thread/thread-source.ts";
import { submissionId } from "../tools/submission-id.ts";
import { answerDanglingCalls } from "./answer-dangling-calls.ts";
import { checkInterrupts } from "./check-interrupts.ts";
import { charactersIn, resultsIn } from "./briefing.ts";
import { withThreadContext, type Narrow } from "./thread-context.ts";
import { outerObservation, observe } from "./observe.ts";
import { handOver } from "./hand-over.ts";
import { answerGone } from "./gone-operation.ts";
import { middlewareName } from "./middleware-name.ts";
import { editMessage, findEdit, reportEdit, written } from "./overwritten-edit.ts";
import { addTraceMetadata } from "./trace-metadata.ts";
import { beganAfter, beganKey, checkMaxRefusals, endOnRepeats, type MaxRefusals } from "./repeat-breaker.ts";

export interface ThreadMiddlewareOptions<D extends AnyDefinition, Field extends string = string> {
  readonly thread: ThreadSource<D>;
  /** The actor that the agent is. Its own changes are not shown to it as changes by others. */
  readonly actor?: ActorSource;
  /**
   * The state's name for the model. Default: the definition's name. An agent with several threads
   * of one definition names each middleware, and passes the name to the tools of that thread:
   * `operationTools(board, { thread, middleware: "left" })`.
   */
  readonly name?: string;
  /**
   * The field of the graph that holds the snapshot. Default: the name. As a literal it is part of
   * the agent's state type.
   */
  readonly field?: Field;
  /**
   * The most that the model is shown, in tokens of about 4 characters: of a state that is shown
   * whole (8,000), of the outline of a larger one (4,000), and of the changes by others (600).
   */
  readonly budget?: Partial<ContextBudget>;
  /**
   * What the graph's checkpoints store of the field: everything (the default), or its version only.
   */
  readonly checkpoint?: "state" | "version";
  /**
   * Where the state is shown. Default "auto": a small state in a message at the end of each call; a
   * large one before the conversation, and what changed since at the end. So everything before the
   * last message can be cached. With "system" all of it is in the system message, for models that
   * accept no user message after a tool's result (Mistral's). With "off" it is not shown.
   */
  readonly place?: Place;
  /**
   * How the model learns which operations it can use now. Default "words": it reads them at the end
   * of the call, and the tools stay the same, so that they can be cached. "tools": it is offered
   * those tools alone. "off": it does not.
   */
  readonly narrow?: Narrow;
  /** Other words for the model. It gets what there is to say, and the usual words. */
  readonly template?: Template;
  /**
   * Is called when the field was edited: by `graph.updateState`, a run's input or a node. The
   * thread decides, so the edit has no effect; its state replaces it when the next run begins. The
   * model reads it, too. `update` is the edit as a patch, `{ type: "$patch", patch }`.
   */
  readonly onReject?: OnReject;
  /**
   * After so many refusals of one call for one reason the run ends, with a message that says why:
   * default 3. False: never.
   */
  readonly maxRefusals?: MaxRefusals;
}

export function threadMiddleware<D extends AnyDefinition>(definition: D, options: ThreadMiddlewareOptions<D>) {
  const name = middlewareName(definition, options.name);
  const field: string = options.field ?? name;
  const memory = memoryKey(name);
  const { place, narrow, actor, budget, template } = options;
  const maxRefusals = checkMaxRefusals(options.maxRefusals);
  const policy = new ContextPolicy({ definition, name, place, budget, template });
  const find = (config: RunConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  const lastSeen = new LastSeen<Observation>();

  /** Reports an edit of the field, and gives the words for the model. */
  async function noticeOf(thread: Thread, state: object, past: Memory | undefined): Promise<string | undefined> {
    const { [field]: found }: Readonly<Record<string, unknown>> = { ...state };
    const edit = await findEdit(thread, found, past?.written);
    return edit === undefined ? undefined : reportEdit(field, edit, options.onReject);
  }

  /** The version that the model was shown. */
  const trace = (state: object, config: RunConfig): void => {
    const { observation } = memoryOf({ ...state }, name) ?? {};
    if (observation !== undefined)
      addTraceMetadata(config, name, { threadId: observation.threadId, version: observation.to });
  };

  // The types do not know the fields' names, which are values here. The caller types the result.
  const fields: Record<never, never> = {
    [field]: snapshotField(definition, options),
    [memory]: z.custom<Memory>().optional(),
    [beganKey(name)]: z.custom<string>().optional(),
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const runId = runOf(config)?.runId ?? randomId();
      const past = memoryOf(state, name);
      const notice = await noticeOf(thread, state, past);
      const { [field]: held }: Readonly<Record<string, unknown>> = { ...state };
      const observation = past?.observation ?? lastSeen.get(config, thread.threadId) ?? outerObservation(thread, held);
      const next: Memory = { ...past, runId, written: written(thread), ...defined({ notice, observation }) };
      return { [beganKey(name)]: beganAfter(state), [field]: snapshotOf(thread, options), [memory]: next };
    },

    beforeModel: endOnRepeats({ name, most: maxRefusals }, async (state, runtime) => {
      const config = configOf(runtime);
      const thread = await find(config);
      const past = memoryOf(state, name);
      const self = resolveActor(actor, config, thread);
      const last = past?.observation ?? lastSeen.get(config, thread.threadId);
      const notice = past?.notice ?? (await noticeOf(thread, state, past));
      const { observation, snapshot } = await observe(thread, last, notice, state.messages, {
        for: self,
        budget: budget?.digest ?? DEFAULT_BUDGET.digest,
        checkpoint: options.checkpoint,
      });
      const base = await policy.nextBase(thread, past?.base, snapshot, {
        actor: self,
        results: resultsIn(state.messages),
        characters: charactersIn(state.messages),
      });
      const { version } = snapshot;
      const next: Memory = defined({
        runId: past?.runId ?? randomId(),
        observation,
        written: { ...written(thread), version },
        base,
      });
      return { [field]: snapshot, [memory]: next };
    }),

    async wrapModelCall(given, handler) {
      const config = configOf(given.runtime);
      const request = await answerDanglingCalls(given, config);
      trace(request.state, config);
      await checkInterrupts({ definition, name, field }, request.tools, config, find);
      const { [field]: found }: Readonly<Record<string, unknown>> = request.state;
      // The run was resumed from a checkpoint that stores no state.
      const isStateless = options.checkpoint === "version" && isFieldSnapshot(found) && found.state === null;
      const { base, observation } = memoryOf(request.state, name) ?? {};
      const thread = await find(config);
      const snapshot = isStateless ? snapshotOf(thread, options) : found;
      const { notice } = observation ?? {};
      const messages = notice === undefined ? request.messages : [...request.messages, editMessage(notice)];
      const withContext = await withThreadContext(
        definition,
        { ...request, messages },
        {
          policy,
          name,
          field,
          snapshot,
          known: observation?.from,
          digest: observation?.digest ?? "",
          place,
          narrow,
          actor: resolveActor(actor, config, thread),
          thread,
          base,
        },
      );
      const response = await handler(withContext);
      if (observation !== undefined) lastSeen.set(config, observation.threadId, answeredObservation(observation));
      return response;
    },

    async wrapToolCall(request, handler) {
      const config = configOf(request.runtime);
      trace(request.state, config);
      const result = await handOver(request, handler, async () => {
        const snapshot = threadResult(snapshotOf(await find(config), options));
        return snapshot === undefined ? {} : { [field]: snapshot };
      });
      if (request.tool !== undefined) return result;
      const thread = await find(config);
      const call = { tool: request.toolCall.name, id: submissionId(config, request.toolCall.id) };
      return answerGone(result, call, { thread, name, actor: resolveActor(actor, config, thread) });
    },

    async afterAgent(state, runtime) {
      const thread = await find(configOf(runtime));
      const past = memoryOf(state, name);
      // Without memory the run was not begun by this middleware: there is nothing to keep.
      const memoryUpdate = past === undefined ? {} : { [memory]: { ...past, written: written(thread) } };
      return { [field]: snapshotOf(thread, options), ...memoryUpdate };
    },
  });
}
