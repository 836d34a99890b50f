// What a host takes from here: the board's routes, the file server for pages, and what a person is
// told about them.

export { WEBHOOK_TOKEN } from "./access.ts";
export { createApp, DEMO_THREAD } from "./app.ts";
export { chooseModel, type ChosenModel } from "./model.ts";
export { compressed } from "./compressed.ts";
export { createSite } from "./site.ts";
