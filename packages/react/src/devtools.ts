// Redux DevTools: each commit is an action with its version and actor, each refusal one with its
// rejection. Time travel only changes the view.
//
// Invariants:
// - No message of the extension changes the source.
// - While a past state is shown, the source goes on. Choosing the newest action shows it again.

import { type Commit, type Readable, type Refusal, type AnyOperation, defined } from "@opstate/core";
import { createStore } from "zustand/vanilla";

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

/** A replica, or a thread. */
export interface DevtoolsSource<State> extends Readable<State> {
  onCommit(listener: (commit: Commit) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
}

/** The state of the source, or the past state that time travel shows. */
export interface DevtoolsView<State> extends Readable<State> {
  /** Whether a past state is shown. */
  readonly past: Readable<boolean>;
  disconnect(): void;
}

/**
 * Shows a source in Redux DevTools until `disconnect`. Read the returned view in place of the
 * source: it has the source's state, or the past state that was chosen. `createAgentStore(source, {
 * devtools })` gives such a view as a zustand store.
 *
 * @example
 * ```tsx
 * const view = connectDevtools(replica, { name: "board" });
 * const board = useAgentState(view);
 * const past = useAgentState(view.past);
 * ```
 */
export function connectDevtools<State>(
  source: Readable<State> & Partial<DevtoolsSource<State>>,
  { name, maxAge, extension = installed() }: DevtoolsOptions,
): DevtoolsView<State> {
  /** The past state that is shown in place of the source's. */
  const jump = createStore<{ readonly state: State } | undefined>()(() => undefined);
  const past = createStore<boolean>()(() => false);
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

  function showPast(at: { readonly state: State } | undefined): void {
    jump.setState(at, true);
    past.setState(at !== undefined, true);
  }

  function receive(message: unknown): void {
    const { type, payload, state }: Message = { ...(message as object) };
    if (type === "START") return restart();
    if (type === "ACTION")
      return connection?.error?.(
        "Actions cannot be sent from here. Change the state with dispatch on the replica or thread.",
      );
    if (type !== "DISPATCH") return;
    switch (payload?.type) {
      case "JUMP_TO_STATE":
      case "JUMP_TO_ACTION":
        // The extension returns the state that it received, as JSON.
        return showPast(
          payload.actionId === sent || state === undefined ? undefined : { state: JSON.parse(state) as State },
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

  return {
    getState: () => (jump.getState() ?? { state: source.getState() }).state,
    getInitialState: () => source.getInitialState(),
    subscribe(listener) {
      const endSource = source.subscribe((next, previous) => {
        if (jump.getState() === undefined) listener(next, previous);
      });
      const endJump = jump.subscribe((next, previous) =>
        listener((next ?? { state: source.getState() }).state, (previous ?? { state: source.getState() }).state),
      );
      return () => {
        endSource();
        endJump();
      };
    },
    past,
    disconnect() {
      for (const unsubscribe of unsubscribers ?? []) unsubscribe?.();
      showPast(undefined);
    },
  };
}

interface Message {
  readonly type?: string;
  readonly payload?: { readonly type?: string; readonly actionId?: number; readonly status?: boolean };
  readonly state?: string;
}

function installed(): DevtoolsExtension | undefined {
  return (globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: DevtoolsExtension }).__REDUX_DEVTOOLS_EXTENSION__;
}
