// A history in lines that a person can follow.

import type { Verdict } from "@opstate/core";
import type { State } from "./board.ts";
import { equal } from "./things.ts";

type AnyOperation = { readonly type: string };

/** `editById w5 T-6 todo at 0 to 0 n 1 key a`; a replacement by what its cards are. */
export function sayOperation(operation: AnyOperation): string {
  const { type, word, id, list, at, to, n, key, operations, value, patch } = operation as Record<string, unknown>;
  if (Array.isArray(operations)) return `[${operations.map((part) => sayOperation(part as AnyOperation)).join(", ")}]`;
  if (value !== undefined) return `$replace by ${sayState(undefined, value as State)}`;
  if (patch !== undefined) return `$patch ${JSON.stringify(patch)}`;
  return [type, word, id, list, "at", at, "to", to, "n", n, "key", key].join(" ");
}

export function outcome(verdict: Verdict): string {
  if (!verdict.accepted) {
    const { code, reason, message, details } = verdict.rejection;
    const why = (details as { dependents?: unknown } | undefined)?.dependents;
    return ` -> ${[code, reason].filter(Boolean).join(" ")}: ${message}${why ? ` ${JSON.stringify(why)}` : ""}`;
  }
  const operation = verdict.commit?.operation as Record<string, unknown> | undefined;
  if (!operation) return ` -> nothing changed at v${verdict.version}`;
  return ` -> v${verdict.version}${operation["type"] === "$undo" ? ` ${JSON.stringify(operation)}` : ""}`;
}

/** What a state contains, or what of it differs from another one: cards as id, mark and title. */
export function sayState(before: State | undefined, state: State): string {
  const says: Partial<Record<keyof State, string>> = { ...rest(state) };
  for (const list of ["todo", "done"] as const) {
    const cards = state[list].map(({ id, born, title, status, points, subs }) => {
      const parts = subs.map((sub) => `${sub.born} "${sub.text}"`);
      const more = [...(status === "new" ? [] : [status]), ...(points === 0 ? [] : [points]), ...parts];
      return [id, born, `"${title}"`, ...more].join(" ");
    });
    says[list] = `[${cards.join(", ")}]`;
  }
  const names = Object.keys(says) as (keyof State)[];
  const changed = names.filter((name) => !before || !equal(before[name], state[name]));
  return changed.map((name) => `${name} ${says[name]}`).join(", ") || "no change";
}

/** All but the cards, and how many they are. */
function rest(state: State): Record<string, string> {
  const others = Object.entries(state).filter(([name]) => !["todo", "done", "count"].includes(name));
  return Object.fromEntries(others.map(([name, value]) => [name, JSON.stringify(value)]));
}

export function difference(is: State, wanted: State): string {
  return equal(is, wanted) ? "the same" : `${sayState(wanted, is)} instead of ${sayState(is, wanted)}`;
}
