import { Hono } from "hono";
import { boards } from "./boards.ts";

export const app = new Hono().all("/opstate/*", ({ req }) => boards.fetch(req.raw));

// Ends the streams of pages, which then connect to the next process.
process.once("SIGTERM", () => void boards.close());
