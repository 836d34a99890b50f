// Plays one scenario on a server. Gives the first fault, in words; undefined when there is none.

import { isObject } from "@opstate/core/json";
import { EventReader, type ReadEvent } from "./event-reader.ts";
import { historyFault } from "./history.ts";
import { filled, inWords, type Kept, mismatch } from "./match.ts";
import type { ExpectedEvent, OpenStep, ReadStep, Scenario, SendStep, Step } from "./scenario.ts";
import { sendTo, type ServerUnderTest } from "./server.ts";

/** Events that may stand between those that a scenario wants. */
const ASIDE = new Set(["presence", "refusal"]);

/** `thread`: the id of a thread that is the scenario's own. Undefined: the server keeps it. */
export async function play(server: ServerUnderTest, scenario: Scenario, thread: string): Promise<string | undefined> {
  const stage = new Stage(server, thread);
  try {
    if (scenario.thread !== false) {
      const fault = await stage.perform(CREATE);
      if (fault !== undefined) return fault;
    }
    for (const [index, step] of scenario.steps.entries()) {
      const fault = await stage.perform(step);
      if (fault !== undefined) return `step ${index + 1}, ${titleOf(step)}: ${fault}`;
    }
    return await stage.historyFault();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } finally {
    await stage.leave();
  }
}

const CREATE: SendStep = { send: "PUT /threads/{thread}", body: { definition: "conformance" }, status: 201 };

class Stage {
  readonly #server: ServerUnderTest;
  readonly #thread: string;
  readonly #kept: Kept;
  readonly #streams = new Map<string, EventReader>();
  readonly #leaving = new AbortController();

  constructor(server: ServerUnderTest, thread: string) {
    this.#server = server;
    this.#thread = thread;
    this.#kept = new Map([["thread", thread]]);
  }

  async perform(step: Step): Promise<string | undefined> {
    if ("read" in step) return this.#read(step);
    if ("open" in step) return this.#open(step);
    return this.#send(step);
  }

  /** Whether the log holds together, whatever was done: the thread may be gone. */
  async historyFault(): Promise<string | undefined> {
    return historyFault(async (path) => {
      const response = await this.#request({ send: `GET /threads/{thread}${path}`, status: 200 });
      return response.ok ? response.json() : undefined;
    });
  }

  /** Ends the streams, and deletes the thread with its branches. */
  async leave(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.close()));
    await this.#request({ send: "DELETE /threads/{thread}", status: 204 }).catch(() => undefined);
    this.#leaving.abort();
  }

  async #send(step: SendStep): Promise<string | undefined> {
    const response = await this.#request(step);
    const text = await response.text();
    const wanted = [step.status].flat();
    if (!wanted.includes(response.status))
      return `the status is ${response.status}, and must be ${wanted.join(" or ")}: ${text.slice(0, 300)}`;
    if (response.status >= 400 && !response.headers.get("content-type")?.startsWith("application/problem+json"))
      return `a problem has the content type ${response.headers.get("content-type")}`;
    if (step.answer === undefined) return undefined;
    return mismatch(text === "" ? undefined : (JSON.parse(text) as unknown), step.answer, this.#kept);
  }

  async #open(step: OpenStep): Promise<string | undefined> {
    const response = await this.#request(step);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || response.body === null || !type.startsWith("text/event-stream"))
      return `no stream, but ${response.status} with ${type}`;
    this.#streams.set(step.open, new EventReader(response.body));
    return undefined;
  }

  async #read({ read, events }: ReadStep): Promise<string | undefined> {
    const stream = this.#streams.get(read);
    if (stream === undefined) return `the scenario has no stream "${read}"`;
    for (const [index, expected] of events.entries()) {
      const found = await this.#nextOf(stream, expected.event);
      const fault = found === undefined ? "the stream ended" : this.#eventFault(found, expected);
      if (fault !== undefined) return `event ${index + 1}: ${fault}`;
    }
    return undefined;
  }

  async #nextOf(stream: EventReader, wanted: string): Promise<ReadEvent | undefined> {
    for (;;) {
      const found = await this.#inTime(stream.next(), `no event "${wanted}" came`);
      if (found === undefined || found.event === wanted || !ASIDE.has(found.event)) return found;
    }
  }

  #eventFault({ event, id, data }: ReadEvent, expected: ExpectedEvent): string | undefined {
    if (event !== expected.event) return `it is "${event}", and must be "${expected.event}": ${inWords(data)}`;
    if (expected.id !== undefined && id !== expected.id)
      return `its id is ${inWords(id)}, and must be ${inWords(expected.id)}`;
    if (isObject(data) && data["type"] !== event && data["status"] === undefined)
      return `its data has the type ${inWords(data["type"])}, and must have its name, "${event}"`;
    return mismatch(data, expected.data ?? {}, this.#kept);
  }

  async #request(step: SendStep | OpenStep): Promise<Response> {
    const { send, as = "ada", headers, body } = step;
    const text = "text" in step ? step.text : undefined;
    const [method = "", path = ""] = String(filled(send, this.#kept)).split(" ");
    return this.#inTime(
      sendTo(this.#server, {
        send: `${method} ${path}`,
        as,
        signal: this.#leaving.signal,
        text: text ?? (body === undefined ? undefined : JSON.stringify(filled(body, this.#kept))),
        ...(headers !== undefined && { headers: filled(headers, this.#kept) as Record<string, string> }),
      }),
      `no answer to ${send.replace("{thread}", this.#thread)}`,
    );
  }

  /** Rejects when the answer does not come in time. */
  async #inTime<T>(waited: Promise<T>, what: string): Promise<T> {
    const { timeout = 30_000 } = this.#server;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} within ${timeout} ms`)), timeout);
    });
    try {
      return await Promise.race([waited, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function titleOf(step: Step): string {
  return "read" in step ? `events of "${step.read}"` : `${step.send} as ${step.as ?? "ada"}`;
}
