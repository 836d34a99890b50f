// The second run of the suites goes through the React compiler: were it not on there, they would
// test the same thing twice.

import { useAgentState, useUndo } from "@opstate/react";
import { expect, test } from "vitest";
import { openShelf } from "../support/shelf.ts";

const { thread } = await openShelf();

function Titles() {
  const title = useAgentState(thread, (state) => state.title);
  return <p>{title}</p>;
}

test("components and hooks are compiled where it is on, and only there", () => {
  const isOn = import.meta.env["REACT_COMPILER"] === "on";
  for (const compiled of [Titles, useUndo]) expect(/\$\[0\]/.test(String(compiled))).toBe(isOn);
});
