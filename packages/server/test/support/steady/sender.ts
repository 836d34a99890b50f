// Requests on connections that are kept, each with the credentials of its sender.

import { Agent, type IncomingMessage, request } from "node:http";
import { asUser } from "../server.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const EVERYTHING = ["read", "write", "undo", "approve", "admin"] as const;

export class Sender {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  constructor(url: string) {
    this.url = url;
  }

  /** As an actor with every right. Rejects when there is no answer. */
  send(actor: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return new Promise<Answer>((resolve, reject) => {
      const outgoing = request(`${this.url}${path}`, {
        method,
        agent: this.#agent,
        headers: { ...asUser(actor, ...EVERYTHING), ...(sent !== undefined && { "content-type": "application/json" }) },
      });
      outgoing.on("error", (error) => {
        // The server may close a connection that was idle just when it is used again.
        const isStale = outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET";
        if (isStale) resolve(this.send(actor, method, path, body));
        else reject(error);
      });
      outgoing.on("response", (answer) => void readAnswer(answer).then(resolve, reject));
      outgoing.end(sent);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const text = Buffer.concat(await answer.toArray()).toString();
  const isJson = answer.headers["content-type"]?.includes("json");
  return { status: answer.statusCode ?? 0, body: isJson ? JSON.parse(text) : text };
}
