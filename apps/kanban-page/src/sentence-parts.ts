// A sentence split into parts, so that a line break never splits an id: "T-42", never "T-" and
// "42".

export interface SentencePart {
  readonly text: string;
  readonly whole: boolean;
}

export function sentenceParts(sentence: string): readonly SentencePart[] {
  // Odd parts are the ids.
  return sentence.split(/([A-Za-z]+-\d+)/).map((text, index) => ({ text, whole: index % 2 === 1 }));
}
