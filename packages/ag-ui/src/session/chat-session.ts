// A conversation with an AG-UI agent: sends runs, folds the events that come back, stores the
// result.
//
// Invariants:
// - Runs go one after the other, in the order of the calls.
// - Every change is an entry of the recording, so the recording gives any state again.
// - A stream that ends without its terminal event ends in phase "error".
// - Errors are never stored.
// - A run that goes on without this page is read again by the session that loads the conversation,
//   from its first event. Nothing is sent again for it.
// (Long because the public calls of a session follow one another here.)

import type { Message, ResumeEntry } from "@ag-ui/core";
import type { Readable } from "@opstate/core";
import { randomId } from "@opstate/core/thread";
import type { ChatState } from "../state/chat-state.ts";
import { chatReducer } from "../reducer/create-chat-reducer.ts";
import { initialChatState } from "../state/initial-chat-state.ts";
import { httpAgent } from "./http-agent.ts";
import { SaveQueue } from "./save-queue.ts";
import {
  applyEntry,
  parseJsonLines,
  Recording,
  type RecordingEntry,
  type SessionRecording,
  type SessionReducer,
} from "./recording.ts";
import { type NewEntry, runAgent, type RunHost } from "./run-agent.ts";
import { type InterruptAnswer, toResume } from "./run-answers.ts";
import { readSavedChat, saveChat, type SavedChat } from "./saved-chat.ts";
import { type ChatSessionOptions, type Outgoing, unhandled } from "./session-options.ts";
import { stoppedRun } from "./stopped-run.ts";

/** What a call adds to the conversation, and how its run begins. */
interface Turn {
  readonly messages: readonly Message[];
  readonly resume?: ResumeEntry[];
  readonly continues?: string;
}

/**
 * A conversation with any AG-UI agent as one value that a UI renders; its shape is zustand's
 * vanilla store.
 *
 * One run at a time: a `send` during a run waits for its end, and its message is shown when its own
 * run starts. An error of a run is in the state (`phase: "error"`, `error`). The methods reject
 * only for a mistake of the caller.
 *
 * @example
 * ```ts
 * import { ChatSession } from "@opstate/ag-ui";
 *
 * const session = new ChatSession({
 *   // Any agent will do; `url` names one on an AG-UI server.
 *   transport: async function* ({ threadId, runId }) {
 *     yield { type: "RUN_STARTED", threadId, runId };
 *     yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: "Hello" };
 *     yield { type: "RUN_FINISHED", threadId, runId };
 *   },
 * });
 * const { phase, messages } = await session.send("Hi");
 *
 * phase; // "idle"
 * messages.map(({ role }) => role); // ["user", "assistant"]
 * ```
 */
export class ChatSession<S extends ChatState = ChatState> implements Readable<S> {
  readonly threadId: string;
  /** Resolves when the stored conversation is shown. Never rejects. */
  readonly ready: Promise<void>;
  readonly #options: ChatSessionOptions<S>;
  readonly #host: RunHost;
  readonly #reducer: SessionReducer<S>;
  readonly #saveQueue: SaveQueue;
  readonly #mintId: () => string;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<{ readonly listener: (state: S, previous: S) => void }>();
  readonly #initial: S;
  #state: S;
  readonly #recording: Recording<S>;
  #aborter = new AbortController();
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** The run that was under way when the conversation was stored. */
  #rejoined: Promise<void> = Promise.resolve();
  /** The run that is under way, and the conversation before it. */
  #underWay: { readonly runId: string; readonly before: S; isDetached: boolean } | undefined;

