// "Why is this card here?": who changed it last, in which run and tool call.

import type { Explanation } from "@opstate/core/thread";
import { type Board, namedCard } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import { pointerOf } from "../card-pointer.ts";
import type { BoardThread } from "../open-board.ts";
import { LOG, logNow, readBackTo } from "../timeline/log.ts";

export interface WhyView {
  readonly cardId?: string | undefined;
  /** The card's title and id. */
  readonly name: string;
  readonly status: "reading" | "known" | "unknown" | "failed";
  readonly explanation?: Explanation | undefined;
  /** The number of changes in its run, as far as the log has been read. */
  readonly inRun: number;
  /** Whether the timeline has the entry. It does not have those of a branch. */
  readonly inTimeline: boolean;
}

/** `timeline` is the thread whose log the timeline shows. */
export function createWhy(timeline: BoardThread) {
  const store = createStore<WhyView>()(() => ({ name: "", status: "reading", inRun: 0, inTimeline: true }));

  async function ask(thread: BoardThread, cardId: string): Promise<void> {
    const { history, sync } = thread;
    const shown = thread.getState();
    const name = (shown && namedCard(shown, cardId)) ?? cardId;
    store.setState({ cardId, name, status: "reading", explanation: undefined, inTimeline: thread === timeline });
    try {
      const { pending, version } = sync.getState();
      // The log knows confirmed positions; pending edits may have shifted them.
      const state: Board | null = pending.length === 0 ? thread.getState() : (await history.stateAt(version)).state;
      const pointer = state && pointerOf(state, cardId);
      const explanation = pointer ? await history.explain(pointer) : undefined;
      if (explanation) await readBackTo(explanation.commit.version, history.with(LOG));
      const inRun = logNow(thread).entries.filter(
        ({ runId, accepted }) => accepted && runId === explanation?.runId,
      ).length;
      if (store.getState().cardId === cardId)
        store.setState({ status: explanation ? "known" : "unknown", explanation, inRun });
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
