import { createClient } from "@opstate/client";
import { createAgentStateContext } from "@opstate/react";
import { board } from "./board.ts";
import { url } from "./url.ts";

// One for all pages. Making it opens nothing, on the server neither.
export const client = createClient({ url, credentials: "include" });
export const Board = createAgentStateContext(board);
