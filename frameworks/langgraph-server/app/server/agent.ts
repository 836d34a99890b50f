import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent } from "langchain";
import { board } from "../board.ts";
import { launch } from "./boards.ts";
import { model } from "./model.ts";

export const agent = createAgent({
  model,
  tools: operationTools(board, {
    thread: launch,
    // The user of the request that brings an answer. LangGraph's server gets it from auth.ts.
    approver: ({ configurable }) => ({ kind: "user", id: configurable?.langgraph_auth_user_id }),
  }),
  middleware: [opstateMiddleware(board, { thread: launch, checkpoint: "version" })],
});
