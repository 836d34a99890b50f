// What is spoken of the connection, and in what order with the verdicts that it brings.

import type { ThreadSync } from "@opstate/client";
import { speakStatus } from "../../src/connection/speak-status.ts";
import { expect, it } from "vitest";

it("says that the connection is back in the moment in which it is, with what waits", () => {
  const said: string[] = [];
  let sync = { status: "online", pending: [] as unknown[] };
  let tell = (): void => {};
  const readable = {
    getState: () => sync as unknown as ThreadSync,
    subscribe: (listener: () => void) => {
      tell = listener;
      return () => {
        tell = () => {};
      };
    },
  };
  const end = speakStatus(readable, { say: (text: string) => void said.push(text) });
  const show = (status: string, pending: number): void => {
    sync = { status, pending: Array.from({ length: pending }) };
    tell();
  };
  show("offline", 1);
  show("connecting", 1);
  show("online", 1);
  said.push("Not moved.");
  show("online", 0);
  expect(said).toEqual(["Offline. You can keep editing.", expect.stringMatching(/^Connected again\./), "Not moved."]);
  end();
  show("offline", 0);
  expect(said).toHaveLength(3);
});
