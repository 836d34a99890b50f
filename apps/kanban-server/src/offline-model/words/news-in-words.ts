// What others did, as a person would say it.

/**
 * "ada: Move 'Dark mode' (T-2): Backlog -> Done" gives "ada moved 'Dark mode' (T-2) from Backlog to
 * Done".
 */
export function newsInWords(line: string): string {
  const [, who, card, from, to] = /^([^:]+): Move ('.+' \(\S+\)|\S+): (.+) -> (.+)$/.exec(line) ?? [];
  return who === undefined ? line : `${who} moved ${card} from ${from} to ${to}`;
}
