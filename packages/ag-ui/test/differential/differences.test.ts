// Every documented difference from the official client is one, on both sides.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatReducer, type ChatState, endStream, initialChatState, toAgUiMessages } from "@opstate/ag-ui";
import { differences, type Outcome } from "./differences.ts";
import { officialFold, officialStages } from "./official.ts";

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

function agrees(found: { readonly messages: readonly unknown[]; readonly state: unknown }, wanted: Outcome): void {
  if (wanted.messages !== undefined) expect(found.messages).toEqual(wanted.messages);
  if ("state" in wanted) expect(found.state).toEqual(wanted.state);
}

describe("documented differences", () => {
  it.each(differences.map((difference) => [difference.name, difference] as const))("%s", async (_name, difference) => {
    const { events, failedAt } = officialStages(difference.events);
    expect(failedAt).toBeUndefined();
    const official = (await officialFold(events.flat(), { messages: [], state: {} })).at(-1)!;
    agrees(official, difference.official);

    const chat = endOf(difference.events, difference.chat);
    agrees({ messages: toAgUiMessages(chat), state: chat.state }, difference.ours);
    if (difference.chat !== undefined) expect(chat).toMatchObject(difference.chat);
  });
});

/** Only where the row is about the end of the stream does the stream end. */
function endOf(events: readonly unknown[], chat: Difference): ChatState {
  const folded = events.reduce<ChatState>(chatReducer, initialChatState());
  return chat?.["phase"] === "error" ? endStream(folded) : folded;
}

type Difference = Record<string, unknown> | undefined;
