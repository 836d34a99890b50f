// Who is notified of what: resources that are watched, until one of their threads ends it.

import type { Thread } from "@opstate/core";
import { CallProblem } from "../call/arguments.ts";
import type { McpCaller } from "../call/caller.ts";
import { type OwnResource, watchOwn } from "../own-features.ts";
import { isChangedBy } from "./subscription.ts";
import { type Address, readAddress } from "./uris.ts";

export const MAX_WATCHED = 200;

export interface Watching {
  readonly own: readonly OwnResource[];
  readonly onChange: (uri: string) => void;
  /** Called once when a right on a thread is lost, or the thread is gone. */
  readonly onEnd: () => void;
}

/**
 * Returns the function that ends it, which is to be called after `onEnd` too. Rejects for an
 * address that cannot be watched: nothing is watched then.
 */
export async function watchResources(
  uris: readonly unknown[],
  caller: McpCaller,
  { own, onChange, onEnd }: Watching,
): Promise<() => void> {
  if (uris.length > MAX_WATCHED)
    throw new CallProblem(`At most ${MAX_WATCHED} resources can be subscribed to; these were ${uris.length}.`);
  const releases: (() => void)[] = [];
  const release = () => {
    for (const undo of releases.splice(0)) undo();
  };
  try {
    const addresses: Address[] = [];
    for (const uri of uris) {
      const address = typeof uri === "string" ? readAddress(uri) : undefined;
      if (address !== undefined) addresses.push(address);
      else releases.push(await watchOwnResource(uri, caller, own, onChange));
    }
    const followed = await caller.follow(
      addresses.map(({ threadId }) => threadId),
      onEnd,
    );
    releases.push(followed.release, ...followed.threads.map((thread) => watchCommits(thread, addresses, onChange)));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

async function watchOwnResource(
  uri: unknown,
  { actor }: McpCaller,
  own: readonly OwnResource[],
  onChange: (uri: string) => void,
): Promise<() => void> {
  const unwatch = typeof uri === "string" ? await watchOwn(own, uri, () => onChange(uri), { actor }) : undefined;
  if (unwatch !== undefined) return unwatch;
  throw new CallProblem(`There is no resource ${JSON.stringify(uri)} to subscribe to.`);
}

/** Returns the function that unsubscribes. */
function watchCommits(thread: Thread, addresses: readonly Address[], onChange: (uri: string) => void): () => void {
  const own = addresses.filter(({ threadId }) => threadId === thread.threadId);
  return thread.onCommit((commit) => {
    for (const address of own) if (isChangedBy(address, commit)) onChange(address.uri);
  });
}
