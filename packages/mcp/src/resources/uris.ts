// The addresses of resources.
//
//   opstate://threads/<thread>/state                whole
//   opstate://threads/<thread>/state/columns/0      the value at the JSON Pointer /columns/0
//   opstate://threads/<thread>/history              the newest commits
//   opstate://threads/<thread>/history/41           commits after version 41
//   opstate://threads/<thread>/why/columns/0/title  who last touched it

const ADDRESS = /^opstate:\/\/threads\/([^/?#]+)\/(state|history|why)(\/[^?#]*)?$/;

export interface Address {
  readonly uri: string;
  readonly threadId: string;
  readonly kind: "state" | "history" | "why";
  /** What follows: a JSON Pointer, or a version after a slash; "" for nothing. */
  readonly rest: string;
}

/** Undefined for an address of nothing here. */
export function readAddress(uri: string): Address | undefined {
  const [, threadId = "", kind, rest = ""] = ADDRESS.exec(uri) ?? [];
  if (kind !== "state" && kind !== "history" && kind !== "why") return undefined;
  try {
    return { uri, threadId: decodeURIComponent(threadId), kind, rest: decodeURIComponent(rest) };
  } catch {
    return undefined;
  }
}

export function stateUri(threadId: string): string {
  return `opstate://threads/${encodeURIComponent(threadId)}/state`;
}

export function historyUri(threadId: string): string {
  return `opstate://threads/${encodeURIComponent(threadId)}/history`;
}

export const TEMPLATES = [
  {
    uriTemplate: "opstate://threads/{threadId}/state",
    name: "state",
    description: "The whole state, with its version",
  },
  {
    uriTemplate: "opstate://threads/{threadId}/state/{+pointer}",
    name: "part of a state",
    description: "The value at a JSON Pointer, such as columns/0/title",
  },
  { uriTemplate: "opstate://threads/{threadId}/history", name: "history", description: "The newest commits" },
  {
    uriTemplate: "opstate://threads/{threadId}/history/{after}",
    name: "history since a version",
    description: "The commits after a version",
  },
  {
    uriTemplate: "opstate://threads/{threadId}/why/{+pointer}",
    name: "why",
    description: "The commit that last touched the value at a JSON Pointer",
  },
].map((template) => ({ ...template, mimeType: "application/json" }));
