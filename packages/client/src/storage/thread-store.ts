// What is kept of one thread: loaded before it is first followed, and saved as it changes.
//
// Invariants:
// - An edit is saved at once. It leaves the store with its verdict: an accepted one in the same
//   step in which the snapshot that has it is saved. So does one that another tab saved.
// - Where the page itself is the authority, no edit is pending: its newest state is saved at once,
//   one save at a time.
// - A snapshot of another version of the definition is dropped. Edits never are: they are given to
//   the replica, or listed as lost.
// - No failure of the store stops the thread. It is reported, and the next call tries again.
//
// (Long because it is one state machine: loading, saving and the pending edits share its state.)

import { type Actor, type AnyDefinition, type Commit, type PendingOperation, type Replica } from "@opstate/core";
import { isRedact } from "@opstate/core/log";
import { sameActor } from "@opstate/core/thread";
import type { Submission } from "@opstate/core/transport";
import type { StoredEdit, StoredSnapshot } from "./storage.ts";
import { asError } from "../as-error.ts";
import type { StorageError } from "./storage-error.ts";
import type { StoreOwner } from "./store-owner.ts";

export interface ThreadStoreOptions {
  readonly threadId: string;
  readonly definition: AnyDefinition;
  readonly owner: StoreOwner;
  readonly replica: () => Pick<Replica, "restore" | "snapshot" | "sync">;
  /** Whether the page itself is the authority: it loads the state, and decides edits at once. */
  readonly isLocal: boolean;
  /** Edits of an earlier page that are not sent. */
  readonly onLost: (edits: readonly PendingOperation[]) => void;
  /** What the last call of the store threw; undefined: it went well. */
  readonly onFailure: (error: Error | undefined) => void;
}

/** What is noted of a commit. */
type NotedCommit = Pick<Commit, "id" | "actor" | "version">;

/** Milliseconds after which a new state is saved. */
const PACE = 300;
/** Milliseconds. A store that is slower does not keep the thread from connecting. */
const PATIENCE = 2_000;

export class ThreadStore {
  readonly #options: ThreadStoreOptions;
  #loading: Promise<void> | undefined;
  /** Whose edits and snapshots are saved, once the store was loaded. */
  #owner: Actor | undefined;
  /** What is stored was not restored, because the replica is still another actor's. */
  #isEarly = false;
  /** Saved edits, as they were saved. */
  readonly #saved = new Map<string, Submission>();
  /** Those of them that the store has by now. */
  readonly #kept = new Set<string>();
  /** Whether a snapshot is on its way to the store. */
  #isSaving = false;
  #decided: string[] = [];
  /** Commits that the stored snapshot does not have yet: another tab may have saved their edits. */
  #commits: readonly NotedCommit[] = [];
  /** Of the snapshot that the store has: its thread and version. */
  #savedState: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** One call after another, so that an edit is not removed before it is saved. */
  #calls: Promise<unknown> = Promise.resolve();

  constructor(options: ThreadStoreOptions) {
    this.#options = options;
  }

