// A conversation with an AG-UI agent, each part of it a reactive value of its own: what a token
// changes is the messages, nothing else.

import type { ChatSession, ChatState } from "@opstate/ag-ui";
import type { Readable } from "@opstate/core";
import { Parts } from "./parts.ts";
import { perFrame } from "./per-frame.ts";
import { type IsEqual, type Selected, Selection } from "./selection.ts";

/**
 * A `ChatSession` as Svelte follows it; its parts are those of `ChatState`. Make the session where
 * the conversation begins, in a component: a module on a server is shared between its visitors.
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
  readonly session: ChatSession<S>;
  readonly #source: Readable<S>;
  readonly #whole: Selected<S>;
  readonly #parts: Parts<S>;

  constructor(session: ChatSession<S>) {
    this.session = session;
    this.#source = perFrame(session);
    this.#whole = this.select((state) => state);
    this.#parts = new Parts(this.#source);
  }

  /** The whole state, for what is not below. */
  get current(): S {
    return this.#whole.current;
  }

  /**
   * One slice, for readers that shall run again only when it changed. Make it once, not in a
   * template.
   */
  select<Slice>(selector: (state: S) => Slice, isEqual?: IsEqual<Slice>): Selected<Slice> {
    return new Selection(this.#source, selector, isEqual);
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

  /** Sends a message and runs the agent; resolves to the state when the run is over. */
  send(...message: Parameters<ChatSession<S>["send"]>): Promise<S> {
    return this.session.send(...message);
  }

  /** Answers the interrupts of the last run, all of them, and runs the agent. */
  resume(...answers: Parameters<ChatSession<S>["resume"]>): Promise<S> {
    return this.session.resume(...answers);
  }

  /** Ends the run, and gives up what waits to be sent. */
  abort(): void {
    this.session.abort();
  }

  /** Ends the run, forgets the conversation and deletes it from the storage. */
  clear(): Promise<void> {
    return this.session.clear();
  }
}
