// What happens in a scenario, whatever host plays it: the model's messages, what people do between
// them, what a person answers to a question, and where a run or its process ends.
//
//   host ── next() ──> the model's message    what people do before it happens meanwhile
//   host ── answer() ─> yes or no             for a host that can ask; else a page decides
//   host ── heard() ──  what the model read of a call

import type { Thread, UpdateOf } from "@opstate/core";
import { ada, type board } from "./board.ts";

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly yes: boolean;
  readonly message?: string;
}

export type Step =
  /** A message of the model: its calls, in their order. */
  | { readonly says: readonly Call[] }
  /** What people do while the model thinks. */
  | { readonly does: (people: People) => Promise<unknown> }
  /** What Ada answers to the question of a call that needs approval. */
  | { readonly answers: Answer }
  /** The run ends; or its process does, before the model read the results of its calls. */
  | { readonly ends: "run" | "process" };

/** The process of a host is gone: what it knows of its run is lost. */
export class ProcessEnded extends Error {}

/** Whether this is what a host made of a process that ended. Throws what is anything else. */
export function processEnded(error: unknown): true {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ProcessEnded) return true;
  throw error;
}

export class People {
  readonly #thread: Thread<typeof board>;
  #edits = 0;
  #decisions = 0;

  constructor(thread: Thread<typeof board>) {
    this.#thread = thread;
  }

  edit(update: UpdateOf<typeof board>): Promise<unknown> {
    return this.#thread.dispatch(update, { actor: ada, id: `ada-${++this.#edits}` });
  }

  /** Takes back what the agent's last run did. */
  async undoRun(): Promise<unknown> {
    const commits = (await this.#thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const runId = commits.findLast((commit) => commit.runId !== undefined)?.runId ?? "";
    return this.#thread.undo({ runId }, { actor: ada, id: `ada-${++this.#edits}` });
  }

  /** Takes back one version, unless later work needs it. */
  async undo(version: number): Promise<unknown> {
    const [entry] = await this.#thread.history({ after: version - 1, limit: 1 });
    const ids = entry?.kind === "commit" ? [entry.commit.id] : [];
    return this.#thread.undo({ ids }, { actor: ada, id: `ada-${++this.#edits}` });
  }

  /** Decides the newest open proposal on a page; a call that changes nothing is none. */
  async decide({ yes, message }: Answer): Promise<void> {
    const proposal = (await this.#thread.proposals()).at(-1);
    if (proposal === undefined) return;
    const how = { actor: ada, id: `decision-${++this.#decisions}`, allows: () => true };
    await (yes
      ? this.#thread.approve(proposal.id, how)
      : this.#thread.decline(proposal.id, message === undefined ? how : { ...how, reason: message }));
  }
}

export class Script {
  readonly #steps: Step[];
  #people: People | undefined;
  readonly #heard = new Map<string, string>();

  constructor(steps: readonly Step[]) {
    this.#steps = [...steps];
  }

  /** The thread on which it is played. */
  begin(thread: Thread<typeof board>): void {
    this.#people = new People(thread);
  }

  /** What happens after all that is in the script. */
  add(...steps: readonly Step[]): void {
    this.#steps.push(...steps);
  }

  get isOver(): boolean {
    return this.#steps.length === 0;
  }

  /** What the model says next: calls, or its last words. Throws ProcessEnded. */
  async next(): Promise<readonly Call[] | string> {
    // A model is elsewhere: while it thinks, all others have their turn.
    await new Promise(setImmediate);
    for (;;) {
      const step = this.#steps.shift();
      if (step === undefined) return "Done.";
      if ("says" in step) return step.says;
      if ("does" in step) await step.does(this.#there);
      // The host has no questions: the call waits on a page.
      else if ("answers" in step) await this.#there.decide(step.answers);
      else if (step.ends === "process") throw new ProcessEnded("The process ends.");
      else return "Done.";
    }
  }

  /** What Ada answers to the host's question. */
  async answer(): Promise<Answer> {
    for (;;) {
      const step = this.#steps.shift();
      if (step === undefined || "says" in step || "ends" in step) throw new Error("No answer is in the script.");
      if ("answers" in step) return step.answers;
      await step.does(this.#there);
    }
  }

  /** The model read this as the result of a call. */
  heard(callId: string, text: string): void {
    this.#heard.set(callId, text.split("\n", 1)[0] ?? "");
  }

  get #there(): People {
    if (this.#people === undefined) throw new Error("The script has not begun.");
    return this.#people;
  }

  /** By call: the first line of what the model read. */
  get words(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#heard].sort(([a], [b]) => a.localeCompare(b)));
  }
}
