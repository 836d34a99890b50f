// Which column somebody meant who named one that is not there.

import { expect, test } from "vitest";
import { nearest } from "../src/nearest.ts";

const columns = ["Backlog", "In Progress", "Review", "Done"];

test.each([
  ["Donee", "Done"],
  ["doen", "Done"],
  ["in prgress", "In Progress"],
  ["Progress", "In Progress"],
  ["Revew", "Review"],
  ["Nowhere", undefined],
  ["Undone", undefined],
  ["gone", undefined],
  ["one", undefined],
  ["view", undefined],
  ["Testing", undefined],
  ["", undefined],
])("%j is %j", (name, meant) => expect(nearest(name, columns, (column) => column)).toBe(meant));
