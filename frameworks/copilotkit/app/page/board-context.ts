import { createClient } from "@opstate/client";
import { createAgentStateContext } from "@opstate/react";
import { board } from "../board.ts";

const query = new URLSearchParams(location.search);
const user = query.get("user") ?? "ada";
export const boardId = query.get("board") ?? "launch";
/** CopilotKit's thread: a person's own conversation on the board. */
export const conversation = `${boardId}~${query.get("conversation") ?? user}`;
export const headers = { authorization: `Bearer ${user}` };

export const Board = createAgentStateContext(board);
export const client = createClient({ url: "/opstate", headers });
