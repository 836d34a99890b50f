// The authority's loop as a pure function: from a stage and an event it gives the next stage and
// what is to be done. It reads no clock and holds no state, so that tests can go through every
// order of events.
//
//   resting ──> gathering ──> following ──> judging ──> appending ──> publishing ──┐
//      ^                      a head that    ^   └──────────┤ an id is known,      │
//      │                      was announced  │              v another was first    │
//      │                                  lookingUp <── catchingUp                 │
//      └──────────────── nothing is left, or the next head or batch ───────────────┘
//
// Invariants:
// - One thing is under way at a time: a stage ends with the event that its effect leads to.
// - A head that was announced is read between two batches, again and again while it cannot be read.
// - Heads may be announced faster than they are read: a batch is judged in between.
// - A batch ends published, set aside, or failed; nothing of it is left behind.
// - Nothing waits for a log that hangs longer than one call: what waits then is rejected with it.

/** What is under way. */
export type Stage =
  | { readonly at: "resting" }
  /** What is submitted in the same turn joins the batch. */
  | { readonly at: "gathering" }
  /** Others' commits are read between two batches. */
  | { readonly at: "following"; readonly head: number }
  /** The same for a batch, which needs what the log has now. */
  | { readonly at: "catchingUp" }
  /** The receipts of the batch's ids are read. */
  | { readonly at: "lookingUp" }
  | { readonly at: "judging"; readonly isKnown: boolean }
  /** The counts of refusals are read, once, before the first refusal is numbered. */
  | { readonly at: "restoring"; readonly isKnown: boolean }
  | { readonly at: "appending" }
  | { readonly at: "publishing" };

export interface Loop {
  readonly stage: Stage;
  /** The version that is confirmed here. */
  readonly version: number;
  /** Submissions in the queue. */
  readonly waiting: number;
  /** The newest head that was announced since a read for heads began; 0: none. */
  readonly announced: number;
  /** A head that could not be read just now; 0: none. */
  readonly unread: number;
  readonly isRestored: boolean;
}

/** What happened. Those of a stage come while it is under way, the first three at any time. */
export type LoopEvent =
  | { readonly type: "submitted" }
  /** A hint: it may be old, and may be wrong. */
  | { readonly type: "announced"; readonly head: number }
  | { readonly type: "retryDue" }
  | { readonly type: "gathered" }
  | { readonly type: "read"; readonly version: number }
  | { readonly type: "lookedUp" }
  /**
   * `size` left the queue. `isDeduped`: the effect of the first is stored under another id than
   * its refusal, so an append would not report that it is stored already.
   */
  | { readonly type: "dequeued"; readonly size: number; readonly isDeduped: boolean }
  | {
      readonly type: "judged";
      readonly entries: number;
      /** Some of the batch was refused, for now or for good. */
      readonly isRefused: boolean;
      /** Some of it is refused for now: that is stored nowhere, so the log is to be read first. */
      readonly isRefusedForNow: boolean;
    }
  /** It takes long: it is worked out beside the queue, and submitted again. */
  | { readonly type: "setAside" }
  | { readonly type: "restored" }
  | { readonly type: "appended" }
  /** Another writer was first, or an id is known. */
  | { readonly type: "outrun"; readonly head?: number | undefined }
  /** `left` of the batch are in the queue again: the log takes no more at once. */
  | { readonly type: "published"; readonly version: number; readonly left: number }
  /** What the stage does threw. `isTimedOut`: the log did not answer in time. */
  | { readonly type: "failed"; readonly version: number; readonly error: unknown; readonly isTimedOut: boolean };

/** What is to be done. Each but the last four ends with an event. */
export type Effect =
  | { readonly do: "gather" }
  | { readonly do: "read"; readonly head?: number | undefined }
  | { readonly do: "dequeue" }
  | { readonly do: "lookUp" }
  | { readonly do: "judge" }
  | { readonly do: "restore" }
  | { readonly do: "append" }
  | { readonly do: "publish" }
  | { readonly do: "reject"; readonly error: unknown }
  /** What is in the queue is not sent. */
  | { readonly do: "rejectWaiting"; readonly error: unknown }
  | { readonly do: "retryLater" }
  | { readonly do: "retryReset" };

export interface Step {
  readonly loop: Loop;
  readonly effects: readonly Effect[];
}

