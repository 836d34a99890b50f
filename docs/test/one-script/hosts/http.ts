// A program that sends operations over HTTP, without any framework.

import { callText } from "@opstate/agent";
import type { Verdict } from "@opstate/core";
import { board } from "../board.ts";
import { processEnded, type Call } from "../script.ts";
import { agentHeaders, type Host, type Place } from "./host.ts";

export const http: Host = {
  name: "HTTP",
  asks: false,
  hasKeys: true,
  async play(script, place) {
    for (let run = 1; !script.isOver; run++) {
      for (let message = 1; ; message++) {
        const { version } = (await request(place, "GET", "")) as { readonly version: number };
        let said: readonly Call[] | string;
        try {
          said = await script.next();
        } catch (error) {
          processEnded(error);
          message = 0;
          continue;
        }
        if (typeof said === "string") break;
        const keys = new Map<string, number>();
        for (const call of said) script.heard(call.id, await send(place, call, { run, message, version, keys }));
      }
    }
  },
};

async function send(
  place: Place,
  { id: callId, name, input }: Call,
  at: { readonly run: number; readonly message: number; readonly version: number; readonly keys: Map<string, number> },
): Promise<string> {
  const { run, message, version: basedOn, keys } = at;
  const key = name === "pay" ? `${run}.${message}/${JSON.stringify(input)}` : undefined;
  const nth = key === undefined ? 1 : (keys.get(key) ?? 0) + 1;
  if (key !== undefined) keys.set(key, nth);
  const id = key === undefined ? `s/${callId}` : `${key}/${nth}`;
  const operation = { type: name, ...input };
  const about = { operation, id, basedOn, runId: `run-${run}`, toolCallId: callId };
  const isProposal = name === "clear" && !place.threadId.includes("~");
  const verdict = (await request(place, "POST", isProposal ? "/proposals" : "/operations", about)) as Verdict;
  if (isProposal && verdict.accepted && verdict.commit !== undefined)
    return callText(board.name, { pending: verdict.commit }, 0);
  return callText(board.name, { verdict }, 0);
}

async function request(place: Place, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${place.url}/threads/${encodeURIComponent(place.threadId)}${path}`, {
    method,
    headers: { ...agentHeaders(place), "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}
