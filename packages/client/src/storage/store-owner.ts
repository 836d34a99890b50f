// Whose store is used: the actor that the server confirmed, else the one of the last time.
//
//   nothing known ──> the actor of the last time, unconfirmed ──> confirmed, the same
//        └──────────────────────────────────────────────────└───> confirmed, another one
//
// When the session is ended the store has no owner until the server confirms an actor.
//
// Invariant: edits of one actor are neither sent nor shown once the server says that it is another.

import type { Actor } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import type { ClientStorage, StorageScope } from "./storage.ts";

export class StoreOwner {
  readonly storage: ClientStorage;
  readonly #url: string;
  #last: Promise<Actor | undefined> | undefined;
  #actor: Actor | undefined;
  /** That of the actor, once it was read. */
  #session: string | undefined;
  #isEnded = false;
  isConfirmed = false;
  /** Called when the store says that the session was ended. */
  onSignedOut?: () => void;

  /** `actor`: whom the page itself names, such as from a sign-in. */
  constructor(storage: ClientStorage, url: string, actor: Actor | undefined) {
    this.storage = storage;
    this.#url = url.replace(/\/+$/, "");
    this.#actor = actor;
  }

  get actor(): Actor | undefined {
    return this.#isEnded ? undefined : this.#actor;
  }

  scope(actor: Actor): StorageScope {
    return { url: this.#url, actor, session: this.#session };
  }

  /** The actor whose store it is, as far as it is known. Reads it once. */
  async find(): Promise<Actor | undefined> {
    if (this.#actor === undefined) {
      // After a failure the next call asks again.
      this.#last ??= this.storage.lastActor(this.#url).finally(() => (this.#last = undefined));
      const last = await this.#last;
      this.#actor ??= last;
    }
    const { actor } = this;
    if (actor !== undefined && this.#session === undefined) {
      const session = await this.storage.begin(this.scope(actor));
      // Another actor may have been confirmed in the meantime.
      if (this.actor && sameActor(actor, this.actor)) this.#session = session;
    }
    return this.actor;
  }

  /** The server says who it is. Returns whether another actor counted as the owner. */
  confirm(actor: Actor): boolean {
    const isOther = this.#actor !== undefined && !sameActor(this.#actor, actor);
    if (isOther) this.#session = undefined;
    this.#actor = actor;
    this.#isEnded = false;
    this.isConfirmed = true;
    return isOther;
  }

  /**
   * The next page begins with this actor. A store that does not save it begins without an actor.
   */
  remember(actor: Actor): void {
    this.storage.setLastActor(this.#url, actor).catch(() => undefined);
  }

  /** The session was ended in another tab. */
  end(): void {
    this.#isEnded = true;
    this.#session = undefined;
  }
}
