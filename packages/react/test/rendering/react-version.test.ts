// Which React the suites run on: the workspace's own, or the lowest that the peer range lets in.

import { version } from "react";
import { version as domVersion } from "react-dom";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import readme from "../../README.md?raw";

const lowest = import.meta.env["OPSTATE_REACT"] === "lowest";

it("runs on the React that the environment names", () =>
  expect([version === "19.0.0", domVersion === "19.0.0"]).toEqual([lowest, lowest]));

it("says in its manifest which React is the lowest", () => expect(manifest.peerDependencies.react).toBe(">=19"));

it("says it to people too", () => expect(readme).toMatch("It needs React 19 or newer."));
