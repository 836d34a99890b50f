// What of a proposed operation a person may change before doing it: what it says, how urgent it is,
// where it goes.

import type { BoardOperation } from "@opstate/kanban-domain";

export interface EditableFields {
  readonly title?: string;
  readonly priority?: number;
  readonly toColumn?: string;
}

const FIELDS: Readonly<Record<string, readonly (keyof EditableFields)[]>> = {
  addCard: ["title", "priority"],
  editCard: ["title", "priority"],
  move: ["toColumn"],
  addColumn: ["title"],
  renameColumn: ["title"],
};

/** The fields of an operation that are there to be changed, with their values. */
export function editableFields(operation: { readonly type: string }): EditableFields {
  const given: Readonly<Record<string, unknown>> = { ...operation };
  return Object.fromEntries(
    (FIELDS[operation.type] ?? []).filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}

export const isEditable = (operation: { readonly type: string }): boolean =>
  Object.keys(editableFields(operation)).length > 0;

/** The fields as they are meant; undefined while a title is empty. */
export function completed(changes: EditableFields): EditableFields | undefined {
  const title = changes.title?.trim();
  if (title === "") return undefined;
  return title === undefined ? changes : { ...changes, title };
}

export function edited(operation: { readonly type: string }, changes: EditableFields): BoardOperation {
  // Edge: an operation of the board with values of the same kinds in place of its own; the reducer
  // checks it like any other.
  return { ...operation, ...changes } as BoardOperation;
}
