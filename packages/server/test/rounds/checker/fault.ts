// What can be wrong with a history.

export type Rule =
  /** The log's versions are not 1, 2, 3 and so on. */
  | "gap"
  /** Two nodes give two logs. */
  | "logs_differ"
  /** An id has two commits. */
  | "two_effects"
  /** An id has two verdicts. */
  | "two_verdicts"
  /** What was acknowledged is not in the log. */
  | "lost"
  /** It is there at another version than was acknowledged. */
  | "moved"
  /** What was refused is in the log. */
  | "refused_and_stored"
  /** The log has what no one sent. */
  | "never_sent"
  /** The chain decides otherwise at that version. */
  | "wrong_verdict"
  /** Acknowledged before the other began, and not before it in the log. */
  | "order"
  /** A client does not read what it wrote. */
  | "read_your_writes"
  /** Older than what anyone was shown before the read began. */
  | "stale_read"
  /** Older than the read allowed. */
  | "min_version"
  /** A version that held what was sent later only. */
  | "from_the_future"
  /** Not the state that the log has at that version. */
  | "wrong_state"
  /** A stream passed over a commit, or went back. */
  | "stream_gap"
  /** A stream gave another commit than the log has. */
  | "stream_differs"
  /** A reader had not all in time after the last write. */
  | "behind"
  /** The recording ended before that could be known. */
  | "cut_short";

export interface Fault {
  readonly rule: Rule;
  readonly thread: string;
  /** The line of the history that shows it, from 1. */
  readonly line: number;
  readonly what: string;
}
