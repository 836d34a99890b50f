// How far a command is, on stderr, at most once a second.

import type { OnProgress, Progress } from "../log/archive.ts";

const INTERVAL = 1_000;

export function createProgress(write: (text: string) => void, now: () => number): OnProgress {
  let last = now();
  return (progress) => {
    if (now() - last < INTERVAL) return;
    last = now();
    write(`${inWords(progress)} so far\n`);
  };
}

export function inWords({ threads, commits }: Progress): string {
  return `${count(threads, "thread")}, ${count(commits, "commit")}`;
}

export function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
