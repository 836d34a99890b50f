// A speaker's point, for quoting: their longest sentence without a quotation.

const MAX_LENGTH = 130;

export function pointOf(text: string): string | undefined {
  const own = sentencesOf(text).filter((sentence) => !/[“”]/.test(sentence) && !sentence.endsWith("?"));
  const point = own.toSorted((a, b) => b.length - a.length)[0]?.replace(/[.!]+$/, "");
  if (point === undefined || point === "") return undefined;
  return point.length <= MAX_LENGTH ? point : `${point.slice(0, point.lastIndexOf(" ", MAX_LENGTH))} …`;
}

export function sentencesOf(text: string): readonly string[] {
  return text.match(/[^.!?]+(?:[.!?]+[”"]?(?=\s|$)|$)/g)?.map((sentence) => sentence.trim()) ?? [];
}

/** A line of a list for a topic and a round: always the same, and another one each round. */
export function pick<Item>(items: readonly [Item, ...Item[]], seed: string, round: number): Item {
  return items[(hash(seed) + round) % items.length] ?? items[0];
}

export function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}