export function restingLoop(version: number): Loop {
  return { stage: { at: "resting" }, version, waiting: 0, announced: 0, unread: 0, isRestored: false };
}

export function step(loop: Loop, event: LoopEvent): Step {
  const { stage } = loop;
  switch (event.type) {
    case "submitted":
      return wake({ ...loop, waiting: loop.waiting + 1 });
    case "announced":
      return wake({ ...loop, announced: Math.max(loop.announced, event.head) });
    case "retryDue":
      return wake({ ...loop, unread: 0 });
    case "gathered":
      return readNext(loop);
    case "read": {
      const after = { ...loop, version: event.version };
      if (stage.at !== "following") return under(after, { at: "lookingUp" }, { do: "lookUp" });
      return also({ do: "retryReset" }, judgeNext(after));
    }
    case "dequeued": {
      const after = { ...loop, waiting: loop.waiting - event.size };
      return event.isDeduped ? under(after, { at: "catchingUp" }, { do: "read" }) : judge(after, false);
    }
    case "lookedUp":
      return judge(loop, true);
    case "judged": {
      const isKnown = stage.at === "judging" && stage.isKnown;
      if (event.isRefused && !loop.isRestored) return under(loop, { at: "restoring", isKnown }, { do: "restore" });
      if (event.isRefusedForNow && !isKnown) return under(loop, { at: "catchingUp" }, { do: "read" });
      if (event.entries === 0) return under(loop, { at: "publishing" }, { do: "publish" });
      return under(loop, { at: "appending" }, { do: "append" });
    }
    case "restored":
      return judge({ ...loop, isRestored: true }, stage.at === "restoring" && stage.isKnown);
    case "setAside":
      return readNext(loop);
    case "appended":
      return under(loop, { at: "publishing" }, { do: "publish" });
    case "outrun":
      return under(loop, { at: "catchingUp" }, { do: "read", head: event.head });
    case "published":
      return readNext({ ...loop, version: event.version, waiting: loop.waiting + event.left });
    case "failed": {
      const after = { ...loop, version: event.version };
      if (event.isTimedOut && loop.waiting > 0)
        return also({ do: "rejectWaiting", error: event.error }, step({ ...loop, waiting: 0 }, event));
      // There may be no next submission, and a log may announce each head once: it is read again
      // later.
      if (stage.at === "following")
        return also({ do: "retryLater" }, judgeNext({ ...after, announced: headHeard(loop), unread: stage.head }));
      return also({ do: "reject", error: event.error }, readNext(after));
    }
  }
}

/** Begins, unless something is under way: then it is seen when that ends. */
function wake(loop: Loop): Step {
  if (loop.stage.at !== "resting") return { loop, effects: [] };
  const fresh = { ...loop, unread: 0 };
  if (fresh.waiting === 0 && headToRead(fresh) === undefined) return { loop: fresh, effects: [] };
  return under(fresh, { at: "gathering" }, { do: "gather" });
}

function readNext(loop: Loop): Step {
  const head = headToRead(loop);
  // What is announced while it is read may not be in it, even below a head that is not there.
  return head === undefined
    ? judgeNext(loop)
    : under({ ...loop, announced: 0 }, { at: "following", head }, { do: "read" });
}

function judgeNext(loop: Loop): Step {
  if (loop.waiting > 0) return judgeTaken(loop);
  return headToRead(loop) === undefined ? { loop: { ...loop, stage: { at: "resting" } }, effects: [] } : readNext(loop);
}

function judgeTaken(loop: Loop): Step {
  return under(loop, { at: "judging", isKnown: false }, { do: "dequeue" });
}

function judge(loop: Loop, isKnown: boolean): Step {
  return under(loop, { at: "judging", isKnown }, { do: "judge" });
}

/** The newest head that was announced, the one that is read for included; 0: none. */
export function headHeard({ announced, stage }: Loop): number {
  return Math.max(announced, stage.at === "following" ? stage.head : 0);
}

/** An announcement may be wrong, so each is read for once. */
function headToRead({ announced, version, unread }: Loop): number | undefined {
  return announced > Math.max(version, unread) ? announced : undefined;
}

function under(loop: Loop, stage: Stage, effect: Effect): Step {
  return { loop: { ...loop, stage }, effects: [effect] };
}

function also(effect: Effect, { loop, effects }: Step): Step {
  return { loop, effects: [effect, ...effects] };
}
