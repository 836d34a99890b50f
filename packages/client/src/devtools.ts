// The entry `@opstate/client/devtools`, which both bindings pass on. In Redux DevTools each commit
// is an action with its version and actor, each refusal one with its rejection. Time travel only
// changes the view.
//
// Invariants:
// - No message of the extension changes the source.
// - While a past state is shown, the source goes on. Choosing the newest action shows it again.

import { type AnyOperation, type Commit, defined, type Readable, type Refusal } from "@opstate/core";
import { createSource } from "@opstate/core/readable";

export interface DevtoolsOptions {
  /** What the extension calls it. */
  readonly name: string;
  /** Actions that the extension keeps; default: its own setting. */
  readonly maxAge?: number;
  /**
   * Default: the browser's, `window.__REDUX_DEVTOOLS_EXTENSION__`. Without one nothing is
   * connected.
   */
  readonly extension?: DevtoolsExtension;
}

/** What of Redux DevTools is used. */
export interface DevtoolsExtension {
  connect(options: { readonly name: string; readonly maxAge?: number }): DevtoolsConnection;
}

export interface DevtoolsConnection {
  init(state: unknown): void;
  send(action: AnyOperation, state: unknown): void;
  subscribe(listener: (message: unknown) => void): (() => void) | undefined;
  error?(message: string): void;
}

/** A client's thread, a replica, or an opened thread. */
export interface DevtoolsSource<State> extends Readable<State> {
  onCommit?(listener: (commit: Commit) => void): () => void;
  onRejection?(listener: (refusal: Refusal) => void): () => void;
}

/** The source, with the past state that time travel shows in place of its own. */
export type DevtoolsView<Source> = Source & {
  /** Whether a past state is shown. */
  readonly past: Readable<boolean>;
  disconnect(): void;
};

/**
 * Shows a source in Redux DevTools until `disconnect`. Give the returned view to components in
 * place of the source, to a provider too: all else of it is the source's, so edits go on.
 *
 * @example
 * ```tsx
 * const view = connectDevtools(client.thread(board, "launch"), { name: "board" });
 * <Board.Provider thread={view}>
 *   <Columns />
 *   {useAgentState(view.past) && <p>This is the past</p>}
 * </Board.Provider>;
 * ```
 */
export function connectDevtools<Source extends DevtoolsSource<unknown>>(
  source: Source,
  { name, maxAge, extension = installed() }: DevtoolsOptions,
): DevtoolsView<Source> {
  /** The past state that is shown in place of the source's. */
  const jump = createSource<{ readonly state: unknown } | undefined>(undefined);
  const past = createSource(false);
  const connection = extension?.connect({ name, ...defined({ maxAge }) });
  /** How many actions were sent since the last `init`. */
  let sent = 0;
  let recording = true;

  function restart(): void {
    sent = 0;
    showPast(undefined);
    connection?.init(source.getState());
  }

  function send(action: { readonly type: string; readonly [about: string]: unknown }): void {
    if (!recording) return;
    sent += 1;
    connection?.send(action, source.getState());
  }

  function showPast(at: { readonly state: unknown } | undefined): void {
    const notify = [jump.set(at), past.set(at !== undefined)];
    for (const each of notify) each();
  }

  function receive(message: unknown): void {
    const { type, payload, state }: Message = { ...(message as object) };
    if (type === "START") return restart();
    if (type === "ACTION")
      return connection?.error?.("Actions cannot be sent from here. Change the state with dispatch on the thread.");
    if (type !== "DISPATCH") return;
    switch (payload?.type) {
      case "JUMP_TO_STATE":
      case "JUMP_TO_ACTION":
        // The extension returns the state that it received, as JSON.
        return showPast(
          payload.actionId === sent || state === undefined ? undefined : { state: JSON.parse(state) as unknown },
        );
      case "PAUSE_RECORDING":
        recording = payload.status !== true;
        return;
      case "RESET":
      case "COMMIT":
      case "ROLLBACK":
        return restart();
      default:
        connection?.error?.(`"${payload?.type}" would change the log. This view can only jump to a past state.`);
    }
  }

  const unsubscribers = connection && [
    connection.subscribe(receive),
    source.onCommit?.(({ operation, version, id, actor, at, runId, toolCallId }) => {
      const { type, ...input } = operation;
      send({ type, operation: input, version, id, actor, at, runId, toolCallId });
    }),
    source.onRejection?.(({ rejection, operation, version, id, actor, at, runId, toolCallId }) =>
      send({
        type: `${rejection.operation.type} (refused)`,
        rejection,
        operation,
        version,
        id,
        actor,
        at,
        runId,
        toolCallId,
      }),
    ),
  ];
  if (connection) restart();

  const stateOf = (at: { readonly state: unknown } | undefined) => (at === undefined ? source.getState() : at.state);
  const view = {
    getState: () => stateOf(jump.getState()),
    subscribe(listener: (state: unknown, previous: unknown) => void) {
      const endSource = source.subscribe((next, previous) => {
        if (jump.getState() === undefined) listener(next, previous);
      });
      const endJump = jump.subscribe((next, previous) => listener(stateOf(next), stateOf(previous)));
      return () => {
        endSource();
        endJump();
      };
    },
    past: { getState: past.getState, getInitialState: past.getInitialState, subscribe: past.subscribe },
    disconnect() {
      for (const unsubscribe of unsubscribers ?? []) unsubscribe?.();
      showPast(undefined);
    },
  };
  // The source's own members, such as a thread's version, are read when they are needed.
  return Object.assign(Object.create(source) as Source, view);
}

interface Message {
  readonly type?: string;
  readonly payload?: { readonly type?: string; readonly actionId?: number; readonly status?: boolean };
  readonly state?: string;
}

function installed(): DevtoolsExtension | undefined {
  return (globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: DevtoolsExtension }).__REDUX_DEVTOOLS_EXTENSION__;
}
