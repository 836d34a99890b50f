// Requests to the routes of one thread, and what they are answered with.

import { pathPart } from "./path-part.ts";

export type RequestHeaders = Readonly<Record<string, string>>;

export interface RequestOptions {
  /**
   * Where the server's routes stand: "https://boards.example.com/opstate", or "" for the page's own
   * origin.
   */
  readonly url: string;
  readonly threadId: string;
  /** Sent with every request; a function is asked each time, so that a token can be fresh. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A request that the server did not take, or could not answer: `code` is that of the problem
 * document.
 */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
  }
}

export interface Requester {
  get<T>(path: string, query?: Readonly<Record<string, string | number | boolean | undefined>>): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  /** A post that is answered with a verdict, whichever. */
  judged<T>(path: string, body: object): Promise<T>;
  remove(path: string): Promise<void>;
}

export function requester({
  url,
  threadId,
  headers = {},
  fetch = (input, init) => globalThis.fetch(input, init),
}: RequestOptions): Requester {
  const address = `${url.replace(/\/+$/, "")}/threads/${pathPart(threadId)}`;

  async function send(path: string, method: string, body?: object): Promise<Response> {
    const own = typeof headers === "function" ? await headers() : headers;
    return fetch(address + path, {
      method,
      headers: { ...own, ...(body && { "content-type": "application/json" }) },
      cache: "no-store",
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  // The shape of an answer is the server's promise.
  return {
    async get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}) {
      const given = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
      const response = await send(given.size === 0 ? path : `${path}?${given.toString()}`, "GET");
      if (!response.ok) throw await requestError(response);
      return (await response.json()) as T;
    },
    async post<T>(path: string, body: object) {
      const response = await send(path, "POST", body);
      if (!response.ok) throw await requestError(response);
      return (await response.json()) as T;
    },
    async judged<T>(path: string, body: object) {
      const response = await send(path, "POST", body);
      if (response.ok) return (await response.json()) as T;
      const problem: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      if (!isRefusal(problem)) throw await requestError(response);
      const { version, rejection, attempt } = problem;
      return { accepted: false, version, rejection, attempt } as T;
    },
    async remove(path) {
      const response = await send(path, "DELETE");
      if (!response.ok) throw await requestError(response);
    },
  };
}

/** A refused operation's problem document carries its verdict. */
function isRefusal(problem: unknown): problem is { version: number; rejection: object; attempt: number } {
  return (
    typeof problem === "object" &&
    problem !== null &&
    "rejection" in problem &&
    "attempt" in problem &&
    "version" in problem
  );
}

export async function requestError(response: Response): Promise<RequestError> {
  const problem: unknown = await response.json().catch(() => undefined);
  const member = (name: string): unknown =>
    typeof problem === "object" && problem !== null ? Reflect.get(problem, name) : undefined;
  const code = member("code");
  const detail = member("detail");
  return new RequestError(
    response.status,
    typeof code === "string" ? code : `http_${response.status}`,
    typeof detail === "string" ? detail : `The server answered ${response.status}.`,
  );
}
