// The update that a random choice means on the state of the moment.

import type { Card, Input, State } from "./board.ts";
import { type Call, NEWEST, type Update } from "./history.ts";

type Operation = { readonly type: string };

export function operationFor(update: Update, state: State, word: () => string): Operation {
  switch (update.kind) {
    case "one":
      return callOn(update.call, state, word());
    case "batch":
      return { type: "$batch", operations: update.calls.map((call) => callOn(call, state, word())) } as Operation;
    case "replace":
      return { type: "$replace", value: replacement(update.how, update.a, state, word()) } as Operation;
    case "patch":
      return { type: "$patch", patch: patchOf(update.how, update.a, state, word()) } as Operation;
  }
}

function callOn({ name, a, b, n }: Call, state: State, word: string): Operation & Input {
  const cards = [...state.todo, ...state.done];
  // -1 is the card that was born last. The highest choice means a card that is not there.
  const chosen = a === NEWEST ? newest(cards) : a < 6 ? cards[a % Math.max(1, cards.length)] : undefined;
  const id = chosen?.id ?? "T-99";
  return {
    type: name,
    word,
    id,
    list: b % 2 === 0 ? "todo" : "done",
    at: atOf(name, a, b),
    to: b,
    n,
    key: "abc".charAt(b % 3),
  };
}

/** A part of a card is chosen by the other number: the first one chooses the card. */
function atOf(name: string, a: number, b: number): number {
  return name.endsWith("Sub") ? b : Math.max(0, a);
}

function newest(cards: readonly Card[]): Card | undefined {
  const age = ({ born }: Card): number => (born.startsWith("w") ? Number.parseInt(born.slice(1), 10) : 0);
  return [...cards].sort((a, b) => age(b) - age(a))[0];
}

function other(card: Pick<Card, "id">, word: string): Card {
  return { id: card.id, born: word, title: `${word}t`, status: "new", points: 0, at: "", subs: [] };
}

/** Whole values as a person or an agent writes them: a card that is not equal is another card. */
function replacement(how: (Update & { kind: "replace" })["how"], a: number, state: State, word: string): State {
  const at = a % Math.max(1, state.todo.length);
  const todo = state.todo.map((card, index) => {
    if (how === "ids") return other(card, `${word}x${index}`);
    return how === "edit" && index === at ? other(card, word) : card;
  });
  if (how === "add") todo.push(other({ id: `X-${word}` }, word));
  if (how === "remove") todo.splice(at, 1);
  const title = how === "title" ? word : state.title;
  return { ...state, title, todo, count: todo.length + state.done.length };
}

function patchOf(how: (Update & { kind: "patch" })["how"], a: number, state: State, word: string): unknown {
  const at = a % Math.max(1, state.todo.length);
  const card = state.todo[at];
  if (how === "add") return [{ op: "add", path: "/todo/0", value: other({ id: `X-${word}` }, word) }];
  if (how === "remove" && card) return [{ op: "remove", path: `/todo/${at}` }];
  if (how === "replace" && card) return [{ op: "replace", path: `/todo/${at}`, value: other(card, word) }];
  return [{ op: "replace", path: "/title", value: word }];
}
