// What a page on a socket has seen and shows. It is all that reads it on after a rest.

import { isObject } from "@opstate/core/json";
import type { Position, ShownBody } from "./attached.ts";

type Data = Readonly<Record<string, unknown>>;

export class PageState {
  readonly #positions = new Map<string, Position>();
  /** Where threads begin that the page has asked for, and that have not begun. */
  readonly #asked = new Map<string, Position>();
  /** By tab. */
  readonly #shown = new Map<unknown, ShownBody>();
  /** Of a page that reads on: the threads that have not begun again. */
  readonly #resumed = new Set<string>();

  get positions(): Readonly<Record<string, Position>> {
    return Object.fromEntries([...this.#positions, ...this.#asked]);
  }

  get shown(): readonly ShownBody[] {
    return [...this.#shown.values()];
  }

  /** Its threads begin again from here. The page has their welcome. */
  resume(positions: Readonly<Record<string, Position>>): void {
    for (const [threadId, position] of Object.entries(positions)) {
      this.#positions.set(threadId, position);
      this.#resumed.add(threadId);
    }
  }

  /** The page waits for their welcome, even where it had one. */
  follow(positions: unknown): void {
    if (!isObject(positions)) return;
    for (const [threadId, position] of Object.entries(positions)) {
      if (isObject(position)) this.#asked.set(threadId, position);
      this.#resumed.delete(threadId);
    }
  }

  /** The change was refused. */
  withdraw(positions: unknown): void {
    if (isObject(positions)) for (const threadId of Object.keys(positions)) this.#asked.delete(threadId);
  }

  unfollow(threadIds: unknown): void {
    if (Array.isArray(threadIds)) for (const threadId of threadIds) this.#leave(String(threadId));
  }

  show({ tab, threads }: ShownBody): void {
    const all = { ...this.#shown.get(tab)?.threads, ...threads };
    const shown = Object.entries(all).filter(([, value]) => value !== null);
    // Tabs come and go: one that shows nothing is none.
    if (shown.length === 0) this.#shown.delete(tab);
    else this.#shown.set(tab, { tab, threads: Object.fromEntries(shown) });
  }

  /**
   * A thread begins. `known`: the page has seen its welcome. `other`: it has, and that was another
   * one.
   */
  welcome(threadId: string, data: Data): "new" | "known" | "other" {
    const incarnation = String(data["incarnation"]);
    const readOnly = data["readOnly"] === true;
    const before = this.#positions.get(threadId);
    if (this.#resumed.delete(threadId))
      return before?.incarnation === incarnation && (before.readOnly ?? false) === readOnly ? "known" : "other";
    this.#positions.set(threadId, { ...(this.#asked.get(threadId) ?? before), incarnation, readOnly });
    this.#asked.delete(threadId);
    return "new";
  }

  /** Another event of a thread. What comes of one that was left changes nothing. */
  receive(event: string, threadId: string, data: Data): void {
    if (event === "problem") {
      this.#asked.delete(threadId);
      return this.#leave(threadId);
    }
    const before = this.#positions.get(threadId);
    if (before === undefined) return;
    const { snapshot, commits, readOnly } = data;
    if (event === "snapshot" && isObject(snapshot))
      this.#positions.set(threadId, { ...before, after: Number(snapshot["version"]) });
    else if (event === "commits" && Array.isArray(commits))
      this.#positions.set(threadId, { ...before, after: Number(commits.at(-1)?.version) });
    else if (event === "rights") this.#positions.set(threadId, { ...before, readOnly: readOnly === true });
  }

  #leave(threadId: string): void {
    this.#positions.delete(threadId);
    this.#resumed.delete(threadId);
    for (const { tab } of this.shown) this.show({ tab, threads: { [threadId]: null } });
  }
}
