// A conversation with an AG-UI agent. Each part of its state is a reactive value: a token changes
// `messages` only.

/** @ts-ignore An optional peer, needed for chat only. */
import type { ChatSession, ChatState } from "@opstate/ag-ui";
import type { Readable } from "@opstate/core";
import { Parts } from "./parts.ts";
import { type IsEqual, type Selected, Selection } from "./selection.svelte.ts";

/** What is used of a session: a `ChatSession` has it, and so may what loads one later. */
export type ChatSource<S extends ChatState = ChatState> = Readable<S> &
  Pick<ChatSession<S>, "send" | "resume" | "continueRun" | "abort" | "clear">;

/**
 * Reactive values of a `ChatSession`; they are the members of `ChatState`. Create the session in a
 * component: a module on a server is shared between its visitors.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const chat = new Chat(new ChatSession({ url: "/ag-ui/planner" }));
 *   let text = $state("");
 * </script>
 *
 * {#each chat.messages as message (message.id)}<p>{message.role}: {message.content}</p>{/each}
 * <input bind:value={text} />
 * <button onclick={() => chat.send(text)}>Send</button>
 * {#if chat.phase === "running"}<button onclick={() => chat.abort()}>Stop</button>{/if}
 * ```
 */
export class Chat<S extends ChatState = ChatState> {
  readonly session: ChatSource<S>;
  readonly #whole: Selected<S>;
  readonly #parts: Parts<S>;

  constructor(session: ChatSource<S>) {
    this.session = session;
    this.#whole = this.select((state) => state);
    this.#parts = new Parts(() => session);
  }

  /** The whole state, for members that are not listed below. */
  get current(): S {
    return this.#whole.current;
  }

  /**
   * Selects a slice whose readers run again only when it changed. Call it once, not in a template.
   */
  select<Slice>(selector: (state: S) => Slice, isEqual?: IsEqual<Slice>): Selected<Slice> {
    return new Selection(() => this.session, "state", selector, isEqual);
  }

  get phase(): S["phase"] {
    return this.#parts.read("phase");
  }

  get messages(): S["messages"] {
    return this.#parts.read("messages");
  }

  get state(): S["state"] {
    return this.#parts.read("state");
  }

  get conflicts(): S["conflicts"] {
    return this.#parts.read("conflicts");
  }

  get interrupts(): S["interrupts"] {
    return this.#parts.read("interrupts");
  }

  get pendingToolCallIds(): S["pendingToolCallIds"] {
    return this.#parts.read("pendingToolCallIds");
  }

  get reasoning(): S["reasoning"] {
    return this.#parts.read("reasoning");
  }

  get steps(): S["steps"] {
    return this.#parts.read("steps");
  }

  get subagents(): S["subagents"] {
    return this.#parts.read("subagents");
  }

  get usage(): S["usage"] {
    return this.#parts.read("usage");
  }

  get custom(): S["custom"] {
    return this.#parts.read("custom");
  }

  get run(): S["run"] {
    return this.#parts.read("run");
  }

  get error(): S["error"] {
    return this.#parts.read("error");
  }

  get warnings(): S["warnings"] {
    return this.#parts.read("warnings");
  }

  get protocol(): S["protocol"] {
    return this.#parts.read("protocol");
  }

  /** Sends a message and runs the agent. Resolves with the state when the run has ended. */
  send(...message: Parameters<ChatSession<S>["send"]>): Promise<S> {
    return this.session.send(...message);
  }

  /** Answers all interrupts of the last run and runs the agent. */
  resume(...answers: Parameters<ChatSession<S>["resume"]>): Promise<S> {
    return this.session.resume(...answers);
  }

  /** Goes on with the run that a stop of the server cut: see `stoppedRun` of `@opstate/ag-ui`. */
  continueRun(): Promise<S> {
    return this.session.continueRun();
  }

  /** Ends the run and discards messages that wait to be sent. */
  abort(): void {
    this.session.abort();
  }

  /** Ends the run and deletes the conversation, from the storage too. */
  clear(): Promise<void> {
    return this.session.clear();
  }
}
