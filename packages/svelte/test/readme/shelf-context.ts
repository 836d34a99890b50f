import { createAgentStateContext } from "@opstate/svelte";
import { shelf } from "../support/shelf.ts";

export const shelfContext = createAgentStateContext(shelf);
