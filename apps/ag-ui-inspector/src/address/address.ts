import { defined } from "@opstate/core";
// The agent's address, from the page's own address: ?url=...&thread=...

/** The address of the scripted agent in the page itself, which needs no server. */
export const TOUR = "tour:";

export interface Address {
  /** An absolute http or https URL, or `TOUR`. */
  readonly url: string;
  /** Undefined: a new conversation each time. */
  readonly threadId: string | undefined;
}

export interface Example extends Address {
  readonly label: string;
  readonly says: string;
}

/** The example agents. `origin` is the server of the demo's own agent. */
export function examples(origin: string): readonly [Example, ...Example[]] {
  return [
    {
      label: "Kanban agent",
      url: `${origin}/ag-ui/kanban`,
      threadId: "demo",
      says: "The demo board's agent. It changes the real board.",
    },
    { label: "Scripted tour", url: TOUR, threadId: undefined, says: "Runs in this page: one of every kind of event." },
  ];
}

/** Parses a typed address. If it is invalid, `problem` says how an address looks. */
export function parseUrl(text: string, origin: string): { readonly url: string } | { readonly problem: string } {
  const wanted = text.trim();
  if (wanted === "")
    return { problem: "Type the address that runs are posted to, such as http://localhost:8000/agent." };
  if (wanted === TOUR) return { url: TOUR };
  // "localhost:8000/agent" means a host, not the scheme "localhost:".
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(wanted) || wanted.startsWith("/") ? wanted : `http://${wanted}`;
  const url = URL.parse(whole, origin);
  if (url === null || url.hostname === "")
    return { problem: `"${wanted}" is not an address. One looks like http://localhost:8000/agent.` };
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { problem: `AG-UI is spoken over http or https, not over ${url.protocol.replace(":", "")}.` };
  if (url.username !== "" || url.password !== "")
    return {
      problem: "A browser sends no name and password from an address. Use the Authorization field under Options.",
    };
  return { url: url.href };
}

/** The agent in the page's own address; the first example if it has none. */
export function readLocation({ search, origin }: { readonly search: string; readonly origin: string }): Address {
  const asked = new URLSearchParams(search);
  const [first] = examples(origin);
  const text = asked.get("url");
  if (text === null) return first;
  const parsed = parseUrl(text, origin);
  // An invalid address stays, so that the form can show it with the problem.
  return { url: "url" in parsed ? parsed.url : text, threadId: asked.get("thread") ?? undefined };
}

export function toSearch({ url, threadId }: Address): string {
  return `?${new URLSearchParams({ url, ...defined({ thread: threadId }) }).toString()}`;
}
