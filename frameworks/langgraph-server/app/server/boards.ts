import { createServer } from "@opstate/server";
import { sqliteLog } from "@opstate/server/sqlite";
import { board } from "../board.ts";
import { userOf } from "./user.ts";

const log = sqliteLog({ path: "boards.sqlite" });

export const boards = createServer({
  definitions: [board],
  log,
  basePath: "/opstate", // LangGraph's server has routes below "/threads" of its own
  authorize(request) {
    const user = userOf(request);
    return user === undefined ? null : { actor: { kind: "user", id: user }, allows: () => true };
  },
});
// Created when there is none. The agent works on it in this process, the pages over HTTP.
export const launch = await boards.thread("launch", board);
