import { createClient } from "@opstate/client";
import { createAgentStateContext } from "@opstate/react";
import { board } from "../board.ts";

export const Board = createAgentStateContext(board);
export const client = createClient({ url: "/opstate" });
