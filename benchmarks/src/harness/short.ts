/**
 * `--short`: without histories of 1,000,000 commits and without the official client's fold of the
 * recorded session.
 */
export const short = process.argv.includes("--short");
