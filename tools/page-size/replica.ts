// What a page needs to share its state with a thread, measured by size-limit.
export { createReplica, defineState } from "../../packages/core/dist/index.js";
