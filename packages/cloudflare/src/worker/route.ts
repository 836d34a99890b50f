// The Worker in front: which object answers a request. It decides nothing else, and authenticates
// no actor: each object does that itself.

import { isObject } from "@opstate/core/json";
import { randomId } from "@opstate/core/thread";
import { indexStub, NAME_HEADER, objectNameOf, requestWith, stubOf } from "../addresses.ts";
import type { EdgeBindings } from "../edge-options.ts";
import { jointAnswer } from "./joint-answer.ts";
import { jointOperations } from "./joint-operations.ts";

/** The GET paths that the index object answers. All others but those of threads have no route. */
const INDEX_PATHS: ReadonlySet<string> = new Set(["/threads", "/healthz", "/readyz"]);

/** `basePath`: what stands before the paths of all routes; "" for nothing. */
export async function route(request: Request, env: EdgeBindings, basePath: string): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : "";
  const [, first = "", second = ""] = path.split("/");
  const index = indexStub(env.OPSTATE_INDEX);
  const toThread = (threadId: string, sent: Request) => stubOf(env.OPSTATE_THREADS, objectNameOf(threadId)).fetch(sent);

  if (first === "threads" && second !== "") return toThread(decoded(second), request);
  if (request.method !== "POST")
    return index.fetch(INDEX_PATHS.has(path) ? request : requestWith(request, { path: `${basePath}/-` }));

  if (first === "ag-ui") {
    const named = url.searchParams.get("threadId");
    if (named !== null) return toThread(named, request);
    const body = await request.text();
    const parsed = parsedObject(body);
    const sent = requestWith(request, { body });
    return typeof parsed?.["threadId"] === "string" ? toThread(parsed["threadId"], sent) : index.fetch(sent);
  }
  const isJoint = ["events", "operations", "presence"].includes(first) && request.headers.get("content-type") !== null;
  if (!isJoint) return index.fetch(requestWith(request, { path: `${basePath}/-` }));

  const body = await request.text();
  const parsed: unknown = parsedJson(body);
  const sent = requestWith(request, { body });
  if (first === "operations") return jointOperations(sent, parsed, env);
  if (isObject(parsed) && first === "events" && second === "" && parsed["wait"] !== undefined)
    return jointAnswer(sent, parsed, env);
  const stream = first === "presence" ? (isObject(parsed) ? parsed["stream"] : undefined) : second;
  const name = typeof stream === "string" && stream !== "" ? stream : `s-${randomId()}`;
  sent.headers.set(NAME_HEADER, name);
  return stubOf(env.OPSTATE_READERS, name).fetch(sent);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The object says that it is no id.
    return part;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  const parsed = parsedJson(text);
  return isObject(parsed) ? parsed : undefined;
}
