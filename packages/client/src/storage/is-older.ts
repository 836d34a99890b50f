// Which of two snapshots of a thread stays, when two tabs save one each.

import type { StoredSnapshot } from "./storage.ts";

/**
 * Whether `next` is an earlier version of the stored one. Where they cannot be compared, the one
 * that is saved later stays.
 */
export function isOlder(next: StoredSnapshot, stored: StoredSnapshot | undefined): boolean {
  return (
    stored !== undefined &&
    next.incarnation === stored.incarnation &&
    next.definition === stored.definition &&
    next.definitionVersion === stored.definitionVersion &&
    next.version < stored.version
  );
}
