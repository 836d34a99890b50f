// "Why is this card here?": who changed it last, in which run and tool call.

import type { Explanation } from "@opstate/core/thread";
import type { Board } from "@opstate/kanban-domain";
import { findCard } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { OpenBoard } from "../open-board.ts";
import type { LogEntry } from "../timeline/log-entry.ts";

export interface WhyView {
  readonly cardId?: string | undefined;
  readonly status: "reading" | "known" | "unknown" | "failed";
  readonly explanation?: Explanation | undefined;
  readonly entry?: LogEntry | undefined;
  /** The number of changes in its run, as far as the log has been read. */
  readonly inRun: number;
  /** Whether the timeline has the entry. It does not have those of a branch. */
  readonly inTimeline: boolean;
}

/** `timeline` is the log that the timeline shows. */
export function createWhy(timeline: OpenBoard["log"]) {
  const store = createStore<WhyView>()(() => ({ status: "reading", inRun: 0, inTimeline: true }));

  async function ask(
    { replica, thread, log }: Pick<OpenBoard, "replica" | "thread" | "log">,
    cardId: string,
  ): Promise<void> {
    store.setState({
      cardId,
      status: "reading",
      explanation: undefined,
      entry: undefined,
      inTimeline: log === timeline,
    });
    try {
      const { pending, version } = replica.sync.getState();
      // The log knows confirmed positions; pending edits may have shifted them.
      const state: Board | null = pending.length === 0 ? replica.getState() : (await thread.stateAt(version)).state;
      const pointer = state && pointerOf(state, cardId);
      const explanation = pointer ? await thread.explain(pointer) : undefined;
      const entry = explanation && (await log.find(explanation.commit.version));
      const inRun = log
        .getState()
        .entries.filter(({ runId, accepted }) => accepted && runId === explanation?.runId).length;
      if (store.getState().cardId === cardId)
        store.setState({ status: explanation ? "known" : "unknown", explanation, entry, inRun });
    } catch {
      if (store.getState().cardId === cardId) store.setState({ status: "failed" });
    }
  }

  return Object.assign(store, { ask, close: () => store.setState({ cardId: undefined }) });
}

/** The text without an explanation. */
export const NO_ANSWER_TEXT: Readonly<Record<WhyView["status"], string>> = {
  reading: "Reading the log.",
  known: "",
  unknown: "No one has changed it since the board was created.",
  failed: "The log is on the server: this needs the connection.",
};

function pointerOf(board: Board, cardId: string): string | undefined {
  const place = findCard(board, cardId);
  return place && `/columns/${board.columns.indexOf(place.column)}/cards/${place.index}`;
}
