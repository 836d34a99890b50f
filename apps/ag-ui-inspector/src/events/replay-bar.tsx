// The slider over the moments of a conversation, with single steps and playback.

import type { RecordingEntry } from "@opstate/ag-ui";
import { useEffect, useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { entryLine } from "./entry-line.ts";

/** How long playback shows an event. */
const PACE_MS = 60;

interface ReplayBarProps {
  /** The event that led to this moment; undefined when now is shown. */
  readonly entry: RecordingEntry | undefined;
  readonly first: number;
  readonly length: number;
  readonly index: number;
  readonly replaying: boolean;
  readonly onGoTo: (index: number) => void;
  readonly onNow: () => void;
}

export function ReplayBar({ entry, first, length, index, replaying, onGoTo, onNow }: ReplayBarProps) {
  const [playing, setPlaying] = useState(false);
  const empty = length === first;
  const words = replaying
    ? `Event ${index} of ${length}${entry === undefined ? "" : `: ${entryLine(entry).type}`}`
    : `Now: event ${length}`;

  // Returning to now ends the playback.
  if (playing && !replaying) setPlaying(false);

  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => onGoTo(index + 1), PACE_MS);
    return () => clearTimeout(timer);
  }, [playing, index, onGoTo]);

  function play() {
    if (!playing && !replaying) onGoTo(first);
    setPlaying(!playing);
  }

  return (
    <div className="replay" data-replaying={replaying || undefined}>
      <button
        type="button"
        className="button icon small"
        aria-label="One event back"
        title="One event back ([)"
        disabled={index <= first}
        onClick={() => onGoTo(index - 1)}
      >
        <Icon name="back" />
      </button>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={words}
        min={first}
        max={length}
        value={index}
        disabled={empty}
        onChange={({ target }) => onGoTo(target.valueAsNumber)}
      />
      <button
        type="button"
        className="button icon small"
        aria-label="One event forward"
        title="One event forward (])"
        disabled={!replaying}
        onClick={() => onGoTo(index + 1)}
      >
        <Icon name="chevron" />
      </button>
      <div className="replay-line">
        <p className="replay-words number">{words}</p>
        <button type="button" className="button small" disabled={empty} onClick={play}>
          {playing ? "Pause" : "Play"}
        </button>
        <button type="button" className="button small" disabled={!replaying} onClick={onNow}>
          Now
        </button>
      </div>
    </div>
  );
}
