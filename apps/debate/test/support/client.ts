// A debate app in memory, or on a file, and a client of its API.

import type { AGUIEvent } from "@ag-ui/core";
import { createDebateApp, type DebateApp } from "../../src/server/app.ts";
import type { Debate } from "../../src/server/debates.ts";
import type { ChosenModel } from "../../src/server/model.ts";
import { OfflineModel } from "../../src/offline-model/offline-model.ts";
import { tickingClock } from "./clock.ts";

export const offline = (delayMs = 0): ChosenModel => ({
  model: new OfflineModel({ delayMs }),
  name: "offline",
  offline: true,
});

export function appOn({
  dataPath = ":memory:",
  model = offline(),
  onError = () => {},
}: Partial<Parameters<typeof createDebateApp>[0]> = {}) {
  return createDebateApp({ dataPath, model, site: "/nowhere", clock: tickingClock(), onError });
}

export function clientOf(app: DebateApp) {
  const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  const post = (path: string, body: unknown, headers?: Record<string, string>) => request("POST", path, body, headers);
  return {
    request,
    post,
    /** The events of a run, all of them. */
    run: async (path: string, body: unknown) => eventsIn(await post(path, body)),
    get: async (id: string): Promise<Debate> => (await request("GET", `/api/debate/${id}`)).json(),
  };
}

export async function eventsIn(response: Response): Promise<AGUIEvent[]> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.replace(/^data: /, "")));
}
