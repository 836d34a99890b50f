// The entry `@opstate/core/log/storage`: what the part of a log that stands beside its database
// needs while it runs, and nothing else, so that a thread of its own starts fast.

export { checkCall } from "./thread/log/call.ts";
export { isOpstateError, logError } from "./thread/log/log-error.ts";
export type { LogErrorCode } from "./thread/log/log-error.ts";
export { commitSpan, cursorNumber, cutPage, pageLimits } from "./thread/log/pages.ts";
export { spareSnapshots } from "./thread/log/thin-snapshots.ts";
