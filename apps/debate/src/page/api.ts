// The client of the server's API. Addresses are relative to the page, which may be under a prefix.

import { defined } from "@opstate/core";
import type { ResumeEntry } from "@ag-ui/core";
import { type AgentTransport, httpAgent } from "@opstate/ag-ui";
import type { Debate } from "../server/debates.ts";

export interface Topic {
  readonly topic: string;
  readonly maxRounds: number;
}

export interface Api {
  /** Undefined when there is no such debate; throws when the server cannot be reached. */
  read(id: string): Promise<Debate | undefined>;
  /** The model of the debaters. */
  modelName(): Promise<{ readonly name: string; readonly offline: boolean }>;
  /** Runs the debate with this id. `topic` is given if this page starts it. */
  transport(id: string, topic: Topic | undefined): AgentTransport;
}

export function createApi(base: string): Api {
  const address = (path: string) => new URL(`api/${path}`, base).href;

  async function read<Body>(path: string): Promise<Body | undefined> {
    const response = await fetch(address(path));
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return response.json();
  }

  return {
    read: (id) => read<Debate>(`debate/${encodeURIComponent(id)}`),
    async modelName() {
      const info = await read<{ model: { name: string; offline: boolean } }>("info");
      return info?.model ?? { name: "unknown", offline: false };
    },
    transport: (id, topic) => (input, options) => {
      const [path, body] =
        input.resume === undefined
          ? ["debate", { ...topic, id }]
          : [`debate/${encodeURIComponent(id)}/resume`, answerIn(input.resume)];
      // The routes take less than a whole RunAgentInput, because the server has the rest.
      const send: typeof fetch = (url, init) => fetch(url, { ...init, body: JSON.stringify(body) });
      return httpAgent({ url: address(path), fetch: send })(input, options);
    },
  };
}

/** Without an answer the interrupted round continues. */
function answerIn([answer]: readonly ResumeEntry[]): object {
  const { interruptId, payload } = answer ?? {};
  return { ...(typeof payload === "object" ? payload : {}), ...defined({ interruptId }) };
}
