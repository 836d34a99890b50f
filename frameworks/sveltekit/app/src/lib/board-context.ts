import { createClient, indexedDbStorage } from "@opstate/client";
import { createAgentStateContext } from "@opstate/svelte";
import { board } from "./board.ts";

export const boardContext = createAgentStateContext(board);
// One for all pages. Making it opens nothing, on the server neither.
export const client = createClient({ url: "/opstate", storage: indexedDbStorage() });
