// What a host takes from here.

export { createDebateApp, type DebateApp } from "./app.ts";
export { chooseModel } from "./model.ts";
