// The slider's versions, from the oldest one to now, and the texts for the one that is shown.

import { nameOf } from "../actor-name.ts";
import type { Log } from "../timeline/log.ts";
import type { LogEntry } from "../timeline/log-entry.ts";
import { entryText } from "../timeline/entry-words.ts";

export interface VersionSlider {
  /** Newest first, as far as the log is read. */
  readonly commits: readonly LogEntry[];
  readonly first: number;
  readonly at: number;
  /** Whether the log that is read goes no further than the board, which may be shown later. */
  readonly isRead: boolean;
  /** "Version 4: ada (you): Move T-42: Backlog -> Done". */
  readonly title: string;
  /** The same for screen readers. */
  readonly spoken: string;
}

export interface VersionSliderOptions {
  readonly entries: Log["entries"];
  /** Whether the log has entries that are not read yet. */
  readonly hasOlder: boolean;
  readonly head: number;
  /** The shown version; undefined for now. */
  readonly viewed: number | undefined;
  readonly user: string;
}

export function versionSlider({ entries, hasOlder, head, viewed, user }: VersionSliderOptions): VersionSlider {
  const commits = entries.filter(({ accepted }) => accepted);
  const oldest = hasOlder ? 1 : (commits.at(-1)?.version ?? 1);
  const at = viewed ?? head;
  const entry = commits.find(({ version }) => version === at);
  const description = entry ? `: ${nameOf(entry.actor, user)}: ${entryText(entry, entries)}` : "";
  return {
    commits,
    first: Math.min(oldest - 1, at),
    at,
    isRead: (commits[0]?.version ?? Infinity) <= head,
    title: `Version ${at}${description}`,
    spoken: viewed === undefined ? `Now, version ${head}${description}` : `Version ${viewed} of ${head}${description}`,
  };
}
