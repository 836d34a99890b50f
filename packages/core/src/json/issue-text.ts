// What is wrong with a value, as one message. Both builds say it alike: a page hydrates what a
// server rendered.

/** What the author of a schema wrote, and of which place. */
export function authoredText(path: string, message: string): string {
  return path === "" ? message : `${path}: ${message}`;
}

/** The first issues in one message. `count`: of all issues. */
export function issuesText(sentences: readonly string[], count: number): string {
  return sentences.join("; ") + (count > sentences.length ? " (and more)" : "");
}
