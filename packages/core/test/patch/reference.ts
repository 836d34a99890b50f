/**
 * What a patch means, in the plainest way: clone the document, then mutate the clone, one operation
 * after the other. It is the oracle of the property tests, so it shares no code with the source.
 */
type Json = any;

export type Outcome = { ok: true; document: Json } | { ok: false; index: number };

export function applyByCloning(document: Json, patch: Json[]): Outcome {
  const box = { root: structuredClone(document) };
  for (const [index, operation] of patch.entries()) {
    try {
      applyOne(box, operation);
    } catch (error) {
      if (!(error instanceof Illegal)) throw error;
      return { ok: false, index };
    }
  }
  return { ok: true, document: box.root };
}

class Illegal extends Error {}

function must(condition: unknown): asserts condition {
  if (!condition) throw new Illegal();
}

function applyOne(box: { root: Json }, operation: Json): void {
  must(["add", "remove", "replace", "move", "copy", "test"].includes(operation.op));
  const path = tokensOf(operation.path);
  switch (operation.op) {
    case "add":
      return put(box, path, valueOf(operation));
    case "remove":
      take(box, path);
      return;
    case "replace": {
      const value = valueOf(operation);
      get(box, path);
      if (path.length === 0) box.root = value;
      else parentOf(box, path)[path.at(-1)!] = value;
      return;
    }
    case "move": {
      const from = tokensOf(operation.from);
      must(from.length >= path.length || from.some((token, i) => token !== path[i]));
      const value = get(box, from);
      if (operation.from === operation.path) return;
      take(box, from);
      return put(box, path, value);
    }
    case "copy":
      return put(box, path, structuredClone(get(box, tokensOf(operation.from))));
    case "test":
      must(sameJson(get(box, path), valueOf(operation)));
  }
}

function tokensOf(pointer: Json): string[] {
  must(typeof pointer === "string" && /^(\/([^~]|~[01])*)?$/s.test(pointer));
  const tokens = pointer.split("/").slice(1);
  const plain = tokens.map((token: string) => token.replace(/~[01]/g, (escape) => (escape === "~1" ? "/" : "~")));
  must(!plain.includes("__proto__"));
  return plain;
}

function valueOf(operation: Json): Json {
  must(isJson(operation.value));
  return structuredClone(operation.value);
}

function isJson(value: Json): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object" || Object.prototype.toString.call(value) !== "[object Object]") return false;
  return Object.entries(value).every(([key, child]) => key !== "__proto__" && isJson(child));
}

function has(container: Json, token: string): boolean {
  if (typeof container !== "object" || container === null) return false;
  if (Array.isArray(container)) return /^(0|[1-9][0-9]*)$/.test(token) && Number(token) < container.length;
  return Object.keys(container).includes(token);
}

function get(box: { root: Json }, path: string[]): Json {
  let node = box.root;
  for (const token of path) {
    must(has(node, token));
    node = node[token];
  }
  return node;
}

function parentOf(box: { root: Json }, path: string[]): Json {
  return get(box, path.slice(0, -1));
}

function put(box: { root: Json }, path: string[], value: Json): void {
  const token = path.at(-1);
  if (token === undefined) {
    box.root = value;
    return;
  }
  const parent = parentOf(box, path);
  must(typeof parent === "object" && parent !== null);
  if (!Array.isArray(parent)) {
    parent[token] = value;
    return;
  }
  must(token === "-" || has([...parent, null], token));
  parent.splice(token === "-" ? parent.length : Number(token), 0, value);
}

function take(box: { root: Json }, path: string[]): void {
  must(path.length > 0);
  get(box, path);
  const parent = parentOf(box, path);
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
  else delete parent[path.at(-1)!];
}

export function sameJson(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, child) =>
    child && typeof child === "object" && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
