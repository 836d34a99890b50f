import { Hono } from "hono";
import { boards } from "./boards.ts";

export const app = new Hono().all("/opstate/*", ({ req }) => boards.fetch(req.raw));
