import { boards } from "#lib/server/boards.ts";
import type { RequestHandler } from "./$types";

export const fallback: RequestHandler = ({ request }) => boards.fetch(request);
