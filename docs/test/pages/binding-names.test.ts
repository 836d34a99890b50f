// The two bindings side by side: whatever one has, the other has too, under a name that differs
// only as the frameworks do.

import { createLocal } from "@opstate/client";
import * as react from "@opstate/react";
import * as reactDevtools from "@opstate/react/devtools";
import * as svelte from "@opstate/svelte";
import * as svelteDevtools from "@opstate/svelte/devtools";
import { describe, expect, expectTypeOf, it } from "vitest";
import { tally } from "../doors/tally.ts";

/** What an application imports. `AgentState.can`: a member of what `AgentState` makes. */
const names = [
  ["createAgentStateContext", "createAgentStateContext"],
  ["useAgentState", "AgentState"],
  ["useSuspenseAgentState", "AgentState.ready"],
  ["useDispatch", "AgentState.dispatch"],
  ["useCan", "AgentState.can"],
  ["useSync", "AgentState.sync"],
  ["useHistory", "History"],
  ["useUndo", "Undo"],
  ["useProposals", "Proposals"],
  ["useProposalOutcome", "ProposalOutcome"],
  ["usePresence", "Presence"],
  ["useChat", "Chat"],
  ["useIntents", "Intents"],
  ["createAgentStore", "agentState"],
  ["undoOutcome", "undoOutcome"],
  ["dependentsOf", "dependentsOf"],
] as const;

/** What a context has for the components below it. */
const inContext = [
  ["Provider", "set"],
  ["useThread", "thread"],
  ["useAgentState", "get"],
  ["useSuspenseAgentState", "AgentState.ready"],
  ["useDispatch", "AgentState.dispatch"],
  ["useCan", "AgentState.can"],
  ["useSync", "AgentState.sync"],
  ["useHistory", "history"],
  ["useUndo", "undo"],
  ["useProposals", "proposals"],
  ["usePresence", "presence"],
] as const;

const thread = createLocal(tally, { actor: { kind: "user", id: "ada" } });
const agent = new svelte.AgentState(thread);
const sorted = (keys: Iterable<string>) => [...keys].sort();
const members = sorted(inContext.flatMap(([, name]) => (name.startsWith("AgentState.") ? [name.slice(11)] : [])));

describe("both bindings", () => {
  it("export the same things", () => {
    expect(sorted(Object.keys(react))).toEqual(sorted(names.map(([name]) => name)));
    const roots = names.map(([, name]) => name).filter((name) => !name.includes("."));
    expect(sorted(Object.keys(svelte))).toEqual(sorted(roots));
  });

  it("have the same entry for devtools", () => expect({ ...svelteDevtools }).toEqual({ ...reactDevtools }));

  it("give the same things in a context", () => {
    expect(sorted(Object.keys(react.createAgentStateContext(tally)))).toEqual(sorted(inContext.map(([name]) => name)));
    const own = inContext.map(([, name]) => name).filter((name) => !name.includes("."));
    expect(sorted(Object.keys(svelte.createAgentStateContext(tally)))).toEqual(sorted(own));
  });

  it("read, check and dispatch: hooks in one, members of a class in the other", () => {
    const has = new Set([...Object.keys(agent), ...Object.getOwnPropertyNames(svelte.AgentState.prototype)]);
    expect(members.filter((name) => !has.has(name))).toEqual([]);
    // Beside them: what selects and what is selected from.
    const others = [...has].filter((name) => !members.includes(name));
    expect(sorted(others)).toEqual(["constructor", "current", "select", "source"]);
  });

  it("have the same members in every part", () => {
    // `tsc` is the test.
    type D = typeof tally;
    expectTypeOf<keyof react.History<D>>().toEqualTypeOf<keyof svelte.History<D>>();
    expectTypeOf<keyof react.Undo<D>>().toEqualTypeOf<keyof svelte.Undo<D>>();
    expectTypeOf<keyof react.Proposals<D>>().toEqualTypeOf<keyof svelte.Proposals<D>>();
    expectTypeOf<keyof react.ProposalOutcome<D>>().toEqualTypeOf<keyof svelte.ProposalOutcome<D>>();
    expectTypeOf<keyof react.Presence>().toEqualTypeOf<keyof svelte.Presence>();
    expectTypeOf<keyof react.Intents<D>>().toEqualTypeOf<keyof svelte.Intents<D>>();
    expectTypeOf<keyof react.Chat>().toEqualTypeOf<Exclude<keyof svelte.Chat, "current" | "select" | "session">>();
    expectTypeOf<react.Undo<D>["undo"]>().toEqualTypeOf<svelte.Undo<D>["undo"]>();
    expectTypeOf<react.Proposals<D>["approve"]>().toEqualTypeOf<svelte.Proposals<D>["approve"]>();
  });
});
