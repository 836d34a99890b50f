// A state as a tree, which stays as open as the person has it.

import { element } from "./elements.ts";

const SHOWN_ITEMS = 200;
const SHOWN_CHARACTERS = 500;

/** `closed`: the pointers that the person closed. It is kept by the caller. */
export function tree(value: unknown, closed: Set<string>, name = "", pointer = ""): HTMLElement {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value) ?? "";
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
    return element("div", { className: "leaf" }, labelOf(name), element("code", {}, shown));
  }
  const entries = Object.entries(value);
  const summary = element("summary", {}, labelOf(name), Array.isArray(value) ? `[${entries.length}]` : "");
  const branch = element(
    "details",
    { open: !closed.has(pointer) },
    summary,
    ...entries.slice(0, SHOWN_ITEMS).map(([key, item]) => tree(item, closed, key, `${pointer}/${key}`)),
    entries.length > SHOWN_ITEMS ? element("div", {}, `${entries.length - SHOWN_ITEMS} more`) : undefined,
  );
  branch.addEventListener("toggle", () => (branch.open ? closed.delete(pointer) : closed.add(pointer)));
  return branch;
}

function labelOf(name: string): HTMLElement | undefined {
  return name === "" ? undefined : element("span", { className: "name" }, name);
}
