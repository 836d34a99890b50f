// A call of a page over its socket, and its answer: the request and the response of a route.
//
//   { "call": 3, "path": "/operations", "body": [...] }    ->
//   { "call": 3, "status": 200, "body": [...] }            <-

import { isObject } from "@opstate/core/json";

export interface Call {
  readonly call: number;
  readonly path: string;
  /** Of the first call alone: the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | readonly unknown[];
}

/** Undefined: it is none. */
export function readCall(text: unknown): Call | undefined {
  if (typeof text !== "string") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { call, path, headers = {}, body } = value;
  if (typeof call !== "number" || typeof path !== "string" || !isHeaders(headers)) return undefined;
  return isObject(body) || Array.isArray(body) ? { call, path, headers, body } : undefined;
}

/** `text`: the body of the answer, JSON or empty. */
export function answerText(call: number, status: number, headers: Headers, text: string): string {
  const wait = headers.get("retry-after");
  const head = JSON.stringify({ call, status, ...(wait !== null && { headers: { "retry-after": wait } }) });
  return text === "" ? head : `${head.slice(0, -1)},"body":${text}}`;
}

export function hasThreads(body: Call["body"]): boolean {
  return isObject(body) && isObject(body["threads"]) && Object.keys(body["threads"]).length > 0;
}

/** Of a request's headers those that an `authorize` may read: not those of body and transport. */
export function credentialsIn(headers: Headers): Record<string, string> {
  return without(/^(sec-websocket-|content-|(accept|connection|host|upgrade)\b)/, headers);
}

/** What a page may say of itself; the rest is for its browser, the platform and proxies to say. */
export function credentialsSaidBy(call: Call): Record<string, string> {
  return without(/^(sec-|cf-|x-forwarded-|(origin|referer|forwarded|x-real-ip|true-client-ip)$)/, credentialsOf(call));
}

function credentialsOf({ headers }: Call): Headers {
  return new Headers(credentialsIn(new Headers(headers)));
}

function without(names: RegExp, headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !names.test(name)));
}

/** Whether it has the names and values of headers. */
function isHeaders(value: unknown): value is Record<string, string> {
  if (!isObject(value) || !Object.values(value).every((each) => typeof each === "string")) return false;
  try {
    void new Headers(value as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
