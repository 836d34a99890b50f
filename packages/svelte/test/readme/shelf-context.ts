import { createAgentStateContext } from "@opstate/svelte";
import { shelf } from "../shelf.ts";

export const shelfContext = createAgentStateContext(shelf);
