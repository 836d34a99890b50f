// What a page needs to define its state, measured by size-limit.
export { defineState } from "../../packages/core/dist/index.js";
