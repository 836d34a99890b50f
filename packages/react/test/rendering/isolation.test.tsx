// What an edit to one card costs on a board of 1,000: that card and its column render, nothing else
// does.

import { defineState, memoryLog, openThread } from "@opstate/core";
import { useAgentState } from "@opstate/react";
import { memo, Profiler, StrictMode } from "react";
import { render } from "vitest-browser-react";
import { expect, test } from "vitest";
import { shallow } from "zustand/shallow";
import { z } from "zod";
import { ada } from "../support/shelf.ts";

const Card = z.object({ id: z.string(), title: z.string() });
const Column = z.object({ id: z.string(), cards: z.array(Card), size: z.int() });

const board = defineState({
  name: "wide-board",
  schema: z.object({ columns: z.array(Column) }),
  initial: {
    columns: Array.from({ length: 10 }, (_, column) => ({
      id: `c${column}`,
      cards: Array.from({ length: 100 }, (_, card) => ({ id: `c${column}-${card}`, title: "As it was" })),
      size: 100,
    })),
  },
  derive: { "/columns/*/size": (column: { cards: readonly unknown[] }) => column.cards.length },
  operations: {
    retitle: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const card = draft.columns.flatMap((column) => column.cards).find((each) => each.id === id);
        if (!card) return reject("missing", `There is no card "${id}"`);
        card.title = title;
      },
    },
    move: {
      input: z.object({ id: z.string(), to: z.string() }),
      apply(draft, { id, to }, { reject }) {
        const from = draft.columns.find((column) => column.cards.some((card) => card.id === id));
        const target = draft.columns.find((column) => column.id === to);
        if (!from || !target) return reject("missing", "There is no such card or column");
        const [card] = from.cards.splice(
          from.cards.findIndex((each) => each.id === id),
          1,
        );
        if (card) target.cards.push(card);
      },
    },
  },
});

const thread = await openThread({ definition: board, log: memoryLog(), threadId: "t" });

/** Who rendered, by the functions' own word; and what React's profiler says was updated. */
const rendered = new Set<string>();
const updated = new Set<string>();
const note = (id: string) => void updated.add(id);
const column = (id: string) => (state: ReturnType<typeof thread.getState>) =>
  state.columns.find((each) => each.id === id);

const CardView = memo(function CardView({ card }: { card: z.infer<typeof Card> }) {
  rendered.add(card.id);
  return (
    <Profiler id={card.id} onRender={note}>
      <li>{card.title}</li>
    </Profiler>
  );
});

const ColumnView = memo(function ColumnView({ id }: { id: string }) {
  rendered.add(id);
  // An update keeps what it did not touch: the column is another object only when something in it
  // changed.
  const cards = useAgentState(thread, column(id))?.cards ?? [];
  return (
    <ul>
      <Profiler id={id} onRender={note}>
        {cards.map((card) => (
          <CardView key={card.id} card={card} />
        ))}
      </Profiler>
    </ul>
  );
});

function Board() {
  rendered.add("board");
  const ids = useAgentState(thread, (state) => state.columns.map((each) => each.id), shallow);
  return (
    <Profiler id="board" onRender={note}>
      {ids.map((id) => (
        <ColumnView key={id} id={id} />
      ))}
    </Profiler>
  );
}

test.for(["plain", "in StrictMode"])(
  "an edit renders its card and its column, a move both columns and the card, %s",
  async (mode) => {
    rendered.clear();
    updated.clear();
    const screen = await render(<Board />, mode === "plain" ? {} : { wrapper: StrictMode });
    expect(screen.container.querySelectorAll("li").length).toBe(1_000);
    expect(updated.size).toBe(1_011);
    rendered.clear();
    updated.clear();

    // The profiler around all columns says that something in it was updated.
    const title = `Changed ${mode}`;
    await thread.dispatch(board.op.retitle({ id: "c4-42", title }), { actor: ada });
    await expect.poll(() => screen.container.textContent).toContain(title);
    expect([...rendered].sort()).toEqual(["c4", "c4-42"]);
    expect([...updated].sort()).toEqual(["board", "c4", "c4-42"]);
    rendered.clear();
    updated.clear();

    await thread.dispatch(board.op.move({ id: "c4-42", to: "c7" }), { actor: ada });
    await expect.poll(() => screen.container.querySelectorAll("ul")[7]?.children.length).toBe(101);
    expect([...rendered].sort()).toEqual(["c4", "c4-42", "c7"]);
    expect([...updated].sort()).toEqual(["board", "c4", "c4-42", "c7"]);
    await thread.dispatch(board.op.move({ id: "c4-42", to: "c4" }), { actor: ada });
  },
);
