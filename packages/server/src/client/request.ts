// Requests to the routes of one thread, and their errors.

import { pathPart } from "./path-part.ts";

export type RequestHeaders = Readonly<Record<string, string>>;

export interface RequestOptions {
  /**
   * The address of the server's routes, such as "https://boards.example.com/opstate"; "" for the
   * page's own origin.
   */
  readonly url: string;
  readonly threadId: string;
  /** Sent with every request. A function is called each time, so that it can give a fresh token. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The server refused a request, or failed. `code` is that of the problem document, or
 * `http_<status>` when there is none.
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
  /** A POST whose response is a verdict. A refused operation does not throw. */
  postForVerdict<T>(path: string, body: object): Promise<T>;
  remove(path: string): Promise<void>;
}

export function createRequester({
  url,
  threadId,
  headers = {},
  fetch = (input, init) => globalThis.fetch(input, init),
}: RequestOptions): Requester {
  const address = `${url.replace(/\/+$/, "")}/threads/${pathPart(threadId)}`;

  async function send(path: string, method: string, body?: object): Promise<Response> {
    const fresh = typeof headers === "function" ? await headers() : headers;
    return fetch(address + path, {
      method,
      headers: { ...fresh, ...(body && { "content-type": "application/json" }) },
      cache: "no-store",
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  // The server guarantees the shape of its responses.
  return {
    async get<T>(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
      const response = await send(search.size === 0 ? path : `${path}?${search.toString()}`, "GET");
      if (!response.ok) throw await requestError(response);
      return (await response.json()) as T;
    },
    async post<T>(path: string, body: object) {
      const response = await send(path, "POST", body);
      if (!response.ok) throw await requestError(response);
      return (await response.json()) as T;
    },
    async postForVerdict<T>(path: string, body: object) {
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

/** The problem document of a refused operation has the members of its verdict. */
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
    typeof detail === "string" ? detail : `The server answered with status ${response.status}.`,
  );
}
