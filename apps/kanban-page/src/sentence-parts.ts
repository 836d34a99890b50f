// A sentence split into parts, so that a line break never splits an id: "T-42" or "T-8k2m4q9x1z",
// never "T-" and the rest.

export interface SentencePart {
  readonly text: string;
  readonly whole: boolean;
}

export function sentenceParts(sentence: string): readonly SentencePart[] {
  // Odd parts are the ids.
  return sentence
    .split(/([A-Za-z]+-(?:\d+\b|(?=[a-z]*\d)[0-9a-z]{10}\b))/)
    .map((text, index) => ({ text, whole: index % 2 === 1 }));
}
