// Which folder of the packages may import which: from the lowest layer up, so that no import runs up.
//
// tools/check-layers.ts holds the sources against it and prints it into ARCHITECTURE.md.

export interface Layer {
  /** Its folder under packages/, or its first file where it is not a whole folder. */
  readonly at: string;
  readonly does: string;
  /** The files that it is made of, where it is not a whole folder. */
  readonly files?: readonly string[];
  /** The layers that it may import; each stands before it. */
  readonly may: readonly string[];
  /** The packages that it may import; "*" ends a prefix. */
  readonly packages: readonly string[];
}

export const layers: readonly Layer[] = [
  {
    at: "core/src/error.ts",
    does: "what the programmer's own mistakes throw; a state that can be read and subscribed to",
    files: ["core/src/error.ts","core/src/readable.ts"],
    may: [],
    packages: [],
  },
  {
    at: "core/src/patch",
    does: "JSON Pointer, strict JSON Patch, the diff that knows sharing",
    may: ["core/src/error.ts"],
    packages: [],
  },
  {
    at: "core/src/engine/draft",
    does: "the recording draft: what an operation edited, exactly",
    may: ["core/src/error.ts","core/src/patch"],
    packages: [],
  },
  {
    at: "core/src/engine/validation",
    does: "the checks of what was touched, and the words of what is wrong",
    may: ["core/src/patch","core/src/engine/draft"],
    packages: ["zod/v4/core"],
  },
  {
    at: "core/src/engine",
    does: "the reducer: resolve, validate, apply, derive, check, commit or reject",
    may: ["core/src/patch","core/src/engine/draft","core/src/engine/validation"],
    packages: ["zod/v4/core"],
  },
  {
    at: "core/src/definition",
    does: "checks and compiles what an author wrote",
    may: ["core/src/error.ts","core/src/patch","core/src/engine/draft","core/src/engine/validation","core/src/engine"],
    packages: ["zod/v4/core"],
  },
  {
    at: "core/src/tools",
    does: "operations as tools for a model, narrowed, in strict mode",
    may: ["core/src/engine","core/src/definition"],
    packages: ["zod/v4/core"],
  },
  {
    at: "core/src/fields",
    does: "field reducers, and what is made of them",
    may: ["core/src/error.ts","core/src/patch","core/src/engine/validation","core/src/engine","core/src/definition"],
    packages: ["yaml","zod/v4/core"],
  },
  {
    at: "core/src/thread/commit.ts",
    does: "what a log holds and how it is spelled: commits, entries, the confirmed state",
    files: ["core/src/thread/commit.ts","core/src/thread/confirmed.ts","core/src/thread/listeners.ts","core/src/thread/random-id.ts","core/src/thread/type-of.ts","core/src/thread/origin.ts","core/src/thread/merge-entry.ts","core/src/thread/proposal-entry.ts"],
    may: ["core/src/error.ts","core/src/patch","core/src/engine","core/src/definition"],
    packages: [],
  },
  {
    at: "core/src/thread/log",
    does: "the log port, the log in memory, reading it backwards and at a version",
    may: ["core/src/error.ts","core/src/engine","core/src/thread/commit.ts"],
    packages: [],
  },
  {
    at: "core/src/thread/upkeep",
    does: "loading, migrating, snapshots, compaction",
    may: ["core/src/error.ts","core/src/patch","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log"],
    packages: [],
  },
  {
    at: "core/src/thread/reading",
    does: "what is read from a history: pages, digest, explain, replay",
    may: ["core/src/error.ts","core/src/patch","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log"],
    packages: [],
  },
  {
    at: "core/src/thread/authority",
    does: "the queue, the judgement, the verdict",
    may: ["core/src/error.ts","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log"],
    packages: [],
  },
  {
    at: "core/src/thread/undo",
    does: "taking back and doing again",
    may: ["core/src/patch","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/authority"],
    packages: [],
  },
  {
    at: "core/src/thread/proposal",
    does: "operations that wait for a person's yes",
    may: ["core/src/patch","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/reading","core/src/thread/authority","core/src/thread/undo"],
    packages: [],
  },
  {
    at: "core/src/thread/branch",
    does: "threads beside a thread, and their merge",
    may: ["core/src/error.ts","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/reading","core/src/thread/authority","core/src/thread/undo"],
    packages: [],
  },
  {
    at: "core/src/thread",
    does: "a thread: all of it behind one object",
    may: ["core/src/error.ts","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/upkeep","core/src/thread/reading","core/src/thread/authority","core/src/thread/undo","core/src/thread/proposal","core/src/thread/branch"],
    packages: [],
  },
  {
    at: "core/src/replica",
    does: "what a page holds: confirmed and pending, over a transport",
    may: ["core/src/error.ts","core/src/patch","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/authority","core/src/thread"],
    packages: [],
  },
  {
    at: "core/src/feeds",
    does: "what pages show of a thread: its history, undo, proposals",
    may: ["core/src/error.ts","core/src/engine","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/reading","core/src/thread/undo","core/src/thread/proposal","core/src/thread/branch","core/src/thread","core/src/replica"],
    packages: [],
  },
  {
    at: "core/src/testing/log-contract",
    does: "what every log keeps",
    may: ["core/src/engine","core/src/thread/commit.ts","core/src/thread/log"],
    packages: [", (await again.load("],
  },
  {
    at: "core/src/testing/transport-contract",
    does: "what every transport keeps",
    may: ["core/src/engine","core/src/definition","core/src/replica","core/src/testing/log-contract"],
    packages: [],
  },
  {
    at: "core/src/testing/binding-contract",
    does: "what every binding keeps",
    may: ["core/src/error.ts","core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/thread","core/src/replica","core/src/testing/log-contract"],
    packages: [],
  },
  {
    at: "core/src/testing/check-definition",
    does: "the laws on an author's own definition",
    may: ["core/src/patch","core/src/engine/draft","core/src/engine/validation","core/src/engine","core/src/definition"],
    packages: ["fast-check","zod/v4/core"],
  },
  {
    at: "core/src/testing",
    does: "the entry `@opstate/core/testing`, and what the contracts share",
    may: ["core/src/definition","core/src/thread/commit.ts","core/src/thread/log","core/src/replica","core/src/testing/log-contract","core/src/testing/transport-contract","core/src/testing/binding-contract","core/src/testing/check-definition"],
    packages: ["zod/v4/core"],
  },
  {
    at: "core/src/immer.ts",
    does: "the entries beside the root: tools, and immer as the drafting engine",
    files: ["core/src/immer.ts","core/src/tools.ts","core/src/declaration.ts"],
    may: ["core/src/error.ts","core/src/patch","core/src/engine/draft","core/src/engine","core/src/definition","core/src/tools","core/src/fields","core/src/thread/commit.ts"],
    packages: ["immer"],
  },
  {
    at: "core/src",
    does: "the public names",
    may: ["core/src/error.ts","core/src/patch","core/src/engine/validation","core/src/engine","core/src/definition","core/src/fields","core/src/thread/commit.ts","core/src/thread/log","core/src/thread/reading","core/src/thread/undo","core/src/thread/proposal","core/src/thread/branch","core/src/thread","core/src/replica","core/src/feeds"],
    packages: [],
  },
  {
    at: "ag-ui/src/state",
    does: "a chat as a value",
    may: [],
    packages: ["@ag-ui/core","@opstate/core/json-patch"],
  },
  {
    at: "ag-ui/src/fold",
    does: "one event into the value",
    may: ["ag-ui/src/state"],
    packages: ["@ag-ui/core","@opstate/core/json-patch"],
  },
  {
    at: "ag-ui/src/enforce",
    does: "what the protocol allows an event to be",
    may: ["ag-ui/src/state"],
    packages: ["@ag-ui/core","@ag-ui/core/schemas","zod/v4/core"],
  },
  {
    at: "ag-ui/src/stages",
    does: "chunks, retired events, the order of events",
    may: ["ag-ui/src/state","ag-ui/src/enforce"],
    packages: ["@ag-ui/core"],
  },
  {
    at: "ag-ui/src/reducer",
    does: "the fold as users call it",
    may: ["ag-ui/src/state","ag-ui/src/fold","ag-ui/src/enforce","ag-ui/src/stages"],
    packages: ["@ag-ui/core","@opstate/core","@opstate/core/json-patch"],
  },
  {
    at: "ag-ui/src/session",
    does: "a chat with an agent, over time",
    may: ["ag-ui/src/state","ag-ui/src/stages","ag-ui/src/reducer"],
    packages: ["@ag-ui/core","@opstate/core","eventsource-parser","zod/v4/core"],
  },
  {
    at: "ag-ui/src/encoder",
    does: "a thread's commits as events",
    may: [],
    packages: ["@ag-ui/core","@opstate/core","@opstate/core/json-patch"],
  },
  {
    at: "ag-ui/src",
    does: "the public names",
    may: ["ag-ui/src/state","ag-ui/src/fold","ag-ui/src/stages","ag-ui/src/reducer","ag-ui/src/session","ag-ui/src/encoder"],
    packages: [],
  },
  {
    at: "langgraph/src/fields",
    does: "state fields for graphs",
    may: [],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core","@opstate/core/json-patch","node:crypto","zod"],
  },
  {
    at: "langgraph/src/thread",
    does: "which thread a run works on, and what it remembers of it",
    may: [],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core","node:crypto"],
  },
  {
    at: "langgraph/src/approval",
    does: "operations that interrupt and wait",
    may: ["langgraph/src/fields","langgraph/src/thread"],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core"],
  },
  {
    at: "langgraph/src/tools",
    does: "operations as LangChain tools, with true verdicts",
    may: ["langgraph/src/fields","langgraph/src/thread","langgraph/src/approval"],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core","@opstate/core/tools","zod"],
  },
  {
    at: "langgraph/src/middleware",
    does: "what a model is told before it speaks",
    may: ["langgraph/src/fields","langgraph/src/thread","langgraph/src/approval","langgraph/src/tools"],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core","@opstate/core/tools","langchain","zod"],
  },
  {
    at: "langgraph/src/graph",
    does: "nodes for graphs built by hand",
    may: ["langgraph/src/fields","langgraph/src/thread","langgraph/src/tools"],
    packages: ["@langchain/core/*","@langchain/langgraph","@opstate/core","@opstate/core/json-patch","@opstate/core/tools"],
  },
  {
    at: "langgraph/src/ag-ui",
    does: "a graph as an AG-UI agent",
    may: ["langgraph/src/thread"],
    packages: ["@ag-ui/core","@langchain/core/*","@langchain/langgraph","@opstate/core"],
  },
  {
    at: "langgraph/src",
    does: "the public names",
    may: ["langgraph/src/fields","langgraph/src/thread","langgraph/src/approval","langgraph/src/tools","langgraph/src/middleware","langgraph/src/graph"],
    packages: [],
  },
  {
    at: "server/src/document.ts",
    does: "how logs write documents",
    files: ["server/src/document.ts"],
    may: [],
    packages: ["@opstate/core"],
  },
  {
    at: "server/src/sqlite",
    does: "the log on SQLite",
    may: ["server/src/document.ts"],
    packages: ["@opstate/core","node:fs","node:path","node:sqlite","node:timers/promises"],
  },
  {
    at: "server/src/postgres",
    does: "the log on Postgres",
    may: ["server/src/document.ts"],
    packages: ["@opstate/core","node:timers/promises","pg"],
  },
  {
    at: "server/src/client",
    does: "the client's half: transport and requests",
    may: [],
    packages: ["@opstate/core","eventsource-parser"],
  },
  {
    at: "server/src/http",
    does: "requests, bodies, problems, event streams",
    may: [],
    packages: ["@hono/node-server/utils/response","@opstate/core","node:http"],
  },
  {
    at: "server/src/threads",
    does: "the threads that a server holds open, and their feeds",
    may: ["server/src/http"],
    packages: ["@opstate/core"],
  },
  {
    at: "server/src/routes",
    does: "a route a file",
    may: ["server/src/http","server/src/threads"],
    packages: ["@opstate/core","hono","node:http"],
  },
  {
    at: "server/src/ag-ui",
    does: "the AG-UI endpoint",
    may: ["server/src/http","server/src/routes"],
    packages: ["@ag-ui/core","@ag-ui/core/schemas","@ag-ui/encoder","@opstate/ag-ui","@opstate/core","eventsource-parser"],
  },
  {
    at: "server/src",
    does: "the server, put together; the public names",
    may: ["server/src/http","server/src/threads","server/src/routes","server/src/ag-ui"],
    packages: ["@hono/node-server","@opstate/core","hono","hono/cors","node:http","node:net"],
  },
  {
    at: "react/src",
    does: "hooks and a zustand store over a thread or replica",
    may: [],
    packages: ["@opstate/ag-ui","@opstate/core","react","zustand/react","zustand/vanilla"],
  },
  {
    at: "svelte/src",
    does: "runes and stores over a thread or replica",
    may: [],
    packages: ["@opstate/ag-ui","@opstate/core","svelte","svelte/*"],
  },
];
