import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

/** Names, values and types together, that an editor offers to someone who imports from the root. */
const LIMIT = 60;

/** What the documentation promises of the root. */
const PROMISED = [
  ...["defineState", "defineAgentState", "fieldsFromDeclaration", "openThread", "memoryLog", "createReplica"],
  ...["threadTransport", "replay", "OpstateError"],
  ...["append", "messages", "replace", "immutable", "oneOf", "counter"],
  ...["StateOf", "OperationOf", "UpdateOf", "Transition", "Rejection", "Verdict", "Commit", "Snapshot"],
  ...["Actor", "Readable", "Log", "Transport"],
];

const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string" ? [] : [[path, target["@opstate/source"]] as const],
);

/**
 * The names in a file's export lists; fails on any other form of export where the file is the root.
 */
function namesOf(source: string): readonly string[] {
  const text = readFileSync(new URL(`../${source}`, import.meta.url), "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "[^"]+";$/gm)];
  return lists.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim())).filter((name) => name !== "");
}

describe("the root", () => {
  const source = "src/index.ts";
  const names = namesOf(source);

  it(`exports at most ${LIMIT} names, values and types together`, () =>
    expect(names.length).toBeLessThanOrEqual(LIMIT));

  it("exports what it promises", () => expect(names).toEqual(expect.arrayContaining(PROMISED)));

  it("exports by lists of names only, so that the count misses none", () => {
    const text = readFileSync(new URL(`../${source}`, import.meta.url), "utf8");
    const rest = text.replaceAll(/^export (?:type )?\{[^}]*\} from "[^"]+";$/gm, "").replaceAll(/^\/\/.*$/gm, "");
    expect(rest.trim()).toBe("");
  });

  it.each(entries.filter(([path]) => path !== "." && path !== "./testing"))(
    "shares no name with %s, so that a name has one place",
    (_, entry) => expect(namesOf(entry).filter((name) => names.includes(name))).toEqual([]),
  );
});

describe("every entry", () => {
  it.each(entries)("%s is a file", (_, entry) =>
    expect(readFileSync(new URL(`../${entry}`, import.meta.url), "utf8")).not.toBe(""),
  );
});