  /** Loads what is kept, once for each owner. Resolves also when it cannot, or takes long. */
  load(): Promise<void> {
    return (this.#loading ??= Promise.race([this.#load(), new Promise<void>((resolve) => later(resolve, PATIENCE))]));
  }

  get isLoaded(): boolean {
    return this.#owner !== undefined;
  }

  /** An actor is confirmed now who was not known before, or was another. */
  begin(): void {
    if (this.#owner !== undefined) return;
    this.#loading = undefined;
    this.#isEarly = false;
    void this.load();
  }

  /** Resolves when what was to be saved until now is saved, or could not be. */
  get saved(): Promise<unknown> {
    return this.#calls;
  }

  /** Whether every edit would survive the page. */
  keepsAll(): boolean {
    const { isLocal, replica } = this.#options;
    const { pending } = replica().sync.getState();
    if (isLocal) return this.#owner !== undefined && pending.length === 0 && !this.#isSaving && !this.#hasNewState();
    return pending.every(({ id }) => this.#kept.has(id));
  }

  #hasNewState(): boolean {
    const snapshot = this.#options.replica().snapshot();
    if (snapshot === undefined || (this.#options.isLocal && snapshot.version === 0)) return false;
    return stateOf(snapshot) !== this.#savedState;
  }

  /** The pending edits are another actor's than the one who is connected now. */
  lose(): void {
    const { replica, onLost } = this.#options;
    onLost(replica().sync.getState().pending);
    this.end();
  }

  /** What is here is not saved until `begin`: the session of the actor was ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#loading = undefined;
    this.#owner = undefined;
    this.#savedState = undefined;
    this.#decided = [];
    this.#commits = [];
    this.#saved.clear();
    this.#kept.clear();
  }

  /** The thread has these commits now, or will have them when it has those before. */
  note(commits: readonly Commit[]): void {
    if (this.#options.isLocal) return;
    // What an actor wrote was erased: the stored snapshot may hold it. Edits stay.
    if (commits.some(({ operation }) => isRedact(operation))) this.dropSnapshot();
    const own = commits.filter(({ actor }) => this.#owner === undefined || sameActor(actor, this.#owner));
    this.#commits = [...this.#commits, ...own.map(({ id, actor, version }) => ({ id, actor, version }))];
  }

  /** Saves what has changed: called after every message and every edit. */
  check(): void {
    if (this.#owner === undefined) {
      if (this.#isEarly) this.begin();
      return;
    }
    const { isLocal, replica } = this.#options;
    const waiting = new Set<string>();
    for (const edit of replica().sync.getState().pending) {
      waiting.add(edit.id);
      if (isLocal) continue;
      if (this.#saved.get(edit.id)?.operation !== edit.operation && edit.provisional !== true) this.#saveEdit(edit);
    }
    for (const id of [...this.#saved.keys()]) {
      if (waiting.has(id)) continue;
      this.#saved.delete(id);
      this.#kept.delete(id);
      this.#decided.push(id);
    }
    if (!this.#hasNewState() && this.#decided.length === 0) return;
    if (!isLocal) this.#saveSoon();
    else this.flush();
  }

  /** Saves the newest state now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#owner === undefined) return;
    // What is newer is saved when this save is done.
    if (this.#options.isLocal && this.#isSaving) return;
    const snapshot = this.#snapshot();
    const decided = this.#takeDecided(snapshot?.version);
    const { threadId, owner } = this.#options;
    const scope = owner.scope(this.#owner);
    if (snapshot !== undefined && (stateOf(snapshot) !== this.#savedState || decided.length > 0)) {
      this.#savedState = stateOf(snapshot);
      this.#isSaving = true;
      const save = async (): Promise<void> => {
        await owner.storage.saveSnapshot(scope, threadId, snapshot, decided);
        this.#isSaving = false;
        if (this.#options.isLocal) this.check();
      };
      const again = (): void => {
        this.#isSaving = false;
        this.#savedState = undefined;
        this.#decided.unshift(...decided);
      };
      void this.#call(save, again);
    } else if (decided.length > 0) void this.#call(() => owner.storage.removeEdits(scope, threadId, decided));
  }

  /** The edits that have a verdict, and those of any tab that a snapshot of this version has. */
  #takeDecided(version = -1): readonly string[] {
    const contained = this.#committedBy(this.#owner, version);
    this.#commits = this.#commits.filter((commit) => commit.version > version);
    const decided = new Set([...this.#decided, ...contained]);
    this.#decided = [];
    return [...decided];
  }

  #committedBy(author: Actor | undefined, version: number): readonly string[] {
    return this.#commits.flatMap(({ id, actor, version: at }) =>
      at <= version && author !== undefined && sameActor(actor, author) ? [id] : [],
    );
  }

  /** The thread is not for this actor any more, or is gone. */
  dropSnapshot(): void {
    if (this.#owner === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#savedState = undefined;
    const { threadId, owner } = this.#options;
    const scope = owner.scope(this.#owner);
    void this.#call(() => owner.storage.dropSnapshot(scope, threadId));
  }

  async #load(): Promise<void> {
    const { threadId, definition, owner, replica, isLocal, onLost } = this.#options;
    const stored = await this.#call(async () => {
      const actor = await owner.find();
      if (actor === undefined) return undefined;
      return { actor, ...(await owner.storage.load(owner.scope(actor), threadId)) };
    });
    // Another actor was confirmed in the meantime: its own store is loaded.
    const { actor } = owner;
    if (actor === undefined) return;
    if (stored !== undefined && !sameActor(stored.actor, actor)) return;
    const { edits: found = [], snapshot: kept } = stored ?? {};
    // A store that was slow: the thread may have connected, and have some of them by now.
    const contained = this.#committedBy(actor, replica().sync.getState().version);
    const edits = found.filter(({ id }) => !contained.includes(id));
    const own = edits.filter((edit) => edit.definition === definition.name);
    const snapshot = this.#fitting(kept);
    const isRestored = replica().restore({
      ...(snapshot !== undefined && !isLocal && { snapshot }),
      pending: own,
      actor,
    });
    // The replica does not know yet who is connected now.
    if (!isRestored) {
      this.#isEarly = true;
      return undefined;
    }
    this.#owner = actor;
    if (snapshot !== undefined) this.#savedState = stateOf(snapshot);
    else if (kept !== undefined && !isLocal) this.dropSnapshot();
    for (const edit of own) {
      this.#saved.set(edit.id, edit);
      this.#kept.add(edit.id);
    }
    const others = edits.filter((edit) => !own.includes(edit));
    if (others.length > 0) onLost(others.map((edit) => ({ ...edit, status: "queued" })));
    return this.check();
  }

  /** The stored snapshot as a replica takes it, where the definition is still the same. */
  #fitting(snapshot: StoredSnapshot | undefined) {
    const { definition } = this.#options;
    if (snapshot === undefined) return undefined;
    const { version, state, incarnation, branch } = snapshot;
    if (snapshot.definition === definition.name && snapshot.definitionVersion === definition.version)
      return { version, state, incarnation, ...(branch === true ? { parent: {} } : {}) };
    return undefined;
  }

  #saveEdit(edit: PendingOperation): void {
    const { threadId, definition, owner } = this.#options;
    if (this.#owner === undefined) return;
    const scope = owner.scope(this.#owner);
    this.#saved.set(edit.id, edit);
    const stored: StoredEdit = { ...edit, definition: definition.name, definitionVersion: definition.version };
    const save = async (): Promise<void> => {
      await owner.storage.saveEdit(scope, threadId, stored);
      if (this.#saved.has(edit.id)) this.#kept.add(edit.id);
    };
    // The next check tries again.
    void this.#call(save, () => this.#saved.delete(edit.id));
  }

  #saveSoon(): void {
    this.#timer ??= later(() => this.flush(), PACE);
  }

  #snapshot(): StoredSnapshot | undefined {
    const { definition, replica } = this.#options;
    const { version, state, incarnation, parent } = replica().snapshot() ?? {};
    if (version === undefined || incarnation === undefined) return undefined;
    return {
      definition: definition.name,
      definitionVersion: definition.version,
      incarnation,
      version,
      state,
      ...(parent !== undefined && { branch: true }),
    };
  }

  #call<T>(run: () => Promise<T>, onFailed?: () => void): Promise<T | undefined> {
    const result = this.#calls.then(run).then(
      (value) => {
        this.#options.onFailure(undefined);
        return value;
      },
      (error: unknown) => {
        onFailed?.();
        this.#options.onFailure(asError(error));
        if ((error as Partial<StorageError> | undefined)?.code === "signed_out") this.#options.owner.onSignedOut?.();
        return undefined;
      },
    );
    this.#calls = result;
    return result;
  }
}

function stateOf({ incarnation, version }: { readonly incarnation?: string; readonly version: number }): string {
  return `${version} ${incarnation ?? ""}`;
}

/** A process that has nothing else to do may end. */
function later(call: () => void, milliseconds: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(call, milliseconds);
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
