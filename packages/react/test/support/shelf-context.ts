import { createAgentStateContext } from "@opstate/react";
import { shelf } from "./shelf.ts";

export const Shelf = createAgentStateContext(shelf);
