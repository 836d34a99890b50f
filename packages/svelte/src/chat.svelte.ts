// A conversation with an AG-UI agent, each part of it a reactive value of its own: what a token changes is the messages, nothing else.

import type { ChatSession, ChatState } from "@opstate/ag-ui";
import type { Readable } from "@opstate/core";
import { perFrame } from "./per-frame.ts";
import { type IsEqual, type Selected, Selection } from "./selection.ts";

/**
 * A `ChatSession` as Svelte follows it; its parts are those of `ChatState`. Make the session where the conversation begins, in a component:
 * a module on a server is shared between its visitors.
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
  readonly #parts = new Map<keyof S, Selected<unknown>>();

  constructor(session: ChatSession<S>) {
    this.session = session;
    this.#source = perFrame(session);
    this.#whole = this.select((state) => state);
  }

  /** The whole state, for what is not below. */
  get current(): S {
    return this.#whole.current;
  }

  /** One slice, for readers that shall run again only when it changed. Make it once, not in a template. */
  select<Slice>(selector: (state: S) => Slice, isEqual?: IsEqual<Slice>): Selected<Slice> {
    return new Selection(this.#source, selector, isEqual);
  }

  get phase(): S["phase"] {
    return this.#part("phase");
  }

  get messages(): S["messages"] {
    return this.#part("messages");
  }

  get state(): S["state"] {
    return this.#part("state");
  }

  get conflicts(): S["conflicts"] {
    return this.#part("conflicts");
  }

  get interrupts(): S["interrupts"] {
    return this.#part("interrupts");
  }

  get pendingToolCallIds(): S["pendingToolCallIds"] {
    return this.#part("pendingToolCallIds");
  }

  get reasoning(): S["reasoning"] {
    return this.#part("reasoning");
  }

  get steps(): S["steps"] {
    return this.#part("steps");
  }

  get subagents(): S["subagents"] {
    return this.#part("subagents");
  }

  get usage(): S["usage"] {
    return this.#part("usage");
  }

  get custom(): S["custom"] {
    return this.#part("custom");
  }

  get run(): S["run"] {
    return this.#part("run");
  }

  get error(): S["error"] {
    return this.#part("error");
  }

  get warnings(): S["warnings"] {
    return this.#part("warnings");
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

  #part<Key extends keyof S>(key: Key): S[Key] {
    const known = this.#parts.get(key) ?? this.select((state) => state[key]);
    this.#parts.set(key, known);
    // What a map has under a key is of that key's type: it is set here only.
    return known.current as S[Key];
  }
}
