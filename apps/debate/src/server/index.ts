// The public parts, for a host.

export { createDebateApp, type DebateApp } from "./app.ts";
export { chooseModel } from "./model.ts";
