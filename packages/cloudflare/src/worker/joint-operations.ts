// POST /operations: each object gets the submissions to its threads, in their order, and each
// verdict is put in its place.

import { isObject } from "@opstate/core/json";
import { byObject, indexStub, joinedAnswer, requestWith, stubOf } from "../addresses.ts";
import type { EdgeBindings } from "../edge-options.ts";

export async function jointOperations(request: Request, body: unknown, env: EdgeBindings): Promise<Response> {
  const list = isObject(body) ? body["submissions"] : body;
  // What is wrong with the body is said by a server.
  if (!Array.isArray(list) || list.length === 0) return indexStub(env.OPSTATE_INDEX).fetch(request);
  const submissions: readonly unknown[] = list;
  const groups = [...byObject(submissions.entries(), ([, item]) => threadOf(item))];
  const send = (name: string, sent: Request) => stubOf(env.OPSTATE_THREADS, name).fetch(sent);
  const [first] = groups;
  if (first && groups.length === 1) return send(first[0], request);

  const answers: unknown[] = [];
  const failed: Response[] = [];
  let whole: Response | undefined;
  await Promise.all(
    groups.map(async ([name, items]) => {
      const part = items.map(([, item]) => item);
      const sent = JSON.stringify(isObject(body) ? { ...body, submissions: part } : part);
      const answer = await send(name, requestWith(request, { body: sent }));
      const found: unknown = await answer.clone().json();
      for (const [place, [index]] of items.entries())
        answers[index] = Array.isArray(found) ? found[place] : { problem: found };
      if (answer.ok) whole = answer;
      else failed.push(answer);
    }),
  );
  // Such as credentials that no object accepts: then it is the answer to the request.
  if (failed[0] && failed.length === groups.length) return failed[0];
  return joinedAnswer(answers, whole);
}

function threadOf(item: unknown): string {
  return isObject(item) && typeof item["thread"] === "string" ? item["thread"] : "";
}
