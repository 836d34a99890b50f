// The fields of a proposed operation that a person may edit: title, priority and column.

import type { AnyOperation } from "@opstate/core";
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

/** The editable fields of an operation, with their values. */
export function editableFields(operation: AnyOperation): EditableFields {
  const given: Readonly<Record<string, unknown>> = { ...operation };
  return Object.fromEntries(
    (FIELDS[operation.type] ?? []).filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}

export const isEditable = (operation: AnyOperation): boolean => Object.keys(editableFields(operation)).length > 0;

/** The fields with a trimmed title; undefined while the title is empty. */
export function completed(changes: EditableFields): EditableFields | undefined {
  const title = changes.title?.trim();
  if (title === "") return undefined;
  return title === undefined ? changes : { ...changes, title };
}

export function edited(operation: AnyOperation, changes: EditableFields): BoardOperation {
  // Edge: the fields keep their types, and the reducer checks the operation like any other.
  return { ...operation, ...changes } as BoardOperation;
}
