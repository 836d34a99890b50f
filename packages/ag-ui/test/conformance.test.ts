// The protocol's own conformance streams, where they are at hand, and cases of our own that cover
// the same ground anywhere.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type AGUIEvent, type Message } from "@ag-ui/core";
import {
  appendMessage,
  chatReducer,
  ChatSession,
  type ChatState,
  endStream,
  expandChunks,
  initialChatState,
  toAgUiMessages,
  verifyEvents,
} from "@opstate/ag-ui";
import { serveAgent } from "./session/support/agent-server.ts";

interface Case {
  readonly name: string;
  readonly initial: { readonly messages: readonly Message[]; readonly state: unknown };
  readonly events: readonly AGUIEvent[];
  readonly expect: {
    readonly messages?: readonly unknown[];
    readonly messageCount?: number;
    readonly state?: unknown;
    /**
     * What the reference client says; a gap that its suite admits is judged by the specification.
     */
    readonly outcome?: "completed" | "error";
    readonly admittedGap?: string;
    readonly patchFailure?: boolean;
    readonly noWarnings?: boolean;
    readonly runError?: string;
    /** Parts of the fold's own state; in our own cases. */
    readonly chat?: Record<string, unknown>;
  };
}

const own = fileURLToPath(new URL("./cases/", import.meta.url));
const protocols = fileURLToPath(new URL("../../../../shared/conformance/ag-ui/", import.meta.url));

function casesIn(folder: string): Case[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  return files.sort().map((file) => JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Case);
}

function start({ initial }: Case): ChatState {
  return initial.messages.reduce<ChatState>(
    (state, message) => appendMessage(state, message),
    initialChatState({ state: initial.state }),
  );
}

/** The conversation after each event, and after the end of the stream. */
interface Folded {
  readonly states: readonly ChatState[];
  readonly ended: ChatState;
}

/**
 * Folds the events as they come, through both stages, and as a session that reads them from a
 * server: one conversation, whichever way.
 */
async function judge(given: Case): Promise<void> {
  const states = given.events.map((_event, index) =>
    given.events.slice(0, index + 1).reduce<ChatState>(chatReducer, start(given)),
  );
  const raw = { states, ended: endStream(states.at(-1) ?? start(given)) };
  const events = [...verifyEvents(expandChunks(given.events))];
  const stages = events.map((_event, index) => events.slice(0, index + 1).reduce<ChatState>(chatReducer, start(given)));
  const staged = { states: stages, ended: stages.at(-1) ?? start(given) };
  for (const folded of [raw, staged, await throughSession(given)]) {
    expect(toAgUiMessages(folded.ended)).toEqual(toAgUiMessages(raw.ended));
    expect(folded.ended.state).toEqual(raw.ended.state);
    expect(folded.ended.phase).toBe(raw.ended.phase);
    meets(folded, given.expect);
  }
}

/** Real HTTP; a run without a message, so that the conversation is the case's alone. */
async function throughSession(given: Case): Promise<Folded> {
  const { url } = await serveAgent(async function* () {
    yield* given.events;
  });
  const states: ChatState[] = [];
  const session = new ChatSession({ url, initial: start(given) });
  session.subscribe((state) => void states.push(state));
  const ended = await session.resume([]);
  expect(session.replayTo(session.recording.length)).toEqual(ended);
  return { states, ended };
}

function meets({ states, ended }: Folded, expected: Case["expect"]): void {
  const { messages, messageCount, state, outcome, admittedGap, patchFailure, noWarnings, runError, chat } = expected;
  const found = toAgUiMessages(ended);
  if (messages !== undefined) expect(found).toMatchObject(messages);
  if (messageCount !== undefined) expect(found).toHaveLength(messageCount);
  if ("state" in expected) expect([ended.state]).toEqual([state]);
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
