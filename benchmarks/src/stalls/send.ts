// One request of a client that asks for nothing but what it needs of the answer.

import { type Agent, type IncomingMessage, request } from "node:http";
import type { Sent } from "./requests.ts";

/** Milliseconds before a request is given up. */
const PATIENCE = 180_000;

export interface SendOptions {
  /** So many bytes of the answer are read, then the connection is closed; no text is kept. */
  readonly bytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resolves to the text of the answer; to nothing where only so many bytes of it are read. */
export function send(
  agent: Agent,
  url: string,
  { method, path, body, isStranger }: Sent,
  { bytes, headers: more = {} }: SendOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...more,
      ...(isStranger ? { authorization: "Bearer eve" } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const outgoing = request(`${url}${path}`, { method, agent, headers, timeout: PATIENCE });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${path} was not answered in time.`)));
    // A server that refuses a body may close before all of it is sent.
    let isAnswered = false;
    outgoing.on("error", (error) => (isAnswered ? resolve("") : reject(error)));
    outgoing.on("response", (answer: IncomingMessage) => {
      isAnswered = true;
      let read = 0;
      const texts: string[] = [];
      answer.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (bytes === undefined) texts.push(chunk.toString());
        if (bytes === undefined || read < bytes) return;
        answer.destroy();
        resolve("");
      });
      answer.on("error", () => resolve(""));
      answer.on("end", () => resolve(texts.join("")));
    });
    outgoing.end(body);
  });
}
