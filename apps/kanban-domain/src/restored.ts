// A board that a person brought back as it was at an older version: the replacement's id says which
// one, so that the log can name it.

import type { Commit } from "@opstate/core";

const ID = /^restore\/(\d+)\//;

/** `unique`: tells it from others of the same version. */
export const restoreId = (version: number, unique: string): string => `restore/${version}/${unique}`;

export function restoredVersion({ id, operation }: Pick<Commit, "id" | "operation">): number | undefined {
  const version = operation.type === "$replace" ? ID.exec(id)?.[1] : undefined;
  return version === undefined ? undefined : Number(version);
}
