// Calls of a server: each is one request, and its answer is read. What a page requests beside its
// connection; it loads this with the first call.

import { requestError, type Requester } from "./request.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is refused throws a RequestError. */
export interface Calls {
  /** Of a list in pages, all of them. */
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  remove(path: string): Promise<void>;
  /** A POST whose answer is a verdict. A refused operation does not throw. */
  postForVerdict<T>(path: string, body: object): Promise<T>;
}

export function callsOver(requester: Pick<Requester, "send" | "post">): Calls {
  return {
    async get(path, query = {}) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
      return pagesOf(requester, path, search.size > 0 ? `?${search.toString()}` : "");
    },
    post: async (path, body) => answerOf(await requester.post(path, JSON.stringify(body))),
    async remove(path) {
      // Hosts that guard against forged forms (SvelteKit) take a request without a type for a form.
      const headers = { "content-type": "application/json" };
      const response = await requester.send(path, { method: "DELETE", headers });
      if (!response.ok) throw await requestError(response);
    },
    async postForVerdict<T>(path: string, body: object) {
      const response = await requester.post(path, JSON.stringify(body));
      if (response.ok) return (await response.json()) as T;
      // The problem document of a refused operation has the members of its verdict.
      const problem: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      const { version, rejection, attempt } = Object(problem) as Readonly<Record<string, unknown>>;
      if (rejection === undefined || attempt === undefined) throw await requestError(response);
      return { accepted: false, version, rejection, attempt } as T;
    },
  };
}

/** From a page on; the header `Link` has the query of the next one. */
async function pagesOf<T>(requester: Pick<Requester, "send">, path: string, query: string): Promise<T> {
  const response = await requester.send(path + query, { method: "GET" });
  const answer = await answerOf<T>(response);
  const next = response.headers.get("link")?.match(/<(\?.*)>/)?.[1];
  if (next === undefined) return answer;
  return (answer as unknown[]).concat(await pagesOf(requester, path, next)) as T;
}

/** The server guarantees the shape of its responses. */
async function answerOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await requestError(response);
  return (await response.json()) as T;
}
