// The protocol's own conformance streams, where they are at hand, and cases of our own that cover the same ground anywhere.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type AGUIEvent, type Message } from "@ag-ui/core";
import {
  appendMessage,
  chatReducer,
  type ChatState,
  endStream,
  expandChunks,
  initialChatState,
  toAgUiMessages,
  verifyEvents,
} from "@opstate/ag-ui";

interface Case {
  readonly name: string;
  readonly initial: { readonly messages: readonly Message[]; readonly state: unknown };
  readonly events: readonly AGUIEvent[];
  readonly expect: {
    readonly messages?: readonly unknown[];
    readonly messageCount?: number;
    readonly state?: unknown;
    /** What the reference client says; a gap that its suite admits is judged by the specification. */
    readonly outcome?: "completed" | "error";
    readonly admittedGap?: string;
    readonly patchFailure?: boolean;
    readonly noWarnings?: boolean;
    readonly runError?: string;
    /** Parts of the fold's own state; in our own cases. */
    readonly chat?: Record<string, unknown>;
  };
}

const own = fileURLToPath(new URL("../cases/", import.meta.url));
const protocols = fileURLToPath(new URL("../../../../../shared/conformance/ag-ui/", import.meta.url));

function casesIn(folder: string): Case[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  return files.sort().map((file) => JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Case);
}

function start({ initial }: Case): ChatState {
  return initial.messages.reduce<ChatState>((state, message) => appendMessage(state, message), initialChatState({ state: initial.state }));
}

/** Folds the events as they come, and again through both stages: one conversation, whichever way. */
function judge(given: Case): void {
  const states = given.events.map((_event, index) => given.events.slice(0, index + 1).reduce<ChatState>(chatReducer, start(given)));
  const raw = states.at(-1) ?? start(given);
  const staged = [...verifyEvents(expandChunks(given.events))].reduce<ChatState>(chatReducer, start(given));
  const ended = endStream(raw);
  expect(toAgUiMessages(staged)).toEqual(toAgUiMessages(ended));
  expect(staged.state).toEqual(ended.state);
  expect(staged.phase).toBe(ended.phase);

  const { messages, messageCount, state, outcome, admittedGap, patchFailure, noWarnings, runError, chat } = given.expect;
  const found = toAgUiMessages(ended);
  if (messages !== undefined) expect(found).toMatchObject(messages);
  if (messageCount !== undefined) expect(found).toHaveLength(messageCount);
  if ("state" in given.expect) expect([ended.state]).toEqual([state]);
  if (admittedGap !== undefined) expect(ended).toMatchObject({ phase: "error", error: { kind: "truncated" } });
  else if (outcome === "completed") expect(ended).toMatchObject({ phase: "idle", run: { outcome: "success" } });
  else if (outcome === "error") expect(ended.phase).toBe("error");
  if (patchFailure) expect(ended.conflicts).toHaveLength(1);
  if (noWarnings) expect(ended.warnings).toEqual([]);
  if (runError !== undefined) expect(states.map(({ error }) => error?.message)).toContain(runError);
  if (chat !== undefined) expect(ended).toMatchObject(chat);
  expect(JSON.parse(JSON.stringify(ended))).toEqual(ended);
}

const present = casesIn(protocols);
const count = present.length === 0 ? "not at hand; our own cases cover the ground" : `${present.length} cases`;

describe(`the protocol's conformance streams (${count})`, () => {
  it.runIf(present.length > 0)("are all run", () => expect(present.length).toBeGreaterThanOrEqual(12));
  it.each(present.map((given) => [given.name, given] as const))("%s", (_name, given) => judge(given));
});

describe("our own cases", () => {
  const cases = casesIn(own);
  it("are there", () => expect(cases.length).toBeGreaterThanOrEqual(12));
  it.each(cases.map((given) => [given.name, given] as const))("%s", (_name, given) => judge(given));
});
