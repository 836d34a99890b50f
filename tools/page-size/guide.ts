// What the page of the guide "A board in ten minutes" loads first: its definition, a client and the
// binding, measured by size-limit. zod and React are the page's own.
export { createClient } from "../../packages/client/dist/index.js";
export { defineState } from "../../packages/core/dist/index.js";
export { createAgentStateContext } from "../../packages/react/dist/index.js";
