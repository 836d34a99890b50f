/**
 * `--short`: without histories of 1,000,000 commits, and without the official client's fold of the
 * recorded session and of 4,000 messages with calls.
 */
export const short = process.argv.includes("--short");
