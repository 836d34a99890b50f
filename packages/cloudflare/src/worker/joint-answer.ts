// POST /events with `wait`: a list of events in place of a stream. Every object gets a request with
// `wait`; when the first one answers, the others answer at once.
//
// Invariant: a client that polls goes on from its own positions, so what an object would have
// answered to an aborted request comes with the next one.

import { isObject } from "@opstate/core/json";
import { byObject, indexStub, joinedAnswer, requestWith, stubOf } from "../addresses.ts";
import type { EdgeBindings } from "../edge-options.ts";

export async function jointAnswer(
  request: Request,
  body: Record<string, unknown>,
  env: EdgeBindings,
): Promise<Response> {
  const { threads } = body;
  if (!isObject(threads)) return indexStub(env.OPSTATE_INDEX).fetch(request);
  const groups = [...byObject(Object.entries(threads), ([threadId]) => threadId)];
  const [only] = groups;
  if (only === undefined) return indexStub(env.OPSTATE_INDEX).fetch(request);
  if (groups.length === 1) return stubOf(env.OPSTATE_THREADS, only[0]).fetch(request);

  const isOver = new AbortController();
  async function ask(name: string, entries: readonly (readonly [string, unknown])[]): Promise<Response> {
    const stub = stubOf(env.OPSTATE_THREADS, name);
    const part = { ...body, threads: Object.fromEntries(entries) };
    const waiting = new Request(requestWith(request, { body: JSON.stringify(part) }), { signal: isOver.signal });
    try {
      const answer = await stub.fetch(waiting);
      // Read whole before `isOver` aborts the request.
      return new Response(await answer.text(), answer);
    } catch (error) {
      if (!isOver.signal.aborted) throw error;
      return stub.fetch(requestWith(request, { body: JSON.stringify({ ...part, wait: 0 }) }));
    } finally {
      isOver.abort();
    }
  }

  const answers = await Promise.all(groups.map(([name, entries]) => ask(name, entries)));
  const events: unknown[] = [];
  for (const [place, answer] of answers.entries()) {
    const found: unknown = await answer.clone().json();
    // One hello is enough.
    if (Array.isArray(found)) events.push(...found.filter((event) => events.length === 0 || !isHello(event)));
    else if (answers.every(({ ok }) => !ok)) return answer;
    else for (const [thread] of groups[place]?.[1] ?? []) events.push(problemOf(thread, found));
  }
  return joinedAnswer(
    events,
    answers.find(({ ok }) => ok),
  );
}

function isHello(event: unknown): boolean {
  return isObject(event) && event["type"] === "hello";
}

function problemOf(thread: string, found: unknown): object {
  const { status, code, title, detail } = isObject(found) ? found : {};
  return { thread, type: "problem", status, code, title, detail };
}
