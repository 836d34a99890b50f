// A client that follows a thread, at any node, and reads it now and then at another. When its
// stream ends it goes on behind what it has, at any node.

import { setTimeout as delay } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Random } from "../../../core/test/simulation/random.ts";
import type { Chain } from "./checker/records.ts";
import type { At, Round } from "./round-request.ts";
import { readThread } from "./round-writer.ts";

export interface ReaderOptions {
  readonly name: string;
  readonly round: Round;
  readonly thread: string;
  readonly random: Random;
  /** Milliseconds, at most, between two reads. */
  readonly pause: number;
}

interface Message {
  readonly type: string;
  readonly incarnation?: string;
  readonly snapshot?: { readonly version: number; readonly state: Chain };
  readonly commits?: readonly { readonly version: number; readonly id: string }[];
}

export class RoundReader {
  readonly #options: ReaderOptions;
  #position: number | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** The newest version that it has. */
  get position(): number {
    return this.#position ?? -1;
  }

  async follow(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#followOnce(stop).catch(() => undefined);
      await delay(20 + this.#options.random.below(100));
    }
  }

  async read(stop: AbortSignal): Promise<void> {
    const { random, round, pause } = this.#options;
    while (!stop.aborted) {
      await delay(random.below(pause + 1));
      const minVersion = random.oneIn(2) && this.#position !== undefined ? this.#position : undefined;
      await readThread(round, this.#at(), minVersion);
    }
  }

  #at(): At {
    const { name, thread, round, random } = this.#options;
    const node = round.nodes[random.below(round.nodes.length)];
    if (node === undefined) throw new Error("a node");
    return { client: name, thread, node };
  }

  async #followOnce(stop: AbortSignal): Promise<void> {
    const { recorder } = this.#options.round;
    const { client, node, thread } = this.#at();
    const stream = recorder.number();
    const after = this.#position;
    const query = after === undefined ? "" : `?after=${after}`;
    recorder.add({ kind: "follow", stream, client, node: node.name, thread, ...(after !== undefined && { after }) });
    const response = await fetch(`${node.url}/threads/${thread}/events${query}`, {
      headers: { authorization: client },
      signal: stop,
    });
    if (!response.ok || response.body === null) return void (await response.body?.cancel());
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) this.#take(stream, JSON.parse(data) as Message);
  }

  #take(stream: number, { type, snapshot, commits = [] }: Message): void {
    const { recorder } = this.#options.round;
    if (type === "snapshot" && snapshot !== undefined) {
      recorder.add({ kind: "event", stream, version: snapshot.version, state: snapshot.state });
      this.#position = snapshot.version;
    }
    for (const { version, id } of commits) {
      recorder.add({ kind: "event", stream, version, id });
      this.#position = Math.max(version, this.position);
    }
  }
}
