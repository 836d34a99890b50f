import { createAgentStateContext } from "@opstate/react";
import { tally } from "../tally.ts";

export const Tally = createAgentStateContext(tally);
