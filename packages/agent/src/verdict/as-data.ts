// Users' texts are data in what a model reads: they stand in marks such as `<data>`.

/** A text that can open and close no mark. In JSON it is the same text. */
export function asData(text: string): string {
  return text.replaceAll("<", "\\u003c");
}
