// The agent with the offline model on a real thread: what it does, and whether what it says is
// true.

import { sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, test, vi } from "vitest";
import { ada, ask, boardThread, called, interrupted, said, short } from "./support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

test("of the last hour only what changed in it is told", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T10:00:00Z") });
  try {
    const thread = await boardThread();
    await thread.dispatch({ type: "move", cardId: "T-1", toColumn: "review" }, { actor: ada });
    vi.setSystemTime(new Date("2026-01-01T12:00:00Z"));
    await thread.dispatch({ type: "move", cardId: "T-2", toColumn: "done" }, { actor: ada });
    expect(said(await ask(thread, "what changed since an hour ago?")).at(-1)).toBe(
      "The latest changes in the last hour, newest first:\n- ada: Move 'Dark mode for the settings page' (T-2): Backlog -> Done",
    );
    vi.setSystemTime(new Date("2026-01-01T14:00:00Z"));
    expect(said(await ask(thread, "what changed in the last 30 minutes?")).at(-1)).toBe(
      "No changes in the last 30 minutes.",
    );
  } finally {
    vi.useRealTimers();
  }
});

describe("one step", () => {
  test("moves a card", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "move T-42 to In Progress")).at(-1)).toBe(
      "Moved 'Let people undo an agent's whole run' (T-42) to In Progress.",
    );
    expect(short(thread.getState())[1]).toBe("in-progress: T-15 T-27 T-31 T-42");
  });

  test("makes independent changes in parallel, and reports them together", async () => {
    const thread = await boardThread();
    const messages = await ask(thread, "move every card with priority 2 to Done");
    expect(called(messages)).toEqual([3, 0]);
    expect(said(messages).at(-1)).toBe(
      "Moved 'Write the launch announcement' (T-1), 'Import boards from a spreadsheet' (T-27) and 'Rate limits per person' (T-23) to Done.",
    );
  });

  test("builds a board where there is none, and can work on it", async () => {
    const thread = await boardThread(null);
    expect(said(await ask(thread, "move T-42 to Done"))).toEqual([
      "There is no board yet. Ask me to build one, for example: build a board for launching a website.",
    ]);
    expect(said(await ask(thread, "build a board for launching a website")).at(-1)).toBe(
      "Built a new board: 4 columns, 13 cards.",
    );
    expect(said(await ask(thread, "move T-42 to In Progress")).at(-1)).toBe(
      "Moved 'Announce the launch' (T-42) to In Progress.",
    );
    expect(thread.getState()?.columns.map((column) => [column.title, column.cardCount])).toEqual([
      ["Backlog", 10],
      ["In Progress", 3],
      ["Review", 0],
      ["Done", 0],
    ]);
  });

  test("says what changed, by whom", async () => {
    const thread = await boardThread();
    await thread.dispatch({ type: "move", cardId: "T-3", fromColumn: "backlog", toColumn: "done" }, { actor: ada });
    expect(said(await ask(thread, "what changed?")).at(-1)).toBe(
      "The latest changes, newest first:\n- ada: Move 'Keyboard shortcuts, with a list of them' (T-3): Backlog -> Done\n- the system test: Replace the board: 4 columns, 13 cards",
    );
  });

  test("says what it does not understand, and begins nothing of the request", async () => {
    const thread = await boardThread();
    const before = thread.getState();
    for (const request of ["sing a song", "sing a song, then remove T-15", "remove T-15, then sing a song"])
      expect(said(await ask(thread, request))).toEqual([
        expect.stringMatching(
          /^I did not understand 'sing a song'\. I help only with this board\. I did nothing\. What do you want\?$/,
        ),
      ]);
    expect(thread.getState()).toBe(before);
  });

  test("stops at a step that only turns out on the way not to be clear", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "add a column Old, then move all new cards to Old, then clear Done")).at(-1)).toBe(
      "Added the column 'Old'. I do not know which cards 'new' are. So I stop here.",
    );
    expect(short(thread.getState())[3]).toBe("done: T-8 T-11 T-19");
  });
});