  constructor(options: ChatSessionOptions<S>) {
    const { threadId, storage, mintId = randomId, onError = unhandled } = options;
    this.#options = options;
    this.#reducer = options.reducer ?? chatReducer;
    // A reducer with its own kind of state comes with `initial`.
    this.#state = options.initial ?? (initialChatState() as S);
    this.#mintId = mintId;
    this.#onError = onError;
    this.threadId = threadId ?? mintId();
    this.#host = {
      threadId: this.threadId,
      transport: options.transport ?? httpAgent(options),
      options,
      mintId,
      getState: this.getState,
      add: (entry) => this.#add(entry),
      onBegin: (runId) => this.#beginRun(runId),
      onDetached: () => this.#underWay && (this.#underWay.isDetached = true),
      onEnd: () => this.#endRun(),
    };
    this.#recording = new Recording(this.#reducer, this.#state, { limit: options.recordingLimit ?? 100_000, onError });
    this.#saveQueue = new SaveQueue(storage, onError);
    this.ready =
      options.initial === undefined
        ? this.#saveQueue.load(this.threadId, (chat) => {
            this.#restart(chat.state as S);
            this.#rejoin(chat);
          })
        : Promise.resolve();
    this.#initial = this.#state;
  }

  /**
   * The session of a stored conversation: what `toJSON` gave, parsed. Throws a TypeError for
   * anything else.
   */
  static fromJSON<S extends ChatState = ChatState>(json: unknown, options: ChatSessionOptions<S>): ChatSession<S> {
    const chat = readSavedChat(json);
    const { threadId, state } = chat;
    const session = new ChatSession<S>({ ...options, threadId, initial: { ...options.initial, ...state } as S });
    session.#rejoin(chat);
    return session;
  }

  /**
   * The session of a recording: what `exportRecording` gave. Its state is the last one, and
   * `replayTo` gives the earlier ones. Throws a TypeError for anything else.
   */
  static fromRecording<S extends ChatState = ChatState>(
    jsonLines: string,
    options: ChatSessionOptions<S>,
  ): ChatSession<S> {
    const { threadId, first, initial, entries } = parseJsonLines(jsonLines);
    const session = new ChatSession<S>({ ...options, threadId, initial: initial as S });
    session.#recording.restart(session.#state, first);
    for (const entry of entries) session.#apply(entry);
    return session;
  }

  getState = (): S => this.#state;

  getInitialState = (): S => this.#initial;

  subscribe = (listener: (state: S, previous: S) => void): (() => void) => {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  /**
   * Sends a message and runs the agent. Resolves to the state at the end of the run and of the runs
   * that its tool calls led to. Rejects when interrupts wait for answers.
   */
  send(message: string | Outgoing): Promise<S> {
    return this.#enqueue(() => {
      const { interrupts } = this.#state;
      if (interrupts.length > 0)
        throw new Error(
          `The agent waits for answers to ${interrupts.map(({ id }) => id).join(", ")}. Call resume to answer or cancel them.`,
        );
      return { messages: [this.#messageOf(message)] };
    });
  }

  /**
   * Answers all interrupts of the last run and runs the agent, optionally with a message. Rejects
   * when an answer is missing or matches no interrupt.
   */
  resume(answers: readonly InterruptAnswer[], message?: string | Outgoing): Promise<S> {
    return this.#enqueue(() => ({
      resume: toResume(this.#state.interrupts, answers),
      messages: message === undefined ? [] : [this.#messageOf(message)],
    }));
  }

  /**
   * Goes on with the run that a stop of the server cut, from where its agent was. Resolves as
   * `send` does. Rejects when there is none that its agent can continue: see `stoppedRun`.
   */
  continueRun(): Promise<S> {
    return this.#enqueue(() => {
      const stopped = stoppedRun(this.#state);
      if (stopped?.continuable !== true)
        throw new Error(
          stopped === undefined
            ? "The last run was not stopped by its server. There is nothing to continue."
            : `The agent cannot continue run ${stopped.runId}. Send a message instead.`,
        );
      return { messages: [], continues: stopped.runId };
    });
  }

  /** Ends the run, and drops the messages that wait to be sent. */
  abort(): void {
    this.#aborter.abort();
    this.#aborter = new AbortController();
  }

  /**
   * Ends the run, goes back to the initial state, and deletes the conversation from the storage.
   */
  async clear(): Promise<void> {
    this.abort();
    await Promise.all([this.#lastTurn, this.#rejoined]);
    this.#restart(this.#options.initial ?? (initialChatState() as S));
    this.#saveQueue.delete(this.threadId);
    await this.#saveQueue.idle();
  }

  /** Resolves when the conversation up to now is stored. */
  async saved(): Promise<void> {
    await this.#saveQueue.idle();
  }

  /**
   * The conversation as plain JSON. What is open becomes incomplete, and errors are left out. In a
   * run that goes on without this page it is the conversation before that run, with the run's id:
   * the session that is made of it reads the run again.
   */
  toJSON(): SavedChat {
    const run = this.#underWay;
    // Until the first event it is not known whether the run goes on; nothing is lost by asking.
    if (run !== undefined && (run.isDetached || run.before === this.#state))
      return saveChat(this.threadId, run.before, run.runId);
    return saveChat(this.threadId, this.#state);
  }

  /**
   * The entries so far, and the states that `replayTo` gives: from `first` to `length`. It can be
   * subscribed to: its value has the state and the entries of one moment.
   */
  get recording(): SessionRecording<S> {
    return this.#recording;
  }

  /**
   * The state after the first `index` entries of the recording. The session keeps its own state.
   * Throws a RangeError for an index outside of the recording.
   */
  replayTo(index: number): S {
    return this.#recording.replayTo(index);
  }

  /** The recording as JSON Lines, for `fromRecording` or a file. */
  exportRecording(): string {
    return this.#recording.toJsonLines(this.threadId);
  }

  #enqueue(begin: () => Turn): Promise<S> {
    const { signal } = this.#aborter;
    const turn = this.#lastTurn.then(async () => {
      await this.ready;
      await this.#rejoined;
      if (signal.aborted) return this.#state;
      const { messages, ...first } = begin();
      this.#add({ send: messages });
      if (this.#host.transport.runs === undefined) this.#save();
      await runAgent(this.#host, first, signal);
      if (this.#host.transport.runs === undefined) this.#save();
      return this.#state;
    });
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  /** Reads the run on that was under way. It has its own turn, before every other. */
  #rejoin({ run }: SavedChat): void {
    if (run === undefined || this.#host.transport.runs === undefined) return;
    const { signal } = this.#aborter;
    const turn = async () => {
      // After the maker of the session could subscribe.
      await Promise.resolve();
      if (signal.aborted) return;
      this.#add({ send: [] });
      await runAgent(this.#host, { rejoin: run.runId }, signal);
    };
    this.#rejoined = turn();
  }

  #beginRun(runId: string): void {
    if (this.#host.transport.runs === undefined) return;
    this.#underWay = { runId, before: this.#state, isDetached: false };
    this.#save();
  }

  #endRun(): void {
    if (this.#underWay === undefined) return;
    this.#underWay = undefined;
    this.#save();
  }

  #messageOf(message: string | Outgoing): Message {
    if (typeof message === "string") return { id: this.#mintId(), role: "user", content: message };
    return { role: "user", ...message, id: message.id ?? this.#mintId() };
  }

  #add(entry: NewEntry): void {
    this.#apply({ at: (this.#options.clock ?? Date.now)(), ...entry });
  }

  #apply(entry: RecordingEntry): void {
    const before = this.#state;
    const after = applyEntry(this.#reducer, before, entry);
    this.#show(after, this.#recording.add(entry, before, after));
  }

  #restart(state: S): void {
    this.#show(state, this.#recording.restart(state));
  }

  /** The state and its recording are set before any listener is called. */
  #show(next: S, notifyRecording: () => void): void {
    const previous = this.#state;
    this.#state = next;
    if (!Object.is(next, previous)) this.#notify(next, previous);
    notifyRecording();
  }

  #notify(next: S, previous: S): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(next, previous);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #save(): void {
    this.#saveQueue.save(this.toJSON());
  }
}
