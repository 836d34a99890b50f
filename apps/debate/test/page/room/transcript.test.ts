// What the page makes of a conversation.

import { type AGUIEvent, EventType } from "@ag-ui/core";
import { chatReducer, type ChatState, initialChatState } from "@opstate/ag-ui";
import { describe, expect, test } from "vitest";
import type { DebateView, Fact } from "../../../src/debate/state.ts";
import { pieces } from "../../../src/page/room/claims.tsx";
import { phaseOf, roundsOf, speakingNow } from "../../../src/page/room/transcript.ts";
import { turnsIn } from "../../../src/page/room/use-spoken-debate.ts";
import { appOn, clientOf } from "../../support/client.ts";

type Chat = ChatState<Partial<DebateView>>;
const fold = (events: readonly AGUIEvent[], from?: Chat): Chat =>
  events.reduce(chatReducer, from ?? initialChatState()) as Chat;

async function recorded() {
  const { run } = clientOf(appOn());
  const first = await run("/api/debate", { topic: "Zoos", maxRounds: 2, id: "recorded" });
  const second = await run("/api/debate/recorded/resume", { decision: "continue", word: "And the animals?" });
  return { first, second };
}

test("a debate's phases and rounds, event by event, over two runs", async () => {
  const { first, second } = await recorded();
  const phases: string[] = [];
  const speaking: (string | undefined)[] = [];
  let chat = fold([]);
  for (const event of [...first, ...second]) {
    chat = fold([event], chat);
    if (phases.at(-1) !== phaseOf(chat)) phases.push(phaseOf(chat));
    if (speaking.at(-1) !== speakingNow(chat)) speaking.push(speakingNow(chat));
  }
  expect(phases).toEqual(["starting", "running", "waiting", "running", "completed"]);
  expect(speaking.filter((name) => name !== undefined)).toEqual([
    ...["optimist", "skeptic", "fact check", "moderator"],
    ...["optimist", "skeptic", "fact check", "moderator"],
  ]);
  const rounds = roundsOf(chat);
  expect(rounds.map(({ number, entries }) => [number, Object.keys(entries)])).toEqual([
    [1, ["optimist", "skeptic", "moderator", "person"]],
    [2, ["optimist", "skeptic", "moderator"]],
  ]);
  expect(rounds.flatMap(({ entries }) => Object.values(entries)).every(({ status }) => status === "complete")).toBe(
    true,
  );
});

test("a turn that was cut is incomplete, until it is spoken again", async () => {
  const { first } = await recorded();
  const cut = first.findIndex((event) => event.type === "TEXT_MESSAGE_CONTENT" && event.messageId === "1-skeptic");
  const cancelled: AGUIEvent = {
    type: EventType.RUN_FINISHED,
    threadId: "recorded",
    runId: "r",
    outcome: { type: "cancelled" },
  };
  const chat = fold([...first.slice(0, cut + 1), cancelled]);
  expect(phaseOf(chat)).toBe("broken_off");
  const [round] = roundsOf(chat);
  expect(round?.entries.optimist?.status).toBe("complete");
  expect(round?.entries.skeptic?.status).toBe("incomplete");
});

test("a screen reader announces each turn of an agent once, also when several end within one frame", async () => {
  const { first, second } = await recorded();
  const [empty, round] = [fold([]), fold(first)];
  expect(turnsIn(round, empty).map((words) => words.split(":")[0])).toEqual(["Optimist", "Skeptic", "Moderator"]);
  expect(turnsIn(fold(second, round), round)).toHaveLength(3);
  expect(turnsIn(round, round)).toEqual([]);
});

describe("claims in a text", () => {
  const fact = (quote: string): Fact => ({ turn: "1-optimist", quote, label: "plausible", note: "" });
  const cut = (text: string, ...quotes: string[]) =>
    pieces(text, quotes.map(fact)).map(({ piece, fact }) => (fact ? `[${piece}]` : piece));

  test.each<[string, string, string[], string[]]>([
    ["none", "All said.", [], ["All said."]],
    ["at both ends, given in any order", "One. Two. Three.", ["Three.", "One."], ["[One.]", " Two. ", "[Three.]"]],
    ["that overlap: the first one counts", "abcdef", ["abc", "cde"], ["[abc]", "def"]],
    ["that are not there", "abc", ["x", ""], ["abc"]],
  ])("%s", (_, text, quotes, expected) => {
    expect(cut(text, ...quotes)).toEqual(expected);
    expect(
      pieces(text, quotes.map(fact))
        .map(({ piece }) => piece)
        .join(""),
    ).toBe(text);
  });
});
