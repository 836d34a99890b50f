// What a session sends once it is open: edits, changes of what is followed, and what the tabs show.
// A connection loads it when the server has said hello: nothing of it is needed before.

import type { Verdict } from "@opstate/core";
import type { Submission } from "@opstate/core/transport";
import type { PresenceValue, ThreadPosition } from "../../carrier.ts";
import { Outbox } from "./outbox.ts";
import { requestError, type RequestError } from "./request.ts";
import { Shown } from "./shown.ts";
import { withTimeout } from "./timeout.ts";

/** Milliseconds. A POST without a response for this long is lost. */
const RESPONSE_LIMIT = 30_000;

export interface OpenSessionOptions {
  /** As whom edits are sent. */
  readonly actor: { readonly kind: string; readonly id: string };
  /** What the server calls the stream; undefined: there is none, it is polled. */
  readonly stream: string | undefined;
  post(path: string, body: string): Promise<Response>;
  /** Ends the session. */
  end(error: unknown): void;
  /** The threads to follow from now on, and those that are left: each is sent once. */
  takeChange(): { readonly follow: Record<string, ThreadPosition>; readonly unfollow: readonly string[] };
  /** A change has arrived. There may be another one. */
  onChanged(): void;
  onVerdict(threadId: string, id: string, verdict: Verdict): void;
  onProblem(threadId: string, error: RequestError): void;
  version(threadId: string): number;
}

export class OpenSession {
  readonly #options: OpenSessionOptions;
  readonly #outbox: Outbox;
  readonly #shown: Shown;
  #isChanging = false;

  constructor(options: OpenSessionOptions) {
    this.#options = options;
    const { actor, stream, post, end, onVerdict, onProblem, version } = options;
    const as = JSON.stringify({ kind: actor.kind, id: actor.id });
    this.#outbox = new Outbox({
      post: (submissions) => this.#post("/operations", `{"as":${as},"submissions":${submissions}}`),
      onVerdict,
      onProblem,
      onFailure: end,
      version,
    });
    this.#shown = new Shown((body) => post("/presence", body), stream);
  }

  send(threadId: string, submission: Submission): void {
    this.#outbox.send(threadId, submission);
  }

  show(threadId: string, value: PresenceValue | undefined, tab: string | undefined): void {
    this.#shown.show(threadId, value, tab);
  }

  /** A server hides what a silent reader shows. */
  answer(): void {
    this.#shown.answer();
  }

  /** What was not sent of a thread is forgotten: it begins again, and sends it again. */
  drop(threadId: string): void {
    this.#outbox.drop(threadId);
  }

  leave(threadId: string): void {
    this.drop(threadId);
    this.#shown.forget(threadId);
  }

  /** Sends the server what the stream follows from now on. One such request at a time. */
  async change(): Promise<void> {
    const { stream, takeChange, end, onChanged } = this.#options;
    if (stream === undefined || this.#isChanging) return;
    this.#isChanging = true;
    try {
      const response = await this.#post(`/events/${encodeURIComponent(stream)}`, JSON.stringify(takeChange()));
      if (!response.ok) {
        const error = await requestError(response);
        // The stream is not there any more: that says nothing of its threads.
        end(error.status === 404 ? undefined : error);
      }
    } catch (error) {
      end(error);
    }
    this.#isChanging = false;
    onChanged();
  }

  #post(path: string, body: string): Promise<Response> {
    const { post, end } = this.#options;
    return withTimeout(post(path, body), end, RESPONSE_LIMIT);
  }
}
