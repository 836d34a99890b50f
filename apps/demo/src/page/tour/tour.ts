// The tour through the five moments: which one is played, what it says, and which were seen. Kept
// in the tab's session storage, since one of them loads the page again.

import type { Session } from "@opstate/kanban-page/session.ts";
import { createStore } from "zustand/vanilla";
import { type Moment, type MomentId, MOMENTS } from "./moments.ts";
import { createStage, type Stage } from "./stage.ts";

export interface TourState {
  /** The one that was played last, or is played now. */
  readonly current: MomentId | undefined;
  readonly seen: readonly MomentId[];
  readonly isPlaying: boolean;
  /** It waits for the visitor's hand. */
  readonly isWaiting: boolean;
  /** What happens, what came of it, or why it failed. */
  readonly sentence: string;
  readonly isProblem: boolean;
  /** A moment waits for the visitor, however long they take. */
  readonly isPatient: boolean;
}

export type Tour = ReturnType<typeof createTour>;

const STORAGE_KEY = "opstate.tour";

const INITIAL: TourState = {
  current: undefined,
  seen: [],
  isPlaying: false,
  isWaiting: false,
  sentence: "Press Next, and look at the board. Each moment is played on it, with you or without you.",
  isProblem: false,
  isPatient: false,
};

/** `session`: the page's session, as it is when a moment begins. */
export function createTour(session: () => Session) {
  const stored = readStored();
  const store = createStore<TourState>()(() => ({ ...INITIAL, ...stored.state }));
  const showMe = new Set<() => void>();
  let playing = new AbortController();

  function keep(resume: boolean): void {
    const { current, seen, sentence, isPatient } = store.getState();
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ state: { current, seen, sentence, isPatient }, resume }));
  }

  async function run(moment: Moment, play: (stage: Stage) => Promise<string>): Promise<void> {
    const { signal } = (playing = new AbortController());
    store.setState({ current: moment.id, isPlaying: true, isWaiting: false, isProblem: false, sentence: "" });
    const stage = createStage({
      session: session(),
      signal,
      show: (now) => store.setState(now),
      isPatient: () => store.getState().isPatient,
      onShowMe(act) {
        showMe.add(act);
        return () => showMe.delete(act);
      },
      reload() {
        keep(true);
        location.reload();
      },
    });
    try {
      await session().thread.ready();
      const sentence = await play(stage);
      const { seen } = store.getState();
      store.setState({ sentence, seen: seen.includes(moment.id) ? seen : [...seen, moment.id] });
    } catch (error) {
      if (signal.aborted) return;
      store.setState({ sentence: error instanceof Error ? error.message : String(error), isProblem: true });
    }
    store.setState({ isPlaying: false, isWaiting: false });
    keep(false);
  }

  /** Leaves the moment that is played, and everything as a visitor would begin. */
  function stop(): void {
    playing.abort(new Error("Another moment began."));
    const { chat, agentMode, connection, branch, notices } = session();
    chat.abort();
    notices.clear();
    agentMode.choose("direct");
    connection.set(false);
    branch.show(false);
  }

  const resumed = MOMENTS.find(({ id }) => stored.resume && id === store.getState().current);
  if (resumed?.resume) void run(resumed, resumed.resume);

  return Object.assign(store, {
    play(id: MomentId): void {
      const moment = MOMENTS.find((each) => each.id === id);
      if (moment === undefined) return;
      stop();
      void run(moment, moment.play);
    },
    /** The moment's hand, now. */
    showMe(): void {
      for (const act of showMe) act();
    },
    setPatient(isPatient: boolean): void {
      store.setState({ isPatient });
      keep(false);
    },
    close: () => playing.abort(new Error("The page is left.")),
  });
}

/** Forgets what was seen: for a new board. */
export const forgetTour = (): void => sessionStorage.removeItem(STORAGE_KEY);

/** The moment after the current one; after the last one, the first. */
export function nextMoment(current: MomentId | undefined): Moment | undefined {
  return MOMENTS[(MOMENTS.findIndex(({ id }) => id === current) + 1) % MOMENTS.length];
}

function readStored(): { readonly state?: Partial<TourState>; readonly resume?: boolean } {
  try {
    // Edge: `keep` wrote it.
    return (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") ?? {}) as ReturnType<typeof readStored>;
  } catch {
    return {};
  }
}
