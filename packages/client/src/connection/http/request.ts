// The one way to send a request to a server, and what its refusals are.
//
// Invariant: a request that is refused for its credentials is sent once more when there are new
// ones. Requests that are refused together ask for them once.

export type RequestHeaders = Readonly<Record<string, string>>;

export interface RequestOptions {
  /**
   * The address of the server's routes, such as "https://boards.example.com/opstate"; "" for the
   * page's own origin.
   */
  readonly url: string;
  /** Sent with every request. A function is called each time, so that it can give a fresh token. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Whether cookies are sent to another origin: "include". Default: those of `fetch`. */
  readonly credentials?: "include" | "omit" | "same-origin";
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * The server wants other credentials. With the headers that it resolves to, which replace
   * `headers`, the request is sent once more; `{}` after a sign-in that set a cookie. Without any,
   * the status is `unauthenticated`.
   */
  readonly onUnauthenticated?: (
    error: RequestError,
  ) => RequestHeaders | void | undefined | Promise<RequestHeaders | void | undefined>;
}

/**
 * The server refused a request, or failed. `code` is that of the problem document, or
 * `http_<status>` when there is none.
 */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** Milliseconds that the server asks to wait for. */
  readonly retryAfter?: number;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export class Requester {
  readonly #url: string;
  readonly #options: RequestOptions;
  #headers: NonNullable<RequestOptions["headers"]>;
  /** Counts the credentials, so that a refusal of earlier ones asks for no others. */
  #credentials = 0;
  #renewing: Promise<boolean> | undefined;
  /** The headers of this requester that a response was asked for with. */
  readonly sentFor = new WeakMap<Response, RequestHeaders>();

  constructor(options: RequestOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "");
    this.#headers = options.headers ?? {};
  }

  /** Rejects when there is no response. A refusal is a response. */
  async send(path: string, init: RequestInit): Promise<Response> {
    const used = this.#credentials;
    const response = await this.#sendOnce(path, init);
    if (response.status !== 401) return response;
    const isRenewed = used !== this.#credentials || (await this.#renew(response));
    if (!isRenewed) return response;
    // Not waited for: a body that was copied is cancelled when both copies are.
    response.body?.cancel().catch(() => undefined);
    return this.#sendOnce(path, init);
  }

  post(path: string, body: string, init: RequestInit = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...(init.headers as RequestHeaders | undefined) };
    return this.send(path, { ...init, method: "POST", body, headers });
  }

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const response = await this.send(search.size === 0 ? path : `${path}?${search.toString()}`, { method: "GET" });
    return answerOf<T>(response);
  }

  async postFor<T>(path: string, body: object): Promise<T> {
    return answerOf<T>(await this.post(path, JSON.stringify(body)));
  }

  async put(path: string, body: object): Promise<void> {
    const headers = { "content-type": "application/json" };
    const response = await this.send(path, { method: "PUT", body: JSON.stringify(body), headers });
    if (!response.ok) throw await requestError(response);
  }

  /** A POST whose response is a verdict. A refused operation does not throw. */
  async postForVerdict<T>(path: string, body: object): Promise<T> {
    const response = await this.post(path, JSON.stringify(body));
    if (response.ok) return (await response.json()) as T;
    const problem: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (!isRefusal(problem)) throw await requestError(response);
    const { version, rejection, attempt } = problem;
    return { accepted: false, version, rejection, attempt } as T;
  }

  async remove(path: string): Promise<void> {
    // Hosts that guard against forged forms (SvelteKit) take a request without a type for a form.
    const response = await this.send(path, { method: "DELETE", headers: { "content-type": "application/json" } });
    if (!response.ok) throw await requestError(response);
  }

  async #sendOnce(path: string, init: RequestInit): Promise<Response> {
    const { credentials, fetch = (input, options) => globalThis.fetch(input, options) } = this.#options;
    const fresh = typeof this.#headers === "function" ? await this.#headers() : this.#headers;
    const response = await fetch(this.#url + path, {
      cache: "no-store",
      ...(credentials !== undefined && { credentials }),
      ...init,
      headers: { ...fresh, ...(init.headers as RequestHeaders | undefined) },
    });
    this.sentFor.set(response, fresh);
    return response;
  }

  /** Resolves to whether it is worth to send a request again. */
  #renew(response: Response): Promise<boolean> {
    this.#renewing ??= this.#askForCredentials(response).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #askForCredentials(response: Response): Promise<boolean> {
    const { onUnauthenticated } = this.#options;
    const given = await onUnauthenticated?.(await requestError(response.clone()));
    if (given) this.#headers = given;
    // A function may give another token than the one that has expired.
    const isRenewed = Boolean(given) || typeof this.#headers === "function";
    if (isRenewed) this.#credentials += 1;
    return isRenewed;
  }
}

/** The server guarantees the shape of its responses. */
async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await requestError(response);
  return (await response.json()) as T;
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
  return problemError(problem, response.status, retryAfterOf(response));
}

/** Whether the same request may be taken later: it came at a bad time, or the answer says when. */
export function isTemporary({ status, retryAfter }: RequestError): boolean {
  return status >= 500 || [408, 425, 429].includes(status) || retryAfter !== undefined;
}

/**
 * The error of a problem document, as a response or a message has it. One that is a part of an
 * answer says by a member when it may be tried again, in seconds.
 */
export function problemError(problem: unknown, status: number, retryIn?: number): RequestError {
  const member = (name: string): unknown =>
    typeof problem === "object" && problem !== null ? Reflect.get(problem, name) : undefined;
  const [code, detail, retryAfter] = [member("code"), member("detail"), member("retryAfter")];
  return new RequestError(
    status,
    typeof code === "string" ? code : `http_${status}`,
    typeof detail === "string" ? detail : `The server answered with status ${status}.`,
    retryIn ?? (typeof retryAfter === "number" ? retryAfter * 1_000 : undefined),
  );
}

/** Milliseconds; the header has seconds or a date. */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get("retry-after");
  if (text === null) return undefined;
  const time = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(time) ? Math.max(0, time) : undefined;
}
