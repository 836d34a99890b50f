import { type ChatState, chatReducer, initialChatState } from "@opstate/ag-ui";
import { describe, expect, it } from "vitest";
import { readOutcome } from "../../src/chat/outcome.ts";
import { cardsAtWork, transcript } from "../../src/chat/transcript.ts";

const call = (id: string, name: string, json: string) => ({
  id,
  type: "function" as const,
  function: { name, arguments: json },
});

const messages: object[] = [
  { id: "u", role: "user", content: "remove T-15 and move T-15 to Done" },
  {
    id: "a",
    role: "assistant",
    content: "",
    toolCalls: [call("1", "remove", '{"cardId":"T-15"}'), call("2", "move", '{"cardId":"T-15","toColumn":"done"}')],
  },
  {
    id: "r1",
    role: "tool",
    toolCallId: "1",
    content: "Accepted: board is now at version 12.\nChanged: removed /columns/0/cards/1",
  },
  {
    id: "r2",
    role: "tool",
    toolCallId: "2",
    content:
      'Refused (card_not_found): Not moved: there is no card "T-15".\nboard is unchanged by this call, at version 12.',
  },
  { id: "b", role: "assistant", content: "T-15 is removed.", toolCalls: [call("3", "move", '{"cardId":"T-2","toCol')] },
];

/** The messages of the protocol as a conversation has them, while the agent runs. */
const chatOf = (said: readonly object[]): ChatState => ({
  ...chatReducer(initialChatState(), { type: "MESSAGES_SNAPSHOT", messages: said }),
  phase: "running",
});

describe("transcript", () => {
  it("joins calls with their results, in order", () => {
    const items = transcript(chatOf(messages));
    expect(
      items.map((item) =>
        item.kind === "call" ? `${item.call.name} ${item.call.outcome?.kind}` : `${item.kind}: ${item.text}`,
      ),
    ).toEqual([
      "user: remove T-15 and move T-15 to Done",
      "remove accepted",
      "move refused",
      "assistant: T-15 is removed.",
      "move undefined",
    ]);
  });

  it("says once why a call was refused: at the call, or where the agent says it", () => {
    const reasons = (answer: string) =>
      transcript(chatOf(messages.with(4, { id: "b", role: "assistant", content: answer }))).flatMap((item) =>
        item.kind === "call" ? [item.call.outcome?.message] : [],
      );
    expect(reasons("T-15 is removed.")).toEqual([undefined, 'Not moved: there is no card "T-15".']);
    expect(reasons('T-15 was not moved: there is no card "T-15".')).toEqual([undefined, undefined]);
  });

  it("gives the same items for messages that did not change", () => {
    const before = chatOf(messages);
    const thanks = { id: "n", role: "user", status: "complete", content: "Thanks" } as const;
    const after = transcript({ messages: [...before.messages, thanks] });
    expect(after.slice(0, -1)).toEqual(transcript(before));
    for (const [index, item] of transcript(before).entries()) expect(after[index]).toBe(item);
  });

  it("has no operation while arguments stream in, and knows the cards about to be touched", () => {
    expect(cardsAtWork(chatOf(messages))).toEqual([]);
    const complete = messages.with(4, {
      id: "b",
      role: "assistant",
      toolCalls: [call("3", "move", '{"cardId":"T-2","toColumn":"done"}')],
    });
    expect(cardsAtWork(chatOf(complete))).toEqual(["T-2"]);
    expect(cardsAtWork({ ...chatOf(complete), phase: "idle" })).toEqual([]);
  });

  it("reads the input of buildBoard as a board, and that of a tool that reads as nothing", () => {
    const said: object[] = [
      {
        id: "c",
        role: "assistant",
        toolCalls: [
          call("4", "buildBoard", '{"columns":[]}'),
          call("5", "recentChanges", "{}"),
          call("6", "buildBoard", ""),
        ],
      },
    ];
    const operations = transcript(chatOf(said)).map((item) => (item.kind === "call" ? item.call.operation : "no call"));
    expect(operations).toEqual([{ columns: [] }, undefined, undefined]);
  });
});

describe("outcome", () => {
  it.each([
    ["Accepted: board is now at version 12.\nChanged: ...", { kind: "accepted" }],
    ["Accepted: board needed no change; it is at version 3.", { kind: "accepted", changedNothing: true }],
    [
      'Accepted: board is now at version 12.\nDone: "Clear \\"Done\\""\nChanged: ...',
      { kind: "accepted", sentence: 'Clear "Done"' },
    ],
    ['Proposed as "m1/c1": it waits for a person\'s approval.', { kind: "proposed", proposal: "m1/c1" }],
    ["Refused (refused): Not moved: why.\nDetails: {}", { kind: "refused", message: "Not moved: why." }],
    ["Sunny, 20 degrees", undefined],
    ["", undefined],
  ])("reads %j", (result, outcome) => expect(readOutcome(result)).toEqual(outcome));
});
