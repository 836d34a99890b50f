// "Before the first release": which tarballs a package needs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/before-the-first-release.md"), "utf8");
const manifests = new Map(
  readdirSync(join(root, "packages")).map((folder) => {
    const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
    const { name, dependencies = {} } = JSON.parse(text) as { name: string; dependencies?: object };
    return [name, Object.keys(dependencies).filter((each) => each.startsWith("@opstate/"))] as const;
  }),
);

/** A package and what it needs of this repository, and they again. */
const needed = (name: string): readonly string[] => [name, ...(manifests.get(name) ?? []).flatMap(needed)];

it.each([...manifests.keys()])("names the tarballs that %s needs", (name) => {
  const [, row = ""] = new RegExp(`^\\| \`${name}\` +\\| (.*?) +\\|$`, "m").exec(page) ?? [];
  const tarballs = [...new Set(needed(name))].map((each) => each.replace("@opstate/", "opstate-"));
  expect(row.replaceAll("`", "").split(", ").toSorted()).toEqual(tarballs.toSorted());
});

it("packs every package in its loop", () => {
  const [, names = ""] = /^for name in (.*); do$/m.exec(page) ?? [];
  const packed = names.split(" ").map((name) => (name === "opstate" ? name : `@opstate/${name}`));
  expect(packed.toSorted()).toEqual([...manifests.keys()].toSorted());
});
