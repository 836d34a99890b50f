import { createAgentStateContext } from "@opstate/svelte";
import { tally } from "../tally.ts";

export const tallyContext = createAgentStateContext(tally);
