// "Threads at the edge": the Worker as printed, and the settings that it is deployed with.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";

const NAME = "threads-at-the-edge";
const folder = writeGuide(NAME);
const page = readFileSync(join(import.meta.dirname, "../..", `${NAME}.md`), "utf8");

describe("a Worker with threads", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls(NAME)).toEqual(expect.arrayContaining([...guideImports(NAME)])));

  it("is deployed with the classes that it exports", async () => {
    const exported: object = await import(join(folder, "worker.ts"));
    const settings: { migrations: readonly { new_sqlite_classes: readonly string[] }[] } = JSON.parse(
      /^```json\n([\s\S]*?)^```/m.exec(page)?.[1] ?? "",
    );
    const [{ new_sqlite_classes: classes } = { new_sqlite_classes: [] }] = settings.migrations;
    expect(
      Object.keys(exported)
        .filter((name) => name !== "default")
        .toSorted(),
    ).toEqual(classes.toSorted());
  });

  it("knows no one without a session that was signed", async () => {
    const { userOf } = await import(join(folder, "session.ts"));
    expect(await userOf(null, "secret")).toBeUndefined();
    expect(await userOf("session=ada.AAAA", "secret")).toBeUndefined();
  });
});