describe("conflicts and refusals", () => {
  test("two conflicting calls of one step each get their true verdict, and the reply is right about both", async () => {
    const thread = await boardThread();
    const messages = await ask(thread, "remove T-15 and move T-15 to Done");
    expect(called(messages)).toEqual([2, 0]);
    const results = messages
      .filter((message) => message.type === "tool")
      .map((message) => message.text.split("\n", 1)[0]);
    expect(results).toEqual([
      "Accepted: board is now at version 2.",
      expect.stringMatching(/^Refused \(card_not_found\): Not moved: there is no card 'T-15'\./),
    ]);
    expect(said(messages).at(-1)).toBe(
      "Removed 'Keep edits made while offline' (T-15). 'Keep edits made while offline' (T-15) was not moved: it is not on the board any more, because I removed it.",
    );
    expect(short(thread.getState())).toEqual(short(sampleBoard).map((column) => column.replace(" T-15", "")));
  });

  test.each([
    [
      "move T-42 to Nowhere",
      "'Let people undo an agent's whole run' (T-42) was not moved: there is no column 'Nowhere'. Columns: Backlog, In Progress, Review, Done.",
      "column_not_found",
    ],
    ["move T-99 to Done", /^Not moved: there is no card 'T-99'\./, "card_not_found"],
    [
      "set priority of T-1 to 9",
      "'Write the launch announcement' (T-1) was not changed: the priority must be at most 4, got 9.",
      undefined,
    ],
    [
      "delete the Review column",
      "Review was not removed: 'Review' holds 2 cards. Move or remove them first.",
      "column_not_empty",
    ],
  ])("an impossible request is refused with its reason and changes nothing: %s", async (request, reply, reason) => {
    const thread = await boardThread();
    const before = thread.getState();
    const text = said(await ask(thread, request)).at(-1);
    if (typeof reply === "string") expect(text).toBe(reply);
    else expect(text).toMatch(reply);
    expect(thread.getState()).toBe(before);
    const refusals = (await thread.history({ rejections: true })).flatMap((entry) =>
      entry.kind === "refusal" ? [entry.refusal] : [],
    );
    expect(refusals.map(({ actor, rejection }) => [actor.kind, rejection.reason])).toEqual([["agent", reason]]);
  });

  test("a misspelt column is corrected once, and said", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "move T-42 to Reviw"))).toEqual([
      "",
      "There is no column 'Reviw', so I take 'Review'.",
      "Moved 'Let people undo an agent's whole run' (T-42) to Review.",
    ]);
  });

  test("the same impossible step again: it is said that it was refused before; requested again later, it is tried as if for the first time", async () => {
    const thread = await boardThread();
    const refusedBefore = /It was refused before for the same reason, so I stop here\.$/;
    expect(said(await ask(thread, "move T-42 to Nowhere, then move T-42 to Nowhere")).at(-1)).toMatch(refusedBefore);
    expect(said(await ask(thread, "move T-42 to Nowhere")).at(-1)).not.toMatch(refusedBefore);
  });

  test("a card that a person moved while the call was under way is moved from where it is", async () => {
    const thread = await boardThread();
    const busy = interrupted(thread, {
      before: async (nth) =>
        nth === 1 && thread.dispatch({ type: "move", cardId: "T-42", toColumn: "review" }, { actor: ada }),
    });
    expect(said(await ask(busy, "move T-42 to Done"))).toEqual([
      "",
      "Meanwhile, ada moved 'Let people undo an agent's whole run' (T-42) from Backlog to Review. 'Let people undo an agent's whole run' (T-42) is in Review by now, so I take it from there.",
      "Moved 'Let people undo an agent's whole run' (T-42) to Done.",
    ]);
  });

  test("it is tried twice, not for ever", async () => {
    const thread = await boardThread();
    const restless = interrupted(thread, {
      before: (nth) =>
        thread.dispatch({ type: "move", cardId: "T-42", toColumn: nth % 2 === 1 ? "review" : "done" }, { actor: ada }),
    });
    const messages = await ask(restless, "move T-42 to In Progress");
    expect(called(messages)).toEqual([1, 1, 0]);
    expect(said(messages).at(-1)).toBe(
      "Not moved: 'Let people undo an agent's whole run' (T-42) is in 'Done', not in 'Review'. Meanwhile, ada moved 'Let people undo an agent's whole run' (T-42) from Review to Done.",
    );
  });

  test("but it is not removed from where no one requested that", async () => {
    const thread = await boardThread();
    const busy = interrupted(thread, {
      before: async () => thread.dispatch({ type: "move", cardId: "T-42", toColumn: "review" }, { actor: ada }),
    });
    expect(said(await ask(busy, "remove T-42")).at(-1)).toBe(
      "Not removed: 'Let people undo an agent's whole run' (T-42) is in 'Review', not in 'Backlog'. Meanwhile, ada moved 'Let people undo an agent's whole run' (T-42) from Backlog to Review.",
    );
  });
});

