// The public parts: the board's app, the file server for pages, and the names for the introduction.

export { AGENT_TOKEN, DEMO_THREAD, WEBHOOK_TOKEN } from "./access.ts";
export { createApp } from "./app.ts";
export { CheckpointFile } from "./checkpoint-file.ts";
export { chooseModel, type ChosenModel } from "./model.ts";
export { compressed } from "./compressed.ts";
export { createProviders } from "./providers.ts";
export { createSite } from "./site.ts";
