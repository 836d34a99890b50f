// One reader of one thread by server-sent events, as the protocol's page tells it: no code of the
// client, so that what both get wrong alike is seen.

import { applyPatch, type Patch } from "@opstate/core/json-patch";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { get, type IncomingMessage } from "node:http";
import { asUser } from "../server.ts";

interface Commit {
  readonly version: number;
  readonly at: string;
  readonly patches: Patch;
}

interface Data {
  readonly incarnation?: string;
  readonly snapshot?: { readonly version: number; readonly state: unknown };
  readonly commits?: readonly Commit[];
}

export class FollowedThread {
  readonly threadId: string;
  readonly name: string;
  readonly faults: string[] = [];
  /** Milliseconds from a commit's time until it was here, of those that came live. */
  readonly delays: number[] = [];
  version = -1;
  state: unknown;
  isConnected = false;
  readonly #url: string;
  /** Commits before it are caught up with. */
  #since = 0;

  constructor(url: string, threadId: string, name: string) {
    this.#url = url;
    this.threadId = threadId;
    this.name = name;
  }

  /** As a reader that was never here. */
  forget(): void {
    this.version = -1;
    this.state = undefined;
  }

  /** Until the signal, or until `version` is here. */
  async follow(signal: AbortSignal, version = Infinity): Promise<void> {
    if (this.version >= version || signal.aborted) return;
    const headers = {
      ...asUser(this.name, "read"),
      ...(this.version >= 0 && { "last-event-id": String(this.version) }),
    };
    this.#since = Date.now();
    await new Promise<void>((resolve) => {
      const outgoing = get(`${this.#url}/threads/${this.threadId}/events`, { headers, agent: false, signal });
      const end = (fault?: string) => {
        if (fault !== undefined && !signal.aborted && this.version < version) this.faults.push(fault);
        this.isConnected = false;
        outgoing.destroy();
        resolve();
      };
      outgoing.on("error", (error) => end(`no stream: ${error.message}`));
      outgoing.on("response", (answer: IncomingMessage) => {
        if (answer.statusCode !== 200) return end(`no stream: ${answer.statusCode}`);
        this.isConnected = true;
        const parser = createParser({
          onEvent: (event) => {
            this.#take(event);
            if (this.version >= version) end();
          },
        });
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => parser.feed(chunk));
        answer.on("error", (error) => end(`the stream broke: ${error.message}`));
        answer.on("end", () => end("the stream ended"));
      });
    });
  }

  #take({ event, data }: EventSourceMessage): void {
    const { snapshot, commits = [] } = JSON.parse(data) as Data;
    if (event === "problem") this.faults.push(`a problem: ${data}`);
    if (snapshot !== undefined) {
      if (snapshot.version < this.version) this.faults.push(`a snapshot of ${snapshot.version} at ${this.version}`);
      this.version = snapshot.version;
      this.state = snapshot.state;
    }
    for (const commit of commits) this.#fold(commit);
  }

  #fold({ version, at, patches }: Commit): void {
    if (version !== this.version + 1) this.faults.push(`${version} came at ${this.version}`);
    if (version <= this.version) return;
    this.version = version;
    const after = applyPatch(this.state, patches, { inverse: false });
    if (after.ok) this.state = after.document;
    else this.faults.push(`the patches of ${version} do not apply: ${after.error.message}`);
    const time = Date.parse(at);
    if (time > this.#since) this.delays.push(Date.now() - time);
  }
}
