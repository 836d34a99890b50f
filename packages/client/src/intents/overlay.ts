// What agents are about to do in a thread: an overlay on its view, never in its log.
//
//   thread's view ── call 1 ── call 2 ──> view        each is run on what the earlier ones lead to
//        │
//        └─ commits, refusals ── by the id of the tool call ──> the intent ends
//
// Invariants:
// - No intent is there in the moment in which its commit is shown or reported. Between a new
//   version and the report of its commits it is not known whose it is: then there are no intents.
// - Where commits were missed, by a snapshot, the calls of that time are no intents any more.
// - Subscribers learn of growing arguments at most once a frame. `getState` is always the newest.

import type { Commit, Refusal } from "@opstate/core";
import { createSource, RefCount } from "@opstate/core/readable";
import { inNextFrame } from "../binding/next-frame.ts";
import type {
  CallOutcome,
  Intent,
  IntentCall,
  IntentCallOptions,
  IntentsState,
  IntentThread,
  RefusedIntent,
  ThreadIntents,
} from "./intent.ts";
import { OpenCall } from "./open-call.ts";

const KEPT_REFUSED = 10;
/** Verdicts of calls that may still begin here, because their feed is slower than the thread. */
const KEPT_VERDICTS = 256;

/** By what a commit and a refusal name their call. */
type Verdict = Pick<Commit, "runId" | "toolCallId">;

const NONE: readonly OpenCall[] = [];
const NO_CALL: IntentCall = { write: () => undefined, end: () => undefined };

export class Overlay implements ThreadIntents {
  readonly #thread: IntentThread;
  #calls: readonly OpenCall[] = [];
  readonly #verdicts: Verdict[] = [];
  #refused: readonly RefusedIntent[] = [];
  /** The version whose commits were reported. */
  #reported = 0;
  #state: IntentsState;
  /** What `#state` was made of; undefined when arguments came since. */
  #madeOf: { readonly base: unknown; readonly calls: readonly OpenCall[] } | undefined;
  readonly #source: ReturnType<typeof createSource<IntentsState>>;
  #listeners = 0;
  readonly #users: RefCount;
  #unsubscribes: readonly (() => void)[] | undefined;
  #cancelFrame: (() => void) | undefined;
  #hasGrown = false;

