// What tabs need of their host to find each other: locks, a channel, a timer. A simulation has its
// own.

import { randomId } from "@opstate/core/thread";

export interface TabPorts {
  /** Unlike that of any other tab. */
  randomId(): string;
  /**
   * Requests a lock, or takes it from its holder. Returns the function that releases the lock, or
   * stops waiting for it.
   */
  lock(name: string, options: LockOptions): () => void;
  /** To every other tab that has the channel open. */
  channel(name: string, onMessage: (message: unknown) => void): TabChannel;
  timer(milliseconds: number, call: () => void): () => void;
}

export interface LockOptions {
  readonly steal?: boolean;
  onGranted(): void;
  /** Another tab took it. */
  onLost?(): void;
  /** This host gives no locks. */
  onFailed?(): void;
}

export interface TabChannel {
  post(message: unknown): void;
  close(): void;
}

/** The parts of a browser that are used here: not every host has their types. */
interface Host {
  readonly navigator?: { readonly locks?: Locks };
  readonly BroadcastChannel?: new (name: string) => Channel;
  readonly location?: unknown;
}

interface Locks {
  request(
    name: string,
    options: { readonly steal?: boolean; readonly signal?: AbortSignal },
    onGranted: () => Promise<void> | undefined,
  ): Promise<unknown>;
}

interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** Those of a browser. Undefined where tabs cannot find each other, such as on a server. */
export function browserPorts(): TabPorts | undefined {
  const host = globalThis as unknown as Host;
  const locks = host.navigator?.locks;
  const Channel = host.BroadcastChannel;
  // Node has both, and no pages.
  if (locks === undefined || Channel === undefined || host.location === undefined) return undefined;
  return {
    randomId,
    lock: (name, options) => requestLock(locks, name, options),
    channel(name, onMessage) {
      const channel = new Channel(name);
      channel.addEventListener("message", (event) => onMessage(event.data));
      return { post: (message) => postJson(channel, message), close: () => channel.close() };
    },
    timer(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

function requestLock(locks: Locks, name: string, options: LockOptions): () => void {
  const { steal = false, onGranted, onLost, onFailed } = options;
  const stopAsking = new AbortController();
  let release = (): void => undefined;
  let isGranted = false;
  let isReleased = false;
  locks
    .request(name, steal ? { steal } : { signal: stopAsking.signal }, () => {
      if (isReleased) return undefined;
      isGranted = true;
      const held = new Promise<void>((resolve) => (release = resolve));
      onGranted();
      return held;
    })
    .catch(() => {
      if (isReleased) return;
      if (isGranted) onLost?.();
      else onFailed?.();
    });
  return () => {
    isReleased = true;
    stopAsking.abort();
    release();
  };
}

/** What cannot be cloned as it is is sent as JSON, as it would be to a server. */
function postJson(channel: Channel, message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
  const post = (each: unknown): void => channel.postMessage(each);
  try {
    post(message);
  } catch {
    post(JSON.parse(JSON.stringify(message)));
  }
}
