// Reads a stream of many threads, message by message.

import { type EventReader, readStream } from "./events.ts";
import { ada, send } from "./server.ts";

export interface Position {
  readonly after?: number;
  readonly incarnation?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every type
export type Message = any;

export interface JointReader extends EventReader {
  /** The name of the stream. */
  readonly stream: string;
  /** The name that others see. */
  readonly session: string;
  /** The data of the next event. */
  message(): Promise<Message>;
  /** The next message that fits, and drops those before it. */
  find(fits: (message: Message) => boolean): Promise<Message>;
  /** The next message of a type, of one thread. */
  of(type: string, thread?: string): Promise<Message>;
  /** Changes the threads of the stream. Gives the status. */
  change(body: { follow?: Record<string, Position>; unfollow?: string[] }): Promise<number>;
}

export function follow(ids: readonly string[]): Record<string, Position> {
  return Object.fromEntries(ids.map((id) => [id, {}]));
}

/** Opens a stream, and reads its `hello`. */
export async function openJoint(
  url: string,
  threads: Record<string, Position>,
  headers: Record<string, string> = ada,
): Promise<JointReader> {
  const reader = await readStream(`${url}/events`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ threads }),
  });
  const message = async () => JSON.parse((await reader.next()).data);
  async function find(fits: (found: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = await message();
      if (fits(found)) return found;
    }
  }
  const { stream, session } = await find(({ type }) => type === "hello");
  return {
    ...reader,
    stream,
    session,
    message,
    find,
    of: (type, thread) => find((found) => found.type === type && (thread === undefined || found.thread === thread)),
    change: async (body) => (await send(`${url}/events/${stream}`, "POST", body, headers)).status,
  };
}
