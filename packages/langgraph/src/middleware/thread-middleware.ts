// The middleware that keeps a LangChain agent in sync with a thread.
//
// Invariants:
// - The thread decides. Its snapshot replaces the field when the run begins, before each model
//   call, and when the run ends.
// - A model call is shown exactly one version.
// - Each change by others is shown once.
// - Nothing that the middleware shows enters the history.

import { StateSchema } from "@langchain/langgraph";
import { defined, type AnyDefinition, type Thread } from "@opstate/core";
import { createMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { snapshotOf, threadResult } from "../fields/thread-snapshot.ts";
import { LastLooks } from "../thread/last-looks.ts";
import { memoryKey, memoryOf, type Memory } from "../thread/run-memory.ts";
import {
  configOf,
  resolveActor,
  resolveThread,
  runOf,
  type ActorSource,
  type RunConfig,
  type ThreadSource,
} from "../thread/thread-source.ts";
import { answerDanglingCalls } from "./answer-dangling-calls.ts";
import type { Place } from "./briefing.ts";
import { checkInterrupts } from "./check-interrupts.ts";
import { withThreadContext } from "./thread-context.ts";
import { observe } from "./observe.ts";
import { handOver } from "./hand-over.ts";
import { middlewareName } from "./middleware-name.ts";
import { editMessage, findEdit, reportEdit, written, type OnEdit } from "./overwritten-edit.ts";

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
   * The most that the model is shown, in tokens of about 4 characters: of the state (8,000) and of
   * the changes by others (600).
   */
  readonly budget?: { readonly state?: number; readonly digest?: number };
  /**
   * What the graph's checkpoints store of the field: everything (the default), or its version only.
   */
  readonly checkpoint?: "state" | "version";
  /**
   * Where the state is shown. Default: in a message at the end of each call, so that everything
   * before it can be cached. Or in the system message, for models that accept no user message after
   * a tool's result (Mistral's).
   */
  readonly place?: Place;
  /**
   * Is told when the field was edited: by `graph.updateState`, a run's input or a node. The thread
   * decides, so the edit has no effect; its state replaces it when the next run begins. The model
   * is told, too.
   */
  readonly onReject?: OnEdit;
}

export function threadMiddleware<D extends AnyDefinition>(definition: D, options: ThreadMiddlewareOptions<D>) {
  const name = middlewareName(definition, options.name);
  const field: string = options.field ?? name;
  const memory = memoryKey(name);
  const budget = { state: 8000, digest: 600, ...options.budget };
  const find = (config: RunConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  const looks = new LastLooks();

  /** Reports an edit of the field, and gives the words for the model. */
  async function noticeOf(thread: Thread, state: object, past: Memory | undefined): Promise<string | undefined> {
    const { [field]: found }: Readonly<Record<string, unknown>> = { ...state };
    const edit = await findEdit(thread, found, past?.written);
    return edit === undefined ? undefined : reportEdit(field, edit, options.onReject);
  }

  // The types do not know the fields' names, which are values here. The caller types the result.
  const fields: Record<never, never> = {
    [field]: snapshotField(definition, options),
    [memory]: z.custom<Memory>().optional(),
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const runId = runOf(config)?.runId ?? crypto.randomUUID();
      const past = memoryOf(state, name);
      const notice = await noticeOf(thread, state, past);
      const next: Memory = { ...past, runId, written: written(thread), ...defined({ notice }) };
      return { [field]: snapshotOf(thread, options), [memory]: next };
    },

    async beforeModel(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const past = memoryOf(state, name);
      const last = past?.observation ?? looks.get(config, thread.threadId);
      const notice = past?.notice ?? (await noticeOf(thread, state, past));
      const { observation, snapshot } = await observe(thread, last, notice, state.messages, {
        for: resolveActor(options.actor, config),
        budget: budget.digest,
        checkpoint: options.checkpoint,
      });
      const { version } = snapshot;
      const next: Memory = {
        runId: past?.runId ?? crypto.randomUUID(),
        observation,
        written: { ...written(thread), version },
      };
      return { [field]: snapshot, [memory]: next };
    },

    async wrapModelCall(asked, handler) {
      const config = configOf(asked.runtime);
      const request = await answerDanglingCalls(asked, config);
      await checkInterrupts({ definition, name, field }, request.tools, config, find);
      const { [field]: found }: Readonly<Record<string, unknown>> = request.state;
      // The run was resumed from a checkpoint that stores no state.
      const isStateless = options.checkpoint === "version" && isFieldSnapshot(found) && found.state === null;
      const snapshot = isStateless ? snapshotOf(await find(config), options) : found;
      const observation = memoryOf(request.state, name)?.observation;
      const { digest = "", notice } = observation ?? {};
      const { place, actor } = options;
      const messages = notice === undefined ? request.messages : [...request.messages, editMessage(notice)];
      const context = { name, field, snapshot, digest, budget: budget.state, place, actor };
      const response = await handler(withThreadContext(definition, { ...request, messages }, context));
      if (observation !== undefined) looks.set(config, observation);
      return response;
    },

    wrapToolCall(request, handler) {
      return handOver(request, handler, async () => {
        const snapshot = threadResult(snapshotOf(await find(configOf(request.runtime)), options));
        return snapshot === undefined ? {} : { [field]: snapshot };
      });
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
