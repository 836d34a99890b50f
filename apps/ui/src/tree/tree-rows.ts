// A JSON value as the rows of a tree. Only open values are visited, so a large state costs only
// what is shown of it.

import { formatPointer } from "@opstate/core/json-patch";

export interface TreeRow {
  /** JSON Pointer from the root. */
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined for a value without members. */
  readonly open: boolean | undefined;
}

/** What the reader opened and closed. Other values are open if they are near the root and short. */
export type Opened = ReadonlyMap<string, boolean>;

const LEVELS_OPEN = 3;
const LONGEST_OPEN = 40;

export function treeRows(root: unknown, opened: Opened, name = "state"): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  walk({ path: "", name, value: root, level: 1, position: 1, siblings: 1 }, opened, rows);
  return rows;
}

/** How many members a value has; undefined if it is not a container. */
export function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
}

function walk(row: Omit<TreeRow, "open">, opened: Opened, rows: TreeRow[]): void {
  const { path, value, level } = row;
  const size = sizeOf(value) ?? 0;
  const open = size === 0 ? undefined : (opened.get(path) ?? (level <= LEVELS_OPEN && size <= LONGEST_OPEN));
  rows.push({ ...row, open });
  if (open !== true) return;
  Object.entries(value as object).forEach(([name, member], index) =>
    walk(
      {
        path: path + formatPointer([name]),
        name,
        value: member,
        level: level + 1,
        position: index + 1,
        siblings: size,
      },
      opened,
      rows,
    ),
  );
}

/** A value in short: a container by its size and first plain members, anything else as JSON. */
export function preview(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? "[1 item]" : `[${value.length} items]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const plain = Object.entries(value).filter(([, member]) => typeof member !== "object");
  const first = plain.slice(0, 2).map(([name, member]) => `${name}: ${String(member)}`);
  const size = Object.keys(value).length;
  if (size === 0) return "{}";
  return `{ ${[...first, ...(first.length < size ? ["…"] : [])].join(", ")} }`;
}

/** The text of a row: an open list shows its length, an open object nothing. */
export const rowText = ({ value, open }: TreeRow): string =>
  open === true && !Array.isArray(value) ? "" : preview(value);

export const typeOf = (value: unknown): string => (value === null ? "null" : typeof value);
