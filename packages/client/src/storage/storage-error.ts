// Why a storage could not be read or written. A page works without it: edits stay in memory.

/**
 * - `unavailable`: this host has no such storage, or refuses it (a sandboxed frame, a setting).
 * - `full`: the quota of the origin is used up.
 * - `blocked`: another tab, with older code, keeps the database from being upgraded.
 * - `outdated`: another tab, with newer code, has upgraded the database. A reload brings that code.
 * - `not_json`: the value cannot be stored.
 * - `signed_out`: this actor's session was ended, such as by `signOut` in another tab.
 * - `failed`: anything else, such as a disk error. `cause` has it.
 */
export type StorageErrorCode = "unavailable" | "full" | "blocked" | "outdated" | "not_json" | "signed_out" | "failed";

/** A call of a `ClientStorage` that failed. What was stored before is as it was. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StorageError";
    this.code = code;
  }
}

export function signedOut(): StorageError {
  return new StorageError("signed_out", "This session has ended. Nothing was stored.");
}