  constructor(thread: IntentThread) {
    this.#thread = thread;
    this.#state = { view: thread.getState(), intents: [], refused: [] };
    this.#source = createSource(this.#state);
    this.#users = new RefCount(
      () => this.#start(),
      () => this.#stop(),
    );
  }

  get sync(): ThreadIntents["sync"] {
    return this.#thread.sync;
  }

  readonly getState = (): IntentsState => {
    const base: unknown = this.#thread.getState();
    const calls = this.#isCertain() ? this.#calls : NONE;
    const made = this.#madeOf;
    if (made !== undefined && made.base === base && made.calls === calls) return this.#state;
    this.#madeOf = { base, calls };
    let view: IntentsState["view"] = base;
    const intents = calls.map((call, index): Intent => {
      const intent = call.on(view, index === calls.length - 1);
      view = intent.view;
      return intent;
    });
    const { intents: before, refused, view: shown } = this.#state;
    const isSame = intents.length === before.length && intents.every((intent, index) => intent === before[index]);
    if (!isSame || view !== shown || refused !== this.#refused)
      this.#state = { view, intents: isSame ? before : intents, refused: this.#refused };
    return this.#state;
  };

  readonly getInitialState = (): IntentsState => ({ view: this.#thread.getInitialState(), intents: [], refused: [] });

  readonly subscribe = (listener: (state: IntentsState, previous: IntentsState) => void): (() => void) => {
    const release = this.#users.acquire();
    this.#source.set(this.getState())();
    const end = this.#source.subscribe(listener);
    this.#listeners += 1;
    return () => {
      end();
      this.#listeners -= 1;
      release();
    };
  };

  readonly watch = (): (() => void) => this.#users.acquire();

  readonly open = (options: IntentCallOptions): IntentCall => {
    const operation = this.#thread.definition.model.operations.get(options.type);
    const { id, runId } = options;
    const isDecided =
      runId !== undefined && this.#verdicts.some((each) => each.toolCallId === id && each.runId === runId);
    if (operation === undefined || isDecided) return NO_CALL;
    const release = this.#users.acquire();
    const call = new OpenCall(this.#thread.definition, operation.input, options, release);
    this.#end(this.#calls.filter((other) => other.id === id));
    this.#calls = [...this.#calls, call];
    this.#publish();
    return {
      write: (text) => {
        if (!this.#calls.includes(call)) return;
        call.write(text);
        this.#grow();
      },
      end: (outcome) => {
        if (this.#calls.includes(call)) this.#endBy(call, outcome);
      },
    };
  };

  readonly forget = (id: string): void => {
    this.#refused = this.#refused.filter((intent) => intent.id !== id);
    this.#change();
  };

  #start(): void {
    if (this.#unsubscribes !== undefined) return;
    const { sync, subscribe, onCommit, onRejection } = this.#thread;
    this.#unsubscribes = [
      subscribe(() => this.#publish()),
      sync.subscribe(({ version }, previous) => {
        // Its commits are reported in the same task, if at all.
        if (version !== previous.version) void Promise.resolve().then(() => this.#miss());
      }),
      onCommit((commit) => this.#onCommit(commit)),
      onRejection((refusal) => this.#onRejection(refusal)),
    ];
    this.#reported = sync.getState().version;
  }

  #stop(): void {
    for (const unsubscribe of this.#unsubscribes ?? []) unsubscribe();
    this.#unsubscribes = undefined;
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
  }

  /** Whether all commits up to the version that is shown were reported. */
  #isCertain(): boolean {
    const { ready, version } = this.#thread.sync.getState();
    return ready && version === this.#reported;
  }

  /** Commits were not reported. Whose they were is not known. */
  #miss(): void {
    const { version } = this.#thread.sync.getState();
    if (this.#unsubscribes === undefined || version === this.#reported) return;
    this.#reported = version;
    this.#end(this.#calls);
    this.#change();
  }

  #onCommit(commit: Commit): void {
    this.#reported = commit.version;
    this.#remember(commit);
    this.#end(this.#calls.filter((call) => isOf(call, commit) || (call.acceptedAt ?? Infinity) <= commit.version));
    this.#change();
  }

  #onRejection(refusal: Refusal): void {
    this.#remember(refusal);
    for (const call of this.#calls.filter((each) => isOf(each, refusal)))
      this.#endBy(call, { accepted: false, rejection: refusal.rejection });
  }

  #remember({ runId, toolCallId }: Verdict): void {
    if (runId === undefined || toolCallId === undefined) return;
    this.#verdicts.push({ runId, toolCallId });
    if (this.#verdicts.length > KEPT_VERDICTS) this.#verdicts.shift();
  }

  #endBy(call: OpenCall, outcome: CallOutcome | undefined): void {
    if (outcome?.accepted === true) call.acceptedAt = outcome.version;
    // The end of a run says nothing of a call whose outcome is known.
    if (outcome?.accepted !== false && (call.acceptedAt ?? 0) > this.#reported) return;
    const shown = outcome && this.getState().intents.find(({ id }) => id === call.id);
    this.#end([call]);
    if (outcome?.accepted === false && shown !== undefined) {
      const others = this.#refused.filter(({ id }) => id !== call.id);
      const { rejection } = outcome;
      this.#refused = [...others, { ...shown, status: "refused" as const, rejection }].slice(-KEPT_REFUSED);
    }
    this.#change();
  }

  #end(ended: readonly OpenCall[]): void {
    if (ended.length === 0) return;
    this.#calls = this.#calls.filter((call) => !ended.includes(call));
    for (const call of ended) call.release();
  }

  #change(): void {
    this.#madeOf = undefined;
    this.#publish();
  }

  /** Arguments have grown: the first time in a frame at once, then in the next frame. */
  #grow(): void {
    this.#madeOf = undefined;
    this.#hasGrown = true;
    if (this.#cancelFrame === undefined) this.#showGrown();
  }

  #showGrown(): void {
    this.#cancelFrame = undefined;
    if (!this.#hasGrown) return;
    this.#hasGrown = false;
    this.#cancelFrame = inNextFrame(() => this.#showGrown());
    this.#publish();
  }

  #publish(): void {
    if (this.#listeners === 0) return;
    // The report follows, and publishes.
    if (this.#calls.length > 0 && !this.#isCertain() && this.#thread.sync.getState().ready) return;
    this.#source.set(this.getState())();
  }
}

function isOf(call: OpenCall, { toolCallId, runId }: Verdict): boolean {
  return toolCallId === call.id && (runId === undefined || call.runId === undefined || runId === call.runId);
}
