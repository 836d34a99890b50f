// The entry `@opstate/core/log/storage`: what the part of a log that stands beside its database
// needs while it runs, and nothing else, so that a thread of its own starts fast.

export { defined } from "./defined.ts";
export { OpstateError, type OpstateErrorCode } from "./error.ts";
export { checkCall } from "./thread/log/call.ts";
export { commitSpan, cursorNumber, cutPage, pageLimits } from "./thread/log/pages.ts";
export { spareSnapshots } from "./thread/log/thin-snapshots.ts";
