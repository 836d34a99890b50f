import { indexedDbStorage, memoryStorage } from "@opstate/client";
import { describe, expect, it } from "vitest";
import { ada, edit, storageContract } from "./storage-contract.ts";

describe("memoryStorage", () => {
  for (const [name, check] of Object.entries(storageContract))
    it(name, async () => {
      const storage = memoryStorage();
      await check({ tab: () => storage });
    });
});

describe("indexedDbStorage in a host without IndexedDB", () => {
  it("is made without it, and its calls reject with words", async () => {
    expect("indexedDB" in globalThis).toBe(false);
    const storage = indexedDbStorage();
    const error = { name: "StorageError", code: "unavailable", message: expect.stringContaining("no IndexedDB") };
    await expect(storage.load(ada, "t")).rejects.toMatchObject(error);
    await expect(storage.saveEdit(ada, "t", edit("e"))).rejects.toMatchObject(error);
    await expect(storage.lastActor("")).rejects.toMatchObject(error);
  });
});
