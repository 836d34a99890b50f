// The one way to send a request to a server, and what its refusals are.
//
// Invariant: a request that is refused for its credentials is sent once more when there are new
// ones. Requests that are refused together request them once.

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

/** One request. `fetch`: what carries it in place of that of the options. */
export interface SentRequest extends RequestInit {
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The server refused a request, or failed. `code` is that of the problem document, or
 * `http_<status>` when there is none.
 */
export class RequestError extends Error {
  declare readonly status: number;
  declare readonly code: string;
  /** Milliseconds that the server asks to wait for. */
  declare readonly retryAfter?: number;

  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

export class Requester {
  readonly #url: string;
  readonly #options: RequestOptions;
  #headers: RequestOptions["headers"];
  /** Counts the credentials, so that a refusal of earlier ones requests no others. */
  #credentials = 0;
  #renewing: Promise<boolean> | undefined;
  /** The headers of this requester that a response was requested with. */
  readonly sentFor = new WeakMap<Response, RequestHeaders | undefined>();

  constructor(options: RequestOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "");
    this.#headers = options.headers;
  }

  /** Rejects when there is no response. A refusal is a response. */
  async send(path: string, init: SentRequest): Promise<Response> {
    const used = this.#credentials;
    const response = await this.#sendOnce(path, init);
    if (response.status !== 401) return response;
    const isRenewed = used !== this.#credentials || (await this.#renew(response));
    if (!isRenewed) return response;
    // Not waited for: a body that was copied is cancelled when both copies are.
    response.body?.cancel().catch(() => undefined);
    return this.#sendOnce(path, init);
  }

  post(path: string, body: string, init?: SentRequest): Promise<Response> {
    const headers = { "content-type": "application/json", ...(init?.headers as RequestHeaders | undefined) };
    return this.send(path, { method: "POST", ...init, body, headers });
  }

  async #sendOnce(path: string, init: SentRequest): Promise<Response> {
    const { credentials, fetch = globalThis.fetch } = { ...this.#options, ...init };
    const fresh = typeof this.#headers === "function" ? await this.#headers() : this.#headers;
    const response = await fetch(this.#url + path, {
      // Where it is undefined it is as if it were absent.
      credentials: credentials as NonNullable<RequestInit["credentials"]>,
      ...init,
      cache: "no-store",
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
    if (isRenewed) this.#credentials++;
    return isRenewed;
  }
}

export async function requestError(response: Response): Promise<RequestError> {
  const problem: unknown = await response.json().catch(() => undefined);
  return problemError(problem, response.status, retryAfterOf(response));
}

/**
 * Whether the same request may be accepted later: it came at a bad time, or the answer says when.
 */
export function isTemporary({ status, retryAfter }: RequestError): boolean {
  return status >= 500 || [408, 425, 429].includes(status) || retryAfter !== undefined;
}

/**
 * The error of a problem document, as a response or a message has it. One that is a part of an
 * answer says by a member when it may be tried again, in seconds.
 */
export function problemError(problem: unknown, status: number, retryIn?: number): RequestError {
  // What is no object has none of these.
  const { code, detail, retryAfter } = Object(problem) as Readonly<Record<string, unknown>>;
  return new RequestError(
    status,
    typeof code === "string" ? code : `http_${status}`,
    typeof detail === "string" ? detail : `The server answered ${status}.`,
    retryIn ?? (typeof retryAfter === "number" ? retryAfter * 1_000 : undefined),
  );
}

/** Milliseconds; the header has seconds or a date. */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get("retry-after");
  if (text === null) return undefined;
  const time = Number.isNaN(Number(text)) ? Date.parse(text) - Date.now() : Number(text) * 1_000;
  return Number.isFinite(time) ? Math.max(0, time) : undefined;
}
