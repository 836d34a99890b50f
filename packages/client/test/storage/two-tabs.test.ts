// Two tabs that are started offline on one store: both show what waits, both send it, and it
// happens once.

import { memoryStorage, type StorageScope } from "@opstate/client";
import { SharedConnection, threadsCarrier } from "@opstate/client/carriers";
import { createReplica, memoryLog, openThread, type Replica } from "@opstate/core";
import { describe, expect, it, vi } from "vitest";
import { add, ada, tally } from "../tally.ts";
import { Crowd } from "../tabs/crowd.ts";
import { edit } from "./storage-contract.ts";

const scope: StorageScope = { url: "", actor: ada };

describe("two tabs on one store", () => {
  for (const connection of ["one each", "one for both"])
    it(`send a stored edit under its id: one effect, with a connection ${connection}`, async () => {
      const storage = memoryStorage();
      for (const id of ["first", "second"]) await storage.saveEdit(scope, "t", edit(id, { operation: add(1) }));
      const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
      const crowd = new Crowd((actor) => threadsCarrier(() => thread, actor), "t");
      const start = async (): Promise<Replica<typeof tally>> => {
        const carrier = connection === "one each" ? threadsCarrier(() => thread, ada) : crowd.carrier(ada);
        return createReplica({
          definition: tally,
          actor: ada,
          pending: (await storage.load(scope, "t")).edits,
          transport: new SharedConnection(carrier, () => undefined).transport("t", undefined, {}),
        });
      };
      const tabs = [await start(), await start()];
      for (const tab of tabs) {
        await tab.ready();
        await vi.waitFor(() => expect(tab.sync.getState().pending).toEqual([]));
        expect(tab.getState().count).toBe(2);
      }
      expect(thread.version).toBe(2);
      // Each removes what it has the verdict of.
      for (const _ of tabs) await storage.removeEdits(scope, "t", ["first", "second"]);
      expect((await storage.load(scope, "t")).edits).toEqual([]);
      for (const tab of tabs) tab.close();
      crowd.close();
    });
});
