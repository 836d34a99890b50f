import { describe, expect, it } from "vitest";
import { type Around, faultsOf, type Manifest, type Packed } from "../packed/published.ts";

const REPOSITORY = "https://github.com/opstate/opstate";
const manifest: Manifest = {
  name: "@opstate/thing",
  version: "1.2.3",
  keywords: ["opstate", "state", "agent"],
  homepage: `${REPOSITORY}/tree/main/packages/thing#readme`,
  bugs: { url: `${REPOSITORY}/issues` },
  repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: "packages/thing" },
  dependencies: { "@opstate/core": "^1.0.0", hono: "^4.0.0" },
  peerDependencies: { zod: ">=4 <5", pg: ">=8 <9" },
  peerDependenciesMeta: { pg: { optional: true } },
};
const files: Readonly<Record<string, string>> = {
  "README.md": `# Thing\n\n[Guide](${REPOSITORY}/blob/main/docs/guide.md#start), [below](#what-there-is)\n\n## What there is\n`,
  "CHANGELOG.md": "# @opstate/thing\n\n## 1.2.3\n\nFirst.\n",
  LICENSE: "MIT",
  "dist/index.js":
    '/**\n * import { x } from "shown-in-a-comment";\n */\nimport { Hono } from "hono";\nexport {\n  a,\n} from "./a.js";\n',
  "dist/index.d.ts": 'import type { Pool } from "pg";\nimport { z } from "zod/v4/core";\n',
};
const around: Around = {
  repository: REPOSITORY,
  has: (path) => path === "docs/guide.md",
  manifests: new Map([
    ["@opstate/core", { name: "@opstate/core", version: "1.0.0", peerDependencies: { zod: ">=4 <5" } }],
  ]),
};

function faults(change: { manifest?: Partial<Manifest>; files?: Readonly<Record<string, string | null>> }) {
  const packed: Packed = {
    manifest: { ...manifest, ...change.manifest },
    files: new Map(
      Object.entries({ ...files, ...change.files }).filter((file): file is [string, string] => file[1] !== null),
    ),
    directory: "packages/thing",
  };
  return faultsOf(packed, around);
}

it("finds nothing wrong with a complete package", () => expect(faults({})).toEqual([]));

describe("a manifest", () => {
  it.each([
    ["keywords", { keywords: ["opstate"] }],
    ["homepage", { homepage: "https://example.org" }],
    ["bugs", { bugs: { url: REPOSITORY } }],
    ["repository", { repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: "packages/other" } }],
  ] as const)("is at fault with other %s", (key, change) =>
    expect(faults({ manifest: change })).toEqual([expect.stringContaining(`"${key}" `)]),
  );

  it("is at fault where a dependency is exact", () =>
    expect(faults({ manifest: { dependencies: { "@opstate/core": "^1.0.0", hono: "4.0.0" } } })).toEqual([
      'the dependency hono "4.0.0" begins with "^": use "catalog:published"',
    ]));

  it.each(["4.0.0", "workspace:^", "catalog:"])("is at fault where a peer is %s", (zod) =>
    expect(faults({ manifest: { peerDependencies: { zod, pg: ">=8 <9" } } })).toEqual([
      `the peer zod "${zod}" is a range`,
    ]),
  );

  it("is at fault where something optional is no peer", () =>
    expect(
      faults({ manifest: { peerDependenciesMeta: { pg: { optional: true }, immer: { optional: true } } } }),
    ).toEqual(['immer in "peerDependenciesMeta" is a peer']));

  it("is at fault where the peer of a dependency is not declared", () =>
    expect(faults({ manifest: { peerDependencies: { pg: ">=8" } }, files: { "dist/index.d.ts": "" } })).toEqual([
      "the peer zod of a dependency is declared",
    ]));
});

describe("an import that is not declared", () => {
  it.each([
    ["code", { "dist/index.js": 'import { a } from "lodash/fp";\n' }],
    ["types", { "dist/index.d.ts": 'export type {\n  A,\n} from "lodash";\n' }],
    ["a call", { "dist/index.js": 'const a = await import("lodash");\n' }],
    ["an import for its effect", { "dist/index.js": 'import "lodash";\n' }],
  ])("is found in %s", (_, planted) =>
    expect(faults({ files: planted })).toEqual(["lodash is imported and not declared"]),
  );
});

describe("the files of a package", () => {
  it.each(["README.md", "LICENSE", "CHANGELOG.md"])("are at fault without %s", (name) =>
    expect(faults({ files: { [name]: null } })).toEqual([`${name} is in the tarball`]),
  );

  it("are at fault where the changelog does not have the version", () =>
    expect(faults({ files: { "CHANGELOG.md": "# @opstate/thing\n\n## 1.2.2\n" } })).toEqual([
      'CHANGELOG.md has a section "## 1.2.3"',
    ]));
});

describe("a link in the README", () => {
  it.each(["../../docs/guide.md", "./LICENSE", "docs/guide.md", "http://example.org"])("may not be %s", (link) => {
    const fault = `the README's link ${link} begins with https://`;
    for (const page of [`[a](${link})`, `[a]\n\n[a]: ${link}`, `<img src="${link}">`])
      expect(faults({ files: { "README.md": page } })).toEqual([fault]);
  });

  it("may not name what the repository has not", () =>
    expect(faults({ files: { "README.md": `[a](${REPOSITORY}/blob/main/docs/gone.md)` } })).toEqual([
      `the repository has what the README's link ${REPOSITORY}/blob/main/docs/gone.md names`,
    ]));

  it("may not name a heading that there is none of", () =>
    expect(faults({ files: { "README.md": "# Thing\n\n[a](#other)" } })).toEqual([
      "the README has a heading for #other",
    ]));

  it("is none where code shows it", () =>
    expect(faults({ files: { "README.md": "`[a](b)`\n\n```md\n[a](b)\n```\n" } })).toEqual([]));
});
