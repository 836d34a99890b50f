import { createClient, indexedDbStorage } from "@opstate/client";
import { createAgentStateContext } from "@opstate/react";
import { board } from "./board.ts";

export const Board = createAgentStateContext(board);
// One for all pages. Making it opens nothing, on the server neither.
export const client = createClient({ url: "/opstate", storage: indexedDbStorage() });