describe("several steps", () => {
  const plan = "move T-1 to In Progress, then move T-2 to Review, then clear Done";

  test("an edit by a user in the middle survives, and the next step mentions it", async () => {
    const thread = await boardThread();
    const busy = interrupted(thread, {
      after: async (nth) =>
        nth === 1 && thread.dispatch({ type: "move", cardId: "T-38", toColumn: "review", position: 0 }, { actor: ada }),
    });
    expect(said(await ask(busy, plan))).toEqual([
      "Step 1 of 3.",
      "Moved 'Write the launch announcement' (T-1) to In Progress. Meanwhile, ada moved 'Ask ten customers about pricing' (T-38) from Backlog to Review at the top. Step 2 of 3.",
      "Moved 'Dark mode for the settings page' (T-2) to Review. Step 3 of 3.",
      "Cleared Done.",
    ]);
    expect(short(thread.getState())).toEqual([
      "backlog: T-42 T-3",
      "in-progress: T-15 T-27 T-31 T-1",
      "review: T-38 T-23 T-36 T-2",
      "done:",
    ]);
  });

  test("a step sees what the one before it and others did", async () => {
    const thread = await boardThread();
    const busy = interrupted(thread, {
      after: async (nth) =>
        nth === 1 && thread.dispatch({ type: "addCard", columnId: "blocked", title: "From Ada" }, { actor: ada }),
    });
    await ask(busy, "add a column Blocked, then move every card in Blocked to Done");
    expect(short(thread.getState())).toEqual([
      ...short(sampleBoard).slice(0, 3),
      "done: T-8 T-11 T-19 'From Ada'",
      "blocked:",
    ]);
  });

  test("a step that has nothing to do is said and passed over", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "clear Done, then clear Done, then remove T-1"))).toEqual([
      "Step 1 of 3.",
      "Cleared Done. Done is empty already. Step 3 of 3.",
      "Removed 'Write the launch announcement' (T-1).",
    ]);
  });

  test("a question in between is answered at the end", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "what changed? Then clear Done")).at(-1)).toBe(
      "Cleared Done.\n\nNo changes since the board was made.",
    );
  });

  test("a summary at the end is of the board at the end", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "clear Done, then summarise")).at(-1)).toMatch(
      /^Cleared Done\.\n\n4 columns, 10 cards:\n- Backlog: 5\n.*- Done: 0\n/s,
    );
  });
});

test("a board too large to be shown whole can be worked on by id", async () => {
  const cards = Array.from({ length: 3000 }, (_, i) => ({
    cardId: `T-${i + 1}`,
    title: `Card number ${i + 1}`,
    priority: 3,
  }));
  const thread = await boardThread({
    columns: [
      { columnId: "backlog", title: "Backlog", cardCount: 3000, cards },
      { columnId: "done", title: "Done", cardCount: 0, cards: [] },
    ],
  });
  expect(said(await ask(thread, "move T-2999 to Done")).at(-1)).toBe("Moved 'Card number 2999' (T-2999) to Done.");
  expect(said(await ask(thread, "move the last card in Backlog to Done"))).toEqual([
    expect.stringMatching(
      /^The board is too large for me to see whole: I see \d+ of 2999 cards in Backlog\. So I cannot tell which is the last\.$/,
    ),
  ]);
  expect(said(await ask(thread, "where is Card number 2998?"))).toEqual([
    "I do not see 'Card number 2998', but the board is too large for me to see whole.",
  ]);
});
