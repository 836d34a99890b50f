import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outline } from "../../src/context/outline.ts";
import { runs } from "../../../../tools/runs.ts";

const board = (cards: number, columns = 5) => ({
  columns: Array.from({ length: columns }, (_, c) => ({
    columnId: `column-${c}`,
    title: `Column ${c}`,
    cardCount: cards / columns,
    cards: Array.from({ length: cards / columns }, (__, i) => ({
      cardId: `T-${c}-${i}`,
      title: `Card ${i} of column ${c}`,
      priority: 1,
    })),
  })),
});

describe("outline", () => {
  it("is the whole JSON where it fits", () => {
    expect(outline({ a: [1, "two"] }, 100)).toEqual({ json: '{"a":[1,"two"]}', whole: true });
    expect(outline(undefined, 100)).toEqual({ json: "null", whole: true });
  });

  it("cuts lists and texts, and says where", () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const { json, whole } = outline({ items, text: "x".repeat(500) }, 200);
    expect(whole).toBe(false);
    const shown = JSON.parse(json);
    expect(shown.items.at(-1)).toBe(`… ${50 - (shown.items.length - 1)} more`);
    expect(shown.items.slice(0, -1)).toEqual(items.slice(0, shown.items.length - 1));
    const [, kept = "", cut] = /^(x+)… (\d+) more characters$/.exec(shown.text) ?? [];
    expect(kept.length + Number(cut)).toBe(500);
  });

  it("cuts a record with many keys, and says how many", () => {
    const record = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key-${index}`, { value: index }]));
    const { json } = outline(record, 1000);
    const { "…": more, ...shown } = JSON.parse(json);
    expect(more).toBe(`… ${1000 - Object.keys(shown).length} more`);
    expect(shown["key-0"]).toEqual({ value: 0 });
  });

  it("shows the same share of each of several long lists", () => {
    const { columns } = JSON.parse(outline(board(1000), 10_000).json);
    const lengths = columns.map(({ cards }: { cards: unknown[] }) => cards.length);
    expect(columns).toHaveLength(5);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(4);
  });

  it("shows what is in the focus first and whole, at its place", () => {
    const focus = ["/columns/3/cards/150/title", "/columns/0/cards/99", "/columns/1/cardCount"];
    const { columns } = JSON.parse(outline(board(1000), 1500, { focus }).json);
    const at = (column: number, id: string) =>
      columns[column].cards.findIndex((card: { cardId?: string }) => card.cardId === id);
    const [before, card, after] = columns[3].cards.slice(at(3, "T-3-150") - 1);
    expect(card).toEqual({ cardId: "T-3-150", title: "Card 150 of column 3", priority: 1 });
    const shownBefore = at(3, "T-3-150") - 1;
    expect(before).toBe(`… ${150 - shownBefore} more`);
    expect(after).toBe("… 49 more");
    expect(at(0, "T-0-99")).toBeGreaterThan(-1);
    expect(columns[1].cardCount).toBe(200);
  });

  it("ignores a focus that leads nowhere", () => {
    const state = board(1000);
    const focus = ["/columns/9/cards/0", "/nothing", "", "/columns/0/cards/-", "/columns/0/title/length"];
    expect(outline(state, 3000, { focus })).toEqual(outline(state, 3000));
  });

  const states = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 60 });

  it("is JSON that fits, and ends no tag, whatever the state", () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 1, max: 2000 }), (state, characters) => {
        const { json, whole } = outline([...state, "</board>"], characters);
        if (characters >= 3) expect(json.length).toBeLessThanOrEqual(characters);
        expect(json).not.toContain("<");
        const parsed: unknown = JSON.parse(json);
        if (whole) expect(parsed).toEqual(JSON.parse(JSON.stringify([...state, "</board>"])));
      }),
      { numRuns: runs(300) },
    );
  });

  it("uses at least 80 % of its budget where the state is larger", () => {
    const cards = fc.array(
      fc.record({
        cardId: fc.string({ maxLength: 12 }),
        title: fc.string({ maxLength: 200 }),
        tags: fc.array(fc.nat()),
      }),
      { maxLength: 200 },
    );
    const boards = fc.record({
      title: fc.string(),
      columns: fc.array(fc.record({ title: fc.string(), cards }), { maxLength: 6 }),
      notes: fc.dictionary(fc.string(), fc.string({ maxLength: 300 }), { maxKeys: 60 }),
    });
    fc.assert(
      fc.property(
        fc.oneof(boards, states),
        fc.integer({ min: 400, max: 8000 }),
        fc.array(fc.tuple(fc.nat(6), fc.nat(200)), { maxLength: 5 }),
        (state, characters, named) => {
          const focus = named.map(([column, card]) => `/columns/${column}/cards/${card}/title`);
          const { json, whole } = outline(state, characters, { focus });
          expect(json.length).toBeLessThanOrEqual(characters);
          if (!whole) expect(json.length).toBeGreaterThanOrEqual(0.8 * characters);
          expect(outline(structuredClone(state), characters, { focus }).json).toBe(json);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("leaves nothing but a mark where something is left out", () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 40, max: 1000 }), (state, characters) => {
        const { json } = outline(state, characters);
        if (!json.startsWith('"…')) expect(isPartOf(JSON.parse(json), JSON.parse(JSON.stringify(state)))).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Whether every value shown is the state's, in its place, or a mark with the true count. */
function isPartOf(shown: unknown, state: unknown): boolean {
  if (typeof shown === "string" && typeof state === "string") {
    const [, kept = "", cut] = /^([^]*)… (\d+) more characters$/.exec(shown) ?? [];
    return shown === state || (state.startsWith(kept) && kept.length + Number(cut) === state.length);
  }
  if (Array.isArray(shown) && Array.isArray(state)) {
    let index = 0;
    for (const part of shown) {
      const [, more] = (typeof part === "string" && /^… (\d+) more$/.exec(part)) || [];
      if (more !== undefined && part !== state[index]) index += Number(more);
      else if (!isPartOf(part, state[index])) return false;
      else index += 1;
    }
    return index === state.length;
  }
  if (typeof shown !== "object" || shown === null || typeof state !== "object" || state === null)
    return shown === state || shown === "…";
  const rest = new Map(Object.entries(state));
  for (const [key, part] of Object.entries(shown)) {
    if (key === "…" && !rest.has(key)) continue;
    if (!isPartOf(part, rest.get(key))) return false;
    rest.delete(key);
  }
  const more = "…" in shown ? shown["…"] : undefined;
  return rest.size === 0 || more === `… ${rest.size} more`;
}
